#include "base/format.h"
#include "lab/benchmark/report.h"

namespace attn {

std::string machine_text(const Machine& m) {
  std::vector<std::vector<std::string>> rows{
      {"", "1 thread", text(m.threads, " threads")},
      {"multiply-adds, GFLOP/s", giga(m.one.peak), giga(m.all.peak)},
  };
  if (m.all.bandwidth > 0) {
    rows.push_back(
        {"memory, two read and one written, GB/s", giga(m.one.bandwidth), giga(m.all.bandwidth)});
    rows.push_back({"memory, read, GB/s", giga(m.one.read), giga(m.all.read)});
  }
  if (m.threads == 1) {
    for (std::vector<std::string>& row : rows) row.pop_back();
  }
  return text(m.cpu, ", ", m.isa, ", ", m.compiler, "\n\n", table(rows));
}

Json machine_json(const Machine& machine) {
  const auto billions = [](double rate) { return rate > 0 ? Json(rate / 1e9) : Json(); };
  return Json::object({{"cpu", machine.cpu},
                       {"isa", machine.isa},
                       {"compiler", machine.compiler},
                       {"threads", machine.threads},
                       {"fma_peak_gflops_1", billions(machine.one.peak)},
                       {"fma_peak_gflops", billions(machine.all.peak)},
                       {"bandwidth_gbytes_per_second_1", billions(machine.one.bandwidth)},
                       {"bandwidth_gbytes_per_second", billions(machine.all.bandwidth)},
                       {"read_gbytes_per_second_1", billions(machine.one.read)},
                       {"read_gbytes_per_second", billions(machine.all.read)}});
}

std::string ladder_text(const std::vector<RungSpeed>& ladder, const std::vector<Index>& sizes) {
  std::vector<std::vector<std::string>> rows{{"GFLOP/s and share of the peak"}};
  for (const Index size : sizes) {
    rows[0].insert(rows[0].end(), {text(size), ""});
    std::size_t row = 0;
    for (const RungSpeed& s : ladder) {
      if (s.size != size) continue;
      if (++row == rows.size()) {
        rows.push_back({text(s.rung, s.threads > 1 ? text(", ", s.threads, " threads") : "")});
      }
      rows[row].insert(rows[row].end(), {giga(s.speed.rate), share_text(s.speed.share)});
    }
  }
  return table(rows);
}

std::string rungs_explained() {
  std::vector<std::vector<std::string>> rows;
  for (const Rung& rung : kRungs) rows.push_back({rung.name, rung.removes});
  return table(rows, {0, 1});
}

Json ladder_json(const std::vector<RungSpeed>& ladder) {
  Json result = Json::array();
  for (const RungSpeed& s : ladder) {
    result.add(Json::object({{"rung", s.rung},
                             {"size", s.size},
                             {"threads", s.threads},
                             {"gflops", s.speed.rate / 1e9},
                             {"share", s.speed.share},
                             {"rows", s.rows}}));
  }
  return result;
}

std::string shapes_text(const std::vector<ShapeSpeed>& shapes) {
  const bool both = shapes.back().threads > 1;
  const std::size_t count = both ? shapes.size() / 2 : shapes.size();
  std::vector<std::vector<std::string>> rows{
      {"product", "", "m", "n", "k", "1 thread, GFLOP/s", "share"}};
  if (both) rows[0].insert(rows[0].end(), {text(shapes.back().threads, " threads"), "share"});
  for (std::size_t i = 0; i < count; ++i) {
    const Product& p = shapes[i].product;
    rows.push_back({p.what, to_string(p.kind), text(p.m), text(p.n), text(p.k)});
    for (std::size_t at = i; at < shapes.size(); at += count) {
      rows.back().insert(rows.back().end(),
                         {giga(shapes[at].speed.rate), share_text(shapes[at].speed.share)});
    }
  }
  return table(rows);
}

Json shape_json(const std::string& model, const ShapeSpeed& s) {
  return Json::object({{"model", model},
                       {"what", s.product.what},
                       {"kind", to_string(s.product.kind)},
                       {"m", s.product.m},
                       {"n", s.product.n},
                       {"k", s.product.k},
                       {"threads", s.threads},
                       {"gflops", s.speed.rate / 1e9},
                       {"share", s.speed.share},
                       {"count", s.product.count}});
}

}  // namespace attn

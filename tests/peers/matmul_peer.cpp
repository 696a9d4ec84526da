// matmul_peer [--openblas LIBRARY] [--mkl LIBRARY] [--rounds N] [--milliseconds N] [--only WORD]
//
// Our matmul beside cblas_sgemm of OpenBLAS and of MKL: the products of a training step and of
// decoding, in one process, on one thread and on two. Prints a table (tab-separated) on stdout.
//
// How it measures. The three take turns, A B C A B C, each for some milliseconds after some
// that are not timed; between turns on two threads all is quiet until no library's threads spin any
// more. A library's ratio is the median over the rounds of its time / ours, so above 1 we are
// faster; the column `ratio` is the smaller one, to the better of the two. One thread is timed by
// its processor time, which other programs on the machine disturb less; two by the clock on the
// wall, where a round in which others were busy is repeated (up to four times as many rounds in
// all). The peak is that of a loop of fused multiply-adds in registers, measured again before each
// product.
//
// All compute the same, C += A B or C = A B in float, and the results must agree. Attention's small
// products go over all sentences and heads of a batch, with a head's columns as they lie in memory.
//
// Build with -O3 -march=native (for the loop that measures the peak), link with our library and
// -ldl.
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "kernels/isa.h"
#include "kernels/matmul.h"

namespace {

using attn::Index;

// ---- A matrix as it lies in memory, and a product of three of them ----

// A stored matrix, as many of them as a batch has sentences and heads: the one of sentence s and
// head h begins at s * sentence_step + h * head_step.
struct Stored {
  int row_stride;
  bool transposed = false;
  Index sentence_step = 0, head_step = 0;
  Index size;  // of all
};

struct Product {
  std::string name, kind;
  int m, n, k;
  Stored a, b, c;
  bool accumulate = false;
  int sentences = 1, heads = 1;
  bool training = true;  // decoding's products do not count for the means
  bool two_threads = true;

  double flop() const { return 2.0 * m * n * k * sentences * heads; }
};

// One matrix that is stored by itself: [rows, cols], or its transpose.
Stored whole(int rows, int cols, bool transposed) {
  return {transposed ? rows : cols, transposed, 0, 0, Index{rows} * cols};
}

Product product(const std::string& name, const std::string& kind, int m, int n, int k) {
  Product p{name,
            kind,
            m,
            n,
            k,
            whole(m, k, kind[0] == 'T'),
            whole(k, n, kind[1] == 'T'),
            whole(m, n, false)};
  p.accumulate = kind.back() == '+';
  return p;
}

// y = x W with all that training makes of it: dx = dy Wᵀ, dW += xᵀ dy.
void add_linear(std::vector<Product>& all, const std::string& name, int T, int in, int out) {
  all.push_back(product(name + "_forward", "NN", T, out, in));
  all.push_back(product(name + "_dx", "NT", T, in, out));
  all.push_back(product(name + "_dW", "TN+", in, out, T));
}

// logits = h Eᵀ, dh = dlogits E, dE += dlogitsᵀ h.
void add_output(std::vector<Product>& all, const std::string& name, int T, int d, int V) {
  all.push_back(product(name + "_forward", "NT", T, V, d));
  all.push_back(product(name + "_dx", "NN", T, d, V));
  all.push_back(product(name + "_dE", "TN+", V, d, T));
}

// S = Q Kᵀ, O = P V and dV = Pᵀ dO; backward's other products have the shapes of these.
void add_attention(std::vector<Product>& all, const std::string& name, int sentences, int length,
                   int d_model, int heads) {
  const int d_k = d_model / heads;
  const Stored head{d_model, false, Index{length} * d_model, d_k,
                    Index{sentences} * length * d_model};
  const Stored weights{length, false, Index{heads} * length * length, Index{length} * length,
                       Index{sentences} * heads * length * length};
  const auto transposed = [](Stored stored) {
    stored.transposed = true;
    return stored;
  };
  const auto add = [&](const char* what, const char* kind, int n, int k, const Stored& a,
                       const Stored& b, const Stored& c) {
    Product p{name + what, kind, length, n, k, a, b, c};
    p.sentences = sentences;
    p.heads = heads;
    p.two_threads = false;  // the program gives each thread heads of its own
    all.push_back(p);
  };
  add("_scores", "NT", length, d_k, head, transposed(head), weights);
  add("_values", "NN", d_k, length, weights, head, head);
  add("_dV", "TN", d_k, length, transposed(weights), head, head);
}

void add_step(std::vector<Product>& all, const std::string& name, int T, int d, int d_ff, int V,
              int output_rows) {
  add_linear(all, name + "_projection", T, d, d);
  add_linear(all, name + "_ff1", T, d, d_ff);
  add_linear(all, name + "_ff2", T, d_ff, d);
  // The program makes some rows of logits at a time, about 8 million numbers.
  add_output(all, name + "_output", output_rows, d, V);
}

void add_decoding(std::vector<Product>& all, int rows) {
  const std::string name = "decode_" + std::to_string(rows);
  const std::size_t first = all.size();
  all.push_back(product(name + "_projection", "NN", rows, 512, 512));
  all.push_back(product(name + "_ff1", "NN", rows, 2048, 512));
  all.push_back(product(name + "_ff2", "NN", rows, 512, 2048));
  all.push_back(product(name + "_output", "NT", rows, 37000, 512));
  for (std::size_t i = first; i < all.size(); ++i) all[i].training = false;
}

std::vector<Product> products() {
  std::vector<Product> all;
  for (const int size : {512, 768, 1024, 1536, 2048}) {
    all.push_back(product("square_" + std::to_string(size), "NN", size, size, size));
  }
  add_step(all, "base", 1024, 512, 2048, 37000, 226);
  add_output(all, "base_output_whole", 1024, 512, 37000);
  add_attention(all, "base_attention", 32, 32, 512, 8);
  add_step(all, "small", 1500, 256, 1024, 8000, 1048);
  add_attention(all, "small_attention", 62, 24, 256, 4);
  add_step(all, "toy", 512, 64, 256, 29, 512);
  add_attention(all, "toy_attention", 46, 11, 64, 4);
  add_decoding(all, 1);
  add_decoding(all, 4);
  return all;
}

// ---- The peers ----

using Sgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k,
                       float alpha, const float* a, int lda, const float* b, int ldb, float beta,
                       float* c, int ldc);
constexpr int kRowMajor = 101, kPlain = 111, kTransposed = 112;

struct Library {
  std::string name;
  Sgemm sgemm = nullptr;
  void (*set_threads)(int) = nullptr;
  std::string version;
};

void* symbol(void* library, const std::string& path, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(path + " has no " + name);
  return found;
}

// Each library sees its own symbols only, so that both can have a cblas_sgemm.
void* open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(std::string("cannot load: ") + dlerror());
  return library;
}

Library open_openblas(const std::string& path) {
  void* library = open(path);
  Library result{"openblas", reinterpret_cast<Sgemm>(symbol(library, path, "cblas_sgemm")),
                 reinterpret_cast<void (*)(int)>(symbol(library, path, "openblas_set_num_threads")),
                 ""};
  const auto text = [&](const char* name) {
    return std::string(reinterpret_cast<char* (*)()>(symbol(library, path, name))());
  };
  result.version = text("openblas_get_config") + ", running as " + text("openblas_get_corename");
  return result;
}

Library open_mkl(const std::string& path) {
  void* library = open(path);
  Library result{"mkl", reinterpret_cast<Sgemm>(symbol(library, path, "cblas_sgemm")),
                 reinterpret_cast<void (*)(int)>(symbol(library, path, "MKL_Set_Num_Threads")), ""};
  char text[200] = "";
  reinterpret_cast<void (*)(char*, int)>(symbol(library, path, "MKL_Get_Version_String"))(
      text, static_cast<int>(sizeof text) - 1);
  result.version = text;
  result.version.erase(result.version.find_last_not_of(' ') + 1);
  return result;
}

// ---- The peak ----

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));

// Chains of multiply-adds, which the compiler fuses: enough of them that none waits for its last
// result, and few enough that all are in registers. Returns the operations done.
double multiply_add_loop(int times) {
  constexpr int kChains = 12;
  Vector half = {}, one = {}, chain[kChains];
  half += 0.5f;
  one += 1;
#pragma GCC unroll 16
  for (int j = 0; j < kChains; ++j) chain[j] = one * static_cast<float>(j);  // all different
  for (int i = 0; i < times; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < kChains; ++j) chain[j] = chain[j] * half + one;
  }
  Vector sum = {};
#pragma GCC unroll 16
  for (int j = 0; j < kChains; ++j) sum += chain[j];
  asm volatile("" : : "x"(sum));  // somebody wants the result
  return 2.0 * kLanes * kChains * times;
}

// ---- Time ----

double seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double time_of(clockid_t clock, const std::function<void()>& work) {
  const double begin = seconds(clock);
  work();
  return seconds(clock) - begin;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Processor time that all programs have used since the system started, and this one, in seconds.
double busy_of_all() {
  double used = 0, user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0,
         steal = 0;
  if (std::FILE* file = std::fopen("/proc/stat", "r")) {
    if (std::fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle,
                    &wait, &irq, &softirq, &steal) == 8) {
      used = user + nice + system + irq + softirq + steal;
    }
    std::fclose(file);
  }
  return used / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// The share of two processors that others have used since this was made.
class Others {
 public:
  double share() const {
    const double busy = busy_of_all() - busy_, own = seconds(CLOCK_PROCESS_CPUTIME_ID) - own_;
    return std::max(0.0, busy - own) / (2 * (seconds(CLOCK_MONOTONIC) - begin_));
  }

 private:
  double begin_ = seconds(CLOCK_MONOTONIC), busy_ = busy_of_all(),
         own_ = seconds(CLOCK_PROCESS_CPUTIME_ID);
};

// GFLOP/s of the peak loop on one thread. (Two threads just begun may share a processor for longer
// than such a loop takes, so that a peak of two would say nothing.)
double peak() {
  constexpr int kTimes = 200000;
  double flop = 0;
  const double time = time_of(CLOCK_THREAD_CPUTIME_ID, [&] { flop = multiply_add_loop(kTimes); });
  return flop / time / 1e9;
}

// ---- The comparison ----

struct Options {
  std::string openblas, mkl, only;
  int rounds = 7;
  double milliseconds = 5;  // of a turn
};

// Numbers, aligned as the libraries like it best.
class Numbers {
 public:
  explicit Numbers(Index size, unsigned seed = 0)
      : size_(size), data_(new (std::align_val_t{64}) float[static_cast<std::size_t>(size)]) {
    for (Index i = 0; i < size; ++i) {
      seed = seed * 1664525u + 1013904223u;
      data_[i] = static_cast<float>(seed >> 16) / 32768.0f - 1;
    }
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  ~Numbers() { operator delete[](data_, std::align_val_t{64}); }

  void clear() { std::fill(data_, data_ + size_, 0.0f); }
  float* data() { return data_; }
  Index size() const { return size_; }

 private:
  Index size_;
  float* data_;
};

attn::MatmulOperand operand(const Stored& stored, const float* data) {
  if (stored.transposed) return {data, 1, stored.row_stride};
  return {data, stored.row_stride, 1};
}

// Calls body(offset in A, in B, in C) for each product of the batch.
template <class Body>
void for_each_product(const Product& p, const Body& body) {
  for (int s = 0; s < p.sentences; ++s) {
    for (int h = 0; h < p.heads; ++h) {
      body(s * p.a.sentence_step + h * p.a.head_step, s * p.b.sentence_step + h * p.b.head_step,
           s * p.c.sentence_step + h * p.c.head_step);
    }
  }
}

void run_ours(const Product& p, Numbers& A, Numbers& B, Numbers& C) {
  for_each_product(p, [&](Index a, Index b, Index c) {
    attn::MatmulProblem problem{
        p.m,          p.n,           p.k, operand(p.a, A.data() + a), operand(p.b, B.data() + b),
        C.data() + c, p.c.row_stride};
    problem.accumulate = p.accumulate;
    attn::matmul(problem);
  });
}

void run_library(Sgemm sgemm, const Product& p, Numbers& A, Numbers& B, Numbers& C) {
  for_each_product(p, [&](Index a, Index b, Index c) {
    sgemm(kRowMajor, p.a.transposed ? kTransposed : kPlain, p.b.transposed ? kTransposed : kPlain,
          p.m, p.n, p.k, 1, A.data() + a, p.a.row_stride, B.data() + b, p.b.row_stride,
          p.accumulate ? 1.0f : 0.0f, C.data() + c, p.c.row_stride);
  });
}

// ‖x − y‖/‖y‖
double difference(Numbers& x, Numbers& y) {
  double difference = 0, norm = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const double by = x.data()[i] - y.data()[i];
    difference += by * by;
    norm += static_cast<double>(y.data()[i]) * y.data()[i];
  }
  return std::sqrt(difference / norm);
}

// GFLOP/s of each side (ours first), each library's ratio, and the peak.
struct Result {
  std::vector<double> gflops, ratios;
  double peak = 0;
  double better() const { return *std::min_element(ratios.begin(), ratios.end()); }
};

Result compare(const Product& p, const std::vector<Library>& libraries, int threads,
               const Options& options) {
  Numbers A(p.a.size, 1), B(p.b.size, 2), C(p.c.size), expected(p.c.size);
  std::vector<std::function<void()>> sides{[&] { run_ours(p, A, B, C); }};
  for (const Library& library : libraries) {
    sides.push_back([&] { run_library(library.sgemm, p, A, B, C); });
  }

  // The same numbers come out.
  attn::set_threads(threads);
  C.clear();
  sides[0]();
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    libraries[i].set_threads(threads);
    expected.clear();
    run_library(libraries[i].sgemm, p, A, B, expected);
    const double by = difference(C, expected);
    if (!(by < 1e-5)) {
      throw std::runtime_error(p.name + ": " + libraries[i].name +
                               " computes other numbers than we do");
    }
  }

  // They take turns.
  const clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const int repeats = std::max(
      1, static_cast<int>(options.milliseconds / 1e3 / time_of(CLOCK_MONOTONIC, sides[0])));
  std::vector<std::vector<double>> times(sides.size()), ratios(libraries.size());
  std::vector<double> peaks;
  int spare = threads > 1 ? 3 * options.rounds : 0;  // rounds that may be repeated
  while (static_cast<int>(peaks.size()) < options.rounds) {
    const Others others;
    peaks.push_back(peak());
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (threads > 1) std::this_thread::sleep_for(std::chrono::milliseconds(40));
      // A thread that slept may begin on the processor of the one that wakes it, until the system
      // sees that another is idle: what is not timed takes a quarter of what is.
      for (int r = 0; r < (threads > 1 ? repeats / 4 + 1 : 1); ++r) sides[i]();
      times[i].push_back(time_of(clock, [&] {
        for (int r = 0; r < repeats; ++r) sides[i]();
      }));
      if (i > 0) ratios[i - 1].push_back(times[i].back() / times[0].back());
    }
    if (spare > 0 && others.share() > 0.1) {
      --spare;
      peaks.pop_back();
      for (auto& t : times) t.pop_back();
      for (auto& r : ratios) r.pop_back();
    }
  }
  Result result;
  for (const auto& t : times) result.gflops.push_back(p.flop() * repeats / median(t) / 1e9);
  for (const auto& r : ratios) result.ratios.push_back(median(r));
  result.peak = median(peaks);
  return result;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

// ---- The table ----

void print_end(double better, int threads, const Result& result) {
  if (threads == 1) {
    std::printf("\t%.3f\t%.1f\t%.3f\n", better, result.peak, result.gflops[0] / result.peak);
  } else {
    std::printf("\t%.3f\t-\t-\n", better);
  }
}

void print_row(const std::string& name, const std::string& kind, const std::string& sizes,
               int threads, const Result& result) {
  std::printf("%s\t%s\t%s\t%d", name.c_str(), kind.c_str(), sizes.c_str(), threads);
  for (const double gflops : result.gflops) std::printf("\t%.1f", gflops);
  for (const double ratio : result.ratios) std::printf("\t%.3f", ratio);
  print_end(result.better(), threads, result);
  std::fflush(stdout);
}

// Geometric means over rows; with `worst` the least ratios and share instead.
Result summary(const std::vector<Result>& results) {
  Result mean = results.front();
  const auto over = [&](auto value) {
    std::vector<double> values;
    for (const Result& result : results) values.push_back(value(result));
    return geometric_mean(values);
  };
  for (std::size_t i = 0; i < mean.gflops.size(); ++i) {
    mean.gflops[i] = over([i](const Result& r) { return r.gflops[i]; });
  }
  for (std::size_t i = 0; i < mean.ratios.size(); ++i) {
    mean.ratios[i] = over([i](const Result& r) { return r.ratios[i]; });
  }
  mean.peak = over([](const Result& r) { return r.peak; });
  return mean;
}

struct Row {
  Product product;
  int threads;
  Result result;
};

std::vector<Result> results_of(const std::vector<Row>& rows, int threads,
                               const std::string& start) {
  std::vector<Result> results;
  for (const Row& row : rows) {
    const bool named = row.product.name.compare(0, start.size(), start) == 0;
    if (row.threads == threads && row.product.training && named) results.push_back(row.result);
  }
  return results;
}

void print_summary(const std::vector<Row>& rows, const std::vector<Library>& libraries) {
  // The ratio of a mean is the mean of the ratios to whichever library was better.
  for (const char* group : {"", "square", "base", "small", "toy"}) {
    for (const int threads : {1, 2}) {
      const std::vector<Result> results = results_of(rows, threads, group);
      if (results.empty()) continue;
      std::vector<double> better;
      for (const Result& result : results) better.push_back(result.better());
      const Result mean = summary(results);
      std::printf("mean_%s\t-\t%zu products\t%d", *group ? group : "all", results.size(), threads);
      for (const double gflops : mean.gflops) std::printf("\t%.1f", gflops);
      for (const double ratio : mean.ratios) std::printf("\t%.3f", ratio);
      print_end(geometric_mean(better), threads, mean);
    }
  }
  for (const int threads : {1, 2}) {
    const Row* worst = nullptr;
    for (const Row& row : rows) {
      if (row.threads != threads || !row.product.training) continue;
      if (worst == nullptr || row.result.better() < worst->result.better()) worst = &row;
    }
    if (worst != nullptr)
      print_row("worst", worst->product.kind, worst->product.name, threads, worst->result);
  }
  // Two threads / one thread, over the products that were measured with both.
  std::vector<std::vector<double>> scaling(libraries.size() + 1);
  for (const Row& one : rows) {
    for (const Row& two : rows) {
      if (one.threads != 1 || two.threads != 2 || one.product.name != two.product.name) continue;
      if (!one.product.training) continue;
      for (std::size_t i = 0; i < scaling.size(); ++i) {
        scaling[i].push_back(two.result.gflops[i] / one.result.gflops[i]);
      }
    }
  }
  if (scaling[0].empty()) return;
  std::printf("scaling\t-\t%zu products\t2", scaling[0].size());
  for (const auto& values : scaling) std::printf("\t%.3f", geometric_mean(values));
  for (std::size_t i = 0; i < libraries.size() + 3; ++i) std::printf("\t-");
  std::printf("\n");
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--openblas") {
      options.openblas = value;
    } else if (name == "--mkl") {
      options.mkl = value;
    } else if (name == "--rounds") {
      options.rounds = std::max(1, std::atoi(value.c_str()));
    } else if (name == "--milliseconds") {
      options.milliseconds = std::max(0.1, std::atof(value.c_str()));
    } else if (name == "--only") {
      options.only = value;
    } else {
      throw std::runtime_error("unknown option " + name);
    }
  }
  if (argc % 2 == 0 || (options.openblas.empty() && options.mkl.empty())) {
    throw std::runtime_error(
        "usage: matmul_peer [--openblas LIBRARY] [--mkl LIBRARY] [--rounds N] "
        "[--milliseconds N] [--only WORD]; one library at least");
  }
  return options;
}

void run(const Options& options) {
  // What the libraries read from the environment must be there before they are loaded. Debian's
  // OpenBLAS does not know every processor with AVX-512 and would take a slower kernel.
#if defined(__AVX512F__)
  setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 0);
#endif
  setenv("OPENBLAS_NUM_THREADS", "2", 1);
  setenv("MKL_NUM_THREADS", "2", 1);
  setenv("MKL_DYNAMIC", "FALSE", 1);
  setenv("MKL_THREADING_LAYER", "INTEL", 0);
  setenv("KMP_BLOCKTIME", "10", 1);  // ms that its threads spin for after a product
  std::vector<Library> libraries;
  if (!options.openblas.empty()) libraries.push_back(open_openblas(options.openblas));
  if (!options.mkl.empty()) libraries.push_back(open_mkl(options.mkl));

  for (const Library& library : libraries) {
    std::printf("# %s: %s\n", library.name.c_str(), library.version.c_str());
  }
  std::printf("# ours: instruction set %s\n", attn::isa_name().c_str());
  std::printf(
      "# GFLOP/s; ratio: their time / ours, medians of %d rounds; share: of one thread's peak\n",
      options.rounds);
  std::printf("# kind: A and B plain (N) or transposed (T), + adds to C\n");
  std::printf("shape\tkind\tm_n_k\tthreads\tours");
  for (const Library& library : libraries) std::printf("\t%s", library.name.c_str());
  for (const Library& library : libraries) std::printf("\tratio_%s", library.name.c_str());
  std::printf("\tratio\tpeak\tshare\n");

  std::vector<Row> rows;
  for (const Product& p : products()) {
    if (p.name.find(options.only) == std::string::npos) continue;
    for (const int threads : {1, 2}) {
      if (threads == 2 && !p.two_threads) continue;
      rows.push_back({p, threads, compare(p, libraries, threads, options)});
      print_row(p.name, p.kind,
                std::to_string(p.m) + 'x' + std::to_string(p.n) + 'x' + std::to_string(p.k),
                threads, rows.back().result);
    }
  }
  if (rows.empty()) throw std::runtime_error("no product is called " + options.only);
  print_summary(rows, libraries);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "matmul_peer: error: %s\n", error.what());
    return 1;
  }
  return 0;
}

// The processor is asked once what it can run; after that, a kernel is one call through a table.
#include "kernels/isa.h"

#include <atomic>
#include <cstdlib>

#include "base/check.h"
#include "kernels/kernels.h"

namespace attn {

// The tables are in kernels/simd/all.cpp; a program has those that its compiler could build.
namespace portable {
extern const Kernels table;
}
namespace avx2 {
extern const Kernels table;
}
namespace avx512 {
extern const Kernels table;
}
namespace neon {
extern const Kernels table;
}

namespace {

struct Isa {
  const char* name;
  const Kernels* table;
};

// What this program holds and this processor runs, best first: it must have every feature that the
// compiler could use, and the system must save its registers (__builtin_cpu_supports asks both).
std::vector<Isa> find_isas() {
  std::vector<Isa> found;
#ifdef ATTENTION_HAS_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    found.push_back({"avx512", &avx512::table});
  }
#endif
#ifdef ATTENTION_HAS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    found.push_back({"avx2", &avx2::table});
  }
#endif
#ifdef ATTENTION_HAS_NEON
  found.push_back({"neon", &neon::table});
#endif
  found.push_back({"portable", &portable::table});
  return found;
}

const std::vector<Isa>& isas() {
  static const std::vector<Isa> found = find_isas();
  return found;
}

const Isa& find(const std::string& name, const char* who) {
  for (const Isa& isa : isas()) {
    if (isa.name == name) return isa;
  }
  fail(who, "instruction set \"", name,
       "\" is not available here; these are: ", comma_list(available_isas()));
}

const Isa* first_choice() {
  const char* asked_for = std::getenv("ATTENTION_ISA");
  if (asked_for == nullptr || *asked_for == '\0') return &isas().front();
  return &find(asked_for, "ATTENTION_ISA: ");
}

std::atomic<const Isa*>& isa_in_use() {
  static std::atomic<const Isa*> isa{first_choice()};
  return isa;
}

}  // namespace

const Kernels& kernels() {
  return *isa_in_use().load()->table;
}

std::string isa_name() {
  return isa_in_use().load()->name;
}

std::vector<std::string> available_isas() {
  std::vector<std::string> names;
  for (const Isa& isa : isas()) names.push_back(isa.name);
  return names;
}

void set_isa(const std::string& name) {
  isa_in_use() = &find(name, "");
}

}  // namespace attn

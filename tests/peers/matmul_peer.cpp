// matmul_peer OPENBLAS MKL ROUNDS MILLISECONDS
//
// Our matmul beside cblas_sgemm of these two libraries: the products of a training step and of
// decoding, in one process, on one thread and on two. Prints a table (tab-separated) on stdout.
//
// How it measures. The three take turns, A B C A B C, each for some milliseconds after some
// that are not timed; between turns on two threads all is quiet until no library's threads spin any
// more. A library's ratio is the median over the rounds of its time / ours, so above 1 we are
// faster; the column `ratio` is the smaller one, to the better of the two. One thread is timed by
// its processor time, which other programs on the machine disturb less; two by the clock on the
// wall. The peak is that of multiply-adds in registers, measured again before each round.
//
// All compute the same, C += A B or C = A B in float, and the results must agree. Attention's small
// products go over all sentences and heads of a batch, with a head's columns as they lie in memory.
//
// Link with our library and -ldl.
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"
#include "kernels/matmul.h"
#include "tensor/tensor.h"

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

// GFLOP/s of multiply-adds on one thread. (Two threads just begun may share a processor for longer
// than this takes, so that a peak of two would say nothing.)
double peak() {
  double flop = 0;
  float sink = 0;
  const double time = time_of(CLOCK_THREAD_CPUTIME_ID,
                              [&] { flop = attn::kernels().peak_multiply_adds(200000, &sink); });
  return flop / time / 1e9;
}

// ---- The comparison ----

attn::Tensor numbers(Index size, unsigned seed) {
  attn::Tensor x = attn::Tensor::zeros({size});
  for (Index i = 0; i < size; ++i) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = static_cast<float>(seed >> 16) / 32768.0f - 1;
  }
  return x;
}

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

void run_ours(const Product& p, const attn::Tensor& A, const attn::Tensor& B, attn::Tensor& C) {
  for_each_product(p, [&](Index a, Index b, Index c) {
    attn::MatmulProblem problem{
        p.m,          p.n,           p.k, operand(p.a, A.data() + a), operand(p.b, B.data() + b),
        C.data() + c, p.c.row_stride};
    problem.accumulate = p.accumulate;
    attn::matmul(problem);
  });
}

void run_library(Sgemm sgemm, const Product& p, const attn::Tensor& A, const attn::Tensor& B,
                 attn::Tensor& C) {
  for_each_product(p, [&](Index a, Index b, Index c) {
    sgemm(kRowMajor, p.a.transposed ? kTransposed : kPlain, p.b.transposed ? kTransposed : kPlain,
          p.m, p.n, p.k, 1, A.data() + a, p.a.row_stride, B.data() + b, p.b.row_stride,
          p.accumulate ? 1.0f : 0.0f, C.data() + c, p.c.row_stride);
  });
}

// ‖x − y‖/‖y‖
double difference(const attn::Tensor& x, const attn::Tensor& y) {
  double difference = 0, norm = 0;
  for (Index i = 0; i < x.elements(); ++i) {
    const double by = x[i] - y[i];
    difference += by * by;
    norm += static_cast<double>(y[i]) * y[i];
  }
  return std::sqrt(difference / norm);
}

// GFLOP/s of each side (ours first), each library's ratio, and the peak.
struct Result {
  std::vector<double> gflops, ratios;
  double better = 0, peak = 0;
};

Result compare(const Product& p, const std::vector<Library>& libraries, int threads, int rounds,
               double milliseconds) {
  const attn::Tensor A = numbers(p.a.size, 1), B = numbers(p.b.size, 2);
  attn::Tensor C = attn::Tensor::zeros({p.c.size}), expected = C;
  std::vector<std::function<void()>> sides{[&] { run_ours(p, A, B, C); }};
  for (const Library& library : libraries) {
    sides.push_back([&] { run_library(library.sgemm, p, A, B, C); });
  }

  // The same numbers come out.
  attn::set_threads(threads);
  sides[0]();
  for (const Library& library : libraries) {
    library.set_threads(threads);
    expected.fill(0);
    run_library(library.sgemm, p, A, B, expected);
    if (!(difference(C, expected) < 1e-5)) {
      throw std::runtime_error(p.name + ": " + library.name + " computes other numbers than we do");
    }
  }

  // They take turns.
  const clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const int repeats =
      std::max(1, static_cast<int>(milliseconds / 1e3 / time_of(CLOCK_MONOTONIC, sides[0])));
  std::vector<std::vector<double>> times(sides.size()), ratios(libraries.size());
  std::vector<double> peaks;
  for (int round = 0; round < rounds; ++round) {
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
  }
  Result result;
  for (const auto& t : times) result.gflops.push_back(p.flop() * repeats / median(t) / 1e9);
  for (const auto& r : ratios) result.ratios.push_back(median(r));
  result.better = *std::min_element(result.ratios.begin(), result.ratios.end());
  result.peak = median(peaks);
  return result;
}

// ---- The table ----

void print_row(const std::string& name, const std::string& kind, const std::string& sizes,
               int threads, const Result& result) {
  std::printf("%s\t%s\t%s\t%d", name.c_str(), kind.c_str(), sizes.c_str(), threads);
  for (const double gflops : result.gflops) std::printf("\t%.1f", gflops);
  for (const double ratio : result.ratios) std::printf("\t%.3f", ratio);
  if (threads == 1) {
    std::printf("\t%.3f\t%.1f\t%.3f\n", result.better, result.peak, result.gflops[0] / result.peak);
  } else {
    std::printf("\t%.3f\t-\t-\n", result.better);
  }
  std::fflush(stdout);
}

// Geometric means over rows. The ratio of a mean is the mean of the ratios to whichever library
// was better.
Result mean_of(const std::vector<Result>& results) {
  const auto over = [&](auto value) {
    double sum = 0;
    for (const Result& result : results) sum += std::log(value(result));
    return std::exp(sum / static_cast<double>(results.size()));
  };
  Result mean = results.front();
  for (std::size_t i = 0; i < mean.gflops.size(); ++i) {
    mean.gflops[i] = over([i](const Result& r) { return r.gflops[i]; });
  }
  for (std::size_t i = 0; i < mean.ratios.size(); ++i) {
    mean.ratios[i] = over([i](const Result& r) { return r.ratios[i]; });
  }
  mean.better = over([](const Result& r) { return r.better; });
  mean.peak = over([](const Result& r) { return r.peak; });
  return mean;
}

void run(const std::string& openblas, const std::string& mkl, int rounds, double milliseconds) {
  // What the libraries read from the environment must be there before they are loaded. Debian's
  // OpenBLAS does not know every processor with AVX-512 and would take a slower kernel.
  if (attn::isa_name() == "avx512") setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 0);
  setenv("OPENBLAS_NUM_THREADS", "2", 1);
  setenv("MKL_NUM_THREADS", "2", 1);
  setenv("MKL_DYNAMIC", "FALSE", 1);
  setenv("MKL_THREADING_LAYER", "INTEL", 0);
  setenv("KMP_BLOCKTIME", "10", 1);  // ms that its threads spin for after a product
  const std::vector<Library> libraries{open_openblas(openblas), open_mkl(mkl)};

  for (const Library& library : libraries) {
    std::printf("# %s: %s\n", library.name.c_str(), library.version.c_str());
  }
  std::printf("# ours: instruction set %s\n", attn::isa_name().c_str());
  std::printf(
      "# GFLOP/s; ratio: their time / ours, medians of %d rounds; share: of one thread's peak\n",
      rounds);
  std::printf("# kind: A and B plain (N) or transposed (T), + adds to C\n");
  std::printf("shape\tkind\tm_n_k\tthreads\tours\topenblas\tmkl\tratio_openblas\tratio_mkl");
  std::printf("\tratio\tpeak\tshare\n");

  std::vector<Result> training[2];  // on one thread and on two
  for (const Product& p : products()) {
    for (const int threads : {1, 2}) {
      if (threads == 2 && !p.two_threads) continue;
      const Result result = compare(p, libraries, threads, rounds, milliseconds);
      print_row(p.name, p.kind,
                std::to_string(p.m) + 'x' + std::to_string(p.n) + 'x' + std::to_string(p.k),
                threads, result);
      if (p.training) training[threads - 1].push_back(result);
    }
  }
  for (const int threads : {1, 2}) {
    const std::vector<Result>& results = training[threads - 1];
    print_row("mean_all", "-", std::to_string(results.size()) + " products", threads,
              mean_of(results));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 5) throw std::runtime_error("usage: matmul_peer OPENBLAS MKL ROUNDS MILLISECONDS");
    run(argv[1], argv[2], std::max(1, std::atoi(argv[3])), std::max(0.1, std::atof(argv[4])));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "matmul_peer: error: %s\n", error.what());
    return 1;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-kernels PRODUCTS.so [THREADS [ROUNDS]]: how fast the matrix products of
// products.py are, against a peak that this program measures itself.
//
// Every function is timed once in each round, for about two milliseconds, so
// that a busy moment of the machine hits all of them. A row gives the median
// and the best round, and the share of the peak. Each product is held to sums
// in double at some elements.
#include <graphc/runtime.h>

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

/// On one thread what it has run, so that the time that other processes take is
/// not counted; else what a clock on the wall shows.
clockid_t timer = CLOCK_MONOTONIC;

double seconds() {
  timespec time;
  clock_gettime(timer, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

void need(graphc_status status) {
  if (status == GRAPHC_OK)
    return;
  std::fprintf(stderr, "bench-kernels: %s\n", graphc_error_message());
  std::exit(1);
}

// Ten chains: more than the latency of a multiply-add times how many start in a
// cycle, and few enough for the registers.
#define GRAPHC_CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)

__attribute__((target("avx512f"))) double fma512(long count) {
  __m512 a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(1e-3f);
#define GRAPHC_START(I) __m512 x##I = _mm512_set1_ps(float(I));
  GRAPHC_CHAINS(GRAPHC_START)
  for (long i = 0; i < count; ++i) {
#define GRAPHC_STEP(I)                                                         \
  __asm__("vfmadd213ps %2, %1, %0" : "+v"(x##I) : "v"(a), "v"(b));
    GRAPHC_CHAINS(GRAPHC_STEP)
  }
#define GRAPHC_END(I) +_mm512_cvtss_f32(x##I)
  float total = 0 GRAPHC_CHAINS(GRAPHC_END);
#undef GRAPHC_START
#undef GRAPHC_END
  return total == 0.5f ? 0 : double(count) * 10 * 32;
}

__attribute__((target("avx2,fma"))) double fma256(long count) {
  __m256 a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(1e-3f);
#define GRAPHC_START(I) __m256 x##I = _mm256_set1_ps(float(I));
  GRAPHC_CHAINS(GRAPHC_START)
  for (long i = 0; i < count; ++i) {
    GRAPHC_CHAINS(GRAPHC_STEP)
  }
#define GRAPHC_END(I) +_mm256_cvtss_f32(x##I)
  float total = 0 GRAPHC_CHAINS(GRAPHC_END);
  return total == 0.5f ? 0 : double(count) * 10 * 16;
}

/// Gflop/s of multiply-adds that wait for nothing, on one thread.
double peakOnce() {
  bool wide = __builtin_cpu_supports("avx512f");
  double start = seconds();
  double flops = wide ? fma512(100000) : fma256(200000);
  return flops / (seconds() - start) * 1e-9;
}

struct Product {
  std::string name;
  graphc_call *call = nullptr;
  long m = 0, n = 0, k = 0, runs = 1;
  bool isPlain = true;
  std::vector<double> times;

  double run() {
    double start = seconds();
    for (long i = 0; i < runs; ++i)
      need(graphc_call_run(call));
    return (seconds() - start) / double(runs);
  }
  double gflops(double time) const {
    return 2e-9 * double(m) * double(n) * double(k) / time;
  }
};

std::vector<float> valuesOf(graphc_model *model, const std::string &name,
                            std::vector<int64_t> shape) {
  std::vector<float> values(size_t(shape[0] * shape[1]));
  graphc_tensor tensor = {GRAPHC_DTYPE_F32, 2, shape.data(), nullptr,
                          values.data()};
  need(graphc_model_get_variable(model, name.c_str(), &tensor));
  return values;
}

/// The largest error at some elements, over the sum of magnitudes.
double errorOf(graphc_model *model, const Product &p) {
  bool leftTurned = p.name[0] == 't', rightTurned = p.name[1] == 't';
  auto shape = [](bool turned, long rows, long columns) {
    return turned ? std::vector<int64_t>{columns, rows}
                  : std::vector<int64_t>{rows, columns};
  };
  auto a = valuesOf(model, "a." + p.name, shape(leftTurned, p.m, p.k));
  auto b = valuesOf(model, "b." + p.name, shape(rightTurned, p.k, p.n));
  auto y = valuesOf(model, "y." + p.name, {p.m, p.n});
  double worst = 0;
  for (long sample = 0; sample < 200; ++sample) {
    long i = sample * 7919 % p.m, j = (sample * 104729 + sample) % p.n;
    if (sample == 199)
      i = p.m - 1, j = p.n - 1;
    double sum = 0, magnitude = 0;
    for (long k = 0; k < p.k; ++k) {
      double term = double(a[size_t(leftTurned ? k * p.m + i : i * p.k + k)]) *
                    double(b[size_t(rightTurned ? j * p.k + k : k * p.n + j)]);
      sum += term, magnitude += std::fabs(term);
    }
    worst = std::max(worst, std::fabs(sum - double(y[size_t(i * p.n + j)])) /
                                magnitude);
  }
  return worst;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench-kernels MODEL.so [THREADS [ROUNDS]]\n");
    return 2;
  }
  graphc_load_options options = {};
  options.struct_bytes = sizeof(options);
  options.threads = argc > 2 ? uint32_t(std::atoi(argv[2])) : 1;
  if (options.threads == 1)
    timer = CLOCK_THREAD_CPUTIME_ID;
  int rounds = argc > 3 ? std::atoi(argv[3]) : 30;
  graphc_model *model = nullptr;
  need(graphc_model_load(argv[1], &options, &model));
  graphc_model_info info = {};
  info.struct_bytes = sizeof(info);
  need(graphc_model_describe(model, &info));

  std::vector<Product> products;
  for (size_t f = 0; f < info.function_count; ++f) {
    graphc_function_info function = {};
    function.struct_bytes = sizeof(function);
    need(graphc_model_describe_function(model, f, &function));
    Product p;
    p.name = function.name;
    if (std::sscanf(p.name.c_str() + 2, "_%ldx%ldx%ld", &p.m, &p.n, &p.k) != 3)
      continue;
    p.isPlain = std::count(p.name.begin(), p.name.end(), '_') == 1;
    need(graphc_call_create(model, function.name, &p.call));
    p.run();
    if (p.isPlain)
      if (double error = errorOf(model, p); !(error < 1e-5)) {
        std::printf("%s: wrong, error %g\n", p.name.c_str(), error);
        return 1;
      }
    p.runs = std::max(1L, long(2e-3 / p.run()));
    products.push_back(std::move(p));
  }

  std::vector<double> peaks;
  for (int round = 0; round < rounds; ++round) {
    for (int repeat = 0; repeat < 8; ++repeat)
      peaks.push_back(peakOnce());
    for (Product &p : products)
      p.times.push_back(p.run());
  }
  double peak =
      *std::max_element(peaks.begin(), peaks.end()) * double(options.threads);
  std::printf("%s, %u threads, peak %.1f Gflop/s\n", info.level,
              options.threads, peak);
  std::printf("%-28s %9s %9s %7s\n", "product", "median", "best", "share");
  for (Product &p : products) {
    std::sort(p.times.begin(), p.times.end());
    double best = p.gflops(p.times.front());
    std::printf("%-28s %9.1f %9.1f %6.1f%%\n", p.name.c_str(),
                p.gflops(p.times[p.times.size() / 2]), best, 100 * best / peak);
    graphc_call_destroy(p.call);
  }
  graphc_model_destroy(model);
  return 0;
}

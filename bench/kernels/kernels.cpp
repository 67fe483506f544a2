// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-kernels manifest threads [option of google-benchmark...]: times @run of
// each compiled kernel. kernels.py writes the manifest: a line for each, with its
// name, library, FLOPs and bytes, and tabs between them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/limits/Limits.h"
#include "graphc/data.hpp"
#include "graphc/runtime.hpp"

namespace {

struct Kernel {
  std::string name, library;
  double flops = 0, bytes = 0;
};

std::vector<Kernel> readManifest(const char *path) {
  std::ifstream file(path);
  std::vector<Kernel> kernels;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Kernel kernel;
    std::getline(words, kernel.name, '\t');
    std::getline(words, kernel.library, '\t');
    if (!(words >> kernel.flops >> kernel.bytes))
      throw std::runtime_error(path + (": no kernel: '" + line + "'"));
    kernels.push_back(kernel);
  }
  if (kernels.empty())
    throw std::runtime_error(path + std::string(" names no kernel"));
  return kernels;
}

/// Of one thread alone its processor's time, which others do not lengthen.
double seconds(uint32_t threads) {
  timespec now{};
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

void time(benchmark::State &state, const Kernel &kernel, uint32_t threads,
          const bench::Limits &limits) {
  graphc::LoadOptions options;
  options.threads = threads;
  graphc::Model model(kernel.library, options);
  graphc::FunctionInfo function = model.function(std::string("run"));
  graphc::Generator generator(1);
  graphc::Call call = model.call("run");
  std::vector<graphc::Array> inputs;
  for (size_t k = 0; k < function.inputs.size(); ++k) {
    inputs.emplace_back(function.inputs[k].dtype, function.inputs[k].shape);
    generator.normal(inputs[k]);
    call.bindInput(k, inputs[k]);
  }
  for (size_t k = 0; k < function.outputs.size(); ++k)
    call.bindOwnOutput(k);
  call.run(); // Touches the memory.
  double start = seconds(threads);
  for (auto iteration : state) {
    (void)iteration;
    call.run();
  }
  double taken = seconds(threads) - start;
  // Of a rate google-benchmark makes the quotient by the time itself.
  auto rate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["GFLOP/s"] = benchmark::Counter(kernel.flops * 1e-9, rate);
  state.counters["GB/s"] = benchmark::Counter(kernel.bytes * 1e-9, rate);
  if (limits.fmaGflops > 0) {
    double least = std::max(kernel.flops * 1e-9 / limits.fmaGflops,
                            kernel.bytes * 1e-9 / limits.bestStreamGBs());
    state.counters["limit"] =
        least * static_cast<double>(state.iterations()) / taken;
  }
}

int run(int argc, char **argv) {
  std::vector<Kernel> kernels = readManifest(argv[1]);
  auto threads = static_cast<uint32_t>(std::atoi(argv[2]));
  bench::Limits limits = bench::measureLimits(threads);
  std::printf("limits on %u threads: %.1f GFLOP/s, %.1f GB/s\n", threads,
              limits.fmaGflops, limits.bestStreamGBs());
  std::vector<char *> options = {argv[0]};
  options.insert(options.end(), argv + 3, argv + argc);
  auto count = static_cast<int>(options.size());
  for (const Kernel &kernel : kernels) {
    auto *one = benchmark::RegisterBenchmark(
        kernel.name.c_str(),
        [&](benchmark::State &state) { time(state, kernel, threads, limits); });
    if (threads > 1)
      one->UseRealTime();
  }
  benchmark::Initialize(&count, options.data());
  if (benchmark::ReportUnrecognizedArguments(count, options.data()))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: bench-kernels manifest threads [options]\n");
    return 2;
  }
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench-kernels: %s\n", error.what());
    return 1;
  }
}

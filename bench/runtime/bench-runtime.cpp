// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-runtime [threads]: what a run costs beside its kernels.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "graphc/runtime.hpp"

namespace {

/// Median over 51 blocks of 1,000 calls: other programs on the machine only
/// disturb some of them.
double medianNs(const std::function<void()> &call) {
  constexpr int blocks = 51, callsPerBlock = 1000;
  std::vector<double> times;
  for (int block = 0; block < blocks; ++block) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < callsPerBlock; ++i)
      call();
    std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - start;
    times.push_back(time.count() / callsPerBlock);
  }
  std::nth_element(times.begin(), times.begin() + blocks / 2, times.end());
  return times[blocks / 2];
}

double runNs(graphc::Model &model, const char *function, graphc_tensor input) {
  graphc::Call call = model.call(function);
  call.bindInput(0, input);
  return medianNs([&] { graphc_call_run(call.get()); });
}

void measure(uint32_t threads) {
  const std::string path = GRAPHC_TOY_MODELS_DIR "/overhead.so";
  float data[16] = {};
  const int64_t shape[] = {16};
  graphc_tensor input = {GRAPHC_DTYPE_F32, 1, shape, nullptr, data};

  graphc::LoadOptions options;
  options.threads = threads;
  graphc::Model model(path, options);
  double empty = runNs(model, "entries0", input);
  double fifty = runNs(model, "entries50", input);
  double fiveHundred = runNs(model, "entries500", input);
  std::printf("call of an empty plan             %8.1f ns\n", empty);
  std::printf("call of 50 empty kernels          %8.1f ns\n", fifty);
  std::printf("each further kernel               %8.2f ns\n",
              (fiveHundred - fifty) / 450);
  double convenient = medianNs([&] {
    graphc_model_run(model.get(), "entries50", &input, 1, nullptr, 0);
  });
  std::printf("graphc_model_run, 50 kernels      %8.1f ns\n", convenient);
  options.profile = 1;
  graphc::Model profiled(path, options);
  std::printf("each further kernel, profiled     %8.2f ns\n",
              (runNs(profiled, "entries500", input) -
               runNs(profiled, "entries50", input)) /
                  450);
  std::printf("parallel loop on %u threads        %8.1f ns\n",
              model.info().threads, runNs(model, "parallel100", input) / 100);
}

} // namespace

int main(int argc, char **argv) {
  try {
    measure(argc > 1 ? static_cast<uint32_t>(std::atoi(argv[1])) : 0);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench-runtime: %s\n", error.what());
    return 1;
  }
}

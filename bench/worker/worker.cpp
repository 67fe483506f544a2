// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our side of bench/run.py: runs steps of a model when it is told to.
//
//   bench-worker model.so function threads folder
//   bench-worker --prepare model.so function limit folder
//
// The second form writes what all implementations start from: the state and one
// file for each input, with integers below `limit`. The first form reads the
// inputs, runs one step and answers lines of `steps N` on standard input.
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "graphc/data.hpp"
#include "graphc/runtime.hpp"

namespace {

std::string inputPath(const std::string &folder, size_t number) {
  return folder + "/input" + std::to_string(number) + ".npy";
}

int prepare(char **argv) {
  graphc::LoadOptions options;
  options.seed = 1;
  graphc::Model model(argv[0], options);
  std::string folder = argv[3];
  model.saveState(folder + "/state.safetensors");
  graphc::Generator generator(1);
  graphc::FunctionInfo function = model.function(std::string(argv[1]));
  for (size_t k = 0; k < function.inputs.size(); ++k) {
    graphc::Array array(function.inputs[k].dtype, function.inputs[k].shape);
    if (array.dtype() == GRAPHC_DTYPE_F32)
      generator.normal(array);
    else
      generator.integers(array, 0, std::atoll(argv[2]));
    graphc::writeNpy(inputPath(folder, k), array);
  }
  return 0;
}

/// What can be compared with another implementation: the loss, or a root mean
/// square of a forward function's result, with weights by position.
double value(const graphc::Call &call, const graphc::FunctionInfo &function) {
  graphc_tensor tensor = call.output(0);
  auto *elements = static_cast<const float *>(tensor.data);
  size_t count = function.outputs[0].bytes / sizeof(float);
  if (count == 1)
    return *elements;
  double sum = 0;
  for (size_t k = 0; k < count; ++k)
    sum += double(elements[k]) * elements[k] * static_cast<double>(1 + k % 7);
  return std::sqrt(sum / static_cast<double>(count));
}

double wallSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
/// Of all threads of the process.
double cpuSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

int serve(char **argv) {
  graphc::LoadOptions options;
  options.seed = 1;
  options.threads = static_cast<uint32_t>(std::atoi(argv[2]));
  graphc::Model model(argv[0], options);
  graphc::FunctionInfo function = model.function(std::string(argv[1]));
  graphc::Call call = model.call(function.name);
  std::vector<graphc::Array> inputs;
  for (size_t k = 0; k < function.inputs.size(); ++k) {
    inputs.push_back(graphc::readNpy(inputPath(argv[3], k)));
    call.bindInput(k, inputs[k]);
  }
  for (size_t k = 0; k < function.outputs.size(); ++k)
    call.bindOwnOutput(k);
  call.run();

  uint64_t trained = 0, kept = 0, parameters = 0;
  for (const graphc::VariableInfo &variable : model.variables()) {
    bool isTrainable = variable.flags & GRAPHC_VARIABLE_TRAINABLE;
    (isTrainable ? trained : kept) += variable.bytes;
    parameters += isTrainable ? variable.bytes / sizeof(float) : 0;
  }
  graphc_model_info info = model.info();
  std::printf("{\"value\": %.9g, \"version\": \"%s\", \"config\": \"%s\", "
              "\"parameters\": %" PRIu64 ", \"parameter_bytes\": %" PRIu64
              ", \"other_state_bytes\": %" PRIu64 ", \"arena_bytes\": %" PRIu64
              ", \"plan_entries\": %zu}\n",
              value(call, function), info.compiler_version, info.level,
              parameters, trained, kept, function.arenaBytes,
              function.entryCount);
  std::fflush(stdout);

  char line[64];
  while (std::fgets(line, sizeof(line), stdin)) {
    long long steps = 0;
    if (std::sscanf(line, "steps %lld", &steps) != 1 || steps < 1) {
      std::fprintf(stderr, "bench-worker: expects 'steps N', but got %s", line);
      return 2;
    }
    // Of more, the clock would take a part of the time.
    bool isEachTimed = steps <= 5000;
    double cpu = cpuSeconds(), start = wallSeconds(), last = start;
    double squares = 0;
    for (long long k = 0; k < steps; ++k) {
      call.run();
      if (isEachTimed) {
        double now = wallSeconds();
        squares += (now - last) * (now - last);
        last = now;
      }
    }
    double wall = wallSeconds() - start;
    cpu = cpuSeconds() - cpu;
    double mean = wall / static_cast<double>(steps);
    std::printf("{\"seconds\": %.9g, \"cpu_seconds\": %.9g, \"value\": %.9g",
                wall, cpu, value(call, function));
    if (isEachTimed && steps > 1) {
      double variance = squares / static_cast<double>(steps) - mean * mean;
      std::printf(", \"deviation\": %.9g", std::sqrt(std::max(variance, 0.0)));
    }
    std::printf("}\n");
    std::fflush(stdout);
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc == 6 && std::strcmp(argv[1], "--prepare") == 0)
      return prepare(argv + 2);
    if (argc == 5)
      return serve(argv + 1);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench-worker: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: bench-worker model.so function threads folder\n"
                       "       bench-worker --prepare model.so function limit "
                       "folder\n");
  return 2;
}

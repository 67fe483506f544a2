// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a function takes, and where the time goes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <tuple>

#include "tools/graph-run/Model.h"

namespace graph_run {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// Floats from [0, 1); integers are 0, which is an index that always exists.
std::vector<graphc::Array> randomInputs(const graphc::FunctionInfo &function,
                                        uint64_t seed) {
  graphc::Generator generator(seed);
  std::vector<graphc::Array> inputs;
  for (const graphc::ValueInfo &value : function.inputs) {
    inputs.emplace_back(value.dtype, value.shape);
    switch (value.dtype) {
    case GRAPHC_DTYPE_F64:
    case GRAPHC_DTYPE_F32:
    case GRAPHC_DTYPE_F16:
    case GRAPHC_DTYPE_BF16:
      generator.uniform(inputs.back());
      break;
    default:
      break;
    }
  }
  return inputs;
}

/// The size asked for by --batch, or the first one.
graphc::FunctionInfo benchSize(const graphc::Model &model,
                               const std::string &name,
                               const Options &options) {
  std::vector<graphc::FunctionInfo> sizes = functionsOf(model, name);
  if (options.batch == 0)
    return sizes[0];
  for (const graphc::FunctionInfo &function : sizes)
    if (batchOf(function) == options.batch)
      return function;
  throw UsageError("@" + name + " has no size for batches of " +
                   std::to_string(options.batch));
}

} // namespace

void bench(graphc::Model &model, const Options &options) {
  std::string name =
      options.function.empty() ? options.train : options.function;
  if (name.empty())
    throw UsageError("--bench expects --function or --train");
  graphc::FunctionInfo function = benchSize(model, name, options);
  std::vector<graphc::Array> inputs;
  if (options.inputs.empty())
    inputs = randomInputs(function, options.seed);
  else
    function = chooseFunction(model, name, options, inputs);

  graphc::Call call = model.call(function.name);
  for (size_t i = 0; i < inputs.size(); ++i)
    call.bindInput(i, inputs[i]);
  for (size_t i = 0; i < function.outputs.size(); ++i)
    call.bindOwnOutput(i);

  // Runs are timed in groups long enough for the clock's resolution.
  auto start = Clock::now();
  for (int i = 0; i < 3; ++i)
    call.run();
  double once = millisecondsSince(start) / 3;
  auto group =
      static_cast<int>(std::clamp(0.05 / std::max(once, 1e-6), 1.0, 1e4));
  std::vector<double> times;
  uint64_t runs = 0;
  start = Clock::now();
  while (times.size() < 5 ||
         millisecondsSince(start) < options.benchSeconds * 1000) {
    auto begin = Clock::now();
    for (int i = 0; i < group; ++i)
      call.run();
    times.push_back(millisecondsSince(begin) / group);
    runs += static_cast<uint64_t>(group);
    if (times.size() == 10'000'000)
      break;
  }
  std::sort(times.begin(), times.end());
  double median = times[times.size() / 2];
  int64_t batch = batchOf(function);
  std::printf("@%s  batch %lld  threads %u  runs %s\n", function.name.c_str(),
              static_cast<long long>(batch), model.info().threads,
              grouped(runs).c_str());
  std::printf("median %.6f ms/batch, fastest %.6f, 90%% below %.6f\n", median,
              times.front(), times[times.size() * 9 / 10]);
  std::printf("%s samples/s\n",
              grouped(static_cast<uint64_t>(static_cast<double>(batch) * 1000 /
                                            std::max(median, 1e-9)))
                  .c_str());
}

void printProfile(const graphc::Model &model) {
  struct Row {
    graphc_profile_entry entry;
    std::string function;
    size_t number; // of the entry, in plan order
  };
  std::vector<Row> rows;
  uint64_t total = 0;
  std::vector<graphc::FunctionInfo> functions = model.functions();
  for (size_t f = 0; f < functions.size(); ++f)
    for (size_t i = 0; i < functions[f].entryCount; ++i) {
      graphc_profile_entry entry = {};
      entry.struct_bytes = sizeof entry;
      graphc::check(graphc_model_profile_entry(model.get(), f, i, &entry));
      if (entry.run_count == 0)
        continue;
      total += entry.total_ns;
      rows.push_back({entry, functions[f].name, rows.size()});
    }
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    return std::make_tuple(b.entry.total_ns, a.number) <
           std::make_tuple(a.entry.total_ns, b.number);
  });
  std::printf("\n%6s %12s %10s %12s  %s\n", "share", "total ms", "runs",
              "us/run", "kernel");
  for (const Row &row : rows) {
    const graphc_profile_entry &entry = row.entry;
    auto ns = static_cast<double>(entry.total_ns);
    std::printf("%5.1f%% %12.3f %10llu %12.3f  %s (%s, %s) in @%s\n",
                total ? 100 * ns / static_cast<double>(total) : 0, ns / 1e6,
                static_cast<unsigned long long>(entry.run_count),
                ns / 1e3 / static_cast<double>(entry.run_count), entry.name,
                entry.op_name, entry.location, row.function.c_str());
  }
}

} // namespace graph_run

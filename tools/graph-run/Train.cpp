// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epochs of a training step over a data set.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <unistd.h>

#include "tools/graph-run/TrainData.h"

namespace graph_run {
namespace {

using Clock = std::chrono::steady_clock;

std::string sizesText(const std::vector<graphc::FunctionInfo> &steps) {
  std::string text;
  for (const graphc::FunctionInfo &step : steps)
    text += (text.empty() ? "" : ", ") + std::to_string(batchOf(step));
  return text;
}

const graphc::FunctionInfo *
findSize(const std::vector<graphc::FunctionInfo> &steps, int64_t batch) {
  for (const graphc::FunctionInfo &step : steps)
    if (batchOf(step) == batch)
      return &step;
  return nullptr;
}

/// --batch, or the largest size that the data can fill.
int64_t chooseBatch(const std::vector<graphc::FunctionInfo> &steps,
                    int64_t samples, const Options &options) {
  if (options.batch > 0) {
    if (!findSize(steps, options.batch))
      throw UsageError("@" + options.train + " has no size for batches of " +
                       std::to_string(options.batch) + "; there are " +
                       sizesText(steps));
    return options.batch;
  }
  int64_t best = 0;
  for (const graphc::FunctionInfo &step : steps)
    if (batchOf(step) <= samples)
      best = std::max(best, batchOf(step));
  if (best == 0)
    throw UsageError("the data has " + std::to_string(samples) +
                     " samples, fewer than every batch size of @" +
                     options.train + ": " + sizesText(steps));
  return best;
}

/// A call for each size that an epoch needs, bound to the loader's memory.
class Steps {
public:
  Steps(graphc::Model &model, const std::vector<graphc::FunctionInfo> &sizes)
      : model_(model), sizes_(sizes) {}

  double run(const graphc::Batch &batch) {
    auto found = calls_.find(batch.size());
    if (found == calls_.end())
      found = calls_.emplace(batch.size(), makeCall(batch)).first;
    found->second.run();
    graphc::Array loss =
        graphc::Array::convert(found->second.output(0), GRAPHC_DTYPE_F64);
    return loss.size() == 1 ? loss.data<double>()[0] : 0;
  }

private:
  graphc::Model &model_;
  const std::vector<graphc::FunctionInfo> &sizes_;
  std::map<int64_t, graphc::Call> calls_;

  graphc::Call makeCall(const graphc::Batch &batch) {
    const graphc::FunctionInfo &step = *findSize(sizes_, batch.size());
    graphc::Call call = model_.call(step.name);
    // The loader gathers every batch into the same memory.
    for (size_t i = 0; i < batch.fieldCount(); ++i)
      call.bindInput(i, batch[i]);
    for (size_t i = 0; i < step.outputs.size(); ++i)
      call.bindOwnOutput(i);
    return call;
  }
};

/// One line an epoch; on a terminal it moves during the epoch.
class Progress {
public:
  Progress(int64_t epochs, int64_t batches)
      : epochs_(epochs), batches_(batches), start_(Clock::now()) {}

  void startEpoch(int64_t epoch) {
    epoch_ = epoch;
    done_ = samples_ = 0;
    lossSum_ = 0;
    start_ = lastPrint_ = Clock::now();
  }
  void step(int64_t samples, double loss) {
    ++done_;
    samples_ += samples;
    lossSum_ += loss * static_cast<double>(samples);
    if (!isTerminal_ ||
        Clock::now() - lastPrint_ < std::chrono::milliseconds(200))
      return;
    lastPrint_ = Clock::now();
    print("\r");
  }
  void endEpoch() { print("\n"); }

private:
  int64_t epochs_, batches_, epoch_ = 0, done_ = 0, samples_ = 0;
  double lossSum_ = 0;
  bool isTerminal_ = isatty(fileno(stdout));
  Clock::time_point start_, lastPrint_ = start_;

  void print(const char *end) {
    std::chrono::duration<double> seconds = Clock::now() - start_;
    double rate = static_cast<double>(samples_) / seconds.count();
    std::printf("%sepoch %lld/%lld  batch %lld/%lld  loss %.4f  %s samples/s%s",
                isTerminal_ ? "\r\033[K" : "", static_cast<long long>(epoch_),
                static_cast<long long>(epochs_), static_cast<long long>(done_),
                static_cast<long long>(batches_),
                printable(lossSum_ /
                          static_cast<double>(std::max<int64_t>(samples_, 1))),
                grouped(static_cast<uint64_t>(rate)).c_str(),
                end[0] == '\n' ? end : "");
    std::fflush(stdout);
  }
};

} // namespace

void train(graphc::Model &model, const Options &options) {
  std::vector<graphc::FunctionInfo> steps = functionsOf(model, options.train);
  if (steps[0].kind != GRAPHC_FUNCTION_TRAIN)
    throw UsageError("--train expects a training step, but @" + steps[0].name +
                     " is none");
  if (steps[0].outputs.empty())
    throw UsageError("@" + steps[0].name + " gives no loss");
  TrainData data = readTrainData(steps[0], options);
  int64_t batch = chooseBatch(steps, data.size(), options);
  int64_t ragged = data.size() % batch;
  // Before anything is trained, rather than at the end of the first epoch.
  if (ragged != 0 && !options.dropLast && !findSize(steps, ragged))
    throw UsageError(
        std::to_string(data.size()) + " samples in batches of " +
        std::to_string(batch) + " leave a last one of " +
        std::to_string(ragged) + ", for which @" + options.train +
        " has no size (there are " + sizesText(steps) +
        "); compile that one too, or leave it out with --drop-last");

  graphc::Generator generator(options.seed);
  graphc::DataLoader loader(graphc::TensorDataset(data.tensors()),
                            {batch, options.shuffle, options.dropLast},
                            generator);
  Steps calls(model, steps);
  Progress progress(options.epochs, loader.size());
  for (int64_t epoch = 1; epoch <= options.epochs; ++epoch) {
    progress.startEpoch(epoch);
    for (const graphc::Batch &samples : loader)
      progress.step(samples.size(), calls.run(samples));
    progress.endEpoch();
  }
}

} // namespace graph_run

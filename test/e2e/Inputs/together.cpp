// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// together THREADS FUNCTION LIMIT MODEL.so...: all models train at the same
// time, each on a thread of the program, with one pool for all, then one after
// the other. The losses must be the same bits.
#include "Trainer.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

namespace {

// So many steps ran while another model's did, or the test shows nothing.
constexpr int enough = 20, mostSteps = 20000;

std::atomic<int> running{0};

struct Run {
  std::vector<float> losses;
  std::atomic<int> beside{0};
};

void train(Trainer &trainer, Run &run, const std::vector<Run> &all) {
  auto isDone = [&] {
    for (const Run &other : all)
      if (other.beside < enough)
        return false;
    return true;
  };
  for (int step = 0; step < mostSteps && (step < enough || !isDone()); ++step) {
    bool isBeside = running.fetch_add(1) > 0;
    run.losses.push_back(trainer.step());
    isBeside |= running.fetch_sub(1) > 1;
    run.beside += isBeside;
  }
}

} // namespace

int main(int argc, char **argv) try {
  if (argc < 6)
    return 2;
  graphc::ContextOptions pool;
  pool.threads = static_cast<uint32_t>(std::atoi(argv[1]));
  graphc::Context context(pool);
  graphc::LoadOptions options;
  options.context = context.get();
  auto load = [&](int k) {
    options.seed = static_cast<uint64_t>(k);
    return std::make_unique<Trainer>(argv[k], argv[2], options,
                                     std::atoll(argv[3]));
  };

  std::vector<Run> runs(static_cast<size_t>(argc - 4));
  {
    std::vector<std::unique_ptr<Trainer>> trainers;
    std::vector<std::thread> threads;
    for (int k = 4; k < argc; ++k)
      trainers.push_back(load(k));
    for (size_t k = 0; k < runs.size(); ++k)
      threads.emplace_back([&, k] { train(*trainers[k], runs[k], runs); });
    for (std::thread &thread : threads)
      thread.join();
  }

  int failures = 0;
  for (size_t k = 0; k < runs.size(); ++k) {
    auto alone = load(static_cast<int>(k) + 4);
    size_t wrong = 0;
    for (float loss : runs[k].losses)
      wrong += alone->step() != loss;
    std::printf("%s: %zu steps, %d beside another's, %zu with another loss\n",
                argv[k + 4], runs[k].losses.size(), int(runs[k].beside), wrong);
    bool hasLearned = runs[k].losses.back() < runs[k].losses.front();
    failures += wrong != 0 || runs[k].beside < enough || !hasLearned;
  }
  std::printf("%zu models, %d failures\n", runs.size(), failures);
  return failures != 0;
} catch (const graphc::Error &error) {
  std::fprintf(stderr, "together: %s\n", error.what());
  return 1;
}

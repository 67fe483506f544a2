// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// steady THREADS FUNCTION LIMIT MODEL.so...: how often a compiled step asks for
// memory, by malloc and its kin or by mmap, which the program counts. Linked
// with test/unit/runtime/allocation/Interposer.cpp.
#include "Trainer.h"

#include "test/unit/runtime/allocation/Interposer.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) try {
  if (argc < 5)
    return 2;
  int64_t requests = 0;
  for (int k = 4; k < argc; ++k) {
    graphc::LoadOptions options;
    options.threads = static_cast<uint32_t>(std::atoi(argv[1]));
    options.seed = 1;
    int64_t start = allocationRequests();
    Trainer trainer(argv[k], argv[2], options, std::atoll(argv[3]));
    // Loading does ask, or nothing is counted here.
    int64_t loading = allocationRequests() - start;
    float first = trainer.step(), last = first;
    int64_t before = allocationRequests();
    for (int step = 0; step < 50; ++step)
      last = trainer.step();
    int64_t steps = allocationRequests() - before;
    std::printf("%s: %lld while loading, %lld in 50 steps, loss %s\n", argv[k],
                static_cast<long long>(loading), static_cast<long long>(steps),
                last < first ? "falls" : "does not fall");
    requests += steps + (loading == 0);
  }
  std::printf("%d models, %lld requests\n", argc - 4,
              static_cast<long long>(requests));
  return requests != 0;
} catch (const graphc::Error &error) {
  std::fprintf(stderr, "steady: %s\n", error.what());
  return 1;
}

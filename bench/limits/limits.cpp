// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-limits [threads...]: the machine's limits for each number of threads,
// as one line of JSON each.
#include "bench/limits/Limits.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  for (int k = 1; k < argc; ++k) {
    int threads = std::atoi(argv[k]);
    if (threads < 1 || threads > 1024) {
      std::fprintf(stderr,
                   "bench-limits: expects numbers of threads, but got "
                   "'%s'\n",
                   argv[k]);
      return 2;
    }
    bench::Limits limits = bench::measureLimits(static_cast<unsigned>(threads));
    std::printf("{\"threads\": %d, \"fma_gflops\": %.2f, \"read_gbs\": %.2f, "
                "\"copy_gbs\": %.2f, \"adamw_gbs\": %.2f, "
                "\"best_stream_gbs\": %.2f}\n",
                threads, limits.fmaGflops, limits.readGBs, limits.copyGBs,
                limits.adamwGBs, limits.bestStreamGBs());
  }
}

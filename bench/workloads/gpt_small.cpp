// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workload (iii): a GPT of 4 layers, width 256, 8 heads, 8 x 128 tokens of a
// vocabulary of 4,096, AdamW. With a second
// argument, as many layers as that.
#include "bench/workloads/Gpt.h"

#include <cstdlib>

int main(int argc, char **argv) {
  bench::GptSizes sizes = bench::kGptSmall;
  if (argc == 3) {
    sizes.layers = std::atoi(argv[2]);
    --argc;
  }
  return bench::writeModel(
      argc, argv, "gpt_small",
      [&](graphc::Tracer &tracer) { bench::traceGptStep(tracer, sizes); });
}

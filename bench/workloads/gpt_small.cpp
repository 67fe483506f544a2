// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workload (iii): a GPT of 4 layers, width 256, 8 heads, 8 x 128 tokens of a
// vocabulary of 4,096, AdamW.
#include "bench/workloads/Gpt.h"

int main(int argc, char **argv) {
  return bench::writeModel(argc, argv, "gpt_small", [](graphc::Tracer &tracer) {
    bench::traceGptStep(tracer, bench::kGptSmall);
  });
}

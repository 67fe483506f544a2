// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workload (x): GPT-2 of 124 million parameters, 128 tokens, AdamW.
#include "bench/workloads/Gpt.h"

int main(int argc, char **argv) {
  return bench::writeModel(argc, argv, "gpt2_train",
                           [](graphc::Tracer &tracer) {
                             bench::traceGptStep(tracer, bench::kGpt2);
                           });
}

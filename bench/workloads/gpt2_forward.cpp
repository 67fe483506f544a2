// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workload (v): the logits of GPT-2 of 124 million parameters for 128 tokens.
#include "bench/workloads/Gpt.h"

using namespace graphc;

int main(int argc, char **argv) {
  return bench::writeModel(argc, argv, "gpt2_forward", [](Tracer &tracer) {
    bench::Gpt net(bench::kGpt2);
    tracer.add(net);
    tracer.function(
        "forward", [&](Tensor x) { return net(x); },
        bench::tokens("tokens", bench::kGpt2));
  });
}

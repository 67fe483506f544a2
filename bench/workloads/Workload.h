// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the workloads share: a program that writes its model's text.
#ifndef GRAPHC_BENCH_WORKLOADS_WORKLOAD_H
#define GRAPHC_BENCH_WORKLOADS_WORKLOAD_H

#include <cstdio>
#include <exception>
#include <string>

#include "graphc/trace.hpp"

namespace bench {

/// Traces `loss` of `inputs` over the parameters of `net` into @loss, a step of
/// it into @step.
template <class Body, class... Inputs>
void traceStep(graphc::Tracer &tracer, graphc::nn::Module &net,
               const graphc::optim::Optimizer &optimizer, Body loss,
               const Inputs &...inputs) {
  tracer.add(net);
  tracer.function("loss", loss, inputs...);
  tracer.train("step", "loss", optimizer);
}

/// Runs `trace(tracer)` and writes the text to the program's only argument.
template <class Trace>
int writeModel(int argc, char **argv, const std::string &name, Trace trace) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s model.mlir\n", argv[0]);
    return 2;
  }
  try {
    graphc::Tracer tracer(name);
    trace(tracer);
    tracer.save(argv[1]);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}

} // namespace bench

#endif // GRAPHC_BENCH_WORKLOADS_WORKLOAD_H

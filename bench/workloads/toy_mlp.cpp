// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workload (i): an MLP 2-30-20-2, batch 2, mean squared error, SGD.
#include "bench/workloads/Workload.h"

using namespace graphc;

int main(int argc, char **argv) {
  return bench::writeModel(argc, argv, "toy_mlp", [](Tracer &tracer) {
    nn::Sequential net(nn::Linear(2, 30), nn::ReLU(), nn::Linear(30, 20),
                       nn::ReLU(), nn::Linear(20, 2));
    bench::traceStep(
        tracer, net, optim::SGD(0.01),
        [&](Tensor x, Tensor y) { return mse_loss(net(x), y); },
        input("x", f32, {2, 2}), input("y", f32, {2, 2}));
  });
}

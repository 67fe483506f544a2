// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workload (ii): an MLP 784-512-512-10, batch 64, cross entropy, SGD.
#include "bench/workloads/Workload.h"

using namespace graphc;

int main(int argc, char **argv) {
  return bench::writeModel(argc, argv, "mnist_mlp", [](Tracer &tracer) {
    nn::Sequential net(nn::Linear(784, 512), nn::ReLU(), nn::Linear(512, 512),
                       nn::ReLU(), nn::Linear(512, 10));
    bench::traceStep(
        tracer, net, optim::SGD(0.01),
        [&](Tensor x, Tensor y) { return cross_entropy(net(x), y); },
        input("images", f32, {64, 784}), input("labels", i64, {64}));
  });
}

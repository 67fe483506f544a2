// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workload (iv): a ResNet (stem of 16 channels, 3 stages of 2 blocks, batch
// norm) on 32 images of 3 x 32 x 32, cross entropy, SGD with momentum.
#include "bench/workloads/Workload.h"

using namespace graphc;

namespace {

nn::Conv2d conv(int64_t in, int64_t out, int64_t size, int64_t stride) {
  nn::ConvOptions options;
  options.stride = stride;
  options.padding = size / 2;
  options.bias = false;
  return nn::Conv2d(in, out, size, options);
}

struct Block : nn::Module {
  Block(int64_t in, int64_t out, int64_t stride)
      : conv1(register_module("conv1", conv(in, out, 3, stride))),
        bn1(register_module("bn1", nn::BatchNorm2d(out))),
        conv2(register_module("conv2", conv(out, out, 3, 1))),
        bn2(register_module("bn2", nn::BatchNorm2d(out))) {
    if (in != out || stride != 1)
      shortcut =
          register_module("shortcut", nn::Sequential(conv(in, out, 1, stride),
                                                     nn::BatchNorm2d(out)));
  }
  Tensor forward(const Tensor &x) override {
    Tensor y = bn2(conv2(relu(bn1(conv1(x)))));
    return relu(y + (shortcut->named_children().empty() ? x : shortcut(x)));
  }
  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  nn::Conv2d conv2;
  nn::BatchNorm2d bn2;
  nn::Sequential shortcut;
};

} // namespace

int main(int argc, char **argv) {
  return bench::writeModel(argc, argv, "resnet", [](Tracer &tracer) {
    auto block = [](int64_t in, int64_t out, int64_t stride) {
      return std::make_shared<Block>(in, out, stride);
    };
    nn::Sequential net(
        nn::Sequential(conv(3, 16, 3, 1), nn::BatchNorm2d(16), nn::ReLU()),
        nn::Sequential(block(16, 16, 1), block(16, 16, 1), block(16, 32, 2),
                       block(32, 32, 1), block(32, 64, 2), block(64, 64, 1)),
        nn::AdaptiveAvgPool2d(1), nn::Flatten(), nn::Linear(64, 10));
    optim::SGDOptions sgd;
    sgd.momentum = 0.9;
    bench::traceStep(
        tracer, net, optim::SGD(0.1, sgd),
        [&](Tensor x, Tensor y) { return cross_entropy(net(x), y); },
        input("images", f32, {32, 3, 32, 32}), input("labels", i64, {32}));
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Learns which of two numbers is larger.
#include <graphc/data.hpp>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include <cstdio>

using namespace graphc;

int main() {
  nn::Sequential net(nn::Linear(2, 8), nn::ReLU(), nn::Linear(8, 2));
  Tracer tracer("larger");
  tracer.add(net);
  tracer.function(
      "loss", [&](Tensor x, Tensor y) { return cross_entropy(net(x), y); },
      input("x", f32, {64, 2}), input("y", i64, {64}));
  tracer.train("step", "loss", optim::AdamW(0.05));
  tracer.compile("larger.so");

  Array x(f32, {64, 2}), y(i64, {64}), loss(f32, {});
  for (int64_t i = 0; i < 64; ++i) {
    float first = float(i % 8), second = float(i / 8) + 0.5f;
    x.data<float>()[2 * i] = first / 8;
    x.data<float>()[2 * i + 1] = second / 8;
    y.data<int64_t>()[i] = second > first;
  }
  LoadOptions options;
  options.seed = 1;
  Model model("larger.so", options);
  for (int step = 1; step <= 200; ++step) {
    model.run("step", {x, y}, {loss});
    if (step % 50 == 0)
      std::printf("step %3d  loss %.3f\n", step, *loss.data<float>());
  }
}

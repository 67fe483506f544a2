// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: names, initial values, modes, printing.
#include <graphc/trace.hpp>

#include <gtest/gtest.h>

#include <sstream>

using namespace graphc;

namespace {

struct Block : nn::Module {
  nn::Linear fc = register_module("fc", nn::Linear(4, 4, false));
  nn::Dropout drop = register_module("drop", nn::Dropout(0.25));
  Tensor forward(const Tensor &x) override { return drop(relu(fc(x))); }
};

struct Net : nn::Module {
  nn::Sequential layers = register_module(
      "layers",
      nn::Sequential(nn::Flatten(), nn::Linear(8, 4), nn::GELU("tanh"),
                     std::make_shared<Block>(), nn::Softmax(1)));
  Tensor forward(const Tensor &x) override { return layers(x); }
};

std::string traced(Net &net) {
  Tracer tracer("m");
  tracer.add(net);
  tracer.function(
      "forward", [&](Tensor x) { return net(x); }, input("x", f32, {2, 2, 4}));
  return tracer.text();
}

TEST(TraceModules, PrintAsPyTorch) {
  std::ostringstream os;
  os << Net();
  EXPECT_EQ(os.str(), R"(Net(
  (layers): Sequential(
    (0): Flatten(start_dim=1, end_dim=-1)
    (1): Linear(in_features=8, out_features=4, bias=True)
    (2): GELU(approximate='tanh')
    (3): Block(
      (fc): Linear(in_features=4, out_features=4, bias=False)
      (drop): Dropout(p=0.25, inplace=False)
    )
    (4): Softmax(dim=1)
  )
))");
}

TEST(TraceModules, ParametersAreNamedAndDrawnAsPyTorch) {
  Net net;
  std::vector<std::string> names;
  for (auto &[name, parameter] : net.named_parameters())
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"layers.1.weight", "layers.1.bias",
                                             "layers.3.fc.weight"}));
  EXPECT_EQ(net.num_parameters(), 8 * 4 + 4 + 4 * 4);
  // Uniform by 1/sqrt(fan_in): 4 inputs give 0.5.
  EXPECT_NE(traced(net).find("@layers.3.fc.weight : tensor<4x4xf32> = "
                             "#graph.uniform<-0.5, 0.5> trainable"),
            std::string::npos);
}

TEST(TraceModules, ModeIsOpenUntilItIsSaid) {
  Net net;
  auto has = [&](const char *part) {
    return traced(net).find(part) != std::string::npos;
  };
  EXPECT_FALSE(has("mode ="));
  net.train();
  EXPECT_TRUE(has("p = 2.500000e-01 mode = train"));
  net.eval();
  EXPECT_TRUE(has("p = 2.500000e-01 mode = eval"));
}

} // namespace

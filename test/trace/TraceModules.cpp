// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: names, initial values, modes, printing.
#include "Compiled.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <sstream>

using namespace graphc;
using namespace graphc::test;

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

namespace inner {
template <class T> struct Wrapped : nn::Module {
  nn::Tanh act = register_module("act", nn::Tanh());
  std::string extra_repr() const override { return "first\nsecond"; }
};
struct Empty : nn::Module {
  std::string extra_repr() const override { return "a\nb"; }
};
} // namespace inner

TEST(TraceModules, PrintWithChildrenAndExtraLines) {
  EXPECT_EQ(printed(inner::Wrapped<inner::Empty>()).substr(0, 8), "Wrapped<");
  EXPECT_EQ(printed(inner::Wrapped<int>()), R"(Wrapped<int>(
  first
  second
  (act): Tanh()
))");
  EXPECT_EQ(printed(inner::Empty()), R"(Empty(
  a
  b
))");
}

TEST(TraceModules, PrintOfEachActivation) {
  EXPECT_EQ(printed(nn::Tanh()), "Tanh()");
  EXPECT_EQ(printed(nn::Sigmoid()), "Sigmoid()");
  EXPECT_EQ(printed(nn::SiLU()), "SiLU()");
  EXPECT_EQ(printed(nn::ReLU()), "ReLU()");
  EXPECT_EQ(printed(nn::LogSoftmax(1)), "LogSoftmax(dim=1)");
  EXPECT_EQ(printed(nn::GELU()), "GELU(approximate='none')");
}

TEST(TraceModules, ProbabilitiesPrintAsPythons) {
  for (auto [p, text] : std::vector<std::pair<double, const char *>>{
           {0, "0.0"},
           {1, "1.0"},
           {0.1, "0.1"},
           {0.0001, "0.0001"},
           {1e-5, "1e-05"},
           {1.5e-7, "1.5e-07"},
           {1.0 / 3, "0.3333333333333333"}})
    EXPECT_EQ(printed(nn::Dropout(p)),
              std::string("Dropout(p=") + text + ", inplace=False)");
}

TEST(TraceModules, SequentialsNest) {
  nn::Sequential first{nn::ReLU(), nn::Tanh()};
  nn::Sequential outer(first, nn::Sequential(nn::Linear(2, 2)));
  std::vector<std::string> names;
  for (auto &named : outer->named_parameters())
    names.push_back(named.first);
  EXPECT_EQ(names, (std::vector<std::string>{"1.0.weight", "1.0.bias"}));
  EXPECT_EQ(printed(outer), R"(Sequential(
  (0): Sequential(
    (0): ReLU()
    (1): Tanh()
  )
  (1): Sequential(
    (0): Linear(in_features=2, out_features=2, bias=True)
  )
))");
  EXPECT_EQ(nn::Sequential(outer).ptr(), outer.ptr());
}

// A module used twice has one set of parameters.
TEST(TraceModules, SharedParametersAreListedOnce) {
  nn::Linear shared(2, 2, false);
  nn::Sequential net(shared, nn::ReLU(), shared);
  EXPECT_EQ(net->named_parameters().size(), 1u);
  EXPECT_EQ(net->num_parameters(), 4);
  Tracer tracer("m");
  tracer.add(net);
  nn::Sequential other(nn::ReLU(), shared);
  tracer.add(other, "other.");
  tracer.function(
      "f", [&](Tensor x) { return other(net(x)); }, input("x", f32, {1, 2}));
  std::string text = tracer.text();
  EXPECT_NE(text.find("graph.variable @\"0.weight\""), std::string::npos)
      << text;
  EXPECT_EQ(text.find("graph.variable"), text.rfind("graph.variable"));
  EXPECT_EQ(text.find("other.1.weight"), std::string::npos);
}

// Two nets with the same names are not tied silently.
TEST(TraceModules, NamesThatMeetAreAnError) {
  nn::Sequential a(nn::Linear(2, 2)), b(nn::Linear(2, 2));
  Tracer tracer("m");
  tracer.add(a);
  try {
    tracer.add(b);
    FAIL();
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("the name '0.weight' is taken"),
              std::string::npos)
        << error.what();
  }
  tracer.add(b, "b.");
  EXPECT_NE(tracer.text().find("@b.0.weight"), std::string::npos);
  EXPECT_THROW(tracer.variable("b.0.weight", {{1.0, 2.0}, {3.0, 4.0}}), Error);
}

TEST(TraceModules, OneNetInTwoModelsHasANameInEach) {
  nn::Linear layer(2, 2, false);
  Tracer first("first"), second("second");
  first.add(layer, "a.");
  second.add(layer, "b.");
  auto forward = [&](Tensor x) { return layer(x); };
  first.function("f", forward, input("x", f32, {1, 2}));
  second.function("f", forward, input("x", f32, {1, 2}));
  EXPECT_NE(first.text().find("graph.get @a.weight"), std::string::npos);
  EXPECT_NE(second.text().find("graph.get @b.weight"), std::string::npos);
}

// Programs may follow their user's locale, where 0.5 is written 0,5.
TEST(TraceModules, NumbersDoNotFollowTheLocale) {
  test::Folder folder;
  const char *build = "localedef -i de_DE -f UTF-8 '";
  if (std::system(
          (build + folder.file("de_DE.UTF-8") + "' 2> /dev/null").c_str()))
    GTEST_SKIP() << "no locale with a comma can be made here";
  setenv("LOCPATH", folder.file("").c_str(), 1);
  bool isSet = std::setlocale(LC_ALL, "de_DE.UTF-8");
  char text[8];
  std::snprintf(text, sizeof(text), "%.1f", 0.5);
  std::string half = text, repr = printed(nn::Dropout(0.25));
  Tracer tracer("m");
  nn::Linear layer(5, 5);
  std::string message;
  try {
    tracer.add(layer);
    tracer.function(
        "loss", [&](Tensor x) { return sum(layer(x) * 0.5); },
        input("x", f32, {1, 5}));
    tracer.train("step", "loss", optim::SGD(0.1));
  } catch (const Error &error) {
    message = error.what();
  }
  std::setlocale(LC_ALL, "C");
  unsetenv("LOCPATH");
  ASSERT_TRUE(isSet);
  ASSERT_EQ(half, "0,5");
  EXPECT_EQ(message, "");
  EXPECT_EQ(repr, "Dropout(p=0.25, inplace=False)");
}

TEST(TraceModules, ParametersAreNamedAndDrawnAsPyTorch) {
  Net net;
  std::vector<std::string> names;
  for (auto &[name, parameter] : net.named_parameters())
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"layers.1.weight", "layers.1.bias",
                                             "layers.3.fc.weight"}));
  EXPECT_EQ(net.num_parameters(), 8 * 4 + 4 + 4 * 4);
  // Uniform by 1/sqrt(fan_in), as PyTorch's operations round it: 4 inputs.
  EXPECT_NE(traced(net).find("@layers.3.fc.weight : tensor<4x4xf32> = "
                             "#graph.uniform<-0.49999999999999994, "
                             "0.49999999999999994> trainable"),
            std::string::npos)
      << traced(net);
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

std::string toMessage(nn::Module &module, graphc_dtype dtype) {
  try {
    module.to(dtype);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

// Module::to() changes floats alone, given elements too.
TEST(TraceModules, ToChangesTheDtypeOfFloats) {
  struct Net : nn::Module {
    nn::BatchNorm1d norm = register_module("norm", nn::BatchNorm1d(2));
    nn::Parameter given =
        register_parameter("given", nn::Parameter(Literal{0.1, 2.5}));
    Tensor forward(const Tensor &x) override { return norm(x) * given; }
  } net;
  net.eval();
  net.to(f64);
  Tracer tracer("m");
  tracer.add(net);
  tracer.function(
      "f", [&](Tensor x) { return net(x); }, input("x", f64, {1, 2}));
  Model model = load(tracer);
  Values<double> x({1, 2}, {1, 1});
  std::vector<double> y = results<double>(model, "f", {x})[0];
  // 0.1 was rounded to f32 when it was given.
  EXPECT_NEAR(y[0], double(0.1f) / std::sqrt(1 + 1e-5), 1e-15);
  EXPECT_NEAR(y[1], 2.5 / std::sqrt(1 + 1e-5), 1e-15);
  EXPECT_EQ(net.norm->num_batches_tracked.dtype(), i64);
  net.to(f32);
  EXPECT_EQ(net.given.dtype(), f32);
  EXPECT_EQ(net.given.data()->bytes.size(), 8u);

  auto says = [](const std::string &message, const char *part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says(toMessage(net, f16), "a parameter cannot go from f32 to f16");
  says(toMessage(*nn::Linear(2, 2), i64),
       "a parameter cannot go from f32 to i64");
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes in traced code: located, and the tracer goes on.
#include "Compiled.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace graphc;
using namespace graphc::test;

namespace {

/// Message of tracing `body` on two f32 tensors; "" if there is no error.
template <class Body> std::string errorOf(Body body, Shape a, Shape b) {
  Tracer tracer("m");
  std::string message;
  try {
    tracer.function("f", body, input("x", f32, a), input("y", f32, b));
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), GRAPHC_COMPILE_ERROR);
    message = error.what();
  }
  // What failed has left nothing, and its name is free.
  EXPECT_EQ(tracer.text().find("@f"),
            message.empty() ? tracer.text().find("@f") : std::string::npos);
  tracer.function("f", [] { return tensor(1); });
  return message;
}

std::string line(unsigned number) {
  return "TraceErrors.cpp:" + std::to_string(number);
}

TEST(TraceErrors, ShapesThatDoNotBroadcastNameBothOrigins) {
  unsigned at = __LINE__ + 4;
  std::string text = errorOf(
      [](Tensor x, Tensor y) {
        Tensor h = relu(x);
        return h + y;
      },
      {8, 3}, {8, 4});
  EXPECT_HAS(text, line(at) + ": error: graph.add expects shapes that "
                              "broadcast, but got [8, 3] and [8, 4]");
  EXPECT_HAS(text, "left is graph.relu at");
  EXPECT_HAS(text, line(at - 1));
  EXPECT_HAS(text, "right is argument 1 (y) of @f at");
}

TEST(TraceErrors, OpsOfTheDialectNameTheirOperands) {
  std::string text =
      errorOf([](Tensor x, Tensor y) { return linear(x, y); }, {8, 3}, {5, 4});
  EXPECT_HAS(text, "expects the last input dim to be 4 (dim 1 of weight), "
                   "but got 3");
  EXPECT_HAS(text, "operand 0 is tensor<8x3xf32> from argument 0 (x)");
  EXPECT_HAS(text, "operand 1 is tensor<5x4xf32> from argument 1 (y)");
}

TEST(TraceErrors, RaggedLists) {
  unsigned at = __LINE__ + 2;
  std::string text =
      errorOf([](Tensor x, Tensor) { return x + tensor({{1.0, 2.0}, {3.0}}); },
              {2, 2}, {1});
  EXPECT_HAS(text, line(at) + ": error: a ragged list: element 0 has shape "
                              "[2], but element 1 has shape [1]");
}

TEST(TraceErrors, DtypesAreNotMixedSilently) {
  EXPECT_HAS(
      errorOf([](Tensor x, Tensor y) { return x + to(y, f64); }, {2}, {2}),
      "expects one dtype");
}

TEST(TraceErrors, DimensionsOutOfRange) {
  EXPECT_HAS(errorOf([](Tensor x, Tensor) { return sum(x, {2}); }, {2, 2}, {1}),
             "expects a dimension in [-2, 1], but got 2");
  EXPECT_HAS(
      errorOf([](Tensor x, Tensor) { return sum(x, {0, -2}); }, {2, 2}, {1}),
      "given twice");
}

TEST(TraceErrors, UnknownWordsAreErrors) {
  EXPECT_HAS(
      errorOf([](Tensor x, Tensor) { return gelu(x, "sigmoid"); }, {2}, {1}),
      "error");
  EXPECT_HAS(errorOf([](Tensor x, Tensor y) { return mse_loss(x, y, "avg"); },
                     {2}, {2}),
             "expects the reduction mean, sum or none, but got 'avg'");
}

TEST(TraceErrors, TensorsStayInTheirFunction) {
  Tensor kept;
  Tracer tracer("m");
  tracer.function(
      "first",
      [&](Tensor x) {
        kept = x;
        return x;
      },
      input("x", f32, {2}));
  EXPECT_THROW(kept + 1, Error); // No function is being traced.
  try {
    tracer.function(
        "second", [&](Tensor x) { return x + kept; }, input("x", f32, {2}));
    FAIL();
  } catch (const Error &error) {
    EXPECT_HAS(std::string(error.what()), "made outside function 'second'");
  }
  Tracer other("other");
  try {
    other.function(
        "third", [&](Tensor x) { return x + kept; }, input("x", f32, {2}));
    FAIL();
  } catch (const Error &error) {
    EXPECT_HAS(std::string(error.what()), "of another model");
  }
}

TEST(TraceErrors, NumbersThatDoNotFit) {
  auto error = [](auto body) {
    return errorOf([&](Tensor, Tensor) { return body(); }, {1}, {1});
  };
  EXPECT_HAS(error([] { return tensor({1.0, 3e9}, i32); }),
             "expects a number that fits i32, but got 3.0e+09");
  EXPECT_HAS(error([] { return tensor({int64_t(3000000000)}, i32); }),
             "expects a number that fits i32, but got 3000000000");
  EXPECT_HAS(error([] { return tensor({INFINITY}, i64); }), "fits i64");
  EXPECT_HAS(error([] { return tensor({NAN}, i64); }), "fits i64");
  EXPECT_HAS(error([] { return tensor({0x1p63}, i64); }), "fits i64");
  EXPECT_HAS(error([] { return tensor({UINT64_MAX}); }), "fits i64");
  EXPECT_HAS(error([] { return full({2}, 300, ui8); }),
             "expects a number that fits ui8, but got 300");
  EXPECT_HAS(error([] { return full({2}, -129, i8); }), "fits i8");
  EXPECT_HAS(error([] { return pad(tensor({1}), {1}, {1}, 1e30); }),
             "fits i64");
}

TEST(TraceErrors, SizesOfShapesThatAreNot) {
  unsigned at = __LINE__ + 3;
  EXPECT_HAS(errorOf([](Tensor x, Tensor) { return full({x.size(2)}, 1); },
                     {2, 2}, {1}),
             line(at) + ": error: expects a dimension of [2, 2], but got 2");
  EXPECT_HAS(errorOf(
                 [](Tensor x, Tensor) {
                   return reshape(x, {int64_t(1) << 40, int64_t(1) << 40, -1});
                 },
                 {2, 2}, {1}),
             "cannot reshape [2, 2]");
  EXPECT_HAS(
      errorOf([](Tensor x, Tensor) { return reshape(x, {3}); }, {2, 2}, {1}),
      "cannot reshape [2, 2] to [3]");
  EXPECT_HAS(errorOf([](Tensor x, Tensor) { return argmax(x, 0); }, {}, {1}),
             "expects a tensor of rank 1 or more");
}

TEST(TraceErrors, CrossEntropySaysWhereTheClassesAre) {
  std::string text =
      errorOf([](Tensor x, Tensor t) { return cross_entropy(x, to(t, i64)); },
              {2, 4, 3}, {2, 4});
  EXPECT_HAS(text, "cross_entropy expects a target of shape [2, 3] for logits "
                   "of shape [2, 4, 3], whose classes are in dimension 1, but "
                   "got [2, 4]");
  EXPECT_HAS(text, "the target is graph.cast at");
}

/// The user's module inside modules of the library.
struct Mistaken : nn::Module {
  unsigned at = 0;
  Tensor forward(const Tensor &x) override {
    at = __LINE__ + 1;
    Tensor fine = relu(x);
    EXPECT_HAS(fine.origin(), line(at));
    return reshape(fine, {3});
  }
};

// The line to blame is the user's: of the call of a library module, or inside
// the user's own module.
TEST(TraceErrors, PlacesInsideModules) {
  Tracer tracer("m");
  nn::Sequential softmax(nn::ReLU(), nn::Softmax(5));
  unsigned at = 0;
  try {
    tracer.function(
        "f",
        [&](Tensor x) {
          at = __LINE__ + 1;
          return softmax(x);
        },
        input("x", f32, {2, 2}));
    FAIL();
  } catch (const Error &error) {
    EXPECT_HAS(std::string(error.what()),
               line(at) + ": error: expects a dimension in");
  }
  auto mistaken = std::make_shared<Mistaken>();
  nn::Sequential net(nn::Sequential(nn::ReLU(), mistaken), nn::ReLU());
  try {
    tracer.function(
        "f", [&](Tensor x) { return net(x); }, input("x", f32, {2, 2}));
    FAIL();
  } catch (const Error &error) {
    EXPECT_HAS(std::string(error.what()), line(mistaken->at + 2) + ": error:");
  }
  // Nothing of it stays behind.
  try {
    tracer.function(
        "f",
        [&](Tensor x) {
          at = __LINE__ + 1;
          return reshape(x, {3});
        },
        input("x", f32, {2, 2}));
    FAIL();
  } catch (const Error &error) {
    EXPECT_HAS(std::string(error.what()), line(at) + ": error:");
  }
}

TEST(TraceErrors, ForgottenAddIsExplained) {
  nn::Linear layer(2, 2);
  Tracer tracer("m");
  try {
    tracer.function(
        "f", [&](Tensor x) { return layer(x); }, input("x", f32, {2, 2}));
    FAIL();
  } catch (const Error &error) {
    EXPECT_HAS(std::string(error.what()), "was not given to Tracer::add()");
  }
}

TEST(TraceErrors, NamesAreTakenOnce) {
  Tracer tracer("m");
  auto one = [] { return tensor(1); };
  tracer.function("f", one);
  EXPECT_THROW(tracer.function("f", one), Error);
  EXPECT_THROW(tracer.function("no spaces", one), Error);
  EXPECT_THROW(tracer.function("", one), Error);
  EXPECT_THROW(Tracer("a b"), Error);
  EXPECT_THROW(tracer.variable("x\"y", {1.0}), Error);
}

TEST(TraceErrors, BadProbabilities) {
  EXPECT_THROW(nn::Dropout(1.5), Error);
  EXPECT_THROW(nn::Linear(-1, 2), Error);
}

TEST(TraceErrors, TrainNeedsALoss) {
  Tracer tracer("m");
  tracer.function("f", [](Tensor x) { return x; }, input("x", f32, {2}));
  EXPECT_THROW(tracer.train("step", "g", optim::SGD(0.1)), Error);
  EXPECT_THROW(tracer.train("step", "f", optim::SGD(0.1)), Error);
  EXPECT_THROW(tracer.grad("df", "f", {"w"}), Error);
  EXPECT_EQ(tracer.text().find("graph.train"), std::string::npos);
}

TEST(TraceErrors, SaveReportsAPathThatCannotBeWritten) {
  Tracer tracer("m");
  try {
    tracer.save("/nonexistent-folder/m.mlir");
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), GRAPHC_IO_ERROR);
  }
}

} // namespace

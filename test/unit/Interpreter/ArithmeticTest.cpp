// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every element type against LLVM's own arithmetic on random bit patterns, and
// every op of the dialect against the list of those that are interpreted.

#include "lib/Interpreter/Compare.h"
#include "lib/Interpreter/Ops.h"
#include "lib/Interpreter/RandomInputs.h"
#include "test/unit/Interpreter/Run.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>

using namespace graphc::interpreter;
using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

TEST(OpTable, HoldsEveryOpOfTheDialect) {
  // These need variables, functions or regions, or are expanded before.
  const llvm::StringSet<> others = {
      "graph.for",        "graph.fused",  "graph.yield",
      "graph.get",        "graph.grad",   "graph.set",
      "graph.variable",   "graph.train",  "graph.value_and_grad",
      "graph.checkpoint", "graph.custom", "graph.custom_vjp",
      "graph.precision"};
  Parsed parsed("module {}");
  int count = 0;
  for (RegisteredOperationName name :
       parsed.context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "graph")
      continue;
    ++count;
    bool known = OpTable::get().find(name.getStringRef());
    EXPECT_NE(known, others.contains(name.getStringRef()))
        << name.getStringRef().str();
  }
  EXPECT_GT(count, 70);
}

constexpr int kSize = 20000;

/// Runs `graph.<op>` on `x` and, if it has two operands, `y`.
static Tensor apply(Parsed &parsed, const std::string &op,
                    const std::string &element, const Tensor &x,
                    const Tensor *y) {
  std::string type = "tensor<" + std::to_string(kSize) + "x" + element + ">";
  std::string text = "func.func @f(%x: " + type + ", %y: " + type + ") -> " +
                     type + " { %z = graph." + op + " %x" + (y ? ", %y" : "") +
                     " : " + type + " return %z : " + type + " }";
  parsed.module = parseSourceString<ModuleOp>(text, &parsed.context);
  auto results = parsed.run({x, y ? *y : x});
  EXPECT_EQ(results.size(), 1u) << parsed.errors;
  return results[0];
}

struct FloatKind {
  const char *name;
  const llvm::fltSemantics &semantics;
  unsigned bits;
};
static const FloatKind kFloats[] = {
    {"f64", APFloat::IEEEdouble(), 64},
    {"f32", APFloat::IEEEsingle(), 32},
    {"f16", APFloat::IEEEhalf(), 16},
    {"bf16", APFloat::BFloat(), 16},
};

/// A random bit pattern; often of a small exponent, so that sums are not just
/// the larger operand.
static APFloat drawFloat(const FloatKind &type, RandomStream &stream) {
  uint64_t bits = uint64_t{stream.word()} << 32 | stream.word();
  if (stream.word() % 4 == 0)
    return APFloat(type.semantics, APInt(type.bits, bits));
  APFloat value(stream.uniform(-8, 8));
  bool lossy;
  value.convert(type.semantics, APFloat::rmNearestTiesToEven, &lossy);
  return value;
}

using FloatBinary = void (*)(APFloat &a, const APFloat &b);

// Sums, products and quotients are computed in double and rounded once more;
// that this second rounding never shows is a theorem for + - * / only.
TEST(Arithmetic, OfFloatsIsLLVMs) {
  const std::pair<const char *, FloatBinary> ops[] = {
      {"add", [](APFloat &a,
                 const APFloat &b) { a.add(b, APFloat::rmNearestTiesToEven); }},
      {"sub",
       [](APFloat &a, const APFloat &b) {
         a.subtract(b, APFloat::rmNearestTiesToEven);
       }},
      {"mul",
       [](APFloat &a, const APFloat &b) {
         a.multiply(b, APFloat::rmNearestTiesToEven);
       }},
      {"div",
       [](APFloat &a, const APFloat &b) {
         a.divide(b, APFloat::rmNearestTiesToEven);
       }},
      {"rem", [](APFloat &a, const APFloat &b) { a.mod(b); }},
      {"maximum",
       [](APFloat &a, const APFloat &b) { a = llvm::maximum(a, b); }},
      {"minimum",
       [](APFloat &a, const APFloat &b) { a = llvm::minimum(a, b); }},
  };
  for (const FloatKind &type : kFloats)
    for (auto &[name, op] : ops) {
      Parsed parsed("module {}");
      RandomStream stream(1);
      Type element = parseType(type.name, &parsed.context);
      Tensor x(parsed.type({kSize}, element)), y = x, expected = x;
      for (int i = 0; i < kSize; ++i) {
        APFloat a = drawFloat(type, stream), b = drawFloat(type, stream);
        x.floats[i] = a.convertToDouble();
        y.floats[i] = b.convertToDouble();
        op(a, b);
        expected.floats[i] = a.convertToDouble();
      }
      Comparison comparison = compareTensors(
          apply(parsed, name, type.name, x, &y), expected, Tolerance::exact());
      EXPECT_TRUE(comparison.equal)
          << type.name << " " << name << ": " << comparison.describe();
    }
}

TEST(Arithmetic, SqrtIsRoundedOnce) {
  Parsed parsed("module {}");
  RandomStream stream(2);
  Tensor x(parsed.type({kSize}, Float32Type::get(&parsed.context)));
  Tensor expected = x;
  for (int i = 0; i < kSize; ++i) {
    APFloat a = drawFloat(kFloats[1], stream);
    x.floats[i] = a.convertToDouble();
    expected.floats[i] = std::sqrt(a.convertToFloat());
  }
  EXPECT_TRUE(compareTensors(apply(parsed, "sqrt", "f32", x, nullptr), expected,
                             Tolerance::exact())
                  .equal);
}

struct IntType {
  const char *name;
  unsigned bits;
  bool isSigned;
};

using IntBinary = APInt (*)(const APInt &a, const APInt &b, bool isSigned);

TEST(Arithmetic, OfIntegersIsLLVMs) {
  const IntType types[] = {
      {"i8", 8, true}, {"ui8", 8, false}, {"i32", 32, true}, {"i64", 64, true}};
  const std::pair<const char *, IntBinary> ops[] = {
      {"add", [](const APInt &a, const APInt &b, bool) { return a + b; }},
      {"sub", [](const APInt &a, const APInt &b, bool) { return a - b; }},
      {"mul", [](const APInt &a, const APInt &b, bool) { return a * b; }},
      {"div",
       [](const APInt &a, const APInt &b, bool isSigned) {
         if (b.isZero())
           return APInt::getAllOnes(a.getBitWidth());
         return isSigned ? a.sdiv(b) : a.udiv(b);
       }},
      {"rem",
       [](const APInt &a, const APInt &b, bool isSigned) {
         if (b.isZero())
           return a;
         return isSigned ? a.srem(b) : a.urem(b);
       }},
      {"maximum",
       [](const APInt &a, const APInt &b, bool isSigned) {
         return isSigned ? llvm::APIntOps::smax(a, b)
                         : llvm::APIntOps::umax(a, b);
       }},
      {"minimum",
       [](const APInt &a, const APInt &b, bool isSigned) {
         return isSigned ? llvm::APIntOps::smin(a, b)
                         : llvm::APIntOps::umin(a, b);
       }},
      {"and", [](const APInt &a, const APInt &b, bool) { return a & b; }},
      {"or", [](const APInt &a, const APInt &b, bool) { return a | b; }},
      {"xor", [](const APInt &a, const APInt &b, bool) { return a ^ b; }},
      {"shift_left",
       [](const APInt &a, const APInt &b, bool) {
         // A negative count is a huge unsigned one.
         return b.uge(a.getBitWidth()) ? APInt(a.getBitWidth(), 0) : a.shl(b);
       }},
      {"shift_right",
       [](const APInt &a, const APInt &b, bool isSigned) {
         unsigned count =
             static_cast<unsigned>(b.getLimitedValue(a.getBitWidth()));
         return isSigned ? a.ashr(count) : a.lshr(count);
       }},
  };
  for (const IntType &type : types)
    for (auto &[name, op] : ops) {
      Parsed parsed("module {}");
      RandomStream stream(3);
      Type element = parseType(type.name, &parsed.context);
      Tensor x(parsed.type({kSize}, element)), y = x, expected = x;
      auto read = [&](const APInt &value) {
        return type.isSigned ? value.getSExtValue()
                             : static_cast<int64_t>(value.getZExtValue());
      };
      auto draw = [&] {
        uint64_t bits = uint64_t{stream.word()} << 32 | stream.word();
        APInt value(type.bits, bits);
        switch (stream.word() % 8) {
        case 0:
          return APInt(type.bits, stream.word() % 70);
        case 1:
          return APInt::getAllOnes(type.bits);
        case 2:
          return APInt::getSignedMinValue(type.bits);
        case 3:
          return APInt(type.bits, 0);
        default:
          return value;
        }
      };
      for (int i = 0; i < kSize; ++i) {
        APInt a = draw(), b = draw();
        x.ints[i] = read(a);
        y.ints[i] = read(b);
        expected.ints[i] = read(op(a, b, type.isSigned));
      }
      Comparison comparison = compareTensors(
          apply(parsed, name, type.name, x, &y), expected, Tolerance::exact());
      EXPECT_TRUE(comparison.equal)
          << type.name << " " << name << ": " << comparison.describe();
    }
}

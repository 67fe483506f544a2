// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions of f16 and bf16, against what their definition gives.

#include "test/unit/Cpu/CompiledKernels.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace {

struct Format {
  const char *name;
  int exponentBits, mantissaBits;
};
constexpr Format f16 = {"f16", 5, 10}, bf16 = {"bf16", 8, 7};

/// The number that 16 bits stand for.
double decode(Format format, uint16_t bits) {
  int bias = (1 << (format.exponentBits - 1)) - 1;
  int exponent =
      (bits >> format.mantissaBits) & ((1 << format.exponentBits) - 1);
  int mantissa = bits & ((1 << format.mantissaBits) - 1);
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == (1 << format.exponentBits) - 1)
    return mantissa ? std::nan("") : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - format.mantissaBits);
  return sign * std::ldexp(mantissa + (1 << format.mantissaBits),
                           exponent - bias - format.mantissaBits);
}

/// The 16 bits nearest to a number, ties to even.
uint16_t encode(Format format, double x) {
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  int allExponent = (1 << format.exponentBits) - 1;
  uint16_t infinity = allExponent << format.mantissaBits;
  if (std::isnan(x))
    return sign | infinity | 1;
  x = std::fabs(x);
  int bias = (1 << (format.exponentBits - 1)) - 1;
  int exponent = x == 0 ? -9999 : std::ilogb(x);
  int lastPlace = std::max(exponent, 1 - bias) - format.mantissaBits;
  if (std::isinf(x) || exponent > bias)
    return sign | infinity;
  // Ordered like the numbers, so a carry goes into the exponent by itself.
  double places = std::nearbyint(std::ldexp(x, -lastPlace));
  int biased = std::max(exponent, 1 - bias) + bias;
  auto bits = static_cast<int>(places) + ((biased - 1) << format.mantissaBits);
  return sign | static_cast<uint16_t>(std::min<int>(bits, infinity));
}

bool sameNumber(Format format, uint16_t a, uint16_t b) {
  bool nanA = std::isnan(decode(format, a)),
       nanB = std::isnan(decode(format, b));
  return nanA || nanB ? nanA && nanB : a == b;
}

struct SmallFloatsCode
    : testing::TestWithParam<std::tuple<const char *, Format>> {
  std::string level() { return std::get<0>(GetParam()); }
  Format format() { return std::get<1>(GetParam()); }
  /// A kernel body with T for the small type.
  std::string instantiate(std::string text) {
    for (size_t at; (at = text.find('T')) != std::string::npos;)
      text.replace(at, 1, format().name);
    return text;
  }
};

struct SmallFloats : SmallFloatsCode {
  void SetUp() override {
    if (!CompiledKernels::canRun(level()))
      GTEST_SKIP() << "this machine cannot run " << level();
  }
};

const auto combinations =
    testing::Combine(testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"),
                     testing::Values(f16, bf16));
const auto nameOf = [](const auto &info) {
  std::string level = std::get<0>(info.param);
  return level.substr(level.rfind('-') + 1) + "_" +
         std::get<1>(info.param).name;
};
INSTANTIATE_TEST_SUITE_P(Levels, SmallFloatsCode, combinations, nameOf);
INSTANTIATE_TEST_SUITE_P(Levels, SmallFloats, combinations, nameOf);

TEST_P(SmallFloats, EveryValueExtends) {
  CompiledKernels kernels(instantiate(R"(
    func.func private @k(%a: memref<65536xT>, %o: memref<65536xf32>,
                         %p: memref<65536xf64>) attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %n = arith.constant 65536 : index
      scf.for %i = %c0 to %n step %c8 {
        %x = vector.load %a[%i] : memref<65536xT>, vector<8xT>
        %y = arith.extf %x : vector<8xT> to vector<8xf32>
        vector.store %y, %o[%i] : memref<65536xf32>, vector<8xf32>
      }
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %a[%i] : memref<65536xT>
        %y = arith.extf %x : T to f64
        memref.store %y, %p[%i] : memref<65536xf64>
      }
      return
    })"),
                          level(), 3);
  std::vector<uint16_t> a(65536);
  std::vector<float> o(65536);
  std::vector<double> p(65536);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<uint16_t>(i);
  kernels.run(0, {a.data(), o.data(), p.data()});
  for (size_t i = 0; i < a.size(); ++i) {
    double expected = decode(format(), a[i]);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(o[i]) && std::isnan(p[i])) << i;
      continue;
    }
    ASSERT_EQ(o[i], expected) << i;
    ASSERT_EQ(p[i], expected) << i;
    ASSERT_EQ(std::signbit(o[i]), std::signbit(expected)) << i;
  }
}

/// Each value, halfway to the next, and just beside that.
std::vector<double> numbersNearTies(Format format) {
  std::vector<double> numbers;
  for (int i = 0; i < 65536; ++i) {
    double here = decode(format, static_cast<uint16_t>(i));
    double next = decode(format, static_cast<uint16_t>(i + 1));
    numbers.push_back(here);
    if (std::isnan(here) || std::isnan(next))
      continue;
    if (std::isinf(next)) // Where infinity would stand if it were a number.
      next = 2 * here - decode(format, static_cast<uint16_t>(i - 1));
    double tie = (here + next) / 2;
    for (double x :
         {tie, std::nextafter(tie, -INFINITY), std::nextafter(tie, INFINITY)})
      numbers.push_back(x);
    for (float x :
         {std::nextafterf(tie, -INFINITY), std::nextafterf(tie, INFINITY)})
      numbers.push_back(x);
  }
  for (double x : {0.0, 1e-300, 1e-46, 1e300, 3.4e38, 3.5e38, 65519.99, 65520.0,
                   double(INFINITY)})
    numbers.insert(numbers.end(), {x, -x});
  std::mt19937_64 random(1);
  while (numbers.size() % 8 != 0 || numbers.size() < 500000) {
    uint64_t bits = random();
    double x;
    std::memcpy(&x, &bits, sizeof x);
    bool isScaled = random() % 2 && std::isfinite(x) && x != 0;
    numbers.push_back(isScaled ? std::ldexp(x, -std::ilogb(x)) : x);
  }
  return numbers;
}

TEST_P(SmallFloats, TruncationRoundsOnceToNearestEven) {
  std::vector<double> wide = numbersNearTies(format());
  std::vector<float> a(wide.begin(), wide.end());
  CompiledKernels kernels(instantiate(R"(
    func.func private @k(%a: memref<1048576xf32>, %b: memref<1048576xf64>,
                         %o: memref<1048576xT>, %p: memref<1048576xT>,
                         %count: i64) attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %n = arith.index_cast %count : i64 to index
      scf.for %i = %c0 to %n step %c8 {
        %x = vector.load %a[%i] : memref<1048576xf32>, vector<8xf32>
        %y = arith.truncf %x : vector<8xf32> to vector<8xT>
        vector.store %y, %o[%i] : memref<1048576xT>, vector<8xT>
      }
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %b[%i] : memref<1048576xf64>
        %y = arith.truncf %x : f64 to T
        memref.store %y, %p[%i] : memref<1048576xT>
      }
      return
    })"),
                          level(), 3);
  std::vector<uint16_t> o(wide.size()), p(wide.size());
  kernels.run(0, {a.data(), wide.data(), o.data(), p.data()},
              {static_cast<int64_t>(wide.size())});
  for (size_t i = 0; i < wide.size(); ++i) {
    ASSERT_TRUE(sameNumber(format(), o[i], encode(format(), a[i])))
        << a[i] << " became " << std::hex << o[i];
    ASSERT_TRUE(sameNumber(format(), p[i], encode(format(), wide[i])))
        << wide[i] << " became " << std::hex << p[i];
  }
}

// Also for levels that this machine cannot run.
TEST_P(SmallFloatsCode, CallsNothing) {
  std::vector<std::string> symbols = undefinedSymbols(instantiate(R"(
    func.func private @k(%a: memref<32xT>, %o: memref<32xf32>,
                         %p: memref<32xf64>, %q: memref<32xT>)
        attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c9 = arith.constant 9 : index
      %x = vector.load %a[%c0] : memref<32xT>, vector<32xT>
      %y = arith.extf %x : vector<32xT> to vector<32xf32>
      vector.store %y, %o[%c0] : memref<32xf32>, vector<32xf32>
      %z = vector.load %p[%c0] : memref<32xf64>, vector<32xf64>
      %w = arith.truncf %z : vector<32xf64> to vector<32xT>
      vector.store %w, %q[%c0] : memref<32xT>, vector<32xT>
      scf.for %i = %c0 to %c9 step %c1 {
        %r = memref.load %o[%i] : memref<32xf32>
        %s = arith.truncf %r : f32 to T
        memref.store %s, %q[%i] : memref<32xT>
        %t = memref.load %a[%i] : memref<32xT>
        %u = arith.extf %t : T to f64
        memref.store %u, %p[%i] : memref<32xf64>
      }
      return
    })"),
                                                      level(), 3);
  EXPECT_EQ(symbols, std::vector<std::string>());
}

TEST_P(SmallFloats, ConstantsSelectsAndLoops) {
  CompiledKernels kernels(instantiate(R"(
    func.func private @k(%a: memref<8xT>, %o: memref<8xT>)
        attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %one = arith.constant 1.0 : T
      %ones = arith.constant dense<1.0> : vector<8xT>
      vector.store %ones, %o[%c0] : memref<8xT>, vector<8xT>
      %last = scf.for %i = %c0 to %c8 step %c1
          iter_args(%previous = %one) -> (T) {
        %x = memref.load %a[%i] : memref<8xT>
        %bits = arith.bitcast %x : T to i16
        %zero = arith.constant 0 : i16
        %isZero = arith.cmpi eq, %bits, %zero : i16
        %y = arith.select %isZero, %previous, %x : T
        scf.yield %y : T
      }
      memref.store %last, %o[%c1] : memref<8xT>
      return
    })"),
                          level(), 3);
  std::vector<uint16_t> a(8, 0), o(8);
  a[3] = encode(format(), 3.0);
  kernels.run(0, {a.data(), o.data()});
  EXPECT_EQ(o[0], encode(format(), 1.0));
  EXPECT_EQ(o[1], encode(format(), 3.0));
  EXPECT_EQ(o[7], encode(format(), 1.0));
}

} // namespace

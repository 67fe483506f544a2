// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/unit/Cpu/CompiledKernels.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace {

/// Each test runs at every level of this machine, optimised and not.
struct Kernels : testing::TestWithParam<std::tuple<const char *, unsigned>> {
  void SetUp() override {
    if (!CompiledKernels::canRun(std::get<0>(GetParam())))
      GTEST_SKIP() << "this machine cannot run " << std::get<0>(GetParam());
  }
  std::string level() { return std::get<0>(GetParam()); }
  unsigned optLevel() { return std::get<1>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(
    Levels, Kernels,
    testing::Combine(testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"),
                     testing::Values(0u, 3u)),
    [](const auto &info) {
      std::string level = std::get<0>(info.param);
      return level.substr(level.rfind('-') + 1) + "_O" +
             std::to_string(std::get<1>(info.param));
    });

TEST_P(Kernels, BuffersInOrderAndIntegers) {
  CompiledKernels kernels(R"(
    func.func private @k(%a: memref<3xf32>, %b: memref<2x3xf32>,
                         %out: memref<3xf32>, %m: i64, %n: i64)
        attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %m32 = arith.sitofp %m : i64 to f32
      %n32 = arith.sitofp %n : i64 to f32
      scf.for %i = %c0 to %c3 step %c1 {
        %x = memref.load %a[%i] : memref<3xf32>
        %y = memref.load %b[%c1, %i] : memref<2x3xf32>
        %p = arith.mulf %x, %m32 : f32
        %q = arith.mulf %y, %n32 : f32
        %s = arith.addf %p, %q : f32
        memref.store %s, %out[%i] : memref<3xf32>
      }
      return
    }
  )",
                          level(), optLevel());
  float a[] = {1, 2, 3}, b[] = {-1, -1, -1, 10, 20, 30}, out[3];
  kernels.run(0, {a, b, out}, {2, 100});
  EXPECT_EQ(out[0], 1002);
  EXPECT_EQ(out[1], 2004);
  EXPECT_EQ(out[2], 3006);
}

// A value loaded before the loop travels to its body; constants, views of the
// workspace and the kernel's own integers are there as well.
TEST_P(Kernels, ParallelLoopSeesWhatIsAroundIt) {
  CompiledKernels kernels(R"(
    func.func private @k(%a: memref<100xf32>, %s: memref<f64>,
                         %w: memref<864xi8>, %out: memref<100xf32>, %k: i64)
        attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c100 = arith.constant 100 : index
      %half = arith.constant 0.5 : f32
      %v = memref.view %w[%c64][] : memref<864xi8> to memref<100xf64>
      %scale = memref.load %s[] : memref<f64>
      scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
        %x = memref.load %a[%i] : memref<100xf32>
        %wide = arith.extf %x : f32 to f64
        %y = arith.mulf %wide, %scale : f64
        memref.store %y, %v[%i] : memref<100xf64>
        scf.reduce
      } {plan.parallel}
      scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
        %y = memref.load %v[%i] : memref<100xf64>
        %n = arith.truncf %y : f64 to f32
        %kf = arith.sitofp %k : i64 to f32
        %t = arith.mulf %n, %half : f32
        %u = arith.addf %t, %kf : f32
        memref.store %u, %out[%i] : memref<100xf32>
        scf.reduce
      } {plan.parallel}
      return
    }
  )",
                          level(), optLevel());
  std::vector<float> a(100), out(100);
  std::iota(a.begin(), a.end(), 0.0f);
  double scale = 3;
  alignas(64) char workspace[864];
  kernels.run(0, {a.data(), &scale, workspace, out.data()}, {7});
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(out[i], i * 1.5f + 7) << i;
  EXPECT_EQ(kernels.parallelCounts, (std::vector<int64_t>{100, 100}));
}

TEST_P(Kernels, LoopBoundsOtherThanZeroAndOne) {
  CompiledKernels kernels(R"(
    func.func private @k(%out: memref<16xi32>) attributes {plan.kernel} {
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c14 = arith.constant 14 : index
      %one = arith.constant 1 : i32
      scf.parallel (%i) = (%c3) to (%c14) step (%c4) {
        memref.store %one, %out[%i] : memref<16xi32>
        scf.reduce
      } {plan.parallel}
      return
    }
  )",
                          level(), optLevel());
  int32_t out[16] = {};
  kernels.run(0, {out});
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(out[i], i == 3 || i == 7 || i == 11) << i;
  EXPECT_EQ(kernels.parallelCounts, (std::vector<int64_t>{3}));
}

// Without plan.parallel a loop stays where it is.
TEST_P(Kernels, UnmarkedLoopRunsInPlace) {
  CompiledKernels kernels(R"(
    func.func private @k(%out: memref<4x4xi32>) attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %one = arith.constant 1 : i32
      scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
        memref.store %one, %out[%i, %j] : memref<4x4xi32>
        scf.reduce
      }
      return
    }
  )",
                          level(), optLevel());
  int32_t out[16] = {};
  kernels.run(0, {out});
  EXPECT_EQ(std::accumulate(out, out + 16, 0), 16);
  EXPECT_TRUE(kernels.parallelCounts.empty());
}

TEST_P(Kernels, FailedIndexIsReported) {
  CompiledKernels kernels(R"(
    func.func private @k(%ids: memref<4xi64>, %limit: i64)
        attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        %id = memref.load %ids[%i] : memref<4xi64>
        %bad = arith.cmpi uge, %id, %limit : i64
        scf.if %bad {
          %at = arith.index_cast %i : index to i64
          plan.fail_index %at, %id, %limit : i64
        }
        scf.reduce
      } {plan.parallel}
      return
    }
  )",
                          level(), optLevel());
  int64_t ids[] = {0, 9, 10, -1};
  kernels.run(0, {ids}, {10});
  ASSERT_EQ(kernels.failures.size(), 2u);
  EXPECT_EQ(kernels.failures[0].position, 2);
  EXPECT_EQ(kernels.failures[0].value, 10);
  EXPECT_EQ(kernels.failures[1].position, 3);
  EXPECT_EQ(kernels.failures[1].value, -1);
  EXPECT_EQ(kernels.failures[1].limit, 10);
}

// LLVM alone would put 16 of them into two bytes.
TEST_P(Kernels, BoolsAreBytes) {
  CompiledKernels kernels(R"(
    func.func private @k(%a: memref<16xi1>, %out: memref<16xi1>,
                         %last: memref<i1>) attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %c15 = arith.constant 15 : index
      %true = arith.constant dense<true> : vector<16xi1>
      %x = vector.load %a[%c0] : memref<16xi1>, vector<16xi1>
      %not = arith.xori %x, %true : vector<16xi1>
      vector.store %not, %out[%c0] : memref<16xi1>, vector<16xi1>
      %y = memref.load %a[%c15] : memref<16xi1>
      memref.store %y, %last[] : memref<i1>
      return
    }
  )",
                          level(), optLevel());
  uint8_t a[16] = {0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255};
  uint8_t out[16], last = 9;
  kernels.run(0, {a, out, &last});
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(out[i], a[i] == 0) << i;
  EXPECT_EQ(last, 1);
}

// x86-64-v2 has no such instruction and calls fmaf and fma.
TEST_P(Kernels, FusedMultiplyAddRoundsOnce) {
  CompiledKernels kernels(R"(
    func.func private @k(%a: memref<8xf32>, %b: memref<2xf64>)
        attributes {plan.kernel} {
      %c0 = arith.constant 0 : index
      %x = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
      %one = arith.constant dense<-1.0> : vector<8xf32>
      %y = math.fma %x, %x, %one : vector<8xf32>
      vector.store %y, %a[%c0] : memref<8xf32>, vector<8xf32>
      %z = vector.load %b[%c0] : memref<2xf64>, vector<2xf64>
      %two = arith.constant dense<-1.0> : vector<2xf64>
      %w = math.fma %z, %z, %two : vector<2xf64>
      vector.store %w, %b[%c0] : memref<2xf64>, vector<2xf64>
      return
    }
  )",
                          level(), optLevel());
  float a[8];
  double b[2];
  for (int i = 0; i < 8; ++i)
    a[i] = 1 + std::ldexp(float(i + 1), -23);
  for (int i = 0; i < 2; ++i)
    b[i] = 1 + std::ldexp(double(i + 1), -52);
  kernels.run(0, {a, b});
  for (int i = 0; i < 8; ++i)
    // The exact value fits an f64.
    EXPECT_EQ(a[i], static_cast<float>(std::ldexp(2.0 * (i + 1), -23) +
                                       std::ldexp((i + 1.0) * (i + 1), -46)))
        << i;
  for (int i = 0; i < 2; ++i) {
    double x = 1 + std::ldexp(double(i + 1), -52);
    EXPECT_EQ(b[i], std::fma(x, x, -1.0)) << i;
  }
}

TEST(KernelCode, NumberOfThreadsChangesNothing) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "func.func private @k" + std::to_string(i) +
            "(%a: memref<f32>) attributes {plan.kernel} {"
            "%x = memref.load %a[] : memref<f32> "
            "%c = arith.constant " +
            std::to_string(i) +
            ".5 : f32 "
            "%y = arith.addf %x, %c : f32 "
            "memref.store %y, %a[] : memref<f32> return }\n";
  std::vector<std::string> one = codeOf(text, 1);
  EXPECT_GT(one.size(), 3u); // There is something to share.
  EXPECT_EQ(one, codeOf(text, 3));
}

} // namespace

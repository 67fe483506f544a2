// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <limits>
#include <vector>

#include "graphc/data.hpp"
#include "gtest/gtest.h"

#include "runtime/core/Half.h"

using graphc::Array;

namespace {

template <class To>
std::vector<To> converted(const std::vector<double> &values) {
  Array source = Array::from<double>({int64_t(values.size())}, values);
  Array result = Array::convert(source, graphc::dtypeOf<To>());
  return {result.data<To>(), result.data<To>() + values.size()};
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Array, IsZeroedAlignedAndOfAnyShape) {
  for (const Array::Shape &shape :
       {Array::Shape{}, {0}, {3, 0, 2}, {7}, {2, 3, 5}}) {
    Array array = Array::of<float>(shape);
    EXPECT_EQ(array.shape(), shape);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 64, 0u);
    for (int64_t i = 0; i < array.size(); ++i)
      EXPECT_EQ(array.data<float>()[i], 0);
  }
  EXPECT_EQ(Array::of<float>({}).size(), 1);
}

TEST(Array, RefusesBadShapes) {
  auto status = [](graphc_dtype dtype, const Array::Shape &shape) {
    graphc_array *array = nullptr;
    graphc_status result = graphc_array_create(
        dtype, static_cast<uint32_t>(shape.size()), shape.data(), &array);
    EXPECT_EQ(array, nullptr);
    return result;
  };
  EXPECT_EQ(status(GRAPHC_DTYPE_F32, {-1}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status(GRAPHC_DTYPE_INVALID, {1}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status(GRAPHC_DTYPE_F32, {int64_t{1} << 62, 4}),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status(GRAPHC_DTYPE_F32, Array::Shape(17, 1)), GRAPHC_UNSUPPORTED);
  EXPECT_EQ(status(GRAPHC_DTYPE_I8, {INT64_MAX}), GRAPHC_OUT_OF_MEMORY);
  EXPECT_EQ(graphc_array_create(GRAPHC_DTYPE_F32, 0, nullptr, nullptr),
            GRAPHC_INVALID_ARGUMENT);
}

TEST(Array, FloatsBecomeIntegersSaturated) {
  std::vector<double> values = {1.9, -1.9, nan, inf, -inf, 3e9, -3e9, 255.9};
  EXPECT_EQ(converted<int32_t>(values),
            (std::vector<int32_t>{1, -1, 0, INT32_MAX, INT32_MIN, INT32_MAX,
                                  INT32_MIN, 255}));
  EXPECT_EQ(converted<int8_t>(values),
            (std::vector<int8_t>{1, -1, 0, 127, -128, 127, -128, 127}));
  EXPECT_EQ(converted<uint8_t>(values),
            (std::vector<uint8_t>{1, 0, 0, 255, 0, 255, 0, 255}));
  EXPECT_EQ(converted<int64_t>({0x1p63, -0x1p63, 0x1.fffffffffffffp62}),
            (std::vector<int64_t>{INT64_MAX, INT64_MIN,
                                  INT64_C(0x7ffffffffffffc00)}));
  Array bools =
      Array::convert(Array::from<double>({3}, {0, -0.5, nan}), GRAPHC_DTYPE_I1);
  EXPECT_FALSE(bools.data<bool>()[0]);
  EXPECT_TRUE(bools.data<bool>()[1]);
  EXPECT_TRUE(bools.data<bool>()[2]);
}

TEST(Array, IntegersWrapAround) {
  Array wide = Array::from<int64_t>({3}, {300, -1, int64_t{1} << 40});
  Array narrow = Array::convert(wide, GRAPHC_DTYPE_UI8);
  EXPECT_EQ(narrow.data<uint8_t>()[0], 44);
  EXPECT_EQ(narrow.data<uint8_t>()[1], 255);
  EXPECT_EQ(narrow.data<uint8_t>()[2], 0);
}

TEST(Array, FloatsRoundOnceAsPyTorchDoes) {
  Array values =
      Array::from<double>({7}, {1.5, -2.7, 3e38, 65520., 1e-8, -0.0, 0.1});
  auto check = [&](graphc_dtype dtype, const std::vector<double> &expected) {
    Array back =
        Array::convert(Array::convert(values, dtype), GRAPHC_DTYPE_F64);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(back.data<double>()[i], expected[i]) << i;
    EXPECT_TRUE(std::signbit(back.data<double>()[5]));
  };
  check(GRAPHC_DTYPE_F32, {1.5, -0x1.59999ap+1, 0x1.c363ccp+127, 65520,
                           0x1.5798eep-27, 0, 0x1.99999ap-4});
  check(GRAPHC_DTYPE_F16, {1.5, -0x1.598p+1, inf, inf, 0, 0, 0x1.998p-4});
  check(GRAPHC_DTYPE_BF16,
        {1.5, -0x1.5ap+1, 0x1.c4p+127, 0x1p+16, 0x1.58p-27, 0, 0x1.9ap-4});
}

TEST(Array, LargeIntegersRoundOnce) {
  // Just above the middle of two bf16 values; f64 would drop the last bit.
  int64_t base = int64_t{1} << 60, tie = base + (int64_t{1} << 52);
  Array source = Array::from<int64_t>({4}, {tie, tie + 1, -(tie + 1), tie - 1});
  Array result = Array::convert(source, GRAPHC_DTYPE_BF16);
  auto *bits = static_cast<const uint16_t *>(result.data());
  EXPECT_EQ(graphc::runtime::fromBf16(bits[0]), 0x1p60f);
  EXPECT_EQ(graphc::runtime::fromBf16(bits[1]), 0x1.02p60f);
  EXPECT_EQ(graphc::runtime::fromBf16(bits[2]), -0x1.02p60f);
  EXPECT_EQ(graphc::runtime::fromBf16(bits[3]), 0x1p60f);
}

TEST(Array, StridedSourcesArePacked) {
  Array source = Array::from<int32_t>({2, 3}, {0, 1, 2, 3, 4, 5});
  int64_t shape[] = {3, 2}, strides[] = {1, 3};
  graphc_tensor view = {GRAPHC_DTYPE_I32, 2, shape, strides, source.data()};
  Array result = Array::convert(view, GRAPHC_DTYPE_F32);
  std::vector<float> got(result.data<float>(), result.data<float>() + 6);
  EXPECT_EQ(got, (std::vector<float>{0, 3, 1, 4, 2, 5}));
  // A broadcast: stride 0.
  int64_t zero[] = {0, 1};
  view = {GRAPHC_DTYPE_I32, 2, shape, zero, source.data()};
  Array rows = Array::convert(view, GRAPHC_DTYPE_I32);
  EXPECT_EQ(rows.data<int32_t>()[5], 1);
}

TEST(Array, CppAccessIsChecked) {
  Array array = Array::from<int64_t>({4, 1}, {0, 1, 2, 3});
  EXPECT_THROW(array.data<float>(), graphc::Error);
  EXPECT_THROW(Array::from<int64_t>({3}, {1, 2}), graphc::Error);
  Array::Shape shape;
  graphc_tensor rows = array.rows(1, 3, shape);
  EXPECT_EQ(shape, (Array::Shape{2, 1}));
  EXPECT_EQ(static_cast<int64_t *>(rows.data)[0], 1);
  EXPECT_THROW(array.rows(2, 5, shape), graphc::Error);
}

} // namespace

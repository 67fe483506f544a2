// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/Dtype/Dtype.h"

#include "graphc/runtime.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace graphc;

// The runtime names each number; MLIR reads the name as the type.
TEST(Dtype, EachNumberIsTheTypeThatTheRuntimeNames) {
  MLIRContext context;
  int numbers = 0;
  for (int k = 1; graphc_dtype_bytes(static_cast<graphc_dtype>(k)); ++k) {
    auto dtype = static_cast<graphc_dtype>(k);
    Type type = parseType(graphc_dtype_name(dtype), &context);
    ASSERT_TRUE(type) << graphc_dtype_name(dtype);
    EXPECT_EQ(toDtype(type), dtype) << graphc_dtype_name(dtype);
    EXPECT_EQ(toElementType(&context, dtype), type) << graphc_dtype_name(dtype);
    ++numbers;
  }
  EXPECT_EQ(numbers, 9);
}

TEST(Dtype, OtherTypesAndNumbersHaveNone) {
  MLIRContext context;
  for (const char *text : {"i16", "i4", "si8", "si32", "ui1", "ui16", "ui32",
                           "ui64", "i128", "index", "f8E4M3FN", "tf32", "f80",
                           "f128", "none", "complex<f32>", "tensor<2xf32>"}) {
    Type type = parseType(text, &context);
    ASSERT_TRUE(type) << text;
    EXPECT_EQ(toDtype(type), GRAPHC_DTYPE_INVALID) << text;
  }
  for (int k : {0, 10, -1, 0x7fffffff})
    EXPECT_FALSE(toElementType(&context, static_cast<graphc_dtype>(k))) << k;
}

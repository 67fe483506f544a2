// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s
// In f64 mode float casts do nothing, and others depend on the value alone.
// RUN: graph-interpret %s --function=float_to_float --mode=f64 | FileCheck --check-prefix=F64 %s
// RUN: graph-interpret %s --function=int_to_float --mode=f64 | FileCheck --check-prefix=F64INT %s

// Ties go to the even neighbour; one rounding, also from f64 to f16.
// CHECK-LABEL: @float_to_float
// F64: result 0 : tensor<5xf16> [2049, 2051, 1.0004882812500002, 65520, 1e-08]
func.func @float_to_float() -> (tensor<5xf16>, tensor<4xbf16>, tensor<3xf32>, tensor<2xf64>) {
  // 1.0004882812500002 is just above half way between two f16; in f32 it is at it.
  %a = graph.constant dense<[2049.0, 2051.0, 1.0004882812500002, 65520.0, 1.0e-8]> : tensor<5xf64>
  // CHECK: result 0 : tensor<5xf16> [2048, 2052, 1.0009766, inf, 0]
  %f16 = graph.cast %a : tensor<5xf64> -> tensor<5xf16>
  %b = graph.constant dense<[257.0, 259.0, 0x7FC00000, -0.0]> : tensor<4xf32>
  // CHECK: result 1 : tensor<4xbf16> [256, 260, nan, -0]
  %bf16 = graph.cast %b : tensor<4xf32> -> tensor<4xbf16>
  %c = graph.constant dense<[0.1, 16777217.0, 1.0e-46]> : tensor<3xf64>
  // CHECK: result 2 : tensor<3xf32> [0.1, 16777216, 0]
  %f32 = graph.cast %c : tensor<3xf64> -> tensor<3xf32>
  %d = graph.constant dense<[0.1, 0x7C00]> : tensor<2xf16>
  // CHECK: result 3 : tensor<2xf64> [0.0999755859375, inf]
  %f64 = graph.cast %d : tensor<2xf16> -> tensor<2xf64>
  return %f16, %bf16, %f32, %f64 : tensor<5xf16>, tensor<4xbf16>, tensor<3xf32>, tensor<2xf64>
}

// Truncates, saturates; NaN is 0.
// CHECK-LABEL: @float_to_int
func.func @float_to_int() -> (tensor<7xi8>, tensor<7xui8>, tensor<7xi32>, tensor<7xi64>, tensor<7xi1>) {
  %x = graph.constant dense<[1.9, -1.9, 300.0, -300.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<7xf32>
  // CHECK: result 0 : tensor<7xi8> [1, -1, 127, -128, 0, 127, -128]
  %i8 = graph.cast %x : tensor<7xf32> -> tensor<7xi8>
  // CHECK: result 1 : tensor<7xui8> [1, 0, 255, 0, 0, 255, 0]
  %ui8 = graph.cast %x : tensor<7xf32> -> tensor<7xui8>
  // CHECK: result 2 : tensor<7xi32> [1, -1, 300, -300, 0, 2147483647, -2147483648]
  %i32 = graph.cast %x : tensor<7xf32> -> tensor<7xi32>
  // CHECK: result 3 : tensor<7xi64> [1, -1, 300, -300, 0, 9223372036854775807, -9223372036854775808]
  %i64 = graph.cast %x : tensor<7xf32> -> tensor<7xi64>
  // CHECK: result 4 : tensor<7xi1> [true, true, true, true, true, true, true]
  %i1 = graph.cast %x : tensor<7xf32> -> tensor<7xi1>
  return %i8, %ui8, %i32, %i64, %i1 : tensor<7xi8>, tensor<7xui8>, tensor<7xi32>, tensor<7xi64>, tensor<7xi1>
}

// The largest f64 below 2^63, and 2^63.
// CHECK-LABEL: @near_the_ends
func.func @near_the_ends() -> (tensor<4xi64>, tensor<4xi32>, tensor<3xi1>) {
  %x = graph.constant dense<[9223372036854774784.0, 9223372036854775808.0, -9223372036854775808.0, -9223372036854777856.0]> : tensor<4xf64>
  // CHECK: result 0 : tensor<4xi64> [9223372036854774784, 9223372036854775807, -9223372036854775808, -9223372036854775808]
  %i64 = graph.cast %x : tensor<4xf64> -> tensor<4xi64>
  %y = graph.constant dense<[2147483646.9, 2147483647.5, -2147483648.9, -2147483649.0]> : tensor<4xf64>
  // CHECK: result 1 : tensor<4xi32> [2147483646, 2147483647, -2147483648, -2147483648]
  %i32 = graph.cast %y : tensor<4xf64> -> tensor<4xi32>
  %z = graph.constant dense<[0.0, -0.0, 1.0e-45]> : tensor<3xf32>
  // CHECK: result 2 : tensor<3xi1> [false, false, true]
  %i1 = graph.cast %z : tensor<3xf32> -> tensor<3xi1>
  return %i64, %i32, %i1 : tensor<4xi64>, tensor<4xi32>, tensor<3xi1>
}

// One rounding from i64: 2^55 + 2^31 + 1 is just above half way in f32, and at it
// in f64.
// CHECK-LABEL: @int_to_float
// F64INT: result 0 : tensor<3xf32> [36028799166447616, 16777217, -9.223372e+18]
func.func @int_to_float() -> (tensor<3xf32>, tensor<3xf16>, tensor<2xf32>) {
  %x = graph.constant dense<[36028799166447617, 16777217, -9223372036854775808]> : tensor<3xi64>
  // CHECK: result 0 : tensor<3xf32> [3.60288e+16, 16777216, -9.223372e+18]
  %f32 = graph.cast %x : tensor<3xi64> -> tensor<3xf32>
  // CHECK: result 1 : tensor<3xf16> [inf, inf, -inf]
  %f16 = graph.cast %x : tensor<3xi64> -> tensor<3xf16>
  %b = graph.constant dense<[false, true]> : tensor<2xi1>
  // CHECK: result 2 : tensor<2xf32> [0, 1]
  %f = graph.cast %b : tensor<2xi1> -> tensor<2xf32>
  return %f32, %f16, %f : tensor<3xf32>, tensor<3xf16>, tensor<2xf32>
}

// CHECK-LABEL: @int_to_int
func.func @int_to_int() -> (tensor<4xi8>, tensor<4xui8>, tensor<3xi64>, tensor<3xi8>, tensor<4xi1>, tensor<2xi64>) {
  %x = graph.constant dense<[300, -1, 128, 256]> : tensor<4xi32>
  // CHECK: result 0 : tensor<4xi8> [44, -1, -128, 0]
  %i8 = graph.cast %x : tensor<4xi32> -> tensor<4xi8>
  // CHECK: result 1 : tensor<4xui8> [44, 255, 128, 0]
  %ui8 = graph.cast %x : tensor<4xi32> -> tensor<4xui8>
  %u = graph.constant dense<[255, 128, 1]> : tensor<3xui8>
  // CHECK: result 2 : tensor<3xi64> [255, 128, 1]
  %wide = graph.cast %u : tensor<3xui8> -> tensor<3xi64>
  // CHECK: result 3 : tensor<3xi8> [-1, -128, 1]
  %same = graph.cast %u : tensor<3xui8> -> tensor<3xi8>
  // CHECK: result 4 : tensor<4xi1> [true, true, true, true]
  %i1 = graph.cast %x : tensor<4xi32> -> tensor<4xi1>
  %b = graph.constant dense<[false, true]> : tensor<2xi1>
  // CHECK: result 5 : tensor<2xi64> [0, 1]
  %frombool = graph.cast %b : tensor<2xi1> -> tensor<2xi64>
  return %i8, %ui8, %wide, %same, %i1, %frombool : tensor<4xi8>, tensor<4xui8>, tensor<3xi64>, tensor<3xi8>, tensor<4xi1>, tensor<2xi64>
}

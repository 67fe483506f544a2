// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// CHECK-LABEL: @axes
func.func @axes() -> (tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>, tensor<2xf32>, tensor<f32>) {
  %x = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]> : tensor<2x3xf32>
  // CHECK: result 0 : tensor<2xf32> [6, 16]
  %rows = graph.reduce_sum %x axes = [1] : tensor<2x3xf32> -> tensor<2xf32>
  // CHECK: result 1 : tensor<3xf32> [5, 7, 10]
  %columns = graph.reduce_sum %x axes = [0] : tensor<2x3xf32> -> tensor<3xf32>
  // CHECK: result 2 : tensor<f32> 22
  %all = graph.reduce_sum %x axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  // CHECK: result 3 : tensor<2x3xf32> {{\[\[1, 2, 3\], \[4, 5, 7\]\]}}
  %none = graph.reduce_sum %x axes = [] : tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK: result 4 : tensor<2xf32> [2, 5.3333335]
  %mean = graph.reduce_mean %x axes = [1] : tensor<2x3xf32> -> tensor<2xf32>
  // CHECK: result 5 : tensor<3xf32> [4, 10, 21]
  %prod = graph.reduce_prod %x axes = [0] : tensor<2x3xf32> -> tensor<3xf32>
  // CHECK: result 6 : tensor<2xf32> [3, 7]
  %max = graph.reduce_max %x axes = [1] : tensor<2x3xf32> -> tensor<2xf32>
  // CHECK: result 7 : tensor<f32> 1
  %min = graph.reduce_min %x axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  return %rows, %columns, %all, %none, %mean, %prod, %max, %min : tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>, tensor<2xf32>, tensor<f32>
}

// CHECK-LABEL: @nothing
func.func @nothing() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i8>, tensor<ui8>, tensor<i64>, tensor<ui8>) {
  %x = graph.constant dense<> : tensor<2x0xf32>
  // CHECK: result 0 : tensor<2xf32> [0, 0]
  %sum = graph.reduce_sum %x axes = [1] : tensor<2x0xf32> -> tensor<2xf32>
  // CHECK: result 1 : tensor<2xf32> [nan, nan]
  %mean = graph.reduce_mean %x axes = [1] : tensor<2x0xf32> -> tensor<2xf32>
  // CHECK: result 2 : tensor<2xf32> [1, 1]
  %prod = graph.reduce_prod %x axes = [1] : tensor<2x0xf32> -> tensor<2xf32>
  // CHECK: result 3 : tensor<2xf32> [-inf, -inf]
  %max = graph.reduce_max %x axes = [1] : tensor<2x0xf32> -> tensor<2xf32>
  // CHECK: result 4 : tensor<2xf32> [inf, inf]
  %min = graph.reduce_min %x axes = [1] : tensor<2x0xf32> -> tensor<2xf32>
  %i = graph.constant dense<> : tensor<0xi8>
  // CHECK: result 5 : tensor<i8> -128
  %imax = graph.reduce_max %i axes = [0] : tensor<0xi8> -> tensor<i8>
  %u = graph.constant dense<> : tensor<0xui8>
  // CHECK: result 6 : tensor<ui8> 0
  %umax = graph.reduce_max %u axes = [0] : tensor<0xui8> -> tensor<ui8>
  %l = graph.constant dense<> : tensor<0xi64>
  // CHECK: result 7 : tensor<i64> 9223372036854775807
  %lmin = graph.reduce_min %l axes = [0] : tensor<0xi64> -> tensor<i64>
  // CHECK: result 8 : tensor<ui8> 255
  %umin = graph.reduce_min %u axes = [0] : tensor<0xui8> -> tensor<ui8>
  return %sum, %mean, %prod, %max, %min, %imax, %umax, %lmin, %umin : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i8>, tensor<ui8>, tensor<i64>, tensor<ui8>
}

// Low-precision sums are rounded once, at the end: 2048 + 1 + ... stays exact in
// between, and a sum may pass the largest f16 on its way.
// CHECK-LABEL: @accumulation
func.func @accumulation() -> (tensor<f16>, tensor<f16>, tensor<bf16>, tensor<i8>, tensor<ui8>, tensor<f32>) {
  %a = graph.constant dense<[2048.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xf16>
  // CHECK: result 0 : tensor<f16> 2052
  %f16 = graph.reduce_sum %a axes = [0] : tensor<5xf16> -> tensor<f16>
  %b = graph.constant dense<[60000.0, 60000.0, -60000.0]> : tensor<3xf16>
  // CHECK: result 1 : tensor<f16> 20000
  %mean = graph.reduce_mean %b axes = [0] : tensor<3xf16> -> tensor<f16>
  %c = graph.constant dense<1.0> : tensor<300xbf16>
  // CHECK: result 2 : tensor<bf16> 300
  %bf16 = graph.reduce_sum %c axes = [0] : tensor<300xbf16> -> tensor<bf16>
  %d = graph.constant dense<[100, 100, 3]> : tensor<3xi8>
  // CHECK: result 3 : tensor<i8> -53
  %i8 = graph.reduce_sum %d axes = [0] : tensor<3xi8> -> tensor<i8>
  %e = graph.constant dense<[20, 20]> : tensor<2xui8>
  // CHECK: result 4 : tensor<ui8> 144
  %ui8 = graph.reduce_prod %e axes = [0] : tensor<2xui8> -> tensor<ui8>
  // f32 does not lose the small terms either.
  %f = graph.constant dense<[16777216.0, 1.0, 1.0]> : tensor<3xf32>
  // CHECK: result 5 : tensor<f32> 16777218
  %f32 = graph.reduce_sum %f axes = [0] : tensor<3xf32> -> tensor<f32>
  return %f16, %mean, %bf16, %i8, %ui8, %f32 : tensor<f16>, tensor<f16>, tensor<bf16>, tensor<i8>, tensor<ui8>, tensor<f32>
}

// CHECK-LABEL: @nan_wins
func.func @nan_wins() -> (tensor<3xf32>, tensor<3xf32>) {
  %x = graph.constant dense<[[1.0, 0x7FC00000, 0x7F800000], [0x7FC00000, 2.0, 3.0], [4.0, 5.0, 0xFF800000]]> : tensor<3x3xf32>
  // CHECK: result 0 : tensor<3xf32> [nan, nan, 5]
  %max = graph.reduce_max %x axes = [1] : tensor<3x3xf32> -> tensor<3xf32>
  // CHECK: result 1 : tensor<3xf32> [nan, nan, -inf]
  %min = graph.reduce_min %x axes = [1] : tensor<3x3xf32> -> tensor<3xf32>
  return %max, %min : tensor<3xf32>, tensor<3xf32>
}

// The first NaN, or else the first of a tie; the zeros tie.
// CHECK-LABEL: @arg
func.func @arg() -> (tensor<4xi64>, tensor<4xi64>, tensor<3xi64>, tensor<i64>, tensor<i64>) {
  %x = graph.constant dense<[[1.0, 3.0, 3.0], [5.0, 0x7FC00000, 0x7FC00000], [-0.0, 0.0, -1.0], [0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<4x3xf32>
  // CHECK: result 0 : tensor<4xi64> [1, 1, 0, 0]
  %max = graph.argmax %x axis = 1 : tensor<4x3xf32> -> tensor<4xi64>
  // CHECK: result 1 : tensor<4xi64> [0, 1, 2, 0]
  %min = graph.argmin %x axis = 1 : tensor<4x3xf32> -> tensor<4xi64>
  // CHECK: result 2 : tensor<3xi64> [1, 1, 1]
  %column = graph.argmax %x axis = 0 : tensor<4x3xf32> -> tensor<3xi64>
  %u = graph.constant dense<[3, 200, 127, 200]> : tensor<4xui8>
  // CHECK: result 3 : tensor<i64> 1
  %umax = graph.argmax %u axis = 0 : tensor<4xui8> -> tensor<i64>
  %i = graph.constant dense<[3, -56, 127, -56]> : tensor<4xi8>
  // CHECK: result 4 : tensor<i64> 1
  %imin = graph.argmin %i axis = 0 : tensor<4xi8> -> tensor<i64>
  return %max, %min, %column, %umax, %imin : tensor<4xi64>, tensor<4xi64>, tensor<3xi64>, tensor<i64>, tensor<i64>
}

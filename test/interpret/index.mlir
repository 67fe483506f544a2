// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// Gathers, scatters, dynamic slices, scans, sorts and triangles, by hand.

// CHECK-LABEL: @gathers
func.func @gathers() -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<2xi1>) {
  %x = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %i = graph.constant dense<[2, 0]> : tensor<2xi64>
  // CHECK: result 0 : tensor<2x3xf32> {{\[\[7, 8, 9\], \[1, 2, 3\]\]}}
  %rows = graph.gather %x, %i axis = 0 : tensor<3x3xf32>, tensor<2xi64> -> tensor<2x3xf32>
  %y = graph.constant dense<[[10, 11, 12, 13], [20, 21, 22, 23]]> : tensor<2x4xi32>
  %j = graph.constant dense<[[3, 3, 0], [1, 2, 1]]> : tensor<2x3xi32>
  // CHECK: result 1 : tensor<2x3xi32> {{\[\[13, 13, 10\], \[21, 22, 21\]\]}}
  %batched = graph.gather %y, %j axis = 1 batch_dims = 1 : tensor<2x4xi32>, tensor<2x3xi32> -> tensor<2x3xi32>
  %b = graph.constant dense<[[true, false], [false, false]]> : tensor<2x2xi1>
  %k = graph.constant dense<0> : tensor<i64>
  // CHECK: result 2 : tensor<2xi1> [true, false]
  %column = graph.gather %b, %k axis = 1 : tensor<2x2xi1>, tensor<i64> -> tensor<2xi1>
  return %rows, %batched, %column : tensor<2x3xf32>, tensor<2x3xi32>, tensor<2xi1>
}

// CHECK-LABEL: @scatters
func.func @scatters() -> (tensor<3x2xf32>, tensor<2x2xi8>, tensor<2xf16>) {
  %x = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %i = graph.constant dense<[2, 0, 2]> : tensor<3xi64>
  %u = graph.constant dense<[[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]]> : tensor<3x2xf32>
  // CHECK: result 0 : tensor<3x2xf32> {{\[\[31, 42\], \[3, 4\], \[65, 86\]\]}}
  %rows = graph.scatter_add %x, %i, %u axis = 0 : tensor<3x2xf32>, tensor<3xi64>, tensor<3x2xf32> -> tensor<3x2xf32>
  %z = graph.constant dense<[[100, 0], [0, -100]]> : tensor<2x2xi8>
  %j = graph.constant dense<[[0, 0, 0], [1, 0, 1]]> : tensor<2x3xi32>
  %v = graph.constant dense<[[20, 8, 1], [-20, 7, -9]]> : tensor<2x3xi8>
  // CHECK: result 1 : tensor<2x2xi8> {{\[\[-127, 0\], \[7, 127\]\]}}
  %batched = graph.scatter_add %z, %j, %v axis = 1 batch_dims = 1 : tensor<2x2xi8>, tensor<2x3xi32>, tensor<2x3xi8> -> tensor<2x2xi8>
  // Rounded once: 2048 + 1 + 1 is 2050 in f16 only if 2049 was not rounded.
  %h = graph.constant dense<[2048.0, 0.0]> : tensor<2xf16>
  %k = graph.constant dense<0> : tensor<2xi64>
  %o = graph.constant dense<1.0> : tensor<2xf16>
  // CHECK: result 2 : tensor<2xf16> [2050, 0]
  %wide = graph.scatter_add %h, %k, %o axis = 0 : tensor<2xf16>, tensor<2xi64>, tensor<2xf16> -> tensor<2xf16>
  return %rows, %batched, %wide : tensor<3x2xf32>, tensor<2x2xi8>, tensor<2xf16>
}

// CHECK-LABEL: @tables
func.func @tables() -> (tensor<1x2x2xf32>, tensor<2x3xf32>, tensor<3xi1>) {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %i = graph.constant dense<[[2, 1]]> : tensor<1x2xi64>
  // The padding row is read like any other.
  // CHECK: result 0 : tensor<1x2x2xf32> {{\[\[\[5, 6\], \[3, 4\]\]\]}}
  %e = graph.embedding %w, %i padding_idx = 1 : tensor<3x2xf32>, tensor<1x2xi64> -> tensor<1x2x2xf32>
  %j = graph.constant dense<[2, 0]> : tensor<2xi32>
  // CHECK: result 1 : tensor<2x3xf32> {{\[\[0, 0, 1\], \[1, 0, 0\]\]}}
  %h = graph.one_hot %j : tensor<2xi32> -> tensor<2x3xf32>
  %k = graph.constant dense<1> : tensor<i64>
  // CHECK: result 2 : tensor<3xi1> [false, true, false]
  %b = graph.one_hot %k : tensor<i64> -> tensor<3xi1>
  return %e, %h, %b : tensor<1x2x2xf32>, tensor<2x3xf32>, tensor<3xi1>
}

// Starts move so that the slice fits.
// CHECK-LABEL: @slices
func.func @slices() -> (tensor<2x2xi64>, tensor<2x2xi64>, tensor<3x3xi64>, tensor<f32>) {
  %x = graph.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi64>
  %low = graph.constant dense<-9223372036854775808> : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %high = graph.constant dense<9223372036854775807> : tensor<i64>
  // CHECK: result 0 : tensor<2x2xi64> {{\[\[4, 5\], \[7, 8\]\]}}
  %a = graph.dynamic_slice %x, %one, %low sizes = [2, 2] : tensor<3x3xi64> -> tensor<2x2xi64>
  // CHECK: result 1 : tensor<2x2xi64> {{\[\[5, 6\], \[8, 9\]\]}}
  %b = graph.dynamic_slice %x, %high, %one sizes = [2, 2] : tensor<3x3xi64> -> tensor<2x2xi64>
  %u = graph.constant dense<[[10, 20]]> : tensor<1x2xi64>
  // CHECK: result 2 : tensor<3x3xi64> {{\[\[1, 2, 3\], \[4, 10, 20\], \[7, 8, 9\]\]}}
  %c = graph.dynamic_update_slice %x, %u, %one, %high : tensor<3x3xi64>, tensor<1x2xi64> -> tensor<3x3xi64>
  %s = graph.constant dense<3.0> : tensor<f32>
  %t = graph.constant dense<4.0> : tensor<f32>
  // CHECK: result 3 : tensor<f32> 4
  %d = graph.dynamic_update_slice %s, %t : tensor<f32>, tensor<f32> -> tensor<f32>
  return %a, %b, %c, %d : tensor<2x2xi64>, tensor<2x2xi64>, tensor<3x3xi64>, tensor<f32>
}

// CHECK-LABEL: @scans
func.func @scans() -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xui8>, tensor<3xf16>, tensor<3xf32>) {
  %x = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  // CHECK: result 0 : tensor<2x3xf32> {{\[\[1, 3, 6\], \[4, 9, 15\]\]}}
  %a = graph.cumsum %x axis = 1 : tensor<2x3xf32>
  // CHECK: result 1 : tensor<2x3xf32> {{\[\[5, 7, 9\], \[4, 5, 6\]\]}}
  %b = graph.cumsum %x axis = 0 reverse : tensor<2x3xf32>
  %i = graph.constant dense<[200, 50, 10]> : tensor<3xui8>
  // CHECK: result 2 : tensor<3xui8> [200, 250, 4]
  %c = graph.cumsum %i axis = 0 : tensor<3xui8>
  // Each sum is rounded once: 2049 is 2048 in f16, and 2050 is itself.
  %h = graph.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
  // CHECK: result 3 : tensor<3xf16> [2048, 2048, 2050]
  %d = graph.cumsum %h axis = 0 : tensor<3xf16>
  // One term is itself; what comes after a NaN is NaN.
  %n = graph.constant dense<[-0.0, 0x7FC00000, 1.0]> : tensor<3xf32>
  // CHECK: result 4 : tensor<3xf32> [-0, nan, nan]
  %e = graph.cumsum %n axis = 0 : tensor<3xf32>
  return %a, %b, %c, %d, %e : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xui8>, tensor<3xf16>, tensor<3xf32>
}

// Ties keep their order in both directions, 0 and -0 are one; NaN is the
// largest.
// CHECK-LABEL: @sorts
func.func @sorts() -> (tensor<7xf32>, tensor<7xi64>, tensor<7xf32>, tensor<7xi64>, tensor<2x2xi8>, tensor<2x2xi64>) {
  %x = graph.constant dense<[0.0, 0x7FC00000, -1.0, -0.0, 0x7F800000, 0x7FC00000, -1.0]> : tensor<7xf32>
  // CHECK: result 0 : tensor<7xf32> [-1, -1, 0, -0, inf, nan, nan]
  // CHECK: result 1 : tensor<7xi64> [2, 6, 0, 3, 4, 1, 5]
  %a, %i = graph.sort %x axis = 0 : tensor<7xf32> -> tensor<7xf32>, tensor<7xi64>
  // CHECK: result 2 : tensor<7xf32> [nan, nan, inf, 0, -0, -1, -1]
  // CHECK: result 3 : tensor<7xi64> [1, 5, 4, 0, 3, 2, 6]
  %b, %j = graph.sort %x axis = 0 descending : tensor<7xf32> -> tensor<7xf32>, tensor<7xi64>
  %m = graph.constant dense<[[5, -3], [-128, 127]]> : tensor<2x2xi8>
  // CHECK: result 4 : tensor<2x2xi8> {{\[\[-128, -3\], \[5, 127\]\]}}
  // CHECK: result 5 : tensor<2x2xi64> {{\[\[1, 0\], \[0, 1\]\]}}
  %c, %k = graph.sort %m axis = 0 : tensor<2x2xi8> -> tensor<2x2xi8>, tensor<2x2xi64>
  return %a, %i, %b, %j, %c, %k : tensor<7xf32>, tensor<7xi64>, tensor<7xf32>, tensor<7xi64>, tensor<2x2xi8>, tensor<2x2xi64>
}

// CHECK-LABEL: @tops
func.func @tops() -> (tensor<2x2xf32>, tensor<2x2xi64>, tensor<1x4xf32>, tensor<1x4xi64>, tensor<2x0xf32>) {
  %x = graph.constant dense<[[1.0, 4.0, 4.0, 2.0], [0.0, 0x7FC00000, 9.0, 9.0]]> : tensor<2x4xf32>
  // CHECK: result 0 : tensor<2x2xf32> {{\[\[4, 4\], \[nan, 9\]\]}}
  // CHECK: result 1 : tensor<2x2xi64> {{\[\[1, 2\], \[1, 2\]\]}}
  %a, %i = graph.top_k %x k = 2 axis = 1 : tensor<2x4xf32> -> tensor<2x2xf32>, tensor<2x2xi64>
  // CHECK: result 2 : tensor<1x4xf32> {{\[\[0, 4, 4, 2\]\]}}
  // CHECK: result 3 : tensor<1x4xi64> {{\[\[1, 0, 0, 0\]\]}}
  %b, %j = graph.top_k %x k = 1 axis = 0 smallest : tensor<2x4xf32> -> tensor<1x4xf32>, tensor<1x4xi64>
  // CHECK: result 4 : tensor<2x0xf32> {{\[\[\], \[\]\]}}
  %c, %k = graph.top_k %x k = 0 axis = 1 : tensor<2x4xf32> -> tensor<2x0xf32>, tensor<2x0xi64>
  return %a, %i, %b, %j, %c : tensor<2x2xf32>, tensor<2x2xi64>, tensor<1x4xf32>, tensor<1x4xi64>, tensor<2x0xf32>
}

// What is left out is 0 whatever it was.
// CHECK-LABEL: @triangles
func.func @triangles() -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xi1>) {
  %x = graph.constant dense<[[1.0, 0x7FC00000, 3.0], [4.0, 5.0, 0xFF800000]]> : tensor<2x3xf32>
  // CHECK: result 0 : tensor<2x3xf32> {{\[\[1, 0, 0\], \[4, 5, 0\]\]}}
  %a = graph.tril %x : tensor<2x3xf32>
  // CHECK: result 1 : tensor<2x3xf32> {{\[\[0, nan, 3\], \[0, 0, -inf\]\]}}
  %b = graph.triu %x diagonal = 1 : tensor<2x3xf32>
  %t = graph.constant dense<true> : tensor<2x2xi1>
  // CHECK: result 2 : tensor<2x2xi1> {{\[\[false, false\], \[true, false\]\]}}
  %c = graph.tril %t diagonal = -1 : tensor<2x2xi1>
  return %a, %b, %c : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xi1>
}

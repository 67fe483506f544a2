// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// CHECK-LABEL: @moves
func.func @moves() -> (tensor<2x3x2xf32>, tensor<3x2xi8>, tensor<2x3xf32>, tensor<4xf32>, tensor<3x1x2xf32>) {
  %row = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  // CHECK: result 0 : tensor<2x3x2xf32> {{\[\[\[1, 1\], \[2, 2\], \[3, 3\]\], \[\[1, 1\], \[2, 2\], \[3, 3\]\]\]}}
  %broadcast = graph.broadcast %row dims = [1] : tensor<3xf32> -> tensor<2x3x2xf32>
  %m = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  // CHECK: result 1 : tensor<3x2xi8> {{\[\[1, 4\], \[2, 5\], \[3, 6\]\]}}
  %transpose = graph.transpose %m permutation = [1, 0] : tensor<2x3xi8> -> tensor<3x2xi8>
  %flat = graph.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  // CHECK: result 2 : tensor<2x3xf32> {{\[\[1, 2, 3\], \[4, 5, 6\]\]}}
  %reshape = graph.reshape %flat : tensor<6xf32> -> tensor<2x3xf32>
  %scalar = graph.constant dense<7.0> : tensor<f32>
  // CHECK: result 3 : tensor<4xf32> [7, 7, 7, 7]
  %splat = graph.broadcast %scalar dims = [] : tensor<f32> -> tensor<4xf32>
  // A permutation that is not its own inverse: result dim i is input dim p[i].
  %cube = graph.constant dense<[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]> : tensor<2x3x1xf32>
  // CHECK: result 4 : tensor<3x1x2xf32> {{\[\[\[1, 4\]\], \[\[2, 5\]\], \[\[3, 6\]\]\]}}
  %rotate = graph.transpose %cube permutation = [1, 2, 0] : tensor<2x3x1xf32> -> tensor<3x1x2xf32>
  return %broadcast, %transpose, %reshape, %splat, %rotate : tensor<2x3x2xf32>, tensor<3x2xi8>, tensor<2x3xf32>, tensor<4xf32>, tensor<3x1x2xf32>
}

// CHECK-LABEL: @slices
func.func @slices() -> (tensor<2x2xi64>, tensor<0xi64>, tensor<3xi1>) {
  %i = graph.iota axis = 0 : tensor<12xi64>
  %m = graph.reshape %i : tensor<12xi64> -> tensor<3x4xi64>
  // CHECK: result 0 : tensor<2x2xi64> {{\[\[1, 3\], \[9, 11\]\]}}
  %s = graph.slice %m starts = [0, 1] limits = [3, 4] strides = [2, 2] : tensor<3x4xi64> -> tensor<2x2xi64>
  // CHECK: result 1 : tensor<0xi64> []
  %e = graph.slice %i starts = [5] limits = [5] strides = [1] : tensor<12xi64> -> tensor<0xi64>
  %b = graph.constant dense<[true, false, false, true, true]> : tensor<5xi1>
  // CHECK: result 2 : tensor<3xi1> [false, false, true]
  %t = graph.slice %b starts = [1] limits = [4] strides = [1] : tensor<5xi1> -> tensor<3xi1>
  return %s, %e, %t : tensor<2x2xi64>, tensor<0xi64>, tensor<3xi1>
}

// CHECK-LABEL: @pads
func.func @pads() -> (tensor<3x6xi32>, tensor<2xf32>) {
  %m = graph.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %v = graph.constant dense<9> : tensor<i32>
  // CHECK: result 0 : tensor<3x6xi32> {{\[\[9, 1, 9, 9, 2, 9\], \[9, 3, 9, 9, 4, 9\], \[9, 9, 9, 9, 9, 9\]\]}}
  %p = graph.pad %m, %v low = [0, 1] high = [1, 1] interior = [0, 2] : tensor<2x2xi32> -> tensor<3x6xi32>
  // An empty tensor has no neighbours to put anything between.
  %none = graph.constant dense<> : tensor<0xf32>
  %w = graph.constant dense<0.5> : tensor<f32>
  // CHECK: result 1 : tensor<2xf32> [0.5, 0.5]
  %q = graph.pad %none, %w low = [1] high = [1] interior = [3] : tensor<0xf32> -> tensor<2xf32>
  return %p, %q : tensor<3x6xi32>, tensor<2xf32>
}

// CHECK-LABEL: @concats
func.func @concats() -> (tensor<2x4xi64>, tensor<3x2xi64>) {
  %a = graph.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %b = graph.constant dense<[[5], [6]]> : tensor<2x1xi64>
  %e = graph.constant dense<> : tensor<2x0xi64>
  %c = graph.constant dense<[[7, 8]]> : tensor<1x2xi64>
  // CHECK: result 0 : tensor<2x4xi64> {{\[\[5, 1, 2, 5\], \[6, 3, 4, 6\]\]}}
  %x = graph.concat %b, %a, %e, %b axis = 1 : tensor<2x1xi64>, tensor<2x2xi64>, tensor<2x0xi64>, tensor<2x1xi64> -> tensor<2x4xi64>
  // CHECK: result 1 : tensor<3x2xi64> {{\[\[1, 2\], \[3, 4\], \[7, 8\]\]}}
  %y = graph.concat %a, %c axis = 0 : tensor<2x2xi64>, tensor<1x2xi64> -> tensor<3x2xi64>
  return %x, %y : tensor<2x4xi64>, tensor<3x2xi64>
}

// iota is rounded to its type, or wraps.
// CHECK-LABEL: @iotas
func.func @iotas() -> (tensor<2x3xf32>, tensor<3xbf16>, tensor<4xi8>, tensor<2xui8>) {
  // CHECK: result 0 : tensor<2x3xf32> {{\[\[0, 1, 2\], \[0, 1, 2\]\]}}
  %a = graph.iota axis = 1 : tensor<2x3xf32>
  %b = graph.iota axis = 0 : tensor<260xbf16>
  // CHECK: result 1 : tensor<3xbf16> [256, 258, 260]
  %tb = graph.slice %b starts = [257] limits = [260] strides = [1] : tensor<260xbf16> -> tensor<3xbf16>
  %c = graph.iota axis = 0 : tensor<260xi8>
  // CHECK: result 2 : tensor<4xi8> [126, 127, -128, -127]
  %sc = graph.slice %c starts = [126] limits = [130] strides = [1] : tensor<260xi8> -> tensor<4xi8>
  %d = graph.iota axis = 0 : tensor<257xui8>
  // CHECK: result 3 : tensor<2xui8> [255, 0]
  %sd = graph.slice %d starts = [255] limits = [257] strides = [1] : tensor<257xui8> -> tensor<2xui8>
  return %a, %tb, %sc, %sd : tensor<2x3xf32>, tensor<3xbf16>, tensor<4xi8>, tensor<2xui8>
}

// CHECK-LABEL: @indices
func.func @indices() -> tensor<4xi32> {
  %i = graph.constant dense<[0, 9, -100, 5]> : tensor<4xi32>
  // CHECK: result 0 : tensor<4xi32> [0, 9, -100, 5]
  %j = graph.check_index %i limit = 10 ignore = -100 : tensor<4xi32>
  return %j : tensor<4xi32>
}

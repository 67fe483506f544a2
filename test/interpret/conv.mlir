// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// Expected values: small integers, by hand.

// CHECK-LABEL: @windows
func.func @windows() -> (tensor<3x2xf32>, tensor<5xf32>, tensor<2x3xi64>) {
  %x = graph.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  // CHECK: result 0 : tensor<3x2xf32> {{\[\[1, 3\], \[2, 4\], \[3, 5\]\]}}
  %u = graph.unfold %x kernel = [2] strides = [1] dilation = [2] : tensor<5xf32> -> tensor<3x2xf32>
  // 3 lies in two windows.
  // CHECK: result 1 : tensor<5xf32> [1, 2, 6, 4, 5]
  %f = graph.fold %u strides = [1] dilation = [2] : tensor<3x2xf32> -> tensor<5xf32>
  %m = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  // CHECK: result 2 : tensor<2x3xi64> {{\[\[6, 5, 4\], \[3, 2, 1\]\]}}
  %r = graph.reverse %m axes = [0, 1] : tensor<2x3xi64>
  return %u, %f, %r : tensor<3x2xf32>, tensor<5xf32>, tensor<2x3xi64>
}

// CHECK-LABEL: @convolutions
func.func @convolutions() -> (tensor<1x2x3xf32>, tensor<1x1x4xf32>, tensor<1x1x2xf32>, tensor<1x2x2xf32>) {
  %x = graph.constant dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf32>
  %w = graph.constant dense<[[[1.0, 10.0]], [[0.0, -1.0]]]> : tensor<2x1x2xf32>
  %b = graph.constant dense<[0.0, 100.0]> : tensor<2xf32>
  // CHECK: result 0 : tensor<1x2x3xf32> {{\[\[\[21, 32, 43\], \[98, 97, 96\]\]\]}}
  %c = graph.conv %x, %w, %b strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<1x1x4xf32>, tensor<2x1x2xf32>, tensor<2xf32> -> tensor<1x2x3xf32>
  %y = graph.constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %v = graph.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>
  // CHECK: result 1 : tensor<1x1x4xf32> {{\[\[\[1, 10, 2, 20\]\]\]}}
  %t = graph.conv_transpose %y, %v strides = [2] low = [0] high = [0] dilation = [1] output_padding = [0] groups = 1 : tensor<1x1x2xf32>, tensor<1x1x2xf32> -> tensor<1x1x4xf32>
  %g = graph.constant dense<[[[1.0, 1.0, 2.0]]]> : tensor<1x1x3xf32>
  // CHECK: result 2 : tensor<1x1x2xf32> {{\[\[\[9, 13\]\]\]}}
  %d = graph.conv_weight_grad %x, %g strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<1x1x4xf32>, tensor<1x1x3xf32> -> tensor<1x1x2xf32>
  %two = graph.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %k = graph.constant dense<[[[2.0]], [[-1.0]]]> : tensor<2x1x1xf32>
  // CHECK: result 3 : tensor<1x2x2xf32> {{\[\[\[2, 4\], \[-3, -4\]\]\]}}
  %e = graph.conv %two, %k strides = [1] low = [0] high = [0] dilation = [1] groups = 2 : tensor<1x2x2xf32>, tensor<2x1x1xf32> -> tensor<1x2x2xf32>
  return %c, %t, %d, %e : tensor<1x2x3xf32>, tensor<1x1x4xf32>, tensor<1x1x2xf32>, tensor<1x2x2xf32>
}

// CHECK-LABEL: @pools
func.func @pools() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xi8>) {
  %x = graph.constant dense<[-1.0, -2.0, 6.0, 3.0, 0.0]> : tensor<5xf32>
  // Padding does not count: it is below everything.
  // CHECK: result 0 : tensor<3xf32> [-1, 6, 3]
  %m = graph.max_pool %x kernel = [3] strides = [2] low = [1] high = [1] dilation = [1] : tensor<5xf32> -> tensor<3xf32>
  // CHECK: result 1 : tensor<3xf32> [-1, 2.3333333, 1]
  %a = graph.avg_pool %x kernel = [3] strides = [2] low = [1] high = [1] dilation = [1] : tensor<5xf32> -> tensor<3xf32>
  // CHECK: result 2 : tensor<3xf32> [-1.5, 2.3333333, 1.5]
  %e = graph.avg_pool %x kernel = [3] strides = [2] low = [1] high = [1] dilation = [1] exclude_padding : tensor<5xf32> -> tensor<3xf32>
  %n = graph.constant dense<[1.0, 0x7FC00000, 0xFF800000, 0xFF800000]> : tensor<4xf32>
  // CHECK: result 3 : tensor<2xf32> [nan, -inf]
  %p = graph.max_pool %n kernel = [2] strides = [2] low = [0] high = [0] dilation = [1] : tensor<4xf32> -> tensor<2xf32>
  %i = graph.constant dense<[-128, -128, -3, 4]> : tensor<4xi8>
  // CHECK: result 4 : tensor<2xi8> [-128, 4]
  %q = graph.max_pool %i kernel = [2] strides = [2] low = [0] high = [0] dilation = [1] : tensor<4xi8> -> tensor<2xi8>
  return %m, %a, %e, %p, %q : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xi8>
}

// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Convolutions, pooling and windows print and read back.

// CHECK-LABEL: func @conv
func.func @conv(%x: tensor<2x4x8x8xbf16>, %w: tensor<6x2x3x3xbf16>, %b: tensor<6xf32>) {
  // CHECK: graph.conv %{{.*}}, %{{.*}}, %{{.*}} strides = [2, 1] low = [1, 1] high = [1, 0] dilation = [1, 2] groups = 2 : tensor<2x4x8x8xbf16>, tensor<6x2x3x3xbf16>, tensor<6xf32> -> tensor<2x6x4x5xf32>
  %0 = graph.conv %x, %w, %b strides = [2, 1] low = [1, 1] high = [1, 0] dilation = [1, 2] groups = 2 : tensor<2x4x8x8xbf16>, tensor<6x2x3x3xbf16>, tensor<6xf32> -> tensor<2x6x4x5xf32>
  // CHECK: graph.conv %{{.*}}, %{{.*}} strides = [8, 8] low = [0, 0] high = [0, 0] dilation = [1, 1] groups = 2 {{.*}} -> tensor<2x6x1x1xbf16>
  %1 = graph.conv %x, %w strides = [8, 8] low = [0, 0] high = [0, 0] dilation = [1, 1] groups = 2 : tensor<2x4x8x8xbf16>, tensor<6x2x3x3xbf16> -> tensor<2x6x1x1xbf16>
  return
}

// CHECK-LABEL: func @others
func.func @others(%x: tensor<2x4x5xf32>, %w: tensor<4x3x3xf32>, %g: tensor<2x6x3xf32>, %b: tensor<6xf32>) {
  // CHECK: graph.conv_transpose %{{.*}}, %{{.*}}, %{{.*}} strides = [2] low = [1] high = [0] dilation = [1] output_padding = [1] groups = 2 : tensor<2x4x5xf32>, tensor<4x3x3xf32>, tensor<6xf32> -> tensor<2x6x11xf32>
  %0 = graph.conv_transpose %x, %w, %b strides = [2] low = [1] high = [0] dilation = [1] output_padding = [1] groups = 2 : tensor<2x4x5xf32>, tensor<4x3x3xf32>, tensor<6xf32> -> tensor<2x6x11xf32>
  // CHECK: graph.conv_weight_grad %{{.*}}, %{{.*}} strides = [1] low = [0] high = [0] dilation = [1] groups = 2 : tensor<2x4x5xf32>, tensor<2x6x3xf32> -> tensor<6x2x3xf32>
  %1 = graph.conv_weight_grad %x, %g strides = [1] low = [0] high = [0] dilation = [1] groups = 2 : tensor<2x4x5xf32>, tensor<2x6x3xf32> -> tensor<6x2x3xf32>
  // CHECK: graph.reverse %{{.*}} axes = [0, 2] : tensor<2x4x5xf32>
  %2 = graph.reverse %x axes = [0, 2] : tensor<2x4x5xf32>
  // CHECK: graph.unfold %{{.*}} kernel = [2, 3] strides = [1, 2] dilation = [3, 1] : tensor<2x4x5xf32> -> tensor<2x1x2x2x3xf32>
  %3 = graph.unfold %x kernel = [2, 3] strides = [1, 2] dilation = [3, 1] : tensor<2x4x5xf32> -> tensor<2x1x2x2x3xf32>
  // CHECK: graph.fold %{{.*}} strides = [1, 2] dilation = [3, 1] : tensor<2x1x2x2x3xf32> -> tensor<2x4x6xf32>
  %4 = graph.fold %3 strides = [1, 2] dilation = [3, 1] : tensor<2x1x2x2x3xf32> -> tensor<2x4x6xf32>
  // CHECK: graph.max_pool %{{.*}} kernel = [2] strides = [2] low = [1] high = [0] dilation = [1] : tensor<2x4x5xf32> -> tensor<2x4x3xf32>
  %5 = graph.max_pool %x kernel = [2] strides = [2] low = [1] high = [0] dilation = [1] : tensor<2x4x5xf32> -> tensor<2x4x3xf32>
  // CHECK: graph.avg_pool %{{.*}} kernel = [5] strides = [1] low = [0] high = [0] dilation = [1] exclude_padding : tensor<2x4x5xf32> -> tensor<2x4x1xf32>
  %6 = graph.avg_pool %x kernel = [5] strides = [1] low = [0] high = [0] dilation = [1] exclude_padding : tensor<2x4x5xf32> -> tensor<2x4x1xf32>
  return
}

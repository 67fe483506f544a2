// RUN: graph-opt --channels-last --canonicalize --split-input-file %s | FileCheck %s

// Numbers of dimensions follow: of pads, slices, reversals, concats, constants.

// CHECK-LABEL: func.func @dimensions
// CHECK:         graph.pad %{{.*}}, %{{.*}} low = [0, 1, 2, 0] high = [0, 3, 4, 0] interior = [0, 0, 1, 0]
// CHECK:         graph.slice %{{.*}} starts = [0, 1, 2, 3] limits = [2, 5, 6, 19] strides = [1, 1, 2, 1]
// CHECK:         graph.reverse %{{.*}} axes = [2, 3]
// CHECK:         graph.concat %{{.*}} axis = 3
// CHECK:         graph.add %{{.*}} : tensor<2x4x2x32xf32>
// CHECK:         graph.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    graph.conv
func.func @dimensions(%x: tensor<2x3x4x4xf32>, %w: tensor<20x3x1x1xf32>, %v: tensor<4x32x1x1xf32>) -> tensor<2x4x4x2xf32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<2x32x4x2xf32>
  %y = graph.conv %x, %w strides = [1, 1] low = [0, 0] high = [0, 0] dilation = [1, 1] groups = 1 : tensor<2x3x4x4xf32>, tensor<20x3x1x1xf32> -> tensor<2x20x4x4xf32>
  %p = graph.pad %y, %zero low = [0, 0, 1, 2] high = [0, 0, 3, 4] interior = [0, 0, 0, 1] : tensor<2x20x4x4xf32> -> tensor<2x20x8x13xf32>
  %s = graph.slice %p starts = [0, 3, 1, 2] limits = [2, 19, 5, 6] strides = [1, 1, 1, 2] : tensor<2x20x8x13xf32> -> tensor<2x16x4x2xf32>
  %r = graph.reverse %s axes = [1, 3] : tensor<2x16x4x2xf32>
  %c = graph.concat %s, %r axis = 1 : tensor<2x16x4x2xf32>, tensor<2x16x4x2xf32> -> tensor<2x32x4x2xf32>
  %h = graph.add %c, %half : tensor<2x32x4x2xf32>
  %z = graph.conv %h, %v strides = [1, 1] low = [0, 0] high = [0, 0] dilation = [1, 1] groups = 1 : tensor<2x32x4x2xf32>, tensor<4x32x1x1xf32> -> tensor<2x4x4x2xf32>
  return %z : tensor<2x4x4x2xf32>
}

// -----

// A sum over one spatial dimension leaves others in another order than it did: it
// is transposed, which is small. A broadcast from there back is as well.

// CHECK-LABEL: func.func @order
// CHECK:         %[[S:.*]] = graph.reduce_sum %{{.*}} axes = [2] : tensor<2x8x4x16xf32> -> tensor<2x8x16xf32>
// CHECK-NEXT:    graph.broadcast %[[S]] dims = [0, 1, 3] : tensor<2x8x16xf32> -> tensor<2x8x4x16xf32>
func.func @order(%x: tensor<2x3x8x4xf32>, %w: tensor<16x3x1x1xf32>, %v: tensor<4x16x1x1xf32>) -> tensor<2x4x8x4xf32> {
  %y = graph.conv %x, %w strides = [1, 1] low = [0, 0] high = [0, 0] dilation = [1, 1] groups = 1 : tensor<2x3x8x4xf32>, tensor<16x3x1x1xf32> -> tensor<2x16x8x4xf32>
  %s = graph.reduce_sum %y axes = [3] : tensor<2x16x8x4xf32> -> tensor<2x16x8xf32>
  %wide = graph.broadcast %s dims = [0, 1, 2] : tensor<2x16x8xf32> -> tensor<2x16x8x4xf32>
  %z = graph.mul %y, %wide : tensor<2x16x8x4xf32>
  %c = graph.conv %z, %v strides = [1, 1] low = [0, 0] high = [0, 0] dilation = [1, 1] groups = 1 : tensor<2x16x8x4xf32>, tensor<4x16x1x1xf32> -> tensor<2x4x8x4xf32>
  return %c : tensor<2x4x8x4xf32>
}

// -----

// A pool of several windows knows one layout: its set stays as it is.

// CHECK-LABEL: func.func @pool
// CHECK-NOT:     graph.transpose
func.func @pool(%x: tensor<2x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<2x16x4x4xf32> {
  %y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x3x8x8xf32>, tensor<16x3x3x3xf32> -> tensor<2x16x8x8xf32>
  %a = graph.relu %y : tensor<2x16x8x8xf32>
  %p = graph.max_pool %a kernel = [2, 2] strides = [2, 2] low = [0, 0] high = [0, 0] dilation = [1, 1] : tensor<2x16x8x8xf32> -> tensor<2x16x4x4xf32>
  return %p : tensor<2x16x4x4xf32>
}

// -----

// Two normalisations of one value take its mean once.

// CHECK-LABEL:   func.func @statistics
// CHECK-COUNT-2: graph.reduce_sum
// CHECK-NOT:     graph.reduce_sum
func.func @statistics(%x: tensor<2x3x8x8xf32>, %w: tensor<16x3x3x3xf32>, %v: tensor<4x16x3x3xf32>, %m: tensor<16xf32>, %s: tensor<16xf32>) -> tensor<2x4x8x8xf32> {
  %y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x3x8x8xf32>, tensor<16x3x3x3xf32> -> tensor<2x16x8x8xf32>
  %a, %m0, %s0 = graph.batch_norm %y, %m, %s momentum = 0.1 eps = 1.0e-5 mode = train : tensor<2x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>
  %b, %m1, %s1 = graph.batch_norm %y, %m, %s momentum = 0.1 eps = 1.0e-3 mode = train : tensor<2x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>
  %z = graph.add %a, %b : tensor<2x16x8x8xf32>
  %c = graph.conv %z, %v strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<4x16x3x3xf32> -> tensor<2x4x8x8xf32>
  return %c : tensor<2x4x8x8xf32>
}

// -----

// The mean of all positions, and its gradient's way back, know no layout.

// CHECK-LABEL: func.func @mean
// CHECK-NOT:     graph.avg_pool
// CHECK-NOT:     graph.fold
// CHECK:         graph.reduce_sum %{{.*}} axes = [1, 2] : tensor<2x8x8x16xf32> -> tensor<2x16xf32>
func.func @mean(%x: tensor<2x16x8x8xf32>, %w: tensor<16x16x3x3xf32>, %g: tensor<2x16x1x1x8x8xf32>) -> (tensor<2x16x1x1xf32>, tensor<2x16x8x8xf32>) {
  %y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<16x16x3x3xf32> -> tensor<2x16x8x8xf32>
  %p = graph.avg_pool %y kernel = [8, 8] strides = [1, 1] low = [0, 0] high = [0, 0] dilation = [1, 1] : tensor<2x16x8x8xf32> -> tensor<2x16x1x1xf32>
  %f = graph.fold %g strides = [1, 1] dilation = [1, 1] : tensor<2x16x1x1x8x8xf32> -> tensor<2x16x8x8xf32>
  return %p, %f : tensor<2x16x1x1xf32>, tensor<2x16x8x8xf32>
}

// -----

// Zeros are around what a convolution and its gradients read, as many as the one
// that needs most; the others read a part. Those of a gradient with stride 2 are
// on one side, and its attributes say that they are there.

// CHECK-LABEL: func.func @pads
// CHECK:         %[[A:.*]] = graph.relu
// CHECK:         %[[P:.*]] = graph.pad %[[A]], %{{.*}} low = [0, 1, 1, 0] high = [0, 2, 2, 0]
// CHECK-DAG:     graph.conv %{{.*}} strides = [1, 1] low = [0, 0] high = [0, 0] dilation = [1, 1]
// CHECK-DAG:     graph.conv_transpose %{{.*}} strides = [2, 2] low = [1, 1] high = [3, 3]
// CHECK-DAG:     graph.slice %[[P]] starts = [0, 1, 1, 0] limits = [2, 10, 10, 16]
// CHECK-DAG:     graph.slice %[[P]] starts = [0, 0, 0, 0] limits = [2, 10, 10, 16]
func.func @pads(%x: tensor<2x3x8x8xf32>, %w: tensor<16x3x3x3xf32>, %v: tensor<4x16x3x3xf32>, %u: tensor<16x4x3x3xf32>, %t: tensor<4x16x4x4xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x4x16x16xf32>, tensor<2x4x8x8xf32>) {
  %y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x3x8x8xf32>, tensor<16x3x3x3xf32> -> tensor<2x16x8x8xf32>
  %a = graph.relu %y : tensor<2x16x8x8xf32>
  %c = graph.conv %a, %v strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<4x16x3x3xf32> -> tensor<2x4x8x8xf32>
  %d = graph.conv_transpose %a, %u strides = [2, 2] low = [1, 1] high = [1, 1] dilation = [1, 1] output_padding = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<16x4x3x3xf32> -> tensor<2x4x16x16xf32>
  %e = graph.conv %a, %t strides = [1, 1] low = [1, 1] high = [2, 2] dilation = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<4x16x4x4xf32> -> tensor<2x4x8x8xf32>
  return %c, %d, %e : tensor<2x4x8x8xf32>, tensor<2x4x16x16xf32>, tensor<2x4x8x8xf32>
}

// -----

// What has no elements is turned with the values that it must lie like.

// CHECK-LABEL: func.func @empty
// CHECK:         graph.concat %{{.*}}, %{{.*}} axis = 1 : tensor<2x8x8x16xf32>, tensor<2x0x8x16xf32> -> tensor<2x8x8x16xf32>
func.func @empty(%x: tensor<2x3x10x10xf32>, %e: tensor<2x16x0x8xf32>, %v: tensor<16x3x3x3xf32>, %w: tensor<4x16x3x3xf32>) -> tensor<2x4x6x6xf32> {
  %b = graph.conv %x, %v strides = [1, 1] low = [0, 0] high = [0, 0] dilation = [1, 1] groups = 1 : tensor<2x3x10x10xf32>, tensor<16x3x3x3xf32> -> tensor<2x16x8x8xf32>
  %n = graph.neg %b : tensor<2x16x8x8xf32>
  %a = graph.concat %n, %e axis = 2 : tensor<2x16x8x8xf32>, tensor<2x16x0x8xf32> -> tensor<2x16x8x8xf32>
  %y = graph.conv %a, %w strides = [1, 1] low = [0, 0] high = [0, 0] dilation = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<4x16x3x3xf32> -> tensor<2x4x6x6xf32>
  return %y : tensor<2x4x6x6xf32>
}

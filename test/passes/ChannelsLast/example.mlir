// RUN: graph-opt --channels-last --canonicalize --split-input-file %s | FileCheck %s

// What lies between two convolutions has its channels last; argument and result
// do not.

// CHECK-LABEL: func.func @between
// CHECK-NEXT:    %[[A:.*]] = graph.conv %arg0, %arg1
// CHECK-NEXT:    %[[B:.*]] = graph.transpose %[[A]] permutation = [0, 2, 3, 1]
// CHECK-NEXT:    %[[BIAS:.*]] = graph.broadcast %arg2 dims = [3] : tensor<16xf32> -> tensor<2x8x8x16xf32>
// CHECK-NEXT:    %[[C:.*]] = graph.add %[[B]], %[[BIAS]]
// CHECK-NEXT:    %[[D:.*]] = graph.relu %[[C]] : tensor<2x8x8x16xf32>
// CHECK-NEXT:    %[[E:.*]] = graph.transpose %[[D]] permutation = [0, 3, 1, 2]
// CHECK-NEXT:    %[[F:.*]] = graph.conv %[[E]], %arg3
// CHECK-NEXT:    return %[[F]]
func.func @between(%x: tensor<2x3x8x8xf32>, %w: tensor<16x3x3x3xf32>, %b: tensor<16xf32>, %v: tensor<4x16x3x3xf32>) -> tensor<2x4x8x8xf32> {
  %y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x3x8x8xf32>, tensor<16x3x3x3xf32> -> tensor<2x16x8x8xf32>
  %wide = graph.broadcast %b dims = [1] : tensor<16xf32> -> tensor<2x16x8x8xf32>
  %z = graph.add %y, %wide : tensor<2x16x8x8xf32>
  %a = graph.relu %z : tensor<2x16x8x8xf32>
  %c = graph.conv %a, %v strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<4x16x3x3xf32> -> tensor<2x4x8x8xf32>
  return %c : tensor<2x4x8x8xf32>
}

// -----

// One convolution between an argument and a result: two transposes would serve
// nobody else.

// CHECK-LABEL: func.func @alone
// CHECK-NOT:     graph.transpose
func.func @alone(%x: tensor<2x16x8x8xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<2x16x8x8xf32> {
  %y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<16x16x3x3xf32> -> tensor<2x16x8x8xf32>
  %a = graph.relu %y : tensor<2x16x8x8xf32>
  return %a : tensor<2x16x8x8xf32>
}

// RUN: graph-opt --autodiff --canonicalize --split-input-file %s | FileCheck %s

// Slices beside each other: their cotangents are concatenated.

// CHECK-LABEL: func @beside
// CHECK:       %[[ALL:.*]] = graph.concat %[[A:.*]], %[[B:.*]], %[[C:.*]] axis = 1 : tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
// CHECK-NOT:   graph.pad
// CHECK:       return %{{.*}}, %[[ALL]]
func.func private @parts(%x: tensor<2x8xf32>) -> tensor<f32> {
  %a = graph.slice %x starts = [0, 0] limits = [2, 3] strides = [1, 1] : tensor<2x8xf32> -> tensor<2x3xf32>
  %b = graph.slice %x starts = [0, 3] limits = [2, 7] strides = [1, 1] : tensor<2x8xf32> -> tensor<2x4xf32>
  %c = graph.slice %x starts = [0, 7] limits = [2, 8] strides = [1, 1] : tensor<2x8xf32> -> tensor<2x1xf32>
  %c2 = graph.mul %c, %c : tensor<2x1xf32>
  %b2 = graph.mul %b, %b : tensor<2x4xf32>
  %a2 = graph.mul %a, %a : tensor<2x3xf32>
  %sa = graph.reduce_sum %a2 axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  %sb = graph.reduce_sum %b2 axes = [0, 1] : tensor<2x4xf32> -> tensor<f32>
  %sc = graph.reduce_sum %c2 axes = [0, 1] : tensor<2x1xf32> -> tensor<f32>
  %s = graph.add %sa, %sb : tensor<f32>
  %l = graph.add %s, %sc : tensor<f32>
  return %l : tensor<f32>
}
func.func @beside(%x: tensor<2x8xf32>) -> (tensor<f32>, tensor<2x8xf32>) {
  %l, %d = graph.value_and_grad @parts(%x) inputs = [0] : (tensor<2x8xf32>) -> (tensor<f32>, tensor<2x8xf32>)
  return %l, %d : tensor<f32>, tensor<2x8xf32>
}

// -----

// What is left out on either side is zeros around both.

// CHECK-LABEL: func @inside
// CHECK:       %[[BOTH:.*]] = graph.concat %{{.*}}, %{{.*}} axis = 0 : tensor<2xf32>, tensor<3xf32> -> tensor<5xf32>
// CHECK:       graph.pad %[[BOTH]], %{{.*}} low = [1] high = [2] interior = [0]
// CHECK-NOT:   graph.pad
func.func private @parts(%x: tensor<8xf32>) -> tensor<f32> {
  %a = graph.slice %x starts = [1] limits = [3] strides = [1] : tensor<8xf32> -> tensor<2xf32>
  %b = graph.slice %x starts = [3] limits = [6] strides = [1] : tensor<8xf32> -> tensor<3xf32>
  %a2 = graph.mul %a, %a : tensor<2xf32>
  %b2 = graph.mul %b, %b : tensor<3xf32>
  %sa = graph.reduce_sum %a2 axes = [0] : tensor<2xf32> -> tensor<f32>
  %sb = graph.reduce_sum %b2 axes = [0] : tensor<3xf32> -> tensor<f32>
  %l = graph.add %sa, %sb : tensor<f32>
  return %l : tensor<f32>
}
func.func @inside(%x: tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>) {
  %l, %d = graph.value_and_grad @parts(%x) inputs = [0] : (tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>)
  return %l, %d : tensor<f32>, tensor<8xf32>
}

// -----

// These overlap, and these have gaps: they are added.

// CHECK-LABEL: func @apart
// CHECK-NOT:   graph.concat
// CHECK-COUNT-3: graph.pad
// CHECK-NOT:   graph.concat
func.func private @parts(%x: tensor<8xf32>) -> tensor<f32> {
  %a = graph.slice %x starts = [0] limits = [4] strides = [1] : tensor<8xf32> -> tensor<4xf32>
  %b = graph.slice %x starts = [3] limits = [7] strides = [1] : tensor<8xf32> -> tensor<4xf32>
  %c = graph.slice %x starts = [1] limits = [8] strides = [2] : tensor<8xf32> -> tensor<4xf32>
  %ab = graph.mul %a, %b : tensor<4xf32>
  %abc = graph.mul %ab, %c : tensor<4xf32>
  %l = graph.reduce_sum %abc axes = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
func.func @apart(%x: tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>) {
  %l, %d = graph.value_and_grad @parts(%x) inputs = [0] : (tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>)
  return %l, %d : tensor<f32>, tensor<8xf32>
}

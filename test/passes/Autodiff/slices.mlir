// REQUIRES: graph-interpret
// The gradients of neighbouring slices, in any order, lie side by side: they are not padded
// with zeros and added. Where something lies between them, or two meet, they are.

// RUN: graph-opt --train-step --autodiff %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: graph-interpret %s --gradcheck=%t.mlir --random-inputs=1 --function=dwhole | FileCheck %s --check-prefix=AGREE
// RUN: graph-interpret %s --gradcheck=%t.mlir --random-inputs=1 --function=dinner | FileCheck %s --check-prefix=AGREE
// RUN: graph-interpret %s --gradcheck=%t.mlir --random-inputs=1 --function=dmeet | FileCheck %s --check-prefix=AGREE
// RUN: graph-interpret %s --gradcheck=%t.mlir --random-inputs=1 --function=dgaps | FileCheck %s --check-prefix=AGREE
// AGREE: 36 derivatives agree

// CHECK-LABEL: func.func @dwhole(
// CHECK-NOT:     graph.pad
// CHECK:         graph.concat %{{.*}}, %{{.*}}, %{{.*}} axis = 1 : tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x3xf32> -> tensor<2x6xf32>
// CHECK-NOT:     graph.pad
// CHECK:         return
func.func @whole(%x: tensor<2x6xf32>) -> tensor<f32> {
  %a = graph.slice %x starts = [0, 0] limits = [2, 2] strides = [1, 1] : tensor<2x6xf32> -> tensor<2x2xf32>
  %b = graph.slice %x starts = [0, 2] limits = [2, 3] strides = [1, 1] : tensor<2x6xf32> -> tensor<2x1xf32>
  %c = graph.slice %x starts = [0, 3] limits = [2, 6] strides = [1, 1] : tensor<2x6xf32> -> tensor<2x3xf32>
  %a2 = graph.mul %a, %a : tensor<2x2xf32>
  %b2 = graph.exp %b : tensor<2x1xf32>
  %c2 = graph.tanh %c : tensor<2x3xf32>
  %sa = graph.reduce_sum %a2 axes = [0, 1] : tensor<2x2xf32> -> tensor<f32>
  %sb = graph.reduce_sum %b2 axes = [0, 1] : tensor<2x1xf32> -> tensor<f32>
  %sc = graph.reduce_sum %c2 axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  %ab = graph.add %sa, %sb : tensor<f32>
  %l = graph.add %ab, %sc : tensor<f32>
  return %l : tensor<f32>
}
graph.grad @dwhole of @whole inputs = [0]

// CHECK-LABEL: func.func @dinner(
// CHECK:         %[[PARTS:.*]] = graph.concat %{{.*}}, %{{.*}} axis = 1 : tensor<2x1xf32>, tensor<2x2xf32> -> tensor<2x3xf32>
// CHECK-NEXT:    graph.pad %[[PARTS]], %{{.*}} low = [0, 1] high = [0, 2]
// CHECK:         return
func.func @inner(%x: tensor<2x6xf32>) -> tensor<f32> {
  %a = graph.slice %x starts = [0, 1] limits = [2, 2] strides = [1, 1] : tensor<2x6xf32> -> tensor<2x1xf32>
  %b = graph.slice %x starts = [0, 2] limits = [2, 4] strides = [1, 1] : tensor<2x6xf32> -> tensor<2x2xf32>
  %a2 = graph.mul %a, %a : tensor<2x1xf32>
  %b2 = graph.exp %b : tensor<2x2xf32>
  %sa = graph.reduce_sum %a2 axes = [0, 1] : tensor<2x1xf32> -> tensor<f32>
  %sb = graph.reduce_sum %b2 axes = [0, 1] : tensor<2x2xf32> -> tensor<f32>
  %l = graph.add %sa, %sb : tensor<f32>
  return %l : tensor<f32>
}
graph.grad @dinner of @inner inputs = [0]

// CHECK-LABEL: func.func @dmeet(
// CHECK-NOT:     graph.concat
// CHECK:         return
func.func @meet(%x: tensor<2x6xf32>) -> tensor<f32> {
  %a = graph.slice %x starts = [0, 0] limits = [2, 3] strides = [1, 1] : tensor<2x6xf32> -> tensor<2x3xf32>
  %b = graph.slice %x starts = [0, 2] limits = [2, 5] strides = [1, 1] : tensor<2x6xf32> -> tensor<2x3xf32>
  %c = graph.slice %x starts = [1, 3] limits = [2, 6] strides = [1, 1] : tensor<2x6xf32> -> tensor<1x3xf32>
  %a2 = graph.mul %a, %a : tensor<2x3xf32>
  %b2 = graph.exp %b : tensor<2x3xf32>
  %c2 = graph.tanh %c : tensor<1x3xf32>
  %sa = graph.reduce_sum %a2 axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  %sb = graph.reduce_sum %b2 axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  %sc = graph.reduce_sum %c2 axes = [0, 1] : tensor<1x3xf32> -> tensor<f32>
  %ab = graph.add %sa, %sb : tensor<f32>
  %l = graph.add %ab, %sc : tensor<f32>
  return %l : tensor<f32>
}
graph.grad @dmeet of @meet inputs = [0]

// Slices with gaps, as well.

// CHECK-LABEL: func.func @dgaps(
// CHECK-NOT:     graph.concat
// CHECK:         return
func.func @gaps(%x: tensor<2x6xf32>) -> tensor<f32> {
  %a = graph.slice %x starts = [0, 0] limits = [2, 5] strides = [1, 2] : tensor<2x6xf32> -> tensor<2x3xf32>
  %b = graph.slice %x starts = [0, 1] limits = [2, 6] strides = [1, 2] : tensor<2x6xf32> -> tensor<2x3xf32>
  %ab = graph.mul %a, %b : tensor<2x3xf32>
  %l = graph.reduce_sum %ab axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.grad @dgaps of @gaps inputs = [0]

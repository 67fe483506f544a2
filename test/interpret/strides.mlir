// REQUIRES: graph-interpret
// Steps over a single element may have any size: values and gradients are those
// of a step of 1, and a gradient's own steps are in range.

// RUN: graph-opt --graphc-pipeline=stop-after=autodiff %s > %t.gradients.mlir
// RUN: graph-interpret %s --gradcheck=%t.gradients.mlir --random-inputs=1 | FileCheck %s
// CHECK: @slice: 30 derivatives agree, 12 of them not 0
// CHECK: @pad: 9 derivatives agree, 9 of them not 0

func.func @slice_loss(%x: tensor<2x5xf64>) -> tensor<f64> {
  %s = graph.slice %x starts = [0, 1] limits = [2, 5] strides = [9223372036854775807, 1] : tensor<2x5xf64> -> tensor<1x4xf64>
  %q = graph.mul %s, %s : tensor<1x4xf64>
  %l = graph.reduce_sum %q axes = [0, 1] : tensor<1x4xf64> -> tensor<f64>
  return %l : tensor<f64>
}
graph.grad @slice of @slice_loss wrt() inputs = [0]

func.func @pad_loss(%x: tensor<2x1xf64>, %v: tensor<f64>) -> tensor<f64> {
  %s = graph.pad %x, %v low = [0, 1] high = [0, 2] interior = [1, 9223372036854775806] : tensor<2x1xf64> -> tensor<3x4xf64>
  %q = graph.mul %s, %s : tensor<3x4xf64>
  %l = graph.reduce_sum %q axes = [0, 1] : tensor<3x4xf64> -> tensor<f64>
  return %l : tensor<f64>
}
graph.grad @pad of @pad_loss wrt() inputs = [0, 1]

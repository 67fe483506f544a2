// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Reductions print and read back.

// CHECK-LABEL: func @reductions
// CHECK-SAME: (%[[X:.*]]: tensor<4x0x8xf32>, %[[S:.*]]: tensor<ui8>)
func.func @reductions(%x: tensor<4x0x8xf32>, %s: tensor<ui8>) {
  // CHECK: graph.reduce_sum %[[X]] axes = [1] : tensor<4x0x8xf32> -> tensor<4x8xf32>
  %0 = graph.reduce_sum %x axes = [1] : tensor<4x0x8xf32> -> tensor<4x8xf32>
  // CHECK: graph.reduce_mean %[[X]] axes = [0, 1, 2] : tensor<4x0x8xf32> -> tensor<f32>
  %1 = graph.reduce_mean %x axes = [0, 1, 2] : tensor<4x0x8xf32> -> tensor<f32>
  // CHECK: graph.reduce_max %[[X]] axes = [0, 2] : tensor<4x0x8xf32> -> tensor<0xf32>
  %2 = graph.reduce_max %x axes = [0, 2] : tensor<4x0x8xf32> -> tensor<0xf32>
  // CHECK: graph.reduce_min %[[X]] axes = [] : tensor<4x0x8xf32> -> tensor<4x0x8xf32>
  %3 = graph.reduce_min %x axes = [] : tensor<4x0x8xf32> -> tensor<4x0x8xf32>
  // CHECK: graph.reduce_prod %[[S]] axes = [] : tensor<ui8> -> tensor<ui8>
  %4 = graph.reduce_prod %s axes = [] : tensor<ui8> -> tensor<ui8>
  // CHECK: graph.argmax %[[X]] axis = 2 : tensor<4x0x8xf32> -> tensor<4x0xi64>
  %5 = graph.argmax %x axis = 2 : tensor<4x0x8xf32> -> tensor<4x0xi64>
  // CHECK: graph.argmin %[[X]] axis = 0 : tensor<4x0x8xf32> -> tensor<0x8xi64>
  %6 = graph.argmin %x axis = 0 : tensor<4x0x8xf32> -> tensor<0x8xi64>
  return
}

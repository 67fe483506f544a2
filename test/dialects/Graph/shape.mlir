// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Constants and data movement print and read back.

// CHECK-LABEL: func @constants
func.func @constants() {
  // CHECK: graph.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16>
  %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  // CHECK: graph.constant dense<true> : tensor<i1>
  %1 = graph.constant dense<true> : tensor<i1>
  // CHECK: graph.constant dense<255> : tensor<3xui8>
  %2 = graph.constant dense<255> : tensor<3xui8>
  // CHECK: graph.constant dense<> : tensor<2x0xf64>
  %3 = graph.constant dense<> : tensor<2x0xf64>
  // CHECK: graph.constant dense_resource<blob> : tensor<2xi32>
  %4 = graph.constant dense_resource<blob> : tensor<2xi32>
  // CHECK: graph.iota axis = 1 : tensor<2x3xi64>
  %5 = graph.iota axis = 1 : tensor<2x3xi64>
  return
}

// CHECK-LABEL: func @movement
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>, %[[V:.*]]: tensor<f32>, %[[Y:.*]]: tensor<4xf32>)
func.func @movement(%x: tensor<8x4xf32>, %v: tensor<f32>, %y: tensor<4xf32>) {
  // CHECK: graph.broadcast %[[Y]] dims = [1] : tensor<4xf32> -> tensor<8x4xf32>
  %0 = graph.broadcast %y dims = [1] : tensor<4xf32> -> tensor<8x4xf32>
  // CHECK: graph.broadcast %[[V]] dims = [] : tensor<f32> -> tensor<0x4xf32>
  %1 = graph.broadcast %v dims = [] : tensor<f32> -> tensor<0x4xf32>
  // CHECK: graph.reshape %[[X]] : tensor<8x4xf32> -> tensor<2x16xf32>
  %2 = graph.reshape %x : tensor<8x4xf32> -> tensor<2x16xf32>
  // CHECK: graph.reshape %[[V]] : tensor<f32> -> tensor<1x1xf32>
  %3 = graph.reshape %v : tensor<f32> -> tensor<1x1xf32>
  // CHECK: graph.transpose %[[X]] permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %4 = graph.transpose %x permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  // CHECK: graph.transpose %[[V]] permutation = [] : tensor<f32> -> tensor<f32>
  %5 = graph.transpose %v permutation = [] : tensor<f32> -> tensor<f32>
  // CHECK: graph.slice %[[X]] starts = [0, 1] limits = [7, 4] strides = [2, 1] : tensor<8x4xf32> -> tensor<4x3xf32>
  %6 = graph.slice %x starts = [0, 1] limits = [7, 4] strides = [2, 1] : tensor<8x4xf32> -> tensor<4x3xf32>
  // CHECK: graph.slice %[[X]] starts = [8, 0] limits = [8, 4] strides = [1, 9] : tensor<8x4xf32> -> tensor<0x1xf32>
  %7 = graph.slice %x starts = [8, 0] limits = [8, 4] strides = [1, 9] : tensor<8x4xf32> -> tensor<0x1xf32>
  // CHECK: graph.pad %[[X]], %[[V]] low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<8x4xf32> -> tensor<9x9xf32>
  %8 = graph.pad %x, %v low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<8x4xf32> -> tensor<9x9xf32>
  // CHECK: graph.pad %[[X]], %[[V]] low = [1, 0] high = [0, 0] interior = [0, 0] {note = "a"} : tensor<8x4xf32> -> tensor<9x4xf32>
  %9 = graph.pad %x, %v low = [1, 0] high = [0, 0] interior = [0, 0] {note = "a"} : tensor<8x4xf32> -> tensor<9x4xf32>
  // CHECK: graph.concat %[[X]], %[[X]] axis = 0 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<16x4xf32>
  %10 = graph.concat %x, %x axis = 0 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<16x4xf32>
  return
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000100000002000000"
    }
  }
#-}

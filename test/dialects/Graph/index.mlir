// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Gathers, scatters, dynamic slices, scans and sorts print and read back;
// defaults stay unsaid.

// CHECK-LABEL: func @gathers
// CHECK-SAME: (%[[X:.*]]: tensor<2x5x3xf32>, %[[I:.*]]: tensor<2x4xi64>, %[[J:.*]]: tensor<i32>)
func.func @gathers(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>, %j: tensor<i32>) {
  // CHECK: graph.gather %[[X]], %[[I]] axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x4x3xf32>
  %0 = graph.gather %x, %i axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x4x3xf32>
  // CHECK: graph.gather %[[X]], %[[I]] axis = 1 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x2x4x3xf32>
  %1 = graph.gather %x, %i axis = 1 batch_dims = 0 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x2x4x3xf32>
  // CHECK: graph.gather %[[X]], %[[J]] axis = 2 : tensor<2x5x3xf32>, tensor<i32> -> tensor<2x5xf32>
  %2 = graph.gather %x, %j axis = 2 : tensor<2x5x3xf32>, tensor<i32> -> tensor<2x5xf32>
  // CHECK: graph.scatter_add %[[X]], %[[I]], %{{.*}} axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<2x4xi64>, tensor<2x4x3xf32> -> tensor<2x5x3xf32>
  %3 = graph.scatter_add %x, %i, %0 axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<2x4xi64>, tensor<2x4x3xf32> -> tensor<2x5x3xf32>
  // CHECK: graph.scatter_add %[[X]], %[[J]], %{{.*}} axis = 2 : tensor<2x5x3xf32>, tensor<i32>, tensor<2x5xf32> -> tensor<2x5x3xf32>
  %4 = graph.scatter_add %x, %j, %2 axis = 2 : tensor<2x5x3xf32>, tensor<i32>, tensor<2x5xf32> -> tensor<2x5x3xf32>
  return
}

// Where there are no indices, there need be nothing to choose from.

// CHECK-LABEL: func @empty
func.func @empty(%x: tensor<2x0xi1>, %i: tensor<0xi64>, %w: tensor<0x4xbf16>) {
  // CHECK: graph.gather {{.*}} -> tensor<2x0xi1>
  %0 = graph.gather %x, %i axis = 1 : tensor<2x0xi1>, tensor<0xi64> -> tensor<2x0xi1>
  // CHECK: graph.embedding {{.*}} -> tensor<0x4xbf16>
  %1 = graph.embedding %w, %i : tensor<0x4xbf16>, tensor<0xi64> -> tensor<0x4xbf16>
  return
}

// CHECK-LABEL: func @tables
// CHECK-SAME: (%[[W:.*]]: tensor<10x4xf32>, %[[I:.*]]: tensor<2x3xi32>)
func.func @tables(%w: tensor<10x4xf32>, %i: tensor<2x3xi32>) {
  // CHECK: graph.embedding %[[W]], %[[I]] : tensor<10x4xf32>, tensor<2x3xi32> -> tensor<2x3x4xf32>
  %0 = graph.embedding %w, %i : tensor<10x4xf32>, tensor<2x3xi32> -> tensor<2x3x4xf32>
  // CHECK: graph.embedding %[[W]], %[[I]] padding_idx = 0 : tensor<10x4xf32>, tensor<2x3xi32> -> tensor<2x3x4xf32>
  %1 = graph.embedding %w, %i padding_idx = 0 : tensor<10x4xf32>, tensor<2x3xi32> -> tensor<2x3x4xf32>
  // CHECK: graph.one_hot %[[I]] : tensor<2x3xi32> -> tensor<2x3x5xi1>
  %2 = graph.one_hot %i : tensor<2x3xi32> -> tensor<2x3x5xi1>
  return
}

// CHECK-LABEL: func @slices
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>, %[[S:.*]]: tensor<f32>, %[[U:.*]]: tensor<2x0xf32>, %[[I:.*]]: tensor<i64>)
func.func @slices(%x: tensor<8x4xf32>, %s: tensor<f32>, %u: tensor<2x0xf32>, %i: tensor<i64>) {
  // CHECK: graph.dynamic_slice %[[X]], %[[I]], %[[I]] sizes = [2, 3] : tensor<8x4xf32> -> tensor<2x3xf32>
  %0 = graph.dynamic_slice %x, %i, %i sizes = [2, 3] : tensor<8x4xf32> -> tensor<2x3xf32>
  // CHECK: graph.dynamic_slice %[[S]] sizes = [] : tensor<f32> -> tensor<f32>
  %1 = graph.dynamic_slice %s sizes = [] : tensor<f32> -> tensor<f32>
  // CHECK: graph.dynamic_update_slice %[[X]], %[[U]], %[[I]], %[[I]] : tensor<8x4xf32>, tensor<2x0xf32> -> tensor<8x4xf32>
  %2 = graph.dynamic_update_slice %x, %u, %i, %i : tensor<8x4xf32>, tensor<2x0xf32> -> tensor<8x4xf32>
  // CHECK: graph.dynamic_update_slice %[[S]], %[[S]] : tensor<f32>, tensor<f32> -> tensor<f32>
  %3 = graph.dynamic_update_slice %s, %s : tensor<f32>, tensor<f32> -> tensor<f32>
  return
}

// CHECK-LABEL: func @lines
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xui8>)
func.func @lines(%x: tensor<8x4xui8>) {
  // CHECK: graph.cumsum %[[X]] axis = 0 : tensor<8x4xui8>
  %0 = graph.cumsum %x axis = 0 : tensor<8x4xui8>
  // CHECK: graph.cumsum %[[X]] axis = 1 reverse : tensor<8x4xui8>
  %1 = graph.cumsum %x axis = 1 reverse : tensor<8x4xui8>
  // CHECK: graph.sort %[[X]] axis = 0 : tensor<8x4xui8> -> tensor<8x4xui8>, tensor<8x4xi64>
  %2, %3 = graph.sort %x axis = 0 : tensor<8x4xui8> -> tensor<8x4xui8>, tensor<8x4xi64>
  // CHECK: graph.sort %[[X]] axis = 1 descending : tensor<8x4xui8> -> tensor<8x4xui8>, tensor<8x4xi64>
  %4, %5 = graph.sort %x axis = 1 descending : tensor<8x4xui8> -> tensor<8x4xui8>, tensor<8x4xi64>
  // CHECK: graph.top_k %[[X]] k = 0 axis = 0 : tensor<8x4xui8> -> tensor<0x4xui8>, tensor<0x4xi64>
  %6, %7 = graph.top_k %x k = 0 axis = 0 : tensor<8x4xui8> -> tensor<0x4xui8>, tensor<0x4xi64>
  // CHECK: graph.top_k %[[X]] k = 4 axis = 1 smallest : tensor<8x4xui8> -> tensor<8x4xui8>, tensor<8x4xi64>
  %8, %9 = graph.top_k %x k = 4 axis = 1 smallest : tensor<8x4xui8> -> tensor<8x4xui8>, tensor<8x4xi64>
  return
}

// CHECK-LABEL: func @triangles
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xi1>)
func.func @triangles(%x: tensor<2x3x4xi1>) {
  // CHECK: graph.tril %[[X]] : tensor<2x3x4xi1>
  %0 = graph.tril %x : tensor<2x3x4xi1>
  // CHECK: graph.triu %[[X]] diagonal = -9223372036854775808 : tensor<2x3x4xi1>
  %1 = graph.triu %x diagonal = -9223372036854775808 : tensor<2x3x4xi1>
  return
}

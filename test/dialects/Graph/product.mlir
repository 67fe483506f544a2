// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Products print and read back, with every result type that they may have.

// CHECK-LABEL: func @dot_general
// CHECK-SAME: (%[[A:.*]]: tensor<5x2x3xf16>, %[[B:.*]]: tensor<5x3x4xf16>, %[[C:.*]]: tensor<2x3xi8>, %[[D:.*]]: tensor<3xi8>, %[[E:.*]]: tensor<2x0xui8>, %[[F:.*]]: tensor<i64>)
func.func @dot_general(%a: tensor<5x2x3xf16>, %b: tensor<5x3x4xf16>, %c: tensor<2x3xi8>, %d: tensor<3xi8>,
                       %e: tensor<2x0xui8>, %f: tensor<i64>) {
  // CHECK: graph.dot_general %[[A]], %[[B]] batching = [0] x [0] contracting = [2] x [1] : tensor<5x2x3xf16>, tensor<5x3x4xf16> -> tensor<5x2x4xf16>
  %0 = graph.dot_general %a, %b batching = [0] x [0] contracting = [2] x [1] : tensor<5x2x3xf16>, tensor<5x3x4xf16> -> tensor<5x2x4xf16>
  // CHECK: graph.dot_general %[[A]], %[[B]] batching = [] x [] contracting = [0, 2] x [0, 1] : tensor<5x2x3xf16>, tensor<5x3x4xf16> -> tensor<2x4xf32>
  %1 = graph.dot_general %a, %b batching = [] x [] contracting = [0, 2] x [0, 1] : tensor<5x2x3xf16>, tensor<5x3x4xf16> -> tensor<2x4xf32>
  // CHECK: graph.dot_general %[[C]], %[[D]] batching = [] x [] contracting = [1] x [0] : tensor<2x3xi8>, tensor<3xi8> -> tensor<2xi32>
  %2 = graph.dot_general %c, %d batching = [] x [] contracting = [1] x [0] : tensor<2x3xi8>, tensor<3xi8> -> tensor<2xi32>
  // CHECK: graph.dot_general %[[C]], %[[D]] batching = [] x [] contracting = [] x [] : tensor<2x3xi8>, tensor<3xi8> -> tensor<2x3x3xi8>
  %3 = graph.dot_general %c, %d batching = [] x [] contracting = [] x [] : tensor<2x3xi8>, tensor<3xi8> -> tensor<2x3x3xi8>
  // CHECK: graph.dot_general %[[E]], %[[E]] batching = [] x [] contracting = [1] x [1] : tensor<2x0xui8>, tensor<2x0xui8> -> tensor<2x2xi32>
  %4 = graph.dot_general %e, %e batching = [] x [] contracting = [1] x [1] : tensor<2x0xui8>, tensor<2x0xui8> -> tensor<2x2xi32>
  // CHECK: graph.dot_general %[[F]], %[[F]] batching = [] x [] contracting = [] x [] : tensor<i64>, tensor<i64> -> tensor<i64>
  %5 = graph.dot_general %f, %f batching = [] x [] contracting = [] x [] : tensor<i64>, tensor<i64> -> tensor<i64>
  return
}

// CHECK-LABEL: func @linear
// CHECK-SAME: (%[[X:.*]]: tensor<8x64xbf16>, %[[W:.*]]: tensor<32x64xbf16>, %[[B:.*]]: tensor<32xbf16>, %[[WIDE:.*]]: tensor<32xf32>, %[[V:.*]]: tensor<64xbf16>)
func.func @linear(%x: tensor<8x64xbf16>, %w: tensor<32x64xbf16>, %b: tensor<32xbf16>, %wide: tensor<32xf32>, %v: tensor<64xbf16>) {
  // CHECK: graph.linear %[[X]], %[[W]], %[[B]] : tensor<8x64xbf16>, tensor<32x64xbf16>, tensor<32xbf16> -> tensor<8x32xbf16>
  %0 = graph.linear %x, %w, %b : tensor<8x64xbf16>, tensor<32x64xbf16>, tensor<32xbf16> -> tensor<8x32xbf16>
  // CHECK: graph.linear %[[X]], %[[W]], %[[WIDE]] : tensor<8x64xbf16>, tensor<32x64xbf16>, tensor<32xf32> -> tensor<8x32xf32>
  %1 = graph.linear %x, %w, %wide : tensor<8x64xbf16>, tensor<32x64xbf16>, tensor<32xf32> -> tensor<8x32xf32>
  // CHECK: graph.linear %[[V]], %[[W]] : tensor<64xbf16>, tensor<32x64xbf16> -> tensor<32xbf16>
  %2 = graph.linear %v, %w : tensor<64xbf16>, tensor<32x64xbf16> -> tensor<32xbf16>
  return
}

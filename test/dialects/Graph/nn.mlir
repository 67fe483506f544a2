// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Softmax, losses and random draws print and read back; defaults stay unsaid.

// CHECK-LABEL: func @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<4x0xf32>)
func.func @softmax(%x: tensor<4x0xf32>) {
  // CHECK: graph.softmax %[[X]] axis = 1 : tensor<4x0xf32>
  %0 = graph.softmax %x axis = 1 : tensor<4x0xf32>
  // CHECK: graph.log_softmax %[[X]] axis = 0 : tensor<4x0xf32>
  %1 = graph.log_softmax %x axis = 0 : tensor<4x0xf32>
  return
}

// CHECK-LABEL: func @losses
// CHECK-SAME: (%[[X:.*]]: tensor<8x30xf32>, %[[T:.*]]: tensor<8xi64>, %[[L:.*]]: tensor<5xf16>, %[[C:.*]]: tensor<i32>)
func.func @losses(%x: tensor<8x30xf32>, %t: tensor<8xi64>, %l: tensor<5xf16>, %c: tensor<i32>) {
  // CHECK: graph.cross_entropy %[[X]], %[[T]] : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  %0 = graph.cross_entropy %x, %t : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  // CHECK: graph.cross_entropy %[[X]], %[[T]] : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  %1 = graph.cross_entropy %x, %t reduction = mean {ignore_index = -100, label_smoothing = 0.0} : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  // CHECK: graph.cross_entropy %[[X]], %[[T]] reduction = none {ignore_index = 2 : i64, label_smoothing = 1.000000e-01 : f64} : tensor<8x30xf32>, tensor<8xi64> -> tensor<8xf32>
  %2 = graph.cross_entropy %x, %t reduction = none {ignore_index = 2, label_smoothing = 0.1} : tensor<8x30xf32>, tensor<8xi64> -> tensor<8xf32>
  // CHECK: graph.cross_entropy %[[L]], %[[C]] reduction = sum : tensor<5xf16>, tensor<i32> -> tensor<f16>
  %3 = graph.cross_entropy %l, %c reduction = sum : tensor<5xf16>, tensor<i32> -> tensor<f16>
  // CHECK: graph.mse_loss %[[L]], %[[L]] : tensor<5xf16>, tensor<5xf16> -> tensor<f16>
  %4 = graph.mse_loss %l, %l : tensor<5xf16>, tensor<5xf16> -> tensor<f16>
  // CHECK: graph.binary_cross_entropy %[[L]], %[[L]] reduction = none : tensor<5xf16>, tensor<5xf16> -> tensor<5xf16>
  %5 = graph.binary_cross_entropy %l, %l reduction = none : tensor<5xf16>, tensor<5xf16> -> tensor<5xf16>
  // CHECK: graph.binary_cross_entropy_with_logits %[[L]], %[[L]] reduction = sum : tensor<5xf16>, tensor<5xf16> -> tensor<f16>
  %6 = graph.binary_cross_entropy_with_logits %l, %l reduction = sum : tensor<5xf16>, tensor<5xf16> -> tensor<f16>
  return
}

// CHECK-LABEL: func @random
// CHECK-SAME: (%[[X:.*]]: tensor<8x30xf32>, %[[K:.*]]: tensor<3xi64>)
func.func @random(%x: tensor<8x30xf32>, %k: tensor<3xi64>) {
  // CHECK: graph.random_uniform %[[K]] op_id = 4294967295 : tensor<0xf64>
  %0 = graph.random_uniform %k op_id = 4294967295 : tensor<0xf64>
  // CHECK: graph.random_uniform %[[K]] op_id = -1 : tensor<f32>
  %1 = graph.random_uniform %k op_id = -1 : tensor<f32>
  // CHECK: graph.dropout %[[X]] p = 5.000000e-01 : tensor<8x30xf32>
  %2 = graph.dropout %x p = 0.5 : tensor<8x30xf32>
  // CHECK: graph.dropout %[[X]] p = 5.000000e-01 mode = eval : tensor<8x30xf32>
  %3 = graph.dropout %x p = 0.5 mode = eval : tensor<8x30xf32>
  // CHECK: graph.dropout %[[X]] key %[[K]] p = 1.000000e+00 op_id = 7 mode = train : tensor<8x30xf32>
  %4 = graph.dropout %x key %k p = 1.0 op_id = 7 mode = train : tensor<8x30xf32>
  return
}

// RUN: graph-opt --lower-kernel --split-input-file %s | FileCheck %s

// Strides over a single element have no bound. They play no part in any index.

// CHECK-LABEL: func.func @slice
// CHECK-NOT:   922337203685477580
// CHECK:       func.func private @
// CHECK-NOT:   922337203685477580
func.func @slice(%x: tensor<7x19xf32>) -> tensor<1xi64> {
  %y = graph.fused(%a = %x) : (tensor<7x19xf32>) -> tensor<1xi64> {
    %s = graph.slice %a starts = [1, 2] limits = [6, 19] strides = [1, 9223372036854775807] : tensor<7x19xf32> -> tensor<5x1xf32>
    %r = graph.argmax %s axis = 0 : tensor<5x1xf32> -> tensor<1xi64>
    graph.yield %r : tensor<1xi64>
  }
  return %y : tensor<1xi64>
}

// -----

// CHECK-LABEL: func.func @pad
// CHECK-NOT:   922337203685477580
// CHECK:       func.func private @
// CHECK-NOT:   922337203685477580
func.func @pad(%x: tensor<5x1xf32>, %v: tensor<f32>) -> (tensor<5x3xf32>, tensor<3xi64>) {
  %p, %y = graph.fused(%a = %x, %b = %v) : (tensor<5x1xf32>, tensor<f32>) -> (tensor<5x3xf32>, tensor<3xi64>) {
    %s = graph.pad %a, %b low = [0, 1] high = [0, 1] interior = [0, 9223372036854775806] : tensor<5x1xf32> -> tensor<5x3xf32>
    %r = graph.argmax %s axis = 0 : tensor<5x3xf32> -> tensor<3xi64>
    graph.yield %s, %r : tensor<5x3xf32>, tensor<3xi64>
  }
  return %p, %y : tensor<5x3xf32>, tensor<3xi64>
}

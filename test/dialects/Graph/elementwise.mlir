// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Elementwise ops print one type and read back.

// CHECK-LABEL: func @arithmetic
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
func.func @arithmetic(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // CHECK: graph.neg %[[X]] : tensor<4xf32>
  %0 = graph.neg %x : tensor<4xf32>
  // CHECK: graph.abs %[[X]] : tensor<4xf32>
  %1 = graph.abs %x : tensor<4xf32>
  // CHECK: graph.add %[[X]], %[[Y]] : tensor<4xf32>
  %2 = graph.add %x, %y : tensor<4xf32>
  // CHECK: graph.sub %[[X]], %[[Y]] : tensor<4xf32>
  %3 = graph.sub %x, %y : tensor<4xf32>
  // CHECK: graph.mul %[[X]], %[[Y]] : tensor<4xf32>
  %4 = graph.mul %x, %y : tensor<4xf32>
  // CHECK: graph.div %[[X]], %[[Y]] : tensor<4xf32>
  %5 = graph.div %x, %y : tensor<4xf32>
  // CHECK: graph.rem %[[X]], %[[Y]] : tensor<4xf32>
  %6 = graph.rem %x, %y : tensor<4xf32>
  // CHECK: graph.maximum %[[X]], %[[Y]] : tensor<4xf32>
  %7 = graph.maximum %x, %y : tensor<4xf32>
  // CHECK: graph.minimum %[[X]], %[[Y]] : tensor<4xf32>
  %8 = graph.minimum %x, %y : tensor<4xf32>
  // CHECK: graph.sqrt %[[X]] : tensor<4xf32>
  %9 = graph.sqrt %x : tensor<4xf32>
  // CHECK: graph.sign %[[X]] : tensor<4xf32>
  %10 = graph.sign %x : tensor<4xf32>
  // CHECK: graph.floor %[[X]] : tensor<4xf32>
  %11 = graph.floor %x : tensor<4xf32>
  // CHECK: graph.ceil %[[X]] : tensor<4xf32>
  %12 = graph.ceil %x : tensor<4xf32>
  // CHECK: graph.round %[[X]] : tensor<4xf32>
  %13 = graph.round %x : tensor<4xf32>
  // CHECK: graph.pow %[[X]], %[[Y]] : tensor<4xf32>
  %14 = graph.pow %x, %y : tensor<4xf32>
  // CHECK: graph.mul_no_nan %[[X]], %[[Y]] : tensor<4xf32>
  %15 = graph.mul_no_nan %x, %y : tensor<4xf32>
  return
}

// CHECK-LABEL: func @bits
// CHECK-SAME: (%[[X:.*]]: tensor<4xi32>, %[[Y:.*]]: tensor<4xi32>)
func.func @bits(%x: tensor<4xi32>, %y: tensor<4xi32>) {
  // CHECK: graph.and %[[X]], %[[Y]] : tensor<4xi32>
  %0 = graph.and %x, %y : tensor<4xi32>
  // CHECK: graph.or %[[X]], %[[Y]] : tensor<4xi32>
  %1 = graph.or %x, %y : tensor<4xi32>
  // CHECK: graph.xor %[[X]], %[[Y]] : tensor<4xi32>
  %2 = graph.xor %x, %y : tensor<4xi32>
  // CHECK: graph.not %[[X]] : tensor<4xi32>
  %3 = graph.not %x : tensor<4xi32>
  // CHECK: graph.shift_left %[[X]], %[[Y]] : tensor<4xi32>
  %4 = graph.shift_left %x, %y : tensor<4xi32>
  // CHECK: graph.shift_right %[[X]], %[[Y]] : tensor<4xi32>
  %5 = graph.shift_right %x, %y : tensor<4xi32>
  return
}

// CHECK-LABEL: func @functions
// CHECK-SAME: (%[[X:.*]]: tensor<f64>)
func.func @functions(%x: tensor<f64>) {
  // CHECK: graph.exp %[[X]] : tensor<f64>
  %0 = graph.exp %x : tensor<f64>
  // CHECK: graph.expm1 %[[X]] : tensor<f64>
  %1 = graph.expm1 %x : tensor<f64>
  // CHECK: graph.log %[[X]] : tensor<f64>
  %2 = graph.log %x : tensor<f64>
  // CHECK: graph.log1p %[[X]] : tensor<f64>
  %3 = graph.log1p %x : tensor<f64>
  // CHECK: graph.rsqrt %[[X]] : tensor<f64>
  %4 = graph.rsqrt %x : tensor<f64>
  // CHECK: graph.reciprocal %[[X]] : tensor<f64>
  %5 = graph.reciprocal %x : tensor<f64>
  // CHECK: graph.sin %[[X]] : tensor<f64>
  %6 = graph.sin %x : tensor<f64>
  // CHECK: graph.cos %[[X]] : tensor<f64>
  %7 = graph.cos %x : tensor<f64>
  // CHECK: graph.tanh %[[X]] : tensor<f64>
  %8 = graph.tanh %x : tensor<f64>
  // CHECK: graph.erf %[[X]] : tensor<f64>
  %9 = graph.erf %x : tensor<f64>
  return
}

// CHECK-LABEL: func @tests_and_choices
// CHECK-SAME: (%[[X:.*]]: tensor<4xf16>, %[[Y:.*]]: tensor<4xf16>, %[[I:.*]]: tensor<4xi64>)
func.func @tests_and_choices(%x: tensor<4xf16>, %y: tensor<4xf16>, %i: tensor<4xi64>) {
  // CHECK: graph.is_finite %[[X]] : tensor<4xf16>
  %0 = graph.is_finite %x : tensor<4xf16>
  // CHECK: graph.is_nan %[[X]] : tensor<4xf16>
  %1 = graph.is_nan %x : tensor<4xf16>
  // CHECK: %[[C:.*]] = graph.compare lt, %[[X]], %[[Y]] : tensor<4xf16>
  %2 = graph.compare lt, %x, %y : tensor<4xf16>
  // CHECK: graph.select %[[C]], %[[X]], %[[Y]] : tensor<4xf16>
  %3 = graph.select %2, %x, %y : tensor<4xf16>
  // CHECK: graph.select %[[C]], %[[C]], %[[C]] {note = "a"} : tensor<4xi1>
  %4 = graph.select %2, %2, %2 {note = "a"} : tensor<4xi1>
  // CHECK: graph.cast %[[X]] : tensor<4xf16> -> tensor<4xui8>
  %5 = graph.cast %x : tensor<4xf16> -> tensor<4xui8>
  // CHECK: graph.check_index %[[I]] limit = 10 : tensor<4xi64>
  %6 = graph.check_index %i limit = 10 : tensor<4xi64>
  // CHECK: graph.check_index %[[I]] limit = 10 ignore = -100 : tensor<4xi64>
  %7 = graph.check_index %i limit = 10 ignore = -100 : tensor<4xi64>
  return
}

// CHECK-LABEL: func @activations
// CHECK-SAME: (%[[X:.*]]: tensor<2x0xbf16>)
func.func @activations(%x: tensor<2x0xbf16>) {
  // CHECK: graph.relu %[[X]] : tensor<2x0xbf16>
  %0 = graph.relu %x : tensor<2x0xbf16>
  // CHECK: graph.sigmoid %[[X]] : tensor<2x0xbf16>
  %1 = graph.sigmoid %x : tensor<2x0xbf16>
  // CHECK: graph.silu %[[X]] : tensor<2x0xbf16>
  %2 = graph.silu %x : tensor<2x0xbf16>
  // CHECK: graph.gelu %[[X]] : tensor<2x0xbf16>
  %3 = graph.gelu %x : tensor<2x0xbf16>
  // CHECK: graph.gelu %[[X]] : tensor<2x0xbf16>
  %4 = graph.gelu %x approximate = none : tensor<2x0xbf16>
  // CHECK: graph.gelu %[[X]] approximate = tanh : tensor<2x0xbf16>
  %5 = graph.gelu %x approximate = tanh : tensor<2x0xbf16>
  // CHECK: graph.clamp %[[X]] low = 0.000000e+00 high = 0x7FF0000000000000 : tensor<2x0xbf16>
  %6 = graph.clamp %x low = 0.0 high = 0x7FF0000000000000 : tensor<2x0xbf16>
  // CHECK: graph.stop_gradient %[[X]] : tensor<2x0xbf16>
  %7 = graph.stop_gradient %x : tensor<2x0xbf16>
  return
}

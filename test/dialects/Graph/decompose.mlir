// RUN: graph-opt --decompose-composites %s | FileCheck %s

// What the decompositions must not get wrong, seen in their text. Their values are
// checked against the interpreter in test/unit/Conformance.

// f16 and bf16 are widened once and narrowed once; between them all is f32.

// CHECK-LABEL: func @one_rounding
// CHECK-SAME: (%[[X:.*]]: tensor<4xf16>)
// CHECK-NEXT: %[[WIDE:.*]] = graph.cast %[[X]] : tensor<4xf16> -> tensor<4xf32>
// CHECK-NOT: f16
// CHECK: %[[Y:.*]] = graph.mul {{.*}} : tensor<4xf32>
// CHECK-NEXT: %[[NARROW:.*]] = graph.cast %[[Y]] : tensor<4xf32> -> tensor<4xf16>
// CHECK-NEXT: return %[[NARROW]]
func.func @one_rounding(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = graph.silu %x : tensor<4xf16>
  return %y : tensor<4xf16>
}

// Exact ops stay in their type.

// CHECK-LABEL: func @exact
// CHECK-NOT: graph.cast
// CHECK: graph.maximum {{.*}} : tensor<4xbf16>
// CHECK-NOT: graph.cast
// CHECK: return
func.func @exact(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  %y = graph.relu %x : tensor<4xbf16>
  %z = graph.clamp %x low = 0.0 high = 6.0 : tensor<4xbf16>
  return %y, %z : tensor<4xbf16>, tensor<4xbf16>
}

// f64 computes in f64.

// CHECK-LABEL: func @double
// CHECK-NOT: f32
// CHECK: return
func.func @double(%x: tensor<4x8xf64>) -> (tensor<4x8xf64>, tensor<4xf64>) {
  %y = graph.softmax %x axis = 1 : tensor<4x8xf64>
  %z = graph.reduce_mean %x axes = [1] : tensor<4x8xf64> -> tensor<4xf64>
  return %y, %z : tensor<4x8xf64>, tensor<4xf64>
}

// The maximum is taken off before the exponential; a division for each row.

// CHECK-LABEL: func @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
// CHECK-NEXT: %[[MAX:.*]] = graph.reduce_max %[[X]] axes = [1] : tensor<2x3x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[WIDE:.*]] = graph.broadcast %[[MAX]] dims = [0, 2] : tensor<2x4xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[SHIFTED:.*]] = graph.sub %[[X]], %[[WIDE]]
// CHECK-NEXT: %[[EXP:.*]] = graph.exp %[[SHIFTED]]
// CHECK-NEXT: %[[SUM:.*]] = graph.reduce_sum %[[EXP]] axes = [1]
// CHECK-NEXT: %[[INVERSE:.*]] = graph.reciprocal %[[SUM]] : tensor<2x4xf32>
// CHECK-NEXT: %[[FACTORS:.*]] = graph.broadcast %[[INVERSE]] dims = [0, 2]
// CHECK-NEXT: graph.mul %[[EXP]], %[[FACTORS]]
func.func @softmax(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %y = graph.softmax %x axis = 1 : tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// The product of bf16 is f32 until the bias is in.

// CHECK-LABEL: func @linear
// CHECK: %[[DOT:.*]] = graph.dot_general {{.*}} contracting = [1] x [1] : tensor<8x64xbf16>, tensor<32x64xbf16> -> tensor<8x32xf32>
// CHECK: %[[WIDE:.*]] = graph.cast %{{.*}} : tensor<32xbf16> -> tensor<32xf32>
// CHECK: %[[BIAS:.*]] = graph.broadcast %[[WIDE]] dims = [1]
// CHECK: %[[SUM:.*]] = graph.add %[[DOT]], %[[BIAS]] : tensor<8x32xf32>
// CHECK: graph.cast %[[SUM]] : tensor<8x32xf32> -> tensor<8x32xbf16>
func.func @linear(%x: tensor<8x64xbf16>, %w: tensor<32x64xbf16>, %b: tensor<32xbf16>) -> tensor<8x32xbf16> {
  %y = graph.linear %x, %w, %b : tensor<8x64xbf16>, tensor<32x64xbf16>, tensor<32xbf16> -> tensor<8x32xbf16>
  return %y : tensor<8x32xbf16>
}

// A wider result is not rounded on the way.

// CHECK-LABEL: func @linear_wide
// CHECK-NOT: graph.cast
// CHECK: return
func.func @linear_wide(%x: tensor<64xbf16>, %w: tensor<32x64xbf16>, %b: tensor<32xf32>) -> tensor<32xf32> {
  %y = graph.linear %x, %w, %b : tensor<64xbf16>, tensor<32x64xbf16>, tensor<32xf32> -> tensor<32xf32>
  return %y : tensor<32xf32>
}

// The target is checked once, and every reader of it reads the checked one.

// CHECK-LABEL: func @cross_entropy
// CHECK-SAME: (%{{.*}}: tensor<8x30xf32>, %[[T:.*]]: tensor<8xi64>)
// CHECK: %[[SAFE:.*]] = graph.check_index %[[T]] limit = 30 ignore = -100
// CHECK-NOT: %[[T]]
// CHECK: graph.broadcast %[[SAFE]]
// CHECK-NOT: %[[T]]
// CHECK: graph.compare ne, %[[SAFE]]
// CHECK-NOT: %[[T]]
// CHECK: %[[COUNT:.*]] = graph.reduce_sum {{.*}} : tensor<8xi64> -> tensor<i64>
// CHECK: return
func.func @cross_entropy(%x: tensor<8x30xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  %l = graph.cross_entropy %x, %t : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// ignore_index may be any 64-bit integer: no double holds this one.

// CHECK-LABEL: func @cross_entropy_ignore
// CHECK: ignore = 9223372036854775807
// CHECK: graph.constant dense<9223372036854775807> : tensor<8xi64>
func.func @cross_entropy_ignore(%x: tensor<8x30xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  %l = graph.cross_entropy %x, %t {ignore_index = 9223372036854775807} : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// A term of weight 0 is left out: 0 * inf is NaN.

// CHECK-LABEL: func @cross_entropy_all_smooth
// CHECK-NOT: graph.select {{.*}} : tensor<8x30xf32>
// CHECK: return
func.func @cross_entropy_all_smooth(%x: tensor<8x30xf32>, %t: tensor<8xi64>) -> tensor<f32> {
  %l = graph.cross_entropy %x, %t {label_smoothing = 1.0} : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  return %l : tensor<f32>
}

// p = 0 and evaluation are the input itself, p = 1 is zeros whatever the input.

// CHECK-LABEL: func @dropout_ends
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<3xi64>)
// CHECK-NEXT: %[[ZERO:.*]] = graph.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[ZERO]], %[[X]]
func.func @dropout_ends(%x: tensor<4xf32>, %k: tensor<3xi64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.dropout %x key %k p = 0.0 op_id = 1 mode = train : tensor<4xf32>
  %1 = graph.dropout %x key %k p = 1.0 op_id = 1 mode = train : tensor<4xf32>
  %2 = graph.dropout %x p = 0.5 mode = eval : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Draws are multiples of 2^-24. This p, 0.5 + 2^-27, drops a draw of 0.5, which f32
// would round it to; the bound is the least multiple that is at least p.

// CHECK-LABEL: func @dropout
// CHECK-SAME: (%[[X:.*]]: tensor<4xf16>, %[[K:.*]]: tensor<3xi64>)
// CHECK-DAG: %[[DRAW:.*]] = graph.random_uniform %[[K]] op_id = 9 : tensor<4xf32>
// CHECK-DAG: %[[BOUND:.*]] = graph.constant dense<0.50000006> : tensor<4xf32>
// CHECK: %[[KEPT:.*]] = graph.compare ge, %[[DRAW]], %[[BOUND]] : tensor<4xf32>
// CHECK: graph.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK: graph.select %[[KEPT]]
func.func @dropout(%x: tensor<4xf16>, %k: tensor<3xi64>) -> tensor<4xf16> {
  %0 = graph.dropout %x key %k p = 0.500000007450580596923828125 op_id = 9 mode = train : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// Reductions of a loss: divided by the number of elements, summed, or left.

// CHECK-LABEL: func @reductions
// CHECK: %[[ALL:.*]] = graph.reduce_sum
// CHECK-NEXT: %[[N:.*]] = graph.constant dense<3.200000e+01> : tensor<f32>
// CHECK-NEXT: %[[MEAN:.*]] = graph.div %[[ALL]], %[[N]]
// CHECK: %[[SUM:.*]] = graph.reduce_sum
// CHECK: %[[NONE:.*]] = graph.mul
// CHECK-NEXT: return %[[MEAN]], %[[SUM]], %[[NONE]]
func.func @reductions(%x: tensor<4x8xf32>) -> (tensor<f32>, tensor<f32>, tensor<4x8xf32>) {
  %0 = graph.mse_loss %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<f32>
  %1 = graph.mse_loss %x, %x reduction = sum : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<f32>
  %2 = graph.mse_loss %x, %x reduction = none : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<4x8xf32>
}

// The indices of a table are those of its gather.

// CHECK-LABEL: func @embedding
// CHECK: graph.gather %{{.*}}, %{{.*}} axis = 0 : tensor<10x4xbf16>, tensor<2x3xi64> -> tensor<2x3x4xbf16>
func.func @embedding(%w: tensor<10x4xbf16>, %i: tensor<2x3xi64>) -> tensor<2x3x4xbf16> {
  %y = graph.embedding %w, %i padding_idx = 1 : tensor<10x4xbf16>, tensor<2x3xi64> -> tensor<2x3x4xbf16>
  return %y : tensor<2x3x4xbf16>
}

// CHECK-LABEL: func @one_hot
// CHECK: %[[SAFE:.*]] = graph.check_index %{{.*}} limit = 7 : tensor<3xi32>
// CHECK: graph.broadcast %[[SAFE]]
func.func @one_hot(%i: tensor<3xi32>) -> tensor<3x7xi1> {
  %y = graph.one_hot %i : tensor<3xi32> -> tensor<3x7xi1>
  return %y : tensor<3x7xi1>
}

// CHECK-LABEL: func @top_k
// CHECK: %[[V:.*]], %[[I:.*]] = graph.sort %{{.*}} axis = 1 descending
// CHECK: graph.slice %[[V]] starts = [0, 0] limits = [5, 3] strides = [1, 1]
// CHECK: graph.slice %[[I]] starts = [0, 0] limits = [5, 3] strides = [1, 1]
func.func @top_k(%x: tensor<5x7xf32>) -> (tensor<5x3xf32>, tensor<5x3xi64>) {
  %v, %i = graph.top_k %x k = 3 axis = 1 : tensor<5x7xf32> -> tensor<5x3xf32>, tensor<5x3xi64>
  return %v, %i : tensor<5x3xf32>, tensor<5x3xi64>
}

// A diagonal beyond all corners is as good as the one past them.

// CHECK-LABEL: func @tril
// CHECK: graph.constant dense<8> : tensor<5x7xi64>
// CHECK: graph.compare le
func.func @tril(%x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %y = graph.tril %x diagonal = 9223372036854775807 : tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}

// RUN: graph-opt --autodiff --split-input-file %s | FileCheck %s

// Only what is asked for: no gradient of %y, and none of the variable.

// CHECK-LABEL: func.func @one_of_three
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK:         %[[W:.*]] = graph.get @w
// CHECK:         graph.reduce_sum
// CHECK-NEXT:    %[[ONE:.*]] = graph.constant dense<1.0
// CHECK-NEXT:    %[[G:.*]] = graph.broadcast %[[ONE]]
// CHECK-NEXT:    %[[GX:.*]] = graph.mul_no_nan %[[G]], %[[W]]
// CHECK-NEXT:    %[[DX:.*]] = graph.mul_no_nan %[[GX]], %[[Y]]
// CHECK-NEXT:    return %[[DX]]
graph.variable @w : tensor<4xf32> = #graph.zeros trainable
func.func private @loss(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<4xf32>
  %a = graph.mul %x, %y : tensor<4xf32>
  %b = graph.mul %a, %w : tensor<4xf32>
  %l = graph.reduce_sum %b axes = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
func.func @one_of_three(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %l, %dx = graph.value_and_grad @loss(%x, %y) inputs = [0]
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %dx : tensor<4xf32>
}

// -----

// An op that depends on what is asked for but does not reach the loss is not
// differentiated: graph.argmax and the second result need no rule.

// CHECK-LABEL: func.func @aside
// CHECK:         graph.log
// CHECK:         graph.argmax
// CHECK-NOT:     graph.reciprocal
// CHECK:         return
func.func private @loss(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i64>) {
  %a = graph.log %x : tensor<4xf32>
  %i = graph.argmax %a axis = 0 : tensor<4xf32> -> tensor<i64>
  %l = graph.reduce_sum %x axes = [0] : tensor<4xf32> -> tensor<f32>
  return %l, %i : tensor<f32>, tensor<i64>
}
func.func @aside(%x: tensor<4xf32>) -> (tensor<i64>, tensor<4xf32>) {
  %l, %i, %dx = graph.value_and_grad @loss(%x) inputs = [0]
      : (tensor<4xf32>) -> (tensor<f32>, tensor<i64>, tensor<4xf32>)
  return %i, %dx : tensor<i64>, tensor<4xf32>
}

// -----

// Nothing flows through graph.stop_gradient or through integers, and the zeros
// that were asked for are the only ones.

// CHECK-LABEL: func.func @stopped
// CHECK:         %[[L:.*]] = graph.add
// CHECK-NEXT:    %[[ZERO:.*]] = graph.constant dense<0.0
// CHECK-NEXT:    return %[[L]], %[[ZERO]]
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %a = graph.stop_gradient %x : tensor<f32>
  %i = graph.cast %x : tensor<f32> -> tensor<i32>
  %b = graph.cast %i : tensor<i32> -> tensor<f32>
  %l = graph.add %a, %b : tensor<f32>
  return %l : tensor<f32>
}
func.func @stopped(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0]
      : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %l, %dx : tensor<f32>, tensor<f32>
}

// -----

// A value with three uses: two adds, the last use first.

// CHECK-LABEL: func.func @three_uses
// CHECK-SAME:    %[[X:.*]]: tensor<f32>
// CHECK:         %[[A:.*]] = graph.sin %[[X]]
// CHECK:         %[[B:.*]] = graph.mul %[[A]], %[[X]]
// CHECK:         %[[ONE:.*]] = graph.constant dense<1.0
// CHECK-NEXT:    %[[GB:.*]] = graph.mul_no_nan %[[ONE]], %[[X]]
// CHECK-NEXT:    %[[X2:.*]] = graph.mul_no_nan %[[ONE]], %[[B]]
// CHECK-NEXT:    %[[GA:.*]] = graph.mul_no_nan %[[GB]], %[[X]]
// CHECK-NEXT:    %[[X1:.*]] = graph.mul_no_nan %[[GB]], %[[A]]
// CHECK-NEXT:    %[[S1:.*]] = graph.add %[[X2]], %[[X1]]
// CHECK-NEXT:    %[[COS:.*]] = graph.cos %[[X]]
// CHECK-NEXT:    %[[X0:.*]] = graph.mul_no_nan %[[GA]], %[[COS]]
// CHECK-NEXT:    %[[S0:.*]] = graph.add %[[S1]], %[[X0]]
// CHECK-NEXT:    return %[[S0]]
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %a = graph.sin %x : tensor<f32>
  %b = graph.mul %a, %x : tensor<f32>
  %l = graph.mul %b, %x : tensor<f32>
  return %l : tensor<f32>
}
func.func @three_uses(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0]
      : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// One value for two arguments: each argument has its own gradient.

// CHECK-LABEL: func.func @same_value_twice(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>)
// CHECK:         %[[ONE:.*]] = graph.constant dense<1.0
// CHECK-NEXT:    %[[NEG:.*]] = graph.neg %[[ONE]]
// CHECK-NEXT:    return %[[ONE]], %[[NEG]]
func.func private @loss(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %l = graph.sub %a, %b : tensor<f32>
  return %l : tensor<f32>
}
func.func @same_value_twice(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %l, %da, %db = graph.value_and_grad @loss(%x, %x) inputs = [0, 1]
      : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %da, %db : tensor<f32>, tensor<f32>
}

// -----

// Two reads of one variable add up, and a read after a set is not the variable's
// own value. A loss that is an argument has gradient 1.

// CHECK-LABEL: func.func @two_reads
// CHECK-COUNT-1: graph.get @w
// CHECK-NOT:     graph.get @w
// CHECK:         %[[SUM:.*]] = graph.add
// CHECK:         return %[[SUM]]
// CHECK-LABEL: func.func @read_after_set
// CHECK-SAME:    %[[X:.*]]: tensor<f32>
// CHECK:         %[[W:.*]] = graph.get @w
// CHECK:         %[[DW:.*]] = graph.mul_no_nan %{{.*}}, %[[X]]
// CHECK-NEXT:    return %[[DW]]
// CHECK-LABEL: func.func @identity
// CHECK:         %[[ONE:.*]] = graph.constant dense<1.0
// CHECK-NEXT:    return %[[ONE]]
graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func private @square() -> tensor<f32> {
  %a = graph.get @w : tensor<f32>
  %b = graph.get @w : tensor<f32>
  %l = graph.mul %a, %b : tensor<f32>
  return %l : tensor<f32>
}
func.func @two_reads() -> tensor<f32> {
  %l, %dw = graph.value_and_grad @square() wrt(@w) : () -> (tensor<f32>, tensor<f32>)
  return %dw : tensor<f32>
}
func.func private @scale(%x: tensor<f32>) -> tensor<f32> {
  %a = graph.get @w : tensor<f32>
  graph.set @w, %x : tensor<f32>
  %b = graph.get @w : tensor<f32>
  %l = graph.mul %a, %b : tensor<f32>
  return %l : tensor<f32>
}
func.func @read_after_set(%x: tensor<f32>) -> tensor<f32> {
  %l, %dw = graph.value_and_grad @scale(%x) wrt(@w) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dw : tensor<f32>
}
func.func private @same(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @identity(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @same(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

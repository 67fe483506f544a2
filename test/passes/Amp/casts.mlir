// RUN: graph-opt --amp=dtype=f16 --verify-phase=phase=amp --split-input-file %s | FileCheck %s

// A transpose all of whose readers are products moves f16, and so there is one copy
// of the weight; where a sum reads it too it stays f32.

// CHECK-LABEL: func.func @moves
// CHECK:         %[[LOW:.*]] = graph.cast %arg1 : tensor<8x4xf32> -> tensor<8x4xf16>
// CHECK:         %[[T:.*]] = graph.transpose %[[LOW]] permutation = [1, 0] : tensor<8x4xf16> -> tensor<4x8xf16>
// CHECK:         graph.linear %{{.*}}, %[[T]] : tensor<2x8xf16>, tensor<4x8xf16> -> tensor<2x4xf16>
// CHECK:         graph.linear %{{.*}}, %[[LOW]] :
func.func @moves(%x: tensor<2x8xf32>, %w: tensor<8x4xf32>) -> (tensor<2x4xf32>, tensor<2x8xf32>) {
  %t = graph.transpose %w permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %y = graph.linear %x, %t : tensor<2x8xf32>, tensor<4x8xf32> -> tensor<2x4xf32>
  %z = graph.linear %y, %w : tensor<2x4xf32>, tensor<8x4xf32> -> tensor<2x8xf32>
  return %y, %z : tensor<2x4xf32>, tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func.func @moves_f32
// CHECK:         %[[T:.*]] = graph.transpose %arg1 permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
// CHECK:         %[[LOW:.*]] = graph.cast %[[T]] : tensor<4x8xf32> -> tensor<4x8xf16>
// CHECK:         graph.reduce_sum %[[T]]
func.func @moves_f32(%x: tensor<2x8xf32>, %w: tensor<8x4xf32>) -> (tensor<2x4xf32>, tensor<f32>) {
  %t = graph.transpose %w permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %y = graph.linear %x, %t : tensor<2x8xf32>, tensor<4x8xf32> -> tensor<2x4xf32>
  %s = graph.reduce_sum %t axes = [0, 1] : tensor<4x8xf32> -> tensor<f32>
  return %y, %s : tensor<2x4xf32>, tensor<f32>
}

// -----

// A pair of casts that changes nothing goes: what the model widens is read as it
// was. One that rounds stays.

// CHECK-LABEL: func.func @pairs
// CHECK:         %[[Y:.*]] = graph.linear %{{.*}} -> tensor<2x8xf16>
// CHECK-NOT:     graph.cast
// CHECK:         graph.linear %[[Y]], %{{.*}} : tensor<2x8xf16>, tensor<8x8xf16>
func.func @pairs(%x: tensor<2x8xf16>, %w: tensor<8x8xf16>) -> tensor<2x8xf16> {
  %y = graph.linear %x, %w : tensor<2x8xf16>, tensor<8x8xf16> -> tensor<2x8xf16>
  %wide = graph.cast %y : tensor<2x8xf16> -> tensor<2x8xf32>
  %ww = graph.cast %w : tensor<8x8xf16> -> tensor<8x8xf32>
  %z = graph.linear %wide, %ww : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  %r = graph.cast %z : tensor<2x8xf32> -> tensor<2x8xf16>
  return %r : tensor<2x8xf16>
}

// -----

// The cast that the model has is the copy, too.

// CHECK-LABEL:   func.func @own
// CHECK-COUNT-2: graph.cast %arg{{[01]}}
// CHECK-NOT:     graph.cast
// CHECK:         return
func.func @own(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf16>) {
  %c = graph.cast %x : tensor<2x8xf32> -> tensor<2x8xf16>
  %y = graph.linear %x, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  return %y, %c : tensor<2x8xf32>, tensor<2x8xf16>
}

// -----

// A product read by arithmetic at two places, with a product between, is in memory
// and so is rounded: what is saved for the backward pass.

// CHECK-LABEL: func.func @saved
// CHECK:         %[[H:.*]] = graph.linear {{.*}} -> tensor<2x8xf16>
// CHECK:         %[[A:.*]] = graph.sigmoid %[[H]] : tensor<2x8xf16>
// CHECK:         %[[Z:.*]] = graph.linear %[[A]], {{.*}} -> tensor<2x8xf32>
// CHECK:         %[[WIDE:.*]] = graph.cast %[[H]] : tensor<2x8xf16> -> tensor<2x8xf32>
// CHECK:         graph.mul %[[Z]], %[[WIDE]] : tensor<2x8xf32>
func.func @saved(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8xf32> {
  %h = graph.linear %x, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  %a = graph.sigmoid %h : tensor<2x8xf32>
  %z = graph.linear %a, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  %m = graph.mul %z, %h : tensor<2x8xf32>
  return %m : tensor<2x8xf32>
}

// -----

// A number beside low elements is low, unless f16 does not have it: then f32 meets it
// and the result is rounded.

// CHECK-LABEL: func.func @numbers
// CHECK-DAG:     %[[HALF:.*]] = graph.constant dense<5.000000e-01> : tensor<2x8xf16>
// CHECK-DAG:     %[[TENTH:.*]] = graph.constant dense<1.000000e-01> : tensor<2x8xf32>
// CHECK:         %[[H:.*]] = graph.linear {{.*}} -> tensor<2x8xf16>
// CHECK:         graph.mul %[[H]], %[[HALF]] : tensor<2x8xf16>
// CHECK:         %[[M:.*]] = graph.mul %{{.*}}, %[[TENTH]] : tensor<2x8xf32>
// CHECK-NEXT:    graph.cast %[[M]] : tensor<2x8xf32> -> tensor<2x8xf16>
func.func @numbers(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8xf32> {
  %half = graph.constant dense<0.5> : tensor<2x8xf32>
  %tenth = graph.constant dense<0.1> : tensor<2x8xf32>
  %h = graph.linear %x, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  %a = graph.mul %h, %half : tensor<2x8xf32>
  %b = graph.mul %h, %tenth : tensor<2x8xf32>
  %c = graph.linear %a, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  %d = graph.linear %b, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  %e = graph.linear %h, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  %f = graph.add %c, %d : tensor<2x8xf32>
  %g = graph.add %e, %f : tensor<2x8xf32>
  return %g : tensor<2x8xf32>
}

// -----

// What the widest operand says: f16 beside f16 is f16, beside f32 it is f32.

// CHECK-LABEL: func.func @widest
// CHECK:         %[[H:.*]] = graph.linear {{.*}} -> tensor<2x8xf16>
// CHECK:         graph.concat %[[H]], %[[H]] axis = 0 : tensor<2x8xf16>, tensor<2x8xf16> -> tensor<4x8xf16>
// CHECK:         graph.concat %{{.*}}, %arg0 axis = 0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<4x8xf32>
func.func @widest(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %h = graph.linear %x, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
  %a = graph.concat %h, %h axis = 0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<4x8xf32>
  %b = graph.concat %h, %x axis = 0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<4x8xf32>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A weight that a loop reads is rounded before it, once; what the loop carries stays
// f32.

// CHECK-LABEL: func.func @loop
// CHECK:         %[[LOW:.*]] = graph.cast %arg1 : tensor<8x8xf32> -> tensor<8x8xf16>
// CHECK:         graph.for %{{.*}} = 3 carry(%[[A:.*]] = %arg0) : tensor<2x8xf32> {
// CHECK:           %[[C:.*]] = graph.cast %[[A]] : tensor<2x8xf32> -> tensor<2x8xf16>
// CHECK:           graph.linear %[[C]], %[[LOW]] : tensor<2x8xf16>, tensor<8x8xf16> -> tensor<2x8xf32>
// CHECK:           graph.yield %{{.*}} : tensor<2x8xf32>
func.func @loop(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8xf32> {
  %r = graph.for %i = 3 carry(%a = %x) : tensor<2x8xf32> {
    %h = graph.linear %a, %w : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<2x8xf32>
    %t = graph.tanh %h : tensor<2x8xf32>
    graph.yield %t : tensor<2x8xf32>
  }
  return %r : tensor<2x8xf32>
}

// -----

// f64 is not touched, and neither are integers and what the model declares itself.

// CHECK-LABEL: func.func @declared
// CHECK-NOT:     graph.cast
// CHECK:         return
func.func @declared(%x: tensor<2x8xf64>, %w: tensor<8x8xf64>, %b: tensor<2x8xbf16>,
                    %i: tensor<8x8xi32>) -> (tensor<2x8xf64>, tensor<2x8xbf16>, tensor<8x8xi32>) {
  %y = graph.linear %x, %w : tensor<2x8xf64>, tensor<8x8xf64> -> tensor<2x8xf64>
  %c = graph.add %b, %b : tensor<2x8xbf16>
  %k = graph.dot_general %i, %i batching = [] x [] contracting = [1] x [0] : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  return %y, %c, %k : tensor<2x8xf64>, tensor<2x8xbf16>, tensor<8x8xi32>
}

// -----

// Of the f32 list, though the model declares it f16: the same bits, by f32.

// CHECK-LABEL: func.func @list
// CHECK:         %[[X:.*]] = graph.cast %arg0 : tensor<2x8xf16> -> tensor<2x8xf32>
// CHECK:         %[[Y:.*]] = graph.softmax %[[X]] axis = 1 : tensor<2x8xf32>
// CHECK:         graph.cast %[[Y]] : tensor<2x8xf32> -> tensor<2x8xf16>
func.func @list(%x: tensor<2x8xf16>) -> tensor<2x8xf16> {
  %y = graph.softmax %x axis = 1 : tensor<2x8xf16>
  return %y : tensor<2x8xf16>
}

// -----

// What a write or the end reads in f32 is made before the first write.

// CHECK-LABEL: func.func @writes
// CHECK:         %[[H:.*]] = graph.linear {{.*}} -> tensor<8x8xf16>
// CHECK:         %[[WIDE:.*]] = graph.cast %[[H]] : tensor<8x8xf16> -> tensor<8x8xf32>
// CHECK-NEXT:    graph.set @count
// CHECK-NEXT:    graph.set @state, %[[WIDE]]
// CHECK-NEXT:    return %{{.*}}, %[[WIDE]]
graph.variable @state : tensor<8x8xf32> = #graph.zeros
graph.variable @count : tensor<i64> = #graph.zeros
func.func @writes(%x: tensor<8x8xf32>, %n: tensor<i64>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %h = graph.linear %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %y = graph.linear %h, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  graph.set @count, %n : tensor<i64>
  graph.set @state, %h : tensor<8x8xf32>
  return %y, %h : tensor<8x8xf32>, tensor<8x8xf32>
}

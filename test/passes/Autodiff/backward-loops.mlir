// REQUIRES: graph-interpret
// RUN: graph-opt --autodiff=max-unrolled-ops=0 %s -o %t.loops.mlir
// RUN: graph-opt --autodiff=max-unrolled-ops=100000 %s -o %t.unrolled.mlir
// RUN: FileCheck %s --input-file=%t.loops.mlir
// RUN: FileCheck %s --input-file=%t.unrolled.mlir --check-prefix=UNROLLED --implicit-check-not='graph.for'

// A loop that runs backwards gives what the unrolled one does: what it carries,
// what it captures, what it indexes by its number, loops inside it, and the
// gradient of the gradient.

// RUN: graph-interpret %t.loops.mlir --against=%t.unrolled.mlir --rtol=1e-12 --atol=1e-14 --function=power | FileCheck %s --check-prefix=EQUAL
// RUN: graph-interpret %t.loops.mlir --against=%t.unrolled.mlir --rtol=1e-12 --atol=1e-14 --function=recur | FileCheck %s --check-prefix=EQUAL
// RUN: graph-interpret %t.loops.mlir --against=%t.unrolled.mlir --rtol=1e-12 --atol=1e-14 --function=nested | FileCheck %s --check-prefix=EQUAL
// RUN: graph-interpret %t.loops.mlir --against=%t.unrolled.mlir --rtol=1e-12 --atol=1e-14 --function=second | FileCheck %s --check-prefix=EQUAL
// RUN: graph-interpret %t.loops.mlir --against=%t.unrolled.mlir --rtol=1e-12 --atol=1e-14 --function=partly | FileCheck %s --check-prefix=EQUAL
// RUN: graph-interpret %t.loops.mlir --against=%t.unrolled.mlir --rtol=1e-12 --atol=1e-14 --function=never | FileCheck %s --check-prefix=EQUAL
// RUN: graph-interpret %t.loops.mlir --against=%t.unrolled.mlir --rtol=1e-12 --atol=1e-14 --function=beside | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{[1-9]}}

// UNROLLED-LABEL: func.func @power
// CHECK-LABEL: func.func @power
// What it carries is kept for each iteration, and read again from the last one on.
// CHECK: graph.for %{{.*}} = 5 carry({{.*}}) : tensor<3xf64>, tensor<5x3xf64> {
// CHECK:   graph.dynamic_update_slice
// CHECK: graph.for %{{.*}} = 5 carry({{.*}}) : tensor<3xf64>, tensor<3xf64> {
// CHECK:   graph.sub
// CHECK:   graph.dynamic_slice
func.func private @power_loss(%x: tensor<3xf64>, %w: tensor<3xf64>) -> tensor<f64> {
  %r = graph.for %i = 5 carry(%a = %x) : tensor<3xf64> {
    %b = graph.mul %a, %w : tensor<3xf64>
    %c = graph.sin %b : tensor<3xf64>
    graph.yield %c : tensor<3xf64>
  }
  %l = graph.reduce_sum %r axes = [0] : tensor<3xf64> -> tensor<f64>
  return %l : tensor<f64>
}
func.func @power(%x: tensor<3xf64>, %w: tensor<3xf64>) -> (tensor<f64>, tensor<3xf64>, tensor<3xf64>) {
  %l, %dx, %dw = graph.value_and_grad @power_loss(%x, %w) inputs = [0, 1] : (tensor<3xf64>, tensor<3xf64>) -> (tensor<f64>, tensor<3xf64>, tensor<3xf64>)
  return %l, %dx, %dw : tensor<f64>, tensor<3xf64>, tensor<3xf64>
}

// A recurrent net: rows in, rows out. The buffer of the outputs is not kept: its
// derivative needs no value of it. The gradient of the input is written slice by
// slice.
// CHECK-LABEL: func.func @recur
// CHECK: graph.for %{{.*}} = 4 carry({{.*}}) : tensor<4x2xf64>, tensor<2xf64>, tensor<4x2xf64> {
// CHECK: graph.for %{{.*}} = 4 carry({{.*}}) : tensor<4x2xf64>, tensor<2xf64>, tensor<4x2xf64>, tensor<2x2xf64> {
// CHECK-NOT: graph.add {{.*}} : tensor<4x2xf64>
// CHECK: graph.yield
func.func private @recur_loss(%x: tensor<4x2xf64>, %w: tensor<2x2xf64>) -> tensor<f64> {
  %zero = graph.constant dense<0> : tensor<i64>
  %zeros = graph.constant dense<0.0> : tensor<4x2xf64>
  %h0 = graph.constant dense<0.5> : tensor<2xf64>
  %r:2 = graph.for %i = 4 carry(%all = %zeros, %h = %h0) : tensor<4x2xf64>, tensor<2xf64> {
    %row = graph.dynamic_slice %x, %i, %zero sizes = [1, 2] : tensor<4x2xf64> -> tensor<1x2xf64>
    %now = graph.reshape %row : tensor<1x2xf64> -> tensor<2xf64>
    %p = graph.dot_general %w, %h batching = [] x [] contracting = [1] x [0] : tensor<2x2xf64>, tensor<2xf64> -> tensor<2xf64>
    %s = graph.add %p, %now : tensor<2xf64>
    %t = graph.tanh %s : tensor<2xf64>
    %out = graph.reshape %t : tensor<2xf64> -> tensor<1x2xf64>
    %next = graph.dynamic_update_slice %all, %out, %i, %zero : tensor<4x2xf64>, tensor<1x2xf64> -> tensor<4x2xf64>
    graph.yield %next, %t : tensor<4x2xf64>, tensor<2xf64>
  }
  %q = graph.mul %r#0, %r#0 : tensor<4x2xf64>
  %l = graph.reduce_sum %q axes = [0, 1] : tensor<4x2xf64> -> tensor<f64>
  return %l : tensor<f64>
}
func.func @recur(%x: tensor<4x2xf64>, %w: tensor<2x2xf64>) -> (tensor<f64>, tensor<4x2xf64>, tensor<2x2xf64>) {
  %l, %dx, %dw = graph.value_and_grad @recur_loss(%x, %w) inputs = [0, 1] : (tensor<4x2xf64>, tensor<2x2xf64>) -> (tensor<f64>, tensor<4x2xf64>, tensor<2x2xf64>)
  return %l, %dx, %dw : tensor<f64>, tensor<4x2xf64>, tensor<2x2xf64>
}

func.func private @nested_loss(%x: tensor<3xf64>, %w: tensor<f64>) -> tensor<f64> {
  %r:2 = graph.for %i = 3 carry(%a = %x, %n = %w) : tensor<3xf64>, tensor<f64> {
    %b = graph.for %j = 2 carry(%c = %a) : tensor<3xf64> {
      %t = graph.cast %j : tensor<i64> -> tensor<f64>
      %k = graph.add %t, %n : tensor<f64>
      %d = graph.broadcast %k dims = [] : tensor<f64> -> tensor<3xf64>
      %e = graph.mul %c, %d : tensor<3xf64>
      %f = graph.sin %e : tensor<3xf64>
      graph.yield %f : tensor<3xf64>
    }
    %m = graph.mul %n, %w : tensor<f64>
    graph.yield %b, %m : tensor<3xf64>, tensor<f64>
  }
  %s = graph.reduce_sum %r#0 axes = [0] : tensor<3xf64> -> tensor<f64>
  %l = graph.add %s, %r#1 : tensor<f64>
  return %l : tensor<f64>
}
func.func @nested(%x: tensor<3xf64>, %w: tensor<f64>) -> (tensor<f64>, tensor<3xf64>, tensor<f64>) {
  %l, %dx, %dw = graph.value_and_grad @nested_loss(%x, %w) inputs = [0, 1] : (tensor<3xf64>, tensor<f64>) -> (tensor<f64>, tensor<3xf64>, tensor<f64>)
  return %l, %dx, %dw : tensor<f64>, tensor<3xf64>, tensor<f64>
}

func.func private @slope(%x: tensor<3xf64>, %w: tensor<3xf64>) -> tensor<f64> {
  %l, %dx = graph.value_and_grad @power_loss(%x, %w) inputs = [0] : (tensor<3xf64>, tensor<3xf64>) -> (tensor<f64>, tensor<3xf64>)
  %q = graph.mul %dx, %dx : tensor<3xf64>
  %s = graph.reduce_sum %q axes = [0] : tensor<3xf64> -> tensor<f64>
  return %s : tensor<f64>
}
func.func @second(%x: tensor<3xf64>, %w: tensor<3xf64>) -> (tensor<f64>, tensor<3xf64>, tensor<3xf64>) {
  %l, %dx, %dw = graph.value_and_grad @slope(%x, %w) inputs = [0, 1] : (tensor<3xf64>, tensor<3xf64>) -> (tensor<f64>, tensor<3xf64>, tensor<3xf64>)
  return %l, %dx, %dw : tensor<f64>, tensor<3xf64>, tensor<3xf64>
}

// Integers are carried beside, gradients stop, and one value goes round unread.
func.func private @partly_loss(%x: tensor<2xf64>, %y: tensor<2xf64>) -> tensor<f64> {
  %zero = graph.constant dense<0> : tensor<i64>
  %r:4 = graph.for %i = 4 carry(%a = %x, %n = %zero, %b = %y, %c = %x) : tensor<2xf64>, tensor<i64>, tensor<2xf64>, tensor<2xf64> {
    %m = graph.add %n, %i : tensor<i64>
    %t = graph.cast %m : tensor<i64> -> tensor<f64>
    %k = graph.broadcast %t dims = [] : tensor<f64> -> tensor<2xf64>
    %d = graph.mul %a, %k : tensor<2xf64>
    %s = graph.stop_gradient %b : tensor<2xf64>
    %e = graph.add %d, %s : tensor<2xf64>
    %f = graph.cos %e : tensor<2xf64>
    graph.yield %f, %m, %b, %a : tensor<2xf64>, tensor<i64>, tensor<2xf64>, tensor<2xf64>
  }
  %u = graph.mul %r#0, %r#2 : tensor<2xf64>
  %v = graph.add %u, %r#3 : tensor<2xf64>
  %l = graph.reduce_sum %v axes = [0] : tensor<2xf64> -> tensor<f64>
  return %l : tensor<f64>
}
func.func @partly(%x: tensor<2xf64>, %y: tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>, tensor<2xf64>) {
  %l, %dx, %dy = graph.value_and_grad @partly_loss(%x, %y) inputs = [0, 1] : (tensor<2xf64>, tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>, tensor<2xf64>)
  return %l, %dx, %dy : tensor<f64>, tensor<2xf64>, tensor<2xf64>
}

func.func private @never_loss(%x: tensor<2xf64>) -> tensor<f64> {
  %r = graph.for %i = 0 carry(%a = %x) : tensor<2xf64> {
    %b = graph.exp %a : tensor<2xf64>
    graph.yield %b : tensor<2xf64>
  }
  %l = graph.reduce_sum %r axes = [0] : tensor<2xf64> -> tensor<f64>
  return %l : tensor<f64>
}
func.func @never(%x: tensor<2xf64>) -> tensor<2xf64> {
  %l, %dx = graph.value_and_grad @never_loss(%x) inputs = [0] : (tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>)
  return %dx : tensor<2xf64>
}

// The cotangents alone go backwards of what varies and reaches the loss: not of
// the factor, which grows by itself, nor of the sum, which nothing reads; but of
// what reaches the loss in the next iteration only.
// CHECK-LABEL: func.func @beside(
// CHECK: graph.for
// CHECK: graph.for %{{.*}} = 4 carry(%{{[^,]*}}, %{{[^,]*}}) : tensor<2xf64>, tensor<2xf64> {
func.func private @beside_loss(%x: tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>) {
  %one = graph.constant dense<1.5> : tensor<2xf64>
  %r:4 = graph.for %i = 4 carry(%a = %x, %n = %one, %sum = %one, %last = %one) : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64> {
    %m = graph.sin %n : tensor<2xf64>
    %b = graph.mul %a, %m : tensor<2xf64>
    %c = graph.mul %b, %last : tensor<2xf64>
    %s = graph.add %sum, %a : tensor<2xf64>
    %e = graph.exp %a : tensor<2xf64>
    graph.yield %c, %m, %s, %e : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
  }
  %p = graph.mul %r#0, %r#1 : tensor<2xf64>
  %l = graph.reduce_sum %p axes = [0] : tensor<2xf64> -> tensor<f64>
  return %l, %r#2 : tensor<f64>, tensor<2xf64>
}
func.func @beside(%x: tensor<2xf64>) -> tensor<2xf64> {
  %l, %s, %dx = graph.value_and_grad @beside_loss(%x) inputs = [0] : (tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>, tensor<2xf64>)
  return %dx : tensor<2xf64>
}

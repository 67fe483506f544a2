// RUN: graph-opt --fuse --split-input-file %s | FileCheck %s

// Fan-out, several results of one shape, and readers of one input: one region.

// CHECK-LABEL: func @fan_out
// CHECK:       %[[R:.*]]:3 = graph.fused(%{{.*}} = %arg0)
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.neg
// CHECK-NEXT:    graph.mul
// CHECK-NEXT:    graph.sin
// CHECK-NEXT:    graph.yield
// CHECK:       return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @fan_out(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %e = graph.exp %x : tensor<64x64xf32>
  %n = graph.neg %e : tensor<64x64xf32>
  %m = graph.mul %n, %e : tensor<64x64xf32>
  %s = graph.sin %x : tensor<64x64xf32>
  return %n, %m, %s : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// A cast and a broadcast go to their readers, each its own.

// CHECK-LABEL:   func @cheap_producers
// CHECK:         graph.fused
// CHECK-NEXT:      graph.cast
// CHECK-NEXT:      graph.broadcast
// CHECK-NEXT:      graph.dot_general
// CHECK-NEXT:      graph.add
// CHECK:         graph.fused
// CHECK-NEXT:      graph.dot_general
// CHECK-NEXT:      graph.cast
// CHECK-NEXT:      graph.broadcast
// CHECK-NEXT:      graph.mul
// CHECK-NOT:     graph.fused
func.func @cheap_producers(%x: tensor<64x64xf32>, %b: tensor<64xbf16>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %w = graph.cast %b : tensor<64xbf16> -> tensor<64xf32>
  %r = graph.broadcast %w dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
  %p = graph.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %q = graph.add %p, %r : tensor<64x64xf32>
  %s = graph.dot_general %q, %y batching = [] x [] contracting = [1] x [0] : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %t = graph.mul %s, %r : tensor<64x64xf32>
  return %q, %t : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Something costly is not computed again for every row that it is repeated in.

// CHECK-LABEL: func @costly_broadcast
// CHECK:       graph.fused
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.broadcast
// CHECK-NEXT:    graph.mul
func.func @costly_broadcast(%x: tensor<4096x64xf32>, %b: tensor<64xf32>) -> tensor<4096x64xf32> {
  %e = graph.exp %b : tensor<64xf32>
  %r = graph.broadcast %e dims = [1] : tensor<64xf32> -> tensor<4096x64xf32>
  %y = graph.mul %x, %r : tensor<4096x64xf32>
  return %y : tensor<4096x64xf32>
}

// -----

// But it is where it is known before the innermost loop.

// CHECK-LABEL: func @costly_once_a_row
// CHECK:       graph.fused
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.broadcast
// CHECK-NEXT:    graph.mul
// CHECK-NOT:   graph.fused
func.func @costly_once_a_row(%x: tensor<4096x64xf32>, %b: tensor<4096xf32>) -> tensor<4096x64xf32> {
  %e = graph.exp %b : tensor<4096xf32>
  %r = graph.broadcast %e dims = [0] : tensor<4096xf32> -> tensor<4096x64xf32>
  %y = graph.mul %x, %r : tensor<4096x64xf32>
  return %y : tensor<4096x64xf32>
}

// -----

// What is read at another index, and needed for itself as well, is stored first.

// CHECK-LABEL: func @transposed_and_returned
// CHECK:       graph.fused
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.transpose
func.func @transposed_and_returned(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %e = graph.exp %x : tensor<64x64xf32>
  %t = graph.transpose %e permutation = [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  return %e, %t : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// An op that may fail by an index stays alone, so that the error names it.

// CHECK-LABEL: func @gather
// CHECK:       graph.fused
// CHECK-NEXT:    graph.gather
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.add
func.func @gather(%x: tensor<64x64xf32>, %i: tensor<8xi64>) -> tensor<8x64xf32> {
  %g = graph.gather %x, %i axis = 0 : tensor<64x64xf32>, tensor<8xi64> -> tensor<8x64xf32>
  %y = graph.add %g, %g : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

// A third kernel between two would have to run in their middle.

// CHECK-LABEL: func @around_a_sort
// CHECK:       graph.fused
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.cumsum
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.add
func.func @around_a_sort(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = graph.exp %x : tensor<64xf32>
  %s = graph.cumsum %e axis = 0 : tensor<64xf32>
  %y = graph.add %s, %e : tensor<64xf32>
  return %y : tensor<64xf32>
}

// -----

// Small kernels of other shapes run side by side; large ones do not.

// CHECK-LABEL: func @side_by_side
// CHECK:       graph.fused
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.sin
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.cos
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.tanh
// CHECK-NEXT:    graph.yield
func.func @side_by_side(%a: tensor<64xf32>, %b: tensor<32xf32>, %c: tensor<64x256xf32>, %d: tensor<64x512xf32>) -> (tensor<64xf32>, tensor<32xf32>, tensor<64x256xf32>, tensor<64x512xf32>) {
  %e = graph.exp %a : tensor<64xf32>
  %f = graph.sin %b : tensor<32xf32>
  %g = graph.cos %c : tensor<64x256xf32>
  %h = graph.tanh %d : tensor<64x512xf32>
  return %e, %f, %g, %h : tensor<64xf32>, tensor<32xf32>, tensor<64x256xf32>, tensor<64x512xf32>
}

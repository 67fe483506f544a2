// RUN: graph-opt --remat=rung=6 --split-input-file %s | FileCheck %s

// What may fail is not repeated: a lookup checks its indices once.

// CHECK-LABEL:   func.func @lookup
// CHECK-COUNT-1: graph.embedding
// CHECK-NOT:     graph.embedding
// CHECK:         return
func.func @lookup(%w: tensor<64x256xf32>, %i: tensor<128xi64>) -> (tensor<f32>, tensor<128x256xf32>) attributes {graph.kind = "grad"} {
  %e = graph.embedding %w, %i : tensor<64x256xf32>, tensor<128xi64> -> tensor<128x256xf32>
  %s = graph.sin %e : tensor<128x256xf32>
  %loss = graph.reduce_sum %s axes = [0, 1] : tensor<128x256xf32> -> tensor<f32>
  %g = graph.cos %e : tensor<128x256xf32>
  return %loss, %g : tensor<f32>, tensor<128x256xf32>
}

// -----

// A draw is: its clone has the op's number and reads its key, so it draws the
// same.

// CHECK-LABEL: func.func @draw
// CHECK-SAME:    %[[KEY:.*]]: tensor<3xi64>
// CHECK:         graph.random_uniform %[[KEY]] op_id = 7
// CHECK:         %[[B:.*]] = graph.recompute_barrier %[[KEY]] after
// CHECK-NEXT:    graph.random_uniform %[[B]] op_id = 7
func.func @draw(%key: tensor<3xi64>, %x: tensor<4096xf32>) -> (tensor<f32>, tensor<4096xf32>) attributes {graph.kind = "grad"} {
  %u = graph.random_uniform %key op_id = 7 : tensor<4096xf32>
  %m = graph.mul %u, %x : tensor<4096xf32>
  %loss = graph.reduce_sum %m axes = [0] : tensor<4096xf32> -> tensor<f32>
  %g = graph.neg %u : tensor<4096xf32>
  return %loss, %g : tensor<f32>, tensor<4096xf32>
}

// -----

// A call of the host runs once, and so does a loop.

// CHECK-LABEL:   func.func @once
// CHECK-COUNT-1: graph.custom
// CHECK-NOT:     graph.custom
// CHECK:         return
func.func @once(%x: tensor<4096xf32>) -> (tensor<f32>, tensor<4096xf32>) attributes {graph.kind = "grad"} {
  %u = graph.custom "f"(%x) pure : (tensor<4096xf32>) -> tensor<4096xf32>
  %m = graph.exp %u : tensor<4096xf32>
  %loss = graph.reduce_sum %m axes = [0] : tensor<4096xf32> -> tensor<f32>
  %g = graph.mul %m, %u : tensor<4096xf32>
  return %loss, %g : tensor<f32>, tensor<4096xf32>
}

// -----

// Of a value that is seen from another side, the value is kept.

// CHECK-LABEL: func.func @view
// CHECK:         %[[P:.*]] = graph.custom
// CHECK:         %[[LOSS:.*]] = graph.reduce_sum
// CHECK-NEXT:    %[[B:.*]] = graph.recompute_barrier %[[P]] after %[[LOSS]]
// CHECK-NEXT:    %[[T:.*]] = graph.transpose %[[B]]
// CHECK-NEXT:    graph.exp %[[T]]
// CHECK-NEXT:    graph.cos %[[T]]
func.func @view(%x: tensor<64x32xf32>) -> (tensor<f32>, tensor<32x64xf32>) attributes {graph.kind = "grad"} {
  %p = graph.custom "f"(%x) pure : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %t = graph.transpose %p permutation = [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %m = graph.exp %t : tensor<32x64xf32>
  %n = graph.cos %t : tensor<32x64xf32>
  %o = graph.add %m, %n : tensor<32x64xf32>
  %loss = graph.reduce_sum %o axes = [0, 1] : tensor<32x64xf32> -> tensor<f32>
  %g = graph.mul %m, %n : tensor<32x64xf32>
  return %loss, %g : tensor<f32>, tensor<32x64xf32>
}

// -----

// Two widths: the narrow value is kept and the wide one, which is what the
// gradient reads, is made of it again.

// CHECK-LABEL: func.func @narrow
// CHECK:         %[[N:.*]] = graph.cast {{.*}} -> tensor<4096xbf16>
// CHECK:         graph.recompute_barrier %[[N]] after
func.func @narrow(%x: tensor<4096xf32>) -> (tensor<f32>, tensor<4096xf32>) attributes {graph.kind = "grad"} {
  %p = graph.custom "f"(%x) pure : (tensor<4096xf32>) -> tensor<4096xf32>
  %n = graph.cast %p : tensor<4096xf32> -> tensor<4096xbf16>
  %w = graph.cast %n : tensor<4096xbf16> -> tensor<4096xf32>
  %m = graph.exp %w : tensor<4096xf32>
  %loss = graph.reduce_sum %m axes = [0] : tensor<4096xf32> -> tensor<f32>
  %g = graph.sin %m : tensor<4096xf32>
  return %loss, %g : tensor<f32>, tensor<4096xf32>
}

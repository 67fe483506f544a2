// RUN: graph-opt --fuse %s | FileCheck %s
// RUN: graph-opt --fuse --lower-kernel %s | FileCheck %s --check-prefix=LOWER

// The gradient of a lookup reads indices that are checked where the lookup
// checks them. So the product's update need not wait for it.

// CHECK:      graph.fused
// CHECK-NEXT:   graph.embedding
// CHECK:      %[[SAFE:.*]] = graph.fused(%{{.*}} = %arg0)
// CHECK-NEXT:   graph.check_index %{{.*}} limit = 100 : tensor<8xi64>
// CHECK:        graph.dot_general
// CHECK-NEXT:   graph.mul
// CHECK:        graph.dot_general
// CHECK-NEXT:   graph.sub
// CHECK:      graph.fused({{.*}} = %[[SAFE]]
// CHECK:        graph.scatter_add

// LOWER-COUNT-2: plan.launch {{.*}}may_fail
// LOWER-NOT:     may_fail
// LOWER:         return
graph.variable @e : tensor<100x64xf32> = #graph.zeros trainable
graph.variable @w : tensor<64x64xf32> = #graph.zeros trainable
func.func @step(%i: tensor<8xi64>, %g: tensor<8x64xf32>) {
  %zero = graph.constant dense<0.0> : tensor<100x64xf32>
  %e = graph.get @e : tensor<100x64xf32>
  %w = graph.get @w : tensor<64x64xf32>
  %x = graph.embedding %e, %i : tensor<100x64xf32>, tensor<8xi64> -> tensor<8x64xf32>
  %y = graph.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : tensor<8x64xf32>, tensor<64x64xf32> -> tensor<8x64xf32>
  %h = graph.mul %y, %g : tensor<8x64xf32>
  %d = graph.dot_general %x, %h batching = [] x [] contracting = [0] x [0] : tensor<8x64xf32>, tensor<8x64xf32> -> tensor<64x64xf32>
  %c1 = graph.cumsum %h axis = 0 : tensor<8x64xf32>
  %c2 = graph.cumsum %c1 axis = 0 : tensor<8x64xf32>
  %c3 = graph.cumsum %c2 axis = 0 : tensor<8x64xf32>
  %c4 = graph.cumsum %c3 axis = 0 : tensor<8x64xf32>
  %c5 = graph.cumsum %c4 axis = 0 : tensor<8x64xf32>
  %c6 = graph.cumsum %c5 axis = 0 : tensor<8x64xf32>
  %c7 = graph.cumsum %c6 axis = 0 : tensor<8x64xf32>
  %c8 = graph.cumsum %c7 axis = 0 : tensor<8x64xf32>
  %c9 = graph.cumsum %c8 axis = 0 : tensor<8x64xf32>
  %c10 = graph.cumsum %c9 axis = 0 : tensor<8x64xf32>
  %c11 = graph.cumsum %c10 axis = 0 : tensor<8x64xf32>
  %c12 = graph.cumsum %c11 axis = 0 : tensor<8x64xf32>
  %c13 = graph.cumsum %c12 axis = 0 : tensor<8x64xf32>
  %c14 = graph.cumsum %c13 axis = 0 : tensor<8x64xf32>
  %c15 = graph.cumsum %c14 axis = 0 : tensor<8x64xf32>
  %c16 = graph.cumsum %c15 axis = 0 : tensor<8x64xf32>
  %c17 = graph.cumsum %c16 axis = 0 : tensor<8x64xf32>
  %s = graph.scatter_add %zero, %i, %c17 axis = 0 : tensor<100x64xf32>, tensor<8xi64>, tensor<8x64xf32> -> tensor<100x64xf32>
  %e2 = graph.sub %e, %s : tensor<100x64xf32>
  %w2 = graph.sub %w, %d : tensor<64x64xf32>
  graph.set @e, %e2 : tensor<100x64xf32>
  graph.set @w, %w2 : tensor<64x64xf32>
  return
}

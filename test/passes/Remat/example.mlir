// RUN: graph-opt --remat=rung=1 %s | FileCheck %s
// RUN: graph-opt --remat=rung=0 %s | FileCheck %s --check-prefix=NONE
// RUN: graph-opt --remat=rung=1 --canonicalize --cse --fuse --cse %s | FileCheck %s --check-prefix=FUSED
// RUN: graph-opt --fuse --remat=rung=1 %s | graph-opt

// The gradient of sum(sin(exp(x))) computes exp(x) again: an op of its own for
// CSE, and in one kernel with what reads it.

// CHECK-LABEL: func.func @dloss(
// CHECK-SAME:    %[[X:.*]]: tensor<1024xf32>)
// CHECK:         %[[E:.*]] = graph.exp %[[X]]
// CHECK-NEXT:    graph.sin %[[E]]
// CHECK-NEXT:    %[[LOSS:.*]] = graph.reduce_sum
// CHECK-NEXT:    %[[B:.*]] = graph.recompute_barrier %[[X]] after %[[LOSS]]
// CHECK-NEXT:    %[[AGAIN:.*]] = graph.exp %[[B]]
// CHECK-NEXT:    %[[C:.*]] = graph.cos %[[AGAIN]]
// CHECK-NEXT:    graph.mul %[[C]], %[[AGAIN]]

// NONE-NOT: recompute_barrier

// FUSED-LABEL: func.func @dloss(
// FUSED:         %[[LOSS:.*]] = graph.fused
// FUSED:           graph.exp
// FUSED:         %[[B:.*]] = graph.recompute_barrier %{{.*}} after %[[LOSS]]
// FUSED-NEXT:    graph.fused(%{{.*}} = %[[B]])
// FUSED-NEXT:      graph.exp
// FUSED-NEXT:      graph.cos
// FUSED-NEXT:      graph.mul
func.func @dloss(%x: tensor<1024xf32>) -> (tensor<f32>, tensor<1024xf32>) attributes {graph.kind = "grad"} {
  %e = graph.exp %x : tensor<1024xf32>
  %s = graph.sin %e : tensor<1024xf32>
  %loss = graph.reduce_sum %s axes = [0] : tensor<1024xf32> -> tensor<f32>
  %c = graph.cos %e : tensor<1024xf32>
  %g = graph.mul %c, %e : tensor<1024xf32>
  return %loss, %g : tensor<f32>, tensor<1024xf32>
}

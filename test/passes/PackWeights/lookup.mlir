// RUN: graph-opt --pack-weights=min-elements=1 --fuse %s | FileCheck %s
// RUN: graph-opt --pack-weights=min-elements=1 --fuse --lower-kernel %s | FileCheck %s --check-prefix=LOWER

// A lookup in a table that is stored in panels is a kernel of its own, which
// finds a row as parts of panels. Its indices are checked there, and the
// gradient's scatter reads them checked: so no update waits for it. The update
// is computed with the gradient's product, and reads what is scattered in runs.

// CHECK:      graph.fused
// CHECK-NEXT:   graph.transpose {{.*}} -> tensor<67x3x16xf32>
// CHECK-NEXT:   graph.reshape {{.*}} -> tensor<67x48xf32>
// CHECK-NEXT:   graph.embedding
// CHECK:        graph.check_index
// CHECK:        graph.dot_general {{.*}} -> tensor<3x67x16xf32>
// CHECK-NOT:  graph.fused
// CHECK:        graph.sub {{.*}} : tensor<3x67x16xf32>

// LOWER-COUNT-2: plan.launch {{.*}}may_fail
// LOWER-NOT:     may_fail
// LOWER:         return
graph.variable @w : tensor<67x48xf32> = #graph.zeros trainable
func.func @step(%ids: tensor<5xi64>, %h: tensor<5x67xf32>) -> tensor<5x67xf32> {
  %zeros = graph.constant dense<0.0> : tensor<67x48xf32>
  %w = graph.get @w : tensor<67x48xf32>
  %e = graph.embedding %w, %ids : tensor<67x48xf32>, tensor<5xi64> -> tensor<5x48xf32>
  %y = graph.linear %e, %w : tensor<5x48xf32>, tensor<67x48xf32> -> tensor<5x67xf32>
  %g = graph.dot_general %h, %w batching = [] x [] contracting = [1] x [0] : tensor<5x67xf32>, tensor<67x48xf32> -> tensor<5x48xf32>
  %d1 = graph.dot_general %h, %e batching = [] x [] contracting = [0] x [0] : tensor<5x67xf32>, tensor<5x48xf32> -> tensor<67x48xf32>
  %d2 = graph.scatter_add %zeros, %ids, %g axis = 0 : tensor<67x48xf32>, tensor<5xi64>, tensor<5x48xf32> -> tensor<67x48xf32>
  %d = graph.add %d1, %d2 : tensor<67x48xf32>
  %n = graph.sub %w, %d : tensor<67x48xf32>
  graph.set @w, %n : tensor<67x48xf32>
  return %y : tensor<5x67xf32>
}

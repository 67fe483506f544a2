// RUN: graph-opt --decompose-composites %s | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: graph-opt --decompose-composites=only=graph.relu %s | FileCheck %s --check-prefixes=CHECK,ONLY

// Every composite is replaced, or only those that are named.

// CHECK-LABEL: func @two
// CHECK-NOT: graph.relu
// CHECK: graph.maximum
// ALL-NOT: graph.silu
// ONLY: graph.silu
func.func @two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.relu %x : tensor<4xf32>
  %1 = graph.silu %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// RUN: graph-opt --import %s | FileCheck %s

// Elements kept as resources come into the IR, where every pass sees them.

// CHECK: graph.variable @r : tensor<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK: graph.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK-NOT: dialect_resources
graph.variable @r : tensor<2xf32> = dense_resource<numbers> : tensor<2xf32>
func.func @f() -> tensor<2xf32> {
  %c = graph.constant dense_resource<numbers> : tensor<2xf32>
  return %c : tensor<2xf32>
}
{-# dialect_resources: { builtin: { numbers: "0x040000000000803F00000040" } } #-}

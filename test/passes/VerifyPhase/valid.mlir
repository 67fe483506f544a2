// RUN: graph-opt --verify-phase=phase=fuse %s | FileCheck %s

// What a fused module looks like passes all three gates: constants and state
// stay outside the regions, and a gradient may draw again what its forward drew.

graph.variable @w : tensor<4xf32> = #graph.zeros
// CHECK-LABEL: func.func @f
func.func @f(%x: tensor<4xf32>, %k: tensor<3xi64>) -> tensor<4xf32> {
  %c = graph.constant dense<1.0> : tensor<4xf32>
  %w = graph.get @w : tensor<4xf32>
  %m = graph.fused(%a = %k) : (tensor<3xi64>) -> tensor<4xf32> {
    %u = graph.random_uniform %a op_id = 0 : tensor<4xf32>
    graph.yield %u : tensor<4xf32>
  }
  %n = graph.fused(%a = %k) : (tensor<3xi64>) -> tensor<4xf32> {
    %u = graph.random_uniform %a op_id = 0 : tensor<4xf32>
    graph.yield %u : tensor<4xf32>
  }
  %y = graph.fused(%a = %x, %b = %w, %d = %c) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.add %a, %b : tensor<4xf32>
    %t = graph.add %s, %d : tensor<4xf32>
    graph.yield %t : tensor<4xf32>
  }
  graph.set @w, %y : tensor<4xf32>
  return %n : tensor<4xf32>
}

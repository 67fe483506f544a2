// RUN: graph-opt --plan %s | FileCheck %s

// A training step: the loss goes to the output, the new weight over the old one,
// once nothing can fail any longer.

graph.variable @w : tensor<4xf32> = #graph.zeros trainable
graph.variable @lr : tensor<f32> = #graph.constant<0.5> {optimizer_state}

func.func private @grad(memref<4xf32>, memref<4xf32>, memref<64xi8>, memref<4xf32>, memref<f32>) attributes {plan.kernel}
func.func private @scale(memref<4xf32>, memref<f32>, memref<4xf32>) attributes {plan.kernel}
func.func private @sub(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

func.func @step(%x: tensor<4xf32> {graph.name = "x"}) -> tensor<f32> attributes {graph.kind = "train"} {
  %w = graph.get @w : tensor<4xf32>
  %lr = graph.get @lr : tensor<f32>
  %g, %loss = plan.launch @grad(%x, %w) {may_fail, op_name = "graph.mse"} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
  %d = plan.launch @scale(%g, %lr) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %new = plan.launch @sub(%w, %d) {inplace = [[0, 0], [0, 1]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return %loss : tensor<f32>
}

// CHECK:      graph.variable @w : tensor<4xf32> = #graph.zeros trainable {plan.offset = 0 : i64}
// CHECK-NEXT: graph.variable @lr : tensor<f32> = #graph.constant<0.5> {optimizer_state, plan.offset = 64 : i64}
// CHECK:      plan.program @step train family "step" ("x" : tensor<4xf32>) -> ("" : tensor<f32>) arena 128 {
// CHECK-NEXT:   plan.entry launch @grad(f32 input 0[0:16], f32 state[0:16]) -> (i8 arena[0:64], f32 arena[64:80], f32 output 0[0:4]) {has_workspace, may_fail, op_name = "graph.mse"}
// CHECK-NEXT:   plan.entry launch @scale(f32 arena[64:80], f32 state[64:68]) -> (f32 arena[64:80]){{ .*$}}
// CHECK-NEXT:   plan.entry commit
// CHECK-NEXT:   plan.entry launch @sub(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]){{ .*$}}
// CHECK-NEXT:{{^ *[}]}}
// CHECK-NOT:  func.func @step

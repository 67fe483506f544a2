// RUN: graph-opt --verify-plan %s

// What the invalid modules of invalid.mlir are made from.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
graph.variable @packed : tensor<5x2xf32> = #graph.zeros layout(<dim = 0, width = 4>) {plan.offset = 128, plan.pack = @pack, plan.unpack = @unpack}
func.func private @pack(memref<10xf32>, memref<16xf32>) attributes {plan.kernel}
func.func private @unpack(memref<16xf32>, memref<10xf32>) attributes {plan.kernel}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  plan.entry launch @add(f32 arena[0:16], f32 arena[64:80]) -> (f32 output 0[0:16])
}
func.func private @f.values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %c = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = plan.launch @relu(%x) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @add(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n = plan.launch @add(%w, %b) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = plan.launch @add(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %n : tensor<4xf32>
  return %d : tensor<4xf32>
}

// RUN: not graph-opt --verify-plan --mlir-print-op-on-diagnostic=false %s 2>&1 | FileCheck %s

// The second launch should have written what the third one reads.

// CHECK: example.mlir:[[#@LINE+6]]:3: error: 'plan.entry' op expects a whole value to read, but got #plan.ref<f32 arena[64:80]>
func.func private @neg(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @neg(f32 input 0[0:16]) -> (f32 arena[0:16])
  plan.entry launch @neg(f32 input 0[0:16]) -> (f32 arena[0:16])
  plan.entry launch @add(f32 arena[0:16], f32 arena[64:80]) -> (f32 output 0[0:16])
}
func.func private @f.values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = plan.launch @add(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

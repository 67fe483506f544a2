// RUN: graph-opt %s | graph-opt | FileCheck --strict-whitespace %s

// A program reads, prints and reads back.

// CHECK: graph.variable @w : tensor<4xf32> = #graph.zeros trainable {plan.offset = 64 : i64}
graph.variable @w : tensor<4xf32> = #graph.zeros trainable {plan.offset = 64}
// CHECK: plan.constant 64 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>

func.func private @update(memref<4xf32>, memref<4xf32>, memref<32xi8>, memref<4xf32>, i64) attributes {plan.kernel}
func.func private @next(memref<i64>, memref<i64>) attributes {plan.kernel}

// CHECK: plan.program @step train family "all" ("x" : tensor<4xf32>, "" : tensor<8xi64>) -> ("loss" : tensor<4xf32>) arena 128 {
plan.program @step train family "all" ("x" : tensor<4xf32>, "" : tensor<8xi64>) -> ("loss" : tensor<4xf32>) arena 128 {
  // CHECK-NEXT: plan.entry memset -> (f32 arena[0:16]) args = [255]
  plan.entry memset -> (f32 arena[0:16]) args = [255]
  // CHECK-NEXT: plan.entry loop_begin -> (i64 arena[64:72]) count = 8 carry(f32 arena[0:16])
  plan.entry loop_begin -> (i64 arena[64:72]) count = 8 carry(f32 arena[0:16])
  // CHECK-NEXT: plan.entry launch @next(i64 input 1[0:8] stride 8) -> (i64 arena[72:80]) {may_fail, op_name = "graph.add", parallel}
  plan.entry launch @next(i64 input 1[0:8] stride 8) -> (i64 arena[72:80]) {may_fail, op_name = "graph.add", parallel}
  // CHECK-NEXT: plan.entry loop_end
  plan.entry loop_end
  // CHECK-NEXT: plan.entry commit
  plan.entry commit
  // CHECK-NEXT: plan.entry launch @update(f32 state[64:80], f32 input 0[0:16]) -> (i8 arena[64:96], f32 state[64:80]) args = [7] {has_workspace, inplace = {{\[}}[0, 0]]}
  plan.entry launch @update(f32 state[64:80], f32 input 0[0:16]) -> (i8 arena[64:96], f32 state[64:80]) args = [7] {has_workspace, inplace = [[0, 0]]}
  // CHECK-NEXT: plan.entry copy(f32 state[64:80]) -> (f32 output 0[0:16])
  plan.entry copy(f32 state[64:80]) -> (f32 output 0[0:16])
}

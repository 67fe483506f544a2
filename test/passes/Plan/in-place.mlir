// RUN: graph-opt --plan %s | FileCheck %s

func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @split(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @fill(memref<4xf32>) attributes {plan.kernel}

// A chain takes one buffer; without pairs it takes two.

// CHECK-LABEL: plan.program @chain
// CHECK-SAME:    arena 0 {
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @relu(%x) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @relu(%a) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
  %c = plan.launch @relu(%b) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// CHECK-LABEL: plan.program @chain_apart
// CHECK-SAME:    arena 128 {
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[[[A:.*]]])
// CHECK-NEXT:    plan.entry launch @relu(f32 arena[[[A]]]) -> (f32 arena[[[B:.*]]])
// CHECK-NEXT:    plan.entry launch @relu(f32 arena[[[B]]]) -> (f32 arena[[[A]]])
// CHECK-NEXT:    plan.entry launch @relu(f32 arena[[[A]]]) -> (f32 output 0[0:16])
func.func @chain_apart(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @relu(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = plan.launch @relu(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %d = plan.launch @relu(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// Not over an input of the function, nor over what is read again.

// CHECK-LABEL: plan.program @needed
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16])
// CHECK-NEXT:    plan.entry launch @relu(f32 arena[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry launch @add(f32 arena[0:16], f32 input 0[0:16]) -> (f32 output 1[0:16])
func.func @needed(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = plan.launch @relu(%x) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @relu(%a) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
  %c = plan.launch @add(%a, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b, %c : tensor<4xf32>, tensor<4xf32>
}

// The same tensor in two operands, in place of one of them only.

// CHECK-LABEL: plan.program @twice
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[[[A:.*]]])
// CHECK-NEXT:    plan.entry launch @add(f32 arena[[[A]]], f32 arena[[[A]]]) -> (f32 arena[[[B:.*]]])
// CHECK-NEXT:    plan.entry launch @relu(f32 arena[[[B]]]) -> (f32 output 0[0:16])
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @add(%a, %a) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = plan.launch @relu(%b) : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// Two outputs, both in place of one input: one of them is.

// CHECK-LABEL: plan.program @one_of_two
// CHECK-NEXT:    plan.entry launch @fill -> (f32 arena[[[A:.*]]])
// CHECK-NEXT:    plan.entry launch @split(f32 arena[[[A]]]) -> (f32 arena[[[A]]], f32 arena[[[B:.*]]])
// CHECK-NEXT:    plan.entry launch @add(f32 arena[[[A]]], f32 arena[[[B]]]) -> (f32 output 0[0:16])
func.func @one_of_two() -> tensor<4xf32> {
  %a = plan.launch @fill() : () -> tensor<4xf32>
  %b, %c = plan.launch @split(%a) {inplace = [[0, 0], [1, 0]]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %d = plan.launch @add(%b, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// A workspace lives during its launch only, apart from all buffers of it.
func.func private @work(memref<4xf32>, memref<64xi8>, memref<4xf32>) attributes {plan.kernel}

// CHECK-LABEL: plan.program @workspace
// CHECK-SAME:    arena 192 {
func.func @workspace(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @work(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @work(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = plan.launch @work(%b) : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

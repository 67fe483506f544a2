// RUN: graph-opt --plan --split-input-file %s | FileCheck %s

graph.variable @w : tensor<4xf32> = #graph.zeros trainable
graph.variable @v : tensor<4xf32> = #graph.zeros trainable
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// The old value is read before it is written over, wherever the readers stand in
// the function.

// CHECK-LABEL: plan.program @late_reader
// CHECK-NEXT:    plan.entry launch @relu(f32 state[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 input 0[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @late_reader(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %x) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = plan.launch @relu(%w) : (tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return %r : tensor<4xf32>
}

// The function returns the old value and the new one.

// CHECK-LABEL: plan.program @old_and_new
// CHECK-NEXT:    plan.entry copy(f32 state[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 input 0[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:    plan.entry copy(f32 state[0:16]) -> (f32 output 1[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @old_and_new(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %x) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return %w, %new : tensor<4xf32>, tensor<4xf32>
}

// Without an in-place pair the kernel reads what it would write over.

// CHECK-LABEL: plan.program @not_in_place
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 input 0[0:16]) -> (f32 arena[0:16])
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry copy(f32 arena[0:16]) -> (f32 state[0:16]) {op_name = "graph.set"}
// CHECK-NEXT:{{^ *[}]}}
func.func @not_in_place(%x: tensor<4xf32>) {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %x) {inplace = [[0, 1]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return
}

// In both operands, in place of one only.

// CHECK-LABEL: plan.program @both_operands
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 state[0:16]) -> (f32 arena[0:16])
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry copy
func.func @both_operands() {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %w) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return
}

// In both operands, in place of each.

// CHECK-LABEL: plan.program @both_in_place
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 state[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @both_in_place() {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %w) {inplace = [[0, 0], [0, 1]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return
}

// Each update reads the other's old value: one of them must wait aside.

// CHECK-LABEL: plan.program @crossed
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 state[64:80]) -> (f32 arena[0:16])
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry launch @add(f32 state[64:80], f32 state[0:16]) -> (f32 state[64:80])
// CHECK-NEXT:    plan.entry copy(f32 arena[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @crossed() {
  %w = graph.get @w : tensor<4xf32>
  %v = graph.get @v : tensor<4xf32>
  %a = plan.launch @add(%w, %v) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @add(%v, %w) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %a : tensor<4xf32>
  graph.set @v, %b : tensor<4xf32>
  return
}

// Two variables exchange their values.

// CHECK-LABEL: plan.program @exchanged
// CHECK-DAG:     plan.entry copy(f32 state[64:80]) -> (f32 arena[[[A:.*]]])
// CHECK-DAG:     plan.entry copy(f32 state[0:16]) -> (f32 arena[[[B:.*]]])
// CHECK:         plan.entry commit
// CHECK-DAG:     plan.entry copy(f32 arena[[[A]]]) -> (f32 state[0:16])
// CHECK-DAG:     plan.entry copy(f32 arena[[[B]]]) -> (f32 state[64:80])
// CHECK-NEXT:{{^ *[}]}}
func.func @exchanged() {
  %w = graph.get @w : tensor<4xf32>
  %v = graph.get @v : tensor<4xf32>
  graph.set @w, %v : tensor<4xf32>
  graph.set @v, %w : tensor<4xf32>
  return
}

// A variable takes the old value of one that moves on.

// CHECK-LABEL: plan.program @shifted
// CHECK-NEXT:    plan.entry copy(f32 state[0:16]) -> (f32 arena[0:16])
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 input 0[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:    plan.entry copy(f32 arena[0:16]) -> (f32 state[64:80])
// CHECK-NEXT:{{^ *[}]}}
func.func @shifted(%x: tensor<4xf32>) {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %x) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @v, %w : tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return
}

// A new value from outside, one for two variables, and a variable set to itself.

// CHECK-LABEL: plan.program @from_outside
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry copy(f32 input 0[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @from_outside(%x: tensor<4xf32>) {
  %v = graph.get @v : tensor<4xf32>
  graph.set @w, %x : tensor<4xf32>
  graph.set @v, %v : tensor<4xf32>
  return
}

// CHECK-LABEL: plan.program @two_of_one
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:    plan.entry copy(f32 state[0:16]) -> (f32 state[64:80])
// CHECK-NEXT:{{^ *[}]}}
func.func @two_of_one(%x: tensor<4xf32>) {
  %new = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  graph.set @v, %new : tensor<4xf32>
  return
}

// What may fail comes before the commit, though it stands after the update.

// CHECK-LABEL: plan.program @fails_late
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 output 0[0:16]) {may_fail}
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 input 0[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @fails_late(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %x) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = plan.launch @relu(%x) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return %r : tensor<4xf32>
}

// What may fail reads the new value, so that is made aside.

// CHECK-LABEL: plan.program @fails_after
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 input 0[0:16]) -> (f32 arena[0:16])
// CHECK-NEXT:    plan.entry launch @relu(f32 arena[0:16]) -> (f32 output 0[0:16]) {may_fail}
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry copy(f32 arena[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @fails_after(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %x) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = plan.launch @relu(%new) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return %r : tensor<4xf32>
}

// The update itself may fail.

// CHECK-LABEL: plan.program @fails_itself
// CHECK-NEXT:    plan.entry launch @add({{.*}}) -> (f32 arena[0:16]) {inplace = {{.*}}, may_fail}
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry copy(f32 arena[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @fails_itself(%x: tensor<4xf32>) {
  %w = graph.get @w : tensor<4xf32>
  %new = plan.launch @add(%w, %x) {inplace = [[0, 0]], may_fail} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %new : tensor<4xf32>
  return
}

// A new value that later launches read, in place of the old as well as of theirs.

// CHECK-LABEL: plan.program @momentum
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry launch @add(f32 state[64:80], f32 input 0[0:16]) -> (f32 state[64:80])
// CHECK-NEXT:    plan.entry launch @add(f32 state[0:16], f32 state[64:80]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @momentum(%g: tensor<4xf32>) {
  %w = graph.get @w : tensor<4xf32>
  %v = graph.get @v : tensor<4xf32>
  %newV = plan.launch @add(%v, %g) {inplace = [[0, 0], [0, 1]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %newW = plan.launch @add(%w, %newV) {inplace = [[0, 0], [0, 1]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %newW : tensor<4xf32>
  graph.set @v, %newV : tensor<4xf32>
  return
}

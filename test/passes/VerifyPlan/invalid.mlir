// RUN: graph-opt --verify-plan --split-input-file --verify-diagnostics %s

// One module for each rule; each is right but for that rule.

// Two variables at one place.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0} // expected-note {{these hold #plan.ref<f32 state[0:16]>}}
// expected-error @+1 {{expects bytes of its own, but got #plan.ref<f32 state[0:16]>}}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 0}
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

// -----

// A variable without a place.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
// expected-error @+1 {{expects a plan.offset in a planned module}}
graph.variable @v : tensor<4xf32> = #graph.zeros
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

// -----

// Two constants at one place.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
// expected-error @+1 {{expects bytes of its own, but got #plan.ref<f32 constant[0:16]>}}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
// expected-note @+1 {{these hold #plan.ref<f32 constant[0:8]>}}
plan.constant 0 = dense<[1.0, 2.0]> : tensor<2xf32>
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

// -----

// Beyond the state.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  // expected-error @+1 {{expects buffers inside the 80 bytes of their space, but got #plan.ref<f32 state[128:144]>}}
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[128:144]) {inplace = [[0, 0]]}
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

// -----

// Beyond the constants.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  // expected-error @+1 {{expects buffers inside the 72 bytes of their space, but got #plan.ref<f32 constant[64:80]>}}
  plan.entry launch @add(f32 arena[0:16], f32 constant[64:80]) -> (f32 arena[64:80])
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

// -----

// Not aligned.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 192 of @f.values {
  // expected-error @+1 {{expects buffers at multiples of 64 bytes, but got #plan.ref<f32 arena[32:48]>}}
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[32:48]) {may_fail}
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

// -----

// An arena larger than needed.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// expected-error @+1 {{expects an arena of 128 bytes, which its buffers reach, but got 192}}
plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 192 of @f.values {
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

// -----

// State is written before the commit.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  // expected-error @+1 {{expects a commit before state is written, but got #plan.ref<f32 state[0:16]>}}
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  plan.entry commit
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

// -----

// No commit at all.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  // expected-error @+1 {{expects a commit before state is written}}
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

// -----

// Two commits.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  // expected-error @+1 {{expects one commit in a program}}
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

// -----

// A commit in a loop.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry loop_begin count = 1
  // expected-error @+1 {{expects a commit outside loops}}
  plan.entry commit
  plan.entry loop_end
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

// -----

// A launch after the commit that may fail.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  // expected-error @+1 {{expects nothing that may fail after the commit}}
  plan.entry launch @add(f32 arena[0:16], f32 arena[64:80]) -> (f32 output 0[0:16]) {may_fail}
}
func.func private @f.values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %c = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = plan.launch @relu(%x) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @add(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n = plan.launch @add(%w, %b) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = plan.launch @add(%a, %b) {may_fail} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %n : tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// A kernel that may fail, unknown to its launch.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(%x: memref<4xf32>, %y: memref<4xf32>) attributes {plan.kernel} {
  %n = arith.constant 1 : i64
  plan.fail_index %n, %n, %n : i64
  return
}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  // expected-error @+1 {{expects may_fail, since @relu has a plan.fail_index}}
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16])
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  plan.entry launch @add(f32 arena[0:16], f32 arena[64:80]) -> (f32 output 0[0:16])
}
func.func private @f.values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %c = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @add(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n = plan.launch @add(%w, %b) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = plan.launch @add(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %n : tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// A buffer used again while its value is needed: all of it.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 64 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[0:16]) {inplace = [[0, 0]]}
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[0:16]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  // expected-error @+1 {{expects a launch of @f.values, but none reads these values}}
  plan.entry launch @add(f32 arena[0:16], f32 arena[0:16]) -> (f32 output 0[0:16])
}
func.func private @f.values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %c = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = plan.launch @relu(%x) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @add(%a, %c) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n = plan.launch @add(%w, %b) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-note @+1 {{operand 0 differs from this launch's}}
  %d = plan.launch @add(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %n : tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// A buffer used again while its value is needed: part of it.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry memset -> (i8 arena[0:8]) args = [0]
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  // expected-error @+1 {{expects a whole value to read, but got #plan.ref<f32 arena[0:16]>, which is overwritten in part}}
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

// -----

// Memory that was never written.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 192 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  // expected-error @+1 {{expects a whole value to read, but got #plan.ref<f32 arena[128:144]>}}
  plan.entry launch @add(f32 arena[128:144], f32 constant[0:16]) -> (f32 arena[64:80])
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

// -----

// An output over an input that it is not in place of.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 64 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  // expected-error @+1 {{expects no output over an input that it is not in place of}}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[0:16])
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[0:16]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  plan.entry launch @add(f32 arena[0:16], f32 arena[0:16]) -> (f32 output 0[0:16])
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

// -----

// The old value read after the update.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry copy(f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  // expected-error @+1 {{expects a launch of @f.values, but none reads these values}}
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 output 0[0:16])
}
func.func private @f.values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %c = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = plan.launch @relu(%x) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  %n = plan.launch @add(%w, %c) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-note @+1 {{operand 0 differs from this launch's}}
  %d = plan.launch @add(%w, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %n : tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// Elements of another type.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  // expected-error @+1 {{expects elements of 'f32', but got #plan.ref<i32 arena[64:80]>}}
  plan.entry launch @add(f32 arena[0:16], i32 arena[64:80]) -> (f32 output 0[0:16])
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

// -----

// An output that never comes.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// expected-error @+1 {{expects output 0 to end with the value that @f.values returns}}
plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
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

// -----

// A variable that never changes.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// expected-error @+1 {{expects variable @w to end with the value that @f.values gives it}}
plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
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

// -----

// A variable that changes for no reason.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// expected-error @+1 {{expects variable @v to end with the value that @f.values gives it}}
plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @add(f32 arena[0:16], f32 constant[0:16]) -> (f32 arena[64:80])
  plan.entry commit
  plan.entry launch @add(f32 state[0:16], f32 arena[64:80]) -> (f32 state[0:16]) {inplace = [[0, 0]]}
  plan.entry launch @add(f32 arena[0:16], f32 arena[64:80]) -> (f32 output 0[0:16])
  plan.entry copy(f32 state[0:16]) -> (f32 state[64:80])
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

// -----

// A failure that is not noticed.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
graph.variable @v : tensor<4xf32> = #graph.zeros {plan.offset = 64}
plan.constant 0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// expected-error @+1 {{expects each launch of @f.values that may fail}}
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
  %e = plan.launch @relu(%w) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  %a = plan.launch @relu(%x) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @add(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n = plan.launch @add(%w, %b) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = plan.launch @add(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %n : tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// The body reads from outside what it writes over in each iteration.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 64 of @f.values {
  plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[0:16])
  plan.entry copy(f32 input 0[0:16]) -> (f32 output 0[0:16])
  plan.entry loop_begin count = 3 carry(f32 output 0[0:16])
  // expected-error @+1 {{expects a whole value to read, but got #plan.ref<f32 arena[0:16]>, which is overwritten in part, out of date or never written}}
  plan.entry launch @add(f32 output 0[0:16], f32 arena[0:16]) -> (f32 output 0[0:16]) {inplace = [[0, 0]]}
  plan.entry launch @relu(f32 output 0[0:16]) -> (f32 arena[0:16])
  plan.entry loop_end
}
func.func private @f.values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = graph.for %i = 3 carry(%s = %x) : tensor<4xf32> {
    %t = plan.launch @add(%s, %a) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %u = plan.launch @relu(%t) : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// What one iteration leaves, another reads, though nothing says that it is carried.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 0 {
  plan.entry copy(f32 input 0[0:16]) -> (f32 output 0[0:16])
  plan.entry loop_begin count = 3
  // expected-error @+1 {{expects a whole value to read, but got #plan.ref<f32 output 0[0:16]>}}
  plan.entry launch @relu(f32 output 0[0:16]) -> (f32 output 0[0:16]) {inplace = [[0, 0]]}
  plan.entry loop_end
}

// -----

// Another number of iterations.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// expected-error @+1 {{expects output 0 to end with the value that @f.values returns}}
plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 0 of @f.values {
  plan.entry copy(f32 input 0[0:16]) -> (f32 output 0[0:16])
  plan.entry loop_begin count = 4 carry(f32 output 0[0:16])
  plan.entry launch @relu(f32 output 0[0:16]) -> (f32 output 0[0:16]) {inplace = [[0, 0]]}
  plan.entry loop_end
}
func.func private @f.values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = graph.for %i = 3 carry(%s = %x) : tensor<4xf32> {
    %t = plan.launch @relu(%s) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Carried values that overlap.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 0 {
  plan.entry copy(f32 input 0[0:16]) -> (f32 output 0[0:16])
  // expected-error @+1 {{expects carried values apart, but got}}
  plan.entry loop_begin count = 3 carry(f32 output 0[0:16], f32 output 0[0:16])
  plan.entry loop_end
}

// -----

// Two outputs of a launch in one buffer.

func.func private @split(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
plan.program @f plain family "f" ("" : tensor<4xf32>) -> () arena 64 {
  // expected-error @+1 {{expects each buffer to be written once, but got}}
  plan.entry launch @split(f32 input 0[0:16]) -> (f32 arena[0:16], f32 arena[0:16])
}

// -----

// A stride that moves a buffer: not proven yet, so refused.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

plan.program @f plain family "f" ("" : tensor<12xf32>) -> ("" : tensor<4xf32>) arena 0 {
  plan.entry loop_begin count = 3
  // expected-error @+1 {{cannot be proven with the stride of #plan.ref<f32 input 0[0:16] stride 16>}}
  plan.entry copy(f32 input 0[0:16] stride 16) -> (f32 output 0[0:16])
  plan.entry loop_end
}

// -----

// A function that no program is of.

// expected-error @+2 {{must not survive phase 'plan'}}
// expected-note @+1 {{allowed here: graph.variable, plan.constant, plan.program and kernels}}
func.func @f() {
  return
}

// -----

// An op of an earlier phase.

graph.variable @w : tensor<4xf32> = #graph.zeros {plan.offset = 0}
func.func private @loss(memref<f32>) attributes {plan.kernel}
// expected-error @+2 {{'plan.launch' must not survive phase 'plan'}}
// expected-note @+1 {{allowed here: graph.variable, plan.constant, plan.program and kernels}}
plan.launch @loss() : () -> tensor<f32>

// -----

// A layout without the kernels that make it and take it back.

// expected-error @+1 {{expects 'plan.pack' if it has a layout, and only then}}
graph.variable @w : tensor<4x2xf32> = #graph.zeros layout(<dim = 0, width = 4>) {plan.offset = 0}

// -----

// Such a kernel without a layout.

func.func private @pack(memref<8xf32>, memref<8xf32>) attributes {plan.kernel}
// expected-error @+1 {{expects 'plan.unpack' if it has a layout, and only then}}
graph.variable @w : tensor<4x2xf32> = #graph.zeros {plan.offset = 0, plan.unpack = @pack}

// -----

// A kernel of fewer elements than are stored.

func.func private @pack(memref<10xf32>, memref<10xf32>) attributes {plan.kernel}
// expected-error @+1 {{expects @pack to take 'tensor<2x2x4xf32>', but got 'memref<10xf32>'}}
graph.variable @w : tensor<5x2xf32> = #graph.zeros layout(<dim = 0, width = 4>) {plan.offset = 0, plan.pack = @pack, plan.unpack = @pack}

// -----

// What is no kernel of two buffers.

func.func private @pack(memref<8xf32>) attributes {plan.kernel}
// expected-error @+1 {{expects 'plan.pack' to name a kernel of two buffers, but got @pack}}
graph.variable @w : tensor<4x2xf32> = #graph.zeros layout(<dim = 0, width = 4>) {plan.offset = 0, plan.pack = @pack, plan.unpack = @pack}

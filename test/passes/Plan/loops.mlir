// RUN: graph-opt --plan %s | FileCheck %s

graph.variable @w : tensor<4xf32> = #graph.zeros trainable
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @pick(memref<i64>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// A sum in place: memory is set once, nothing is copied, temporaries are used
// again in each iteration. The result is made in the output.

// CHECK-LABEL: plan.program @accumulate
// CHECK-SAME:    arena 128 {
// CHECK-NEXT:    plan.entry memset -> (f32 output 0[0:16]) args = [0] {op_name = "graph.for"}
// CHECK-NEXT:    plan.entry loop_begin -> (i64 arena[[[I:.*]]]) count = 8 carry(f32 output 0[0:16])
// CHECK-NEXT:    plan.entry launch @pick(i64 arena[[[I]]], f32 input 0[0:16]) -> (f32 arena[[[T:.*]]])
// CHECK-NEXT:    plan.entry launch @add(f32 output 0[0:16], f32 arena[[[T]]]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry loop_end
// CHECK-NEXT:{{^ *[}]}}
func.func @accumulate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  %sum = graph.for %i = 8 carry(%s = %zero) : tensor<4xf32> {
    %t = plan.launch @pick(%i, %x) : (tensor<i64>, tensor<4xf32>) -> tensor<4xf32>
    %n = plan.launch @add(%s, %t) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %n : tensor<4xf32>
  }
  return %sum : tensor<4xf32>
}

// A value from outside must live through all iterations, though the body reads
// it first.

// CHECK-LABEL: plan.program @captured
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[[[A:.*]]])
// CHECK-NEXT:    plan.entry copy(f32 input 0[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry loop_begin count = 3 carry(f32 output 0[0:16])
// CHECK-NEXT:    plan.entry launch @add(f32 output 0[0:16], f32 arena[[[A]]]) -> (f32 arena[[[B:.*]]])
// CHECK-NEXT:    plan.entry launch @relu(f32 arena[[[B]]]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry loop_end
// CHECK-NEXT:{{^ *[}]}}
func.func @captured(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = graph.for %i = 3 carry(%s = %x) : tensor<4xf32> {
    %t = plan.launch @add(%s, %a) {inplace = [[0, 1]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %n = plan.launch @relu(%t) : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %n : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// The carried values change places: both are taken before one is written over.

// CHECK-LABEL: plan.program @exchange
// CHECK-NEXT:    plan.entry copy(f32 input 0[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry copy(f32 input 1[0:16]) -> (f32 output 1[0:16])
// CHECK-NEXT:    plan.entry loop_begin count = 3 carry(f32 output 0[0:16], f32 output 1[0:16])
// CHECK-NEXT:    plan.entry copy(f32 output 0[0:16]) -> (f32 arena[0:16])
// CHECK-NEXT:    plan.entry copy(f32 output 1[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry copy(f32 arena[0:16]) -> (f32 output 1[0:16])
// CHECK-NEXT:    plan.entry loop_end
// CHECK-NEXT:{{^ *[}]}}
func.func @exchange(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = graph.for %i = 3 carry(%a = %x, %b = %y) : tensor<4xf32>, tensor<4xf32> {
    graph.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// One value starts two carried values and is read in the body.

// CHECK-LABEL: plan.program @shared_init
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 arena[[[A:.*]]])
// CHECK-NEXT:    plan.entry copy(f32 arena[[[A]]]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry copy(f32 arena[[[A]]]) -> (f32 output 1[0:16])
// CHECK-NEXT:    plan.entry loop_begin count = 3 carry(f32 output 0[0:16], f32 output 1[0:16])
// CHECK-NEXT:    plan.entry launch @add(f32 output 0[0:16], f32 arena[[[A]]]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry loop_end
func.func @shared_init(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r:2 = graph.for %i = 3 carry(%a = %s, %b = %s) : tensor<4xf32>, tensor<4xf32> {
    %n = plan.launch @add(%a, %s) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %n, %b : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// Loops in loops carry one buffer through.

// CHECK-LABEL: plan.program @nested
// CHECK-SAME:    arena 0 {
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry loop_begin count = 2 carry(f32 output 0[0:16])
// CHECK-NEXT:    plan.entry loop_begin count = 0 carry(f32 output 0[0:16])
// CHECK-NEXT:    plan.entry launch @relu(f32 output 0[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:    plan.entry loop_end
// CHECK-NEXT:    plan.entry loop_end
// CHECK-NEXT:{{^ *[}]}}
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = graph.for %i = 2 carry(%a = %s) : tensor<4xf32> {
    %q = graph.for %j = 0 carry(%b = %a) : tensor<4xf32> {
      %n = plan.launch @relu(%b) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
      graph.yield %n : tensor<4xf32>
    }
    graph.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// The new value is needed while the old one still is, so it is copied at the end.

// CHECK-LABEL: plan.program @late_use
// CHECK:         plan.entry loop_begin count = 3 carry(f32 output 0[0:16])
// CHECK-NEXT:    plan.entry launch @relu(f32 output 0[0:16]) -> (f32 arena[[[N:.*]]])
// CHECK-NEXT:    plan.entry launch @add(f32 output 0[0:16], f32 arena[[[N]]]) -> (f32 arena[[[T:.*]]]) {may_fail}
// CHECK-NEXT:    plan.entry copy(f32 arena[[[N]]]) -> (f32 output 0[0:16]) {op_name = "graph.yield"}
// CHECK-NEXT:    plan.entry loop_end
func.func @late_use(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = graph.for %i = 3 carry(%a = %x) : tensor<4xf32> {
    %n = plan.launch @relu(%a) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
    %t = plan.launch @add(%a, %n) {may_fail} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %n : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A loop that may fail runs before the commit, and its result is copied into the
// variable after it.

// CHECK-LABEL: plan.program @into_state
// CHECK-NEXT:    plan.entry copy(f32 state[0:16]) -> (f32 arena[0:16])
// CHECK-NEXT:    plan.entry loop_begin count = 3 carry(f32 arena[0:16])
// CHECK-NEXT:    plan.entry launch @add(f32 arena[0:16], f32 state[0:16]) -> (f32 arena[0:16]) {inplace = {{.*}}, may_fail}
// CHECK-NEXT:    plan.entry loop_end
// CHECK-NEXT:    plan.entry commit
// CHECK-NEXT:    plan.entry copy(f32 arena[0:16]) -> (f32 state[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @into_state() {
  %w = graph.get @w : tensor<4xf32>
  %r = graph.for %i = 3 carry(%a = %w) : tensor<4xf32> {
    %n = plan.launch @add(%a, %w) {inplace = [[0, 0]], may_fail} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %n : tensor<4xf32>
  }
  graph.set @w, %r : tensor<4xf32>
  return
}

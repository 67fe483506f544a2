// RUN: graph-opt --plan --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expects a function to plan to be public and to have a body}}
func.func private @helper(%x: tensor<4xf32>) {
  return
}

// -----

func.func @unknown_op(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects only graph.get, graph.set, graph.constant, graph.for, graph.recompute_barrier, plan.launch and func.return}}
  %a = graph.relu %x : tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

graph.variable @w : tensor<4xf32> = #graph.zeros
func.func @set_twice(%x: tensor<4xf32>) {
  graph.set @w, %x : tensor<4xf32>
  // expected-error @+1 {{expects one graph.set of @w in a function}}
  graph.set @w, %x : tensor<4xf32>
  return
}

// -----

graph.variable @w : tensor<4xf32> = #graph.zeros
func.func @get_after_set(%x: tensor<4xf32>) -> tensor<4xf32> {
  graph.set @w, %x : tensor<4xf32>
  // expected-error @+1 {{expects no graph.get after the graph.set of @w}}
  %w = graph.get @w : tensor<4xf32>
  return %w : tensor<4xf32>
}

// -----

graph.variable @w : tensor<4xf32> = #graph.zeros
func.func @set_in_loop(%x: tensor<4xf32>) {
  graph.for %i = 3 carry() {
    // expected-error @+1 {{expects only graph.get}}
    graph.set @w, %x : tensor<4xf32>
  }
  return
}

// -----

func.func @no_elements() -> tensor<4xf32> {
  // expected-error @+1 {{expects elements that are in memory}}
  %c = graph.constant sparse<[[1]], [2.0]> : tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

func.func private @fill(memref<4611686018427387904xi8>) attributes {plan.kernel}
func.func private @join(memref<4611686018427387904xi8>, memref<4611686018427387904xi8>, memref<i8>) attributes {plan.kernel}
// expected-error @+1 {{expects temporary tensors of less than 2^63 bytes in all}}
func.func @too_large() -> tensor<i8> {
  %a = plan.launch @fill() : () -> tensor<4611686018427387904xi8>
  %b = plan.launch @fill() : () -> tensor<4611686018427387904xi8>
  %c = plan.launch @join(%a, %b) : (tensor<4611686018427387904xi8>, tensor<4611686018427387904xi8>) -> tensor<i8>
  return %c : tensor<i8>
}

// RUN: graph-opt --verify-phase=phase=autodiff --split-input-file --verify-diagnostics %s

// Each part breaks one rule of the autodiff gate; the first breaks none: a
// gradient op may draw what its forward op drew.

graph.variable @a : tensor<4xf32> = #graph.zeros
graph.variable @b : tensor<4xf32> = #graph.zeros
func.func @good(%x: tensor<4xf32>, %key: tensor<3xi64>) -> tensor<4xf32> {
  %a = graph.get @a : tensor<4xf32>
  %b = graph.get @b : tensor<4xf32>
  %y = graph.dropout %a key %key p = 0.5 op_id = 3 mode = train : tensor<4xf32>
  %z = graph.dropout %b key %key p = 0.5 op_id = 3 mode = train : tensor<4xf32>
  graph.set @a, %y : tensor<4xf32>
  graph.set @b, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @gradient(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'graph.value_and_grad' must not survive phase 'autodiff'}}
  %y, %dx = graph.value_and_grad @f(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
// expected-error @+1 {{'graph.grad' must not survive phase 'autodiff'}}
graph.grad @df of @f inputs = [0]

// -----

graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func private @f() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{'graph.train' must not survive phase 'autodiff'}}
graph.train @step loss(@f) optimizer(#graph.sgd<lr = 0.1>)

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @read_twice() -> (tensor<f32>, tensor<f32>) {
  // expected-note @+1 {{the first time}}
  %v = graph.get @w : tensor<f32>
  // expected-error @+1 {{@w is read twice}}
  %w = graph.get @w : tensor<f32>
  return %v, %w : tensor<f32>, tensor<f32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @written_twice(%x: tensor<f32>) {
  // expected-note @+1 {{the first time}}
  graph.set @w, %x : tensor<f32>
  // expected-error @+1 {{@w is written twice}}
  graph.set @w, %x : tensor<f32>
  return
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @read_late(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.neg %x : tensor<f32>
  // expected-error @+1 {{expects variables to be read before anything else}}
  %w = graph.get @w : tensor<f32>
  %z = graph.add %y, %w : tensor<f32>
  return %z : tensor<f32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @written_early(%x: tensor<f32>) -> tensor<f32> {
  graph.set @w, %x : tensor<f32>
  // expected-error @+1 {{expects nothing but writes after the first write of a variable}}
  %y = graph.neg %x : tensor<f32>
  return %y : tensor<f32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @in_a_loop(%x: tensor<f32>) -> tensor<f32> {
  %r = graph.for %i = 3 carry(%a = %x) : tensor<f32> {
    // expected-error @+1 {{expects variables to be read and written outside loops}}
    %w = graph.get @w : tensor<f32>
    graph.yield %w : tensor<f32>
  }
  return %r : tensor<f32>
}

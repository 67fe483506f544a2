// RUN: graph-opt --split-input-file --verify-diagnostics --verify-phase=phase=autodiff %s

func.func @loss(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
// expected-error @+1 {{'graph.grad' must not survive phase 'autodiff'}}
graph.grad @dloss of @loss inputs = [0]

// -----

graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{'graph.train' must not survive phase 'autodiff'}}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

func.func @loss(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @gradient(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'graph.value_and_grad' must not survive phase 'autodiff'}}
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] {mode = #graph<mode eval>} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// What an earlier gate forbids, the later ones do.
func.func @inner(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @call(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'func.call' must not survive phase 'import'}}
  %y = func.call @inner(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @read_twice() -> (tensor<f32>, tensor<f32>) {
  // expected-note @+1 {{the first time}}
  %a = graph.get @w : tensor<f32>
  // expected-error @+1 {{@w is read twice}}
  %b = graph.get @w : tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @write_twice(%x: tensor<f32>) {
  // expected-note @+1 {{the first time}}
  graph.set @w, %x : tensor<f32>
  // expected-error @+1 {{@w is written twice}}
  graph.set @w, %x : tensor<f32>
  return
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @late_read(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.neg %x : tensor<f32>
  // expected-error @+1 {{expects variables to be read before anything else}}
  %w = graph.get @w : tensor<f32>
  %z = graph.add %w, %y : tensor<f32>
  return %z : tensor<f32>
}

// -----

// Also where nothing but the write is before it.
graph.variable @w : tensor<f32> = #graph.zeros
func.func @read_after_write(%x: tensor<f32>) -> tensor<f32> {
  graph.set @w, %x : tensor<f32>
  // expected-error @+1 {{expects variables to be read before anything else}}
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @early_write(%x: tensor<f32>) -> tensor<f32> {
  graph.set @w, %x : tensor<f32>
  // expected-error @+1 {{expects nothing but writes after the first write of a variable}}
  %y = graph.neg %x : tensor<f32>
  return %y : tensor<f32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @in_loop(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.for %i = 3 carry(%c = %x) : tensor<f32> {
    // expected-error @+1 {{expects variables to be read and written outside loops}}
    %w = graph.get @w : tensor<f32>
    graph.yield %w : tensor<f32>
  }
  return %y : tensor<f32>
}

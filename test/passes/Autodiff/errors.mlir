// RUN: graph-opt --autodiff --split-input-file --verify-diagnostics %s

// expected-error @+2 {{function "f" calls itself; expects no recursion}}
// expected-note @+1 {{"f" names "g"}}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %y = call @g(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
// expected-note @+1 {{"g" names "f"}}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @f(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expects a key and an op_id, or mode = eval, to be differentiated}}
  %y = graph.dropout %x p = 0.5 : tensor<f32>
  return %y : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// A loop computes each iteration again to walk back over it.

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.for %i = 1000 carry(%a = %x) : tensor<f32> {
    // expected-error @+1 {{'graph.custom' op expects to be pure in a loop that is differentiated}}
    %b = graph.custom "f"(%a) : (tensor<f32>) -> tensor<f32>
    graph.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// RUN: graph-opt --split-input-file --verify-diagnostics --verify-phase=phase=import %s

// Each module breaks one property that only this gate looks at.

func.func @dialect(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'math.exp' must not survive phase 'import'}}
  %y = math.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' must not survive phase 'import'}}
  %y = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @mode(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects dropout to have its key after import}}
  %y = graph.dropout %x p = 0.5 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @unresolved(%k: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{expects an op_id after import}}
  %y = graph.random_uniform %k op_id = -1 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @ids(%k: tensor<3xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note @+1 {{the other op}}
  %y = graph.random_uniform %k op_id = 3 : tensor<4xf32>
  // expected-error @+1 {{draws with op_id 3 of another op}}
  %z = graph.random_uniform %k op_id = 3 : tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// A private function is no exception: a gradient may take its body.
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @call_in_private(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' must not survive phase 'import'}}
  %y = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects tensors of static shape, but got 'tensor<?xf32>'}}
func.func @dynamic_argument(%x: tensor<?xf32>) {
  return
}

// -----

// expected-error @+1 {{expects tensors of static shape, but got 'f32'}}
func.func @no_tensor(%x: f32) -> f32 {
  return %x : f32
}

// -----

func.func @open_mode(%x: tensor<4xf32>, %k: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{expects dropout in training mode after import, but got none}}
  %y = graph.dropout %x key %k p = 0.5 op_id = 3 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @evaluation(%x: tensor<4xf32>, %k: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{expects dropout in training mode after import, but got evaluation mode}}
  %y = graph.dropout %x key %k p = 0.5 op_id = 3 mode = eval : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @open_gradient(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expects a mode after import}}
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

func.func @norm(%x: tensor<4x2xf32>, %s: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{expects a mode after import}}
  %y, %m, %v = graph.batch_norm %x, %s, %s momentum = 0.1 eps = 1.0e-5 : tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>
  return %y : tensor<4x2xf32>
}

// -----

func.func @training() -> tensor<i1> {
  // expected-error @+1 {{'graph.is_training' must not survive phase 'import'}}
  %t = graph.is_training mode = train : tensor<i1>
  return %t : tensor<i1>
}

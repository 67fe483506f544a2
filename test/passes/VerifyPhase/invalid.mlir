// RUN: graph-opt --verify-phase=phase=import --split-input-file --verify-diagnostics %s

// Each part breaks one rule of the import gate.

func.func @dialect(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.addf' must not survive phase 'import'}}
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' must not survive phase 'import'}}
  %y = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @mode(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects dropout to have its key after import}}
  %y = graph.dropout %x p = 0.5 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_id(%key: tensor<3xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{expects an op_id after import}}
  %y = graph.random_uniform %key op_id = -1 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @same_id(%x: tensor<4xf32>, %key: tensor<3xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note @+1 {{the other op}}
  %y = graph.random_uniform %key op_id = 3 : tensor<4xf32>
  // expected-error @+1 {{draws with op_id 3 of another op}}
  %z = graph.dropout %x key %key p = 0.5 op_id = 3 mode = train : tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// RUN: graph-opt --decompose-composites --split-input-file --verify-diagnostics %s

// A dropout without a key cannot draw.

func.func @unresolved(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.dropout' op expects import to have resolved its mode and key}}
  %0 = graph.dropout %x p = 0.5 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A norm of either mode, without one.

func.func @unresolved(%x: tensor<4x2xf32>, %s: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'graph.batch_norm' op expects import to have resolved its mode and key}}
  %y, %m, %v = graph.batch_norm %x, %s, %s momentum = 0.1 eps = 1.0e-5 : tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>
  return %y : tensor<4x2xf32>
}

// RUN: graph-opt --decompose-composites --verify-diagnostics %s

// A dropout without a key cannot draw.

func.func @unresolved(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.dropout' op expects import to have resolved its mode and key}}
  %0 = graph.dropout %x p = 0.5 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

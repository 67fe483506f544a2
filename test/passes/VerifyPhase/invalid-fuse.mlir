// RUN: graph-opt --split-input-file --verify-diagnostics --verify-phase=phase=fuse %s

func.func @outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.neg' is in no graph.fused region}}
  %y = graph.neg %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.fused(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{expects no region inside a region}}
    %b = graph.fused(%c = %a) : (tensor<4xf32>) -> tensor<4xf32> {
      %d = graph.neg %c : tensor<4xf32>
      graph.yield %d : tensor<4xf32>
    }
    graph.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.fused(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{expects no 'graph.for' in a region}}
    %b = graph.for %i = 3 carry(%c = %a) : tensor<4xf32> {
      graph.yield %c : tensor<4xf32>
    }
    graph.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

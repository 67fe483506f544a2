// RUN: graph-opt --verify-phase=phase=fuse --split-input-file --verify-diagnostics %s

// Each part breaks one rule of the fuse gate; the first breaks none.

graph.variable @w : tensor<f32> = #graph.zeros
func.func @good(%x: tensor<f32>) -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  %c = graph.constant dense<1.0> : tensor<f32>
  %r = graph.for %i = 3 carry(%a = %x) : tensor<f32> {
    %y = graph.fused(%p = %a, %q = %c) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
      %s = graph.add %p, %q : tensor<f32>
      graph.yield %s : tensor<f32>
    }
    graph.yield %y : tensor<f32>
  }
  graph.set @w, %r : tensor<f32>
  return %w : tensor<f32>
}

// -----

func.func @outside(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'graph.neg' is in no graph.fused region}}
  %y = graph.neg %x : tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @inside_another(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.fused(%a = %x) : (tensor<f32>) -> tensor<f32> {
    // expected-error @+1 {{expects no region inside a region}}
    %z = graph.fused(%b = %a) : (tensor<f32>) -> tensor<f32> {
      %n = graph.neg %b : tensor<f32>
      graph.yield %n : tensor<f32>
    }
    graph.yield %z : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros
func.func @read_inside() -> tensor<f32> {
  %y = graph.fused() : () -> tensor<f32> {
    // expected-error @+1 {{expects variables to be read and written outside loops}}
    %w = graph.get @w : tensor<f32>
    graph.yield %w : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

func.func @loop_inside(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.fused(%a = %x) : (tensor<f32>) -> tensor<f32> {
    // expected-error @+1 {{expects no 'graph.for' in a region}}
    %r = graph.for %i = 3 carry(%b = %a) : tensor<f32> {
      graph.yield %b : tensor<f32>
    }
    graph.yield %r : tensor<f32>
  }
  return %y : tensor<f32>
}

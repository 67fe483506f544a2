// RUN: graph-opt --split-input-file --verify-diagnostics --verify-phase=phase=amp %s

func.func @low(%x: tensor<4x8xf32>, %w: tensor<2x8xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{expects 'graph.linear' to multiply f16 or bf16, but got 'tensor<4x8xf32>'}}
  %y = graph.linear %x, %w : tensor<4x8xf32>, tensor<2x8xf32> -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

func.func @wide(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  // expected-error @+1 {{expects 'graph.softmax', of the f32 list, to read and give f32, but got 'tensor<4x8xbf16>'}}
  %y = graph.softmax %x axis = 1 : tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}

// -----

func.func @region(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{expects 'graph.add', in a region of f32, to read and give f32, but got 'tensor<4xf16>'}}
  %y = graph.add %x, %x {graph.precision = f32} : tensor<4xf16>
  return %y : tensor<4xf16>
}

// -----

// What a gate before it asks for, this one asks for too.
func.func @earlier(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.precision' must not survive phase 'import'}}
  %y = graph.precision f32 : tensor<4xf32> {
    graph.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// All of this is right: a bias in f32, a product in a region, f64 and integers, a
// rounded result.
func.func @right(%x: tensor<4x8xbf16>, %w: tensor<2x8xbf16>, %b: tensor<2xf32>,
                 %d: tensor<4x8xf64>, %e: tensor<2x8xf64>, %f: tensor<4x8xf32>,
                 %g: tensor<2x8xf32>, %i: tensor<2x2xi32>) {
  %0 = graph.linear %x, %w, %b : tensor<4x8xbf16>, tensor<2x8xbf16>, tensor<2xf32> -> tensor<4x2xf32>
  %1 = graph.linear %d, %e : tensor<4x8xf64>, tensor<2x8xf64> -> tensor<4x2xf64>
  %2 = graph.linear %f, %g {graph.precision = f32} : tensor<4x8xf32>, tensor<2x8xf32> -> tensor<4x2xf32>
  %3 = graph.cast %2 {graph.precision = f32} : tensor<4x2xf32> -> tensor<4x2xbf16>
  %4 = graph.dot_general %i, %i batching = [] x [] contracting = [1] x [0] : tensor<2x2xi32>, tensor<2x2xi32> -> tensor<2x2xi32>
  return
}

// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of the products.

func.func @dot_general_c1_pairs(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'graph.dot_general' op expects dimension lists that pair up, but got [] x [0] and [1] x [0]}}
  %0 = graph.dot_general %a, %b batching = [] x [0] contracting = [1] x [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @dot_general_c1_range(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'graph.dot_general' op expects distinct dimensions of 'tensor<3x4xf32>', but got batching [] and contracting [2]}}
  %0 = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [2] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @dot_general_c1_negative(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'graph.dot_general' op expects distinct dimensions of 'tensor<2x3xf32>', but got batching [] and contracting [-1]}}
  %0 = graph.dot_general %a, %b batching = [] x [] contracting = [-1] x [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @dot_general_c1_distinct(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>) {
  // expected-error @+1 {{'graph.dot_general' op expects distinct dimensions of 'tensor<3x3xf32>', but got batching [0] and contracting [0]}}
  %0 = graph.dot_general %a, %b batching = [0] x [0] contracting = [0] x [1] : tensor<3x3xf32>, tensor<3x3xf32> -> tensor<3x3xf32>
  return
}

// -----

func.func @dot_general_c2_contracting(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{'graph.dot_general' op expects dim 0 of rhs to be 3 (dim 1 of lhs), but got 4}}
  %0 = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<2x3xf32>, tensor<4x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @dot_general_c2_batching(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{'graph.dot_general' op expects dim 0 of rhs to be 2 (dim 0 of lhs), but got 4}}
  %0 = graph.dot_general %a, %b batching = [0] x [0] contracting = [1] x [1] : tensor<2x3xf32>, tensor<4x3xf32> -> tensor<2xf32>
  return
}

// -----

func.func @dot_general_c3_operands(%a: tensor<2x3xf32>, %b: tensor<3x4xf64>) {
  // expected-error @+1 {{'graph.dot_general' op expects one element type, but got 'tensor<2x3xf32>' and 'tensor<3x4xf64>'}}
  %0 = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<2x3xf32>, tensor<3x4xf64> -> tensor<2x4xf64>
  return
}

// -----

func.func @dot_general_c3_narrower(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'graph.dot_general' op expects result type 'tensor<2x4xf32>', but got 'tensor<2x4xf16>'}}
  %0 = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf16>
  return
}

// -----

func.func @dot_general_c3_kind(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>) {
  // expected-error @+1 {{'graph.dot_general' op expects result type 'tensor<2x4xi8>', but got 'tensor<2x4xf32>'}}
  %0 = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<2x3xi8>, tensor<3x4xi8> -> tensor<2x4xf32>
  return
}

// -----

func.func @dot_general_c4(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'graph.dot_general' op expects result type 'tensor<2x4xf32>', but got 'tensor<4x2xf32>'}}
  %0 = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_c1_weight(%x: tensor<8x64xf32>, %w: tensor<64xf32>) {
  // expected-error @+1 {{'graph.linear' op expects a rank-2 weight, but got 'tensor<64xf32>'}}
  %0 = graph.linear %x, %w : tensor<8x64xf32>, tensor<64xf32> -> tensor<8xf32>
  return
}

// -----

func.func @linear_c1_input(%x: tensor<f32>, %w: tensor<32x64xf32>) {
  // expected-error @+1 {{'graph.linear' op expects an input of rank 1 or more, but got 'tensor<f32>'}}
  %0 = graph.linear %x, %w : tensor<f32>, tensor<32x64xf32> -> tensor<f32>
  return
}

// -----

func.func @linear_c2(%x: tensor<8x60xf32>, %w: tensor<32x64xf32>) {
  // expected-error @+1 {{'graph.linear' op expects the last input dim to be 64 (dim 1 of weight), but got 60}}
  %0 = graph.linear %x, %w : tensor<8x60xf32>, tensor<32x64xf32> -> tensor<8x32xf32>
  return
}

// -----

func.func @linear_c3(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>) {
  // expected-error @+1 {{'graph.linear' op expects result type 'tensor<8x32xf32>', but got 'tensor<8x64xf32>'}}
  %0 = graph.linear %x, %w : tensor<8x64xf32>, tensor<32x64xf32> -> tensor<8x64xf32>
  return
}

// -----

func.func @linear_c4(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>, %b: tensor<64xf32>) {
  // expected-error @+1 {{'graph.linear' op expects a bias of shape [32], but got 'tensor<64xf32>'}}
  %0 = graph.linear %x, %w, %b : tensor<8x64xf32>, tensor<32x64xf32>, tensor<64xf32> -> tensor<8x32xf32>
  return
}

// -----

func.func @linear_c5_weight(%x: tensor<8x64xf32>, %w: tensor<32x64xf16>) {
  // expected-error @+1 {{'graph.linear' op expects one element type, but got 'tensor<8x64xf32>' and 'tensor<32x64xf16>'}}
  %0 = graph.linear %x, %w : tensor<8x64xf32>, tensor<32x64xf16> -> tensor<8x32xf32>
  return
}

// -----

func.func @linear_c5_bias(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>, %b: tensor<32xf64>) {
  // expected-error @+1 {{'graph.linear' op expects a bias of the input's element type or a wider one, but got 'tensor<32xf64>'}}
  %0 = graph.linear %x, %w, %b : tensor<8x64xf32>, tensor<32x64xf32>, tensor<32xf64> -> tensor<8x32xf32>
  return
}

// -----

func.func @linear_c5_result(%x: tensor<8x64xf16>, %w: tensor<32x64xf16>) {
  // expected-error @+1 {{'graph.linear' op expects result type 'tensor<8x32xf16>', but got 'tensor<8x32xf64>'}}
  %0 = graph.linear %x, %w : tensor<8x64xf16>, tensor<32x64xf16> -> tensor<8x32xf64>
  return
}

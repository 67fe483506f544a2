// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of the elementwise ops.

func.func @one_type(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{'graph.add' op requires the same type for all operands and results}}
  %0 = "graph.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

// There is no implicit broadcasting.

func.func @no_broadcasting(%x: tensor<4xf32>, %y: tensor<f32>) { // expected-note {{prior use here}}
  // expected-error @+1 {{use of value '%y' expects different type than prior uses: 'tensor<4xf32>' vs 'tensor<f32>'}}
  %0 = graph.mul %x, %y : tensor<4xf32>
  return
}

// -----

func.func @dynamic(%x: tensor<?xf32>) {
  // expected-error @+1 {{'graph.neg' op operand #0 must be statically shaped tensor of}}
  %0 = graph.neg %x : tensor<?xf32>
  return
}

// -----

func.func @no_arithmetic_on_bool(%x: tensor<4xi1>) {
  // expected-error @+1 {{'graph.add' op operand #0 must be statically shaped tensor of}}
  %0 = graph.add %x, %x : tensor<4xi1>
  return
}

// -----

func.func @no_bits_of_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.and' op operand #0 must be statically shaped tensor of}}
  %0 = graph.and %x, %x : tensor<4xf32>
  return
}

// -----

func.func @no_shift_of_bool(%x: tensor<4xi1>) {
  // expected-error @+1 {{'graph.shift_left' op operand #0 must be statically shaped tensor of}}
  %0 = graph.shift_left %x, %x : tensor<4xi1>
  return
}

// -----

func.func @no_functions_of_integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{'graph.exp' op operand #0 must be statically shaped tensor of}}
  %0 = graph.exp %x : tensor<4xi32>
  return
}

// -----

func.func @supported_types(%x: tensor<4xi16>) {
  // expected-error @+1 {{'graph.add' op operand #0 must be statically shaped tensor of}}
  %0 = graph.add %x, %x : tensor<4xi16>
  return
}

// -----

func.func @signed_spelling(%x: tensor<4xsi8>) {
  // expected-error @+1 {{'graph.add' op operand #0 must be statically shaped tensor of}}
  %0 = graph.add %x, %x : tensor<4xsi8>
  return
}

// -----

func.func @scalar(%x: f32) {
  // expected-error @+1 {{invalid kind of type specified}}
  %0 = graph.is_nan %x : f32
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified}}
  %0 = graph.compare eq, %x, %x : tensor<*xf32>
  return
}

// -----

func.func @compare_predicate(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects one of eq, ne, lt, le, gt, ge, but got 'less'}}
  %0 = graph.compare less, %x, %x : tensor<4xf32>
  return
}

// -----

func.func @compare_one_type(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @+1 {{'graph.compare' op requires all operands to have the same type}}
  %0 = "graph.compare"(%x, %y) <{predicate = #graph<predicate eq>}> : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.compare' op expects result type 'tensor<4xi1>', but got 'tensor<3xi1>'}}
  %0 = "graph.compare"(%x, %x) <{predicate = #graph<predicate eq>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @select_scalar(%c: tensor<i1>, %x: f32) {
  // expected-error @+1 {{expects a ranked tensor, but got 'f32'}}
  %0 = graph.select %c, %x, %x : f32
  return
}

// -----

func.func @select_c1(%c: tensor<3xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.select' op expects a condition of type 'tensor<4xi1>', but got 'tensor<3xi1>'}}
  %0 = "graph.select"(%c, %x, %x) : (tensor<3xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @+1 {{'graph.select' op expects on_false of type 'tensor<4xf32>', but got 'tensor<4xf64>'}}
  %0 = "graph.select"(%c, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_result(%c: tensor<4xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.select' op expects result type 'tensor<4xf32>', but got 'tensor<4xf64>'}}
  %0 = "graph.select"(%c, %x, %x) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @cast_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.cast' op requires the same shape for all operands and results}}
  %0 = graph.cast %x : tensor<4xf32> -> tensor<5xf64>
  return
}

// -----

func.func @check_index_c1(%i: tensor<4xi64>) {
  // expected-error @+1 {{'graph.check_index' op expects limit to be 0 or more, but got -1}}
  %0 = graph.check_index %i limit = -1 : tensor<4xi64>
  return
}

// -----

func.func @check_index_c2(%i: tensor<4xi32>) {
  // expected-error @+1 {{'graph.check_index' op expects ignore to be a value of 'i32', but got 2147483648}}
  %0 = graph.check_index %i limit = 10 ignore = 2147483648 : tensor<4xi32>
  return
}

// -----

func.func @check_index_type(%i: tensor<4xi8>) {
  // expected-error @+1 {{'graph.check_index' op operand #0 must be statically shaped tensor of}}
  %0 = graph.check_index %i limit = 10 : tensor<4xi8>
  return
}

// -----

func.func @gelu_approximate(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects one of none, tanh, but got 'erf'}}
  %0 = graph.gelu %x approximate = erf : tensor<4xf32>
  return
}

// -----

func.func @clamp_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.clamp' op expects low to be at most high, but got 1.0 and 0.5}}
  %0 = graph.clamp %x low = 1.0 high = 0.5 : tensor<4xf32>
  return
}

// -----

func.func @clamp_c1_nan(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.clamp' op expects low to be at most high, but got nan and 0.5}}
  %0 = graph.clamp %x low = 0x7FF8000000000000 high = 0.5 : tensor<4xf32>
  return
}

// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of constants and data movement.

func.func @constant_tensor() {
  // expected-error @+1 {{'graph.constant' op expects tensor elements, but got 'vector<4xf32>'}}
  %0 = graph.constant dense<1.0> : vector<4xf32>
  return
}

// -----

func.func @constant_type() {
  // expected-error @+1 {{'graph.constant' op result #0 must be statically shaped tensor of}}
  %0 = graph.constant dense<1> : tensor<4xi16>
  return
}

// -----

func.func @constant_result() {
  // expected-error @+1 {{'graph.constant' op expects result type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %0 = "graph.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<5xf32>
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+1 {{'graph.iota' op expects axis to be a dimension of 'tensor<4xi64>', but got 1}}
  %0 = graph.iota axis = 1 : tensor<4xi64>
  return
}

// -----

func.func @iota_c1_negative() {
  // expected-error @+1 {{'graph.iota' op expects axis to be a dimension of 'tensor<4xi64>', but got -1}}
  %0 = graph.iota axis = -1 : tensor<4xi64>
  return
}

// -----

func.func @iota_c1_rank_0() {
  // expected-error @+1 {{'graph.iota' op expects axis to be a dimension of 'tensor<i64>', but got 0}}
  %0 = graph.iota axis = 0 : tensor<i64>
  return
}

// -----

func.func @broadcast_c1_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.broadcast' op expects 1 dims, one for each of 'tensor<4xf32>', but got 2}}
  %0 = graph.broadcast %x dims = [0, 1] : tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_c1_order(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'graph.broadcast' op expects dims to be strictly increasing dimensions of 'tensor<4x4xf32>', but got [1, 0]}}
  %0 = graph.broadcast %x dims = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_c1_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.broadcast' op expects dims to be strictly increasing dimensions of 'tensor<4x4xf32>', but got [2]}}
  %0 = graph.broadcast %x dims = [2] : tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

// A dimension of size 1 does not stretch.

func.func @broadcast_c2(%x: tensor<1xf32>) {
  // expected-error @+1 {{'graph.broadcast' op expects result dim 1 to be 1 (dim 0 of 'tensor<1xf32>'), but got 4}}
  %0 = graph.broadcast %x dims = [1] : tensor<1xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @broadcast_element_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.broadcast' op requires the same element type for all operands and results}}
  %0 = graph.broadcast %x dims = [1] : tensor<4xf32> -> tensor<2x4xf64>
  return
}

// -----

func.func @reshape_c1(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'graph.reshape' op expects as many elements in 'tensor<9xf32>' as in 'tensor<4x2xf32>', but got 9 and 8}}
  %0 = graph.reshape %x : tensor<4x2xf32> -> tensor<9xf32>
  return
}

// -----

func.func @transpose_c1_twice(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'graph.transpose' op expects a permutation of the dimensions of 'tensor<4x2xf32>', but got [0, 0]}}
  %0 = graph.transpose %x permutation = [0, 0] : tensor<4x2xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @transpose_c1_count(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'graph.transpose' op expects a permutation of the dimensions of 'tensor<4x2xf32>', but got [0]}}
  %0 = graph.transpose %x permutation = [0] : tensor<4x2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @transpose_c1_range(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'graph.transpose' op expects a permutation of the dimensions of 'tensor<4x2xf32>', but got [0, -1]}}
  %0 = graph.transpose %x permutation = [0, -1] : tensor<4x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @transpose_result(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'graph.transpose' op expects result type 'tensor<2x4xf32>', but got 'tensor<4x2xf32>'}}
  %0 = graph.transpose %x permutation = [1, 0] : tensor<4x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @slice_c1(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'graph.slice' op expects 2 starts, limits and strides for 'tensor<4x2xf32>', but got 1, 2 and 2}}
  %0 = graph.slice %x starts = [0] limits = [4, 2] strides = [1, 1] : tensor<4x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @slice_c2_limit(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.slice' op expects 0 <= start <= limit <= 4 and a stride of 1 or more for dim 0, but got start 0, limit 5, stride 1}}
  %0 = graph.slice %x starts = [0] limits = [5] strides = [1] : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @slice_c2_order(%x: tensor<4xf32>) {
  // expected-error @+1 {{but got start 3, limit 2, stride 1}}
  %0 = graph.slice %x starts = [3] limits = [2] strides = [1] : tensor<4xf32> -> tensor<0xf32>
  return
}

// -----

func.func @slice_c2_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{but got start -1, limit 2, stride 1}}
  %0 = graph.slice %x starts = [-1] limits = [2] strides = [1] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @slice_c2_stride(%x: tensor<4xf32>) {
  // expected-error @+1 {{but got start 0, limit 4, stride 0}}
  %0 = graph.slice %x starts = [0] limits = [4] strides = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @slice_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.slice' op expects result type 'tensor<2xf32>', but got 'tensor<1xf32>'}}
  %0 = graph.slice %x starts = [0] limits = [3] strides = [2] : tensor<4xf32> -> tensor<1xf32>
  return
}

// -----

func.func @pad_scalar(%x: f32, %v: tensor<f32>) {
  // expected-error @+1 {{expects a ranked tensor, but got 'f32'}}
  %0 = graph.pad %x, %v low = [] high = [] interior = [] : f32 -> f32
  return
}

// -----

func.func @pad_c1_count(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{'graph.pad' op expects 1 entries of low, high and interior for 'tensor<4xf32>', but got 2, 1 and 1}}
  %0 = graph.pad %x, %v low = [1, 1] high = [0] interior = [0] : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @pad_c1_negative(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{'graph.pad' op expects no negative padding, but got low -1, high 0, interior 0 for dim 0}}
  %0 = graph.pad %x, %v low = [-1] high = [0] interior = [0] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

// Even where no two elements have anything between them.
func.func @pad_c1_limit(%x: tensor<1xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{'graph.pad' op expects interior padding of less than 9223372036854775807, but got 9223372036854775807 for dim 0}}
  %0 = graph.pad %x, %v low = [0] high = [0] interior = [9223372036854775807] : tensor<1xf32> -> tensor<1xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<4xf32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{'graph.pad' op expects a value of type 'tensor<f32>', but got 'tensor<1xf32>'}}
  %0 = "graph.pad"(%x, %v) <{low = array<i64: 1>, high = array<i64: 0>, interior = array<i64: 0>}> : (tensor<4xf32>, tensor<1xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @pad_overflow(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{'graph.pad' op result size overflows}}
  %0 = graph.pad %x, %v low = [0] high = [0] interior = [9223372036854775806] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @concat_c1_none() {
  // expected-error @+1 {{'graph.concat' op expects an input}}
  %0 = "graph.concat"() <{axis = 0 : i64}> : () -> tensor<4xf32>
  return
}

// -----

func.func @concat_c1_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.concat' op expects axis to be a dimension of 'tensor<4xf32>', but got 1}}
  %0 = graph.concat %x, %x axis = 1 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @concat_c1_rank_0(%x: tensor<f32>) {
  // expected-error @+1 {{'graph.concat' op expects axis to be a dimension of 'tensor<f32>', but got 0}}
  %0 = graph.concat %x, %x axis = 0 : tensor<f32>, tensor<f32> -> tensor<2xf32>
  return
}

// -----

func.func @concat_c2_shape(%x: tensor<2x4xf32>, %y: tensor<2x5xf32>) {
  // expected-error @+1 {{'graph.concat' op expects inputs that differ only in dim 0, but got 'tensor<2x4xf32>' and 'tensor<2x5xf32>'}}
  %0 = graph.concat %x, %y axis = 0 : tensor<2x4xf32>, tensor<2x5xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @concat_c2_rank(%x: tensor<2x4xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{'graph.concat' op expects inputs that differ only in dim 1, but got 'tensor<2x4xf32>' and 'tensor<2xf32>'}}
  %0 = graph.concat %x, %y axis = 1 : tensor<2x4xf32>, tensor<2xf32> -> tensor<2x5xf32>
  return
}

// -----

func.func @concat_c2_type(%x: tensor<2xf32>, %y: tensor<2xf16>) {
  // expected-error @+1 {{'graph.concat' op expects inputs that differ only in dim 0, but got 'tensor<2xf32>' and 'tensor<2xf16>'}}
  %0 = graph.concat %x, %y axis = 0 : tensor<2xf32>, tensor<2xf16> -> tensor<4xf32>
  return
}

// -----

func.func @concat_result(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.concat' op expects result type 'tensor<4xf32>', but got 'tensor<2xf32>'}}
  %0 = graph.concat %x, %x axis = 0 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return
}

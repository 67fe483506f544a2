// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of the reductions.

func.func @reduce_sum_c1_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_sum' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [2]}}
  %0 = graph.reduce_sum %x axes = [2] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_sum_c1_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_sum' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [1, 0]}}
  %0 = graph.reduce_sum %x axes = [1, 0] : tensor<4x8xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_sum_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_sum' op expects result type 'tensor<4xf32>', but got 'tensor<4x1xf32>'}}
  %0 = graph.reduce_sum %x axes = [1] : tensor<4x8xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @reduce_mean_c1_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_mean' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [2]}}
  %0 = graph.reduce_mean %x axes = [2] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_mean_c1_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_mean' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [1, 0]}}
  %0 = graph.reduce_mean %x axes = [1, 0] : tensor<4x8xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_mean_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_mean' op expects result type 'tensor<4xf32>', but got 'tensor<4x1xf32>'}}
  %0 = graph.reduce_mean %x axes = [1] : tensor<4x8xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @reduce_max_c1_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_max' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [2]}}
  %0 = graph.reduce_max %x axes = [2] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_max_c1_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_max' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [1, 0]}}
  %0 = graph.reduce_max %x axes = [1, 0] : tensor<4x8xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_max_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_max' op expects result type 'tensor<4xf32>', but got 'tensor<4x1xf32>'}}
  %0 = graph.reduce_max %x axes = [1] : tensor<4x8xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @reduce_min_c1_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_min' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [2]}}
  %0 = graph.reduce_min %x axes = [2] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_min_c1_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_min' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [1, 0]}}
  %0 = graph.reduce_min %x axes = [1, 0] : tensor<4x8xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_min_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_min' op expects result type 'tensor<4xf32>', but got 'tensor<4x1xf32>'}}
  %0 = graph.reduce_min %x axes = [1] : tensor<4x8xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @reduce_prod_c1_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_prod' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [2]}}
  %0 = graph.reduce_prod %x axes = [2] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_prod_c1_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_prod' op expects axes to be strictly increasing dimensions of 'tensor<4x8xf32>', but got [1, 0]}}
  %0 = graph.reduce_prod %x axes = [1, 0] : tensor<4x8xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_prod_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.reduce_prod' op expects result type 'tensor<4xf32>', but got 'tensor<4x1xf32>'}}
  %0 = graph.reduce_prod %x axes = [1] : tensor<4x8xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @argmax_c1_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.argmax' op expects axis to be a dimension of 'tensor<4x8xf32>' that is not empty, but got 2}}
  %0 = graph.argmax %x axis = 2 : tensor<4x8xf32> -> tensor<4xi64>
  return
}

// -----

func.func @argmax_c1_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.argmax' op expects axis to be a dimension of 'tensor<4x8xf32>' that is not empty, but got -1}}
  %0 = graph.argmax %x axis = -1 : tensor<4x8xf32> -> tensor<4xi64>
  return
}

// -----

func.func @argmax_c1_empty(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{'graph.argmax' op expects axis to be a dimension of 'tensor<4x0xf32>' that is not empty, but got 1}}
  %0 = graph.argmax %x axis = 1 : tensor<4x0xf32> -> tensor<4xi64>
  return
}

// -----

func.func @argmax_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.argmax' op expects result type 'tensor<4xi64>', but got 'tensor<8xi64>'}}
  %0 = graph.argmax %x axis = 1 : tensor<4x8xf32> -> tensor<8xi64>
  return
}

// -----

func.func @argmax_c2_type(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.argmax' op result #0 must be statically shaped tensor of}}
  %0 = graph.argmax %x axis = 1 : tensor<4x8xf32> -> tensor<4xi32>
  return
}

// -----

func.func @argmin_c1_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.argmin' op expects axis to be a dimension of 'tensor<4x8xf32>' that is not empty, but got 2}}
  %0 = graph.argmin %x axis = 2 : tensor<4x8xf32> -> tensor<4xi64>
  return
}

// -----

func.func @argmin_c1_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.argmin' op expects axis to be a dimension of 'tensor<4x8xf32>' that is not empty, but got -1}}
  %0 = graph.argmin %x axis = -1 : tensor<4x8xf32> -> tensor<4xi64>
  return
}

// -----

func.func @argmin_c1_empty(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{'graph.argmin' op expects axis to be a dimension of 'tensor<4x0xf32>' that is not empty, but got 1}}
  %0 = graph.argmin %x axis = 1 : tensor<4x0xf32> -> tensor<4xi64>
  return
}

// -----

func.func @argmin_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.argmin' op expects result type 'tensor<4xi64>', but got 'tensor<8xi64>'}}
  %0 = graph.argmin %x axis = 1 : tensor<4x8xf32> -> tensor<8xi64>
  return
}

// -----

func.func @argmin_c2_type(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.argmin' op result #0 must be statically shaped tensor of}}
  %0 = graph.argmin %x axis = 1 : tensor<4x8xf32> -> tensor<4xi32>
  return
}

// -----

func.func @no_mean_of_integers(%x: tensor<4x8xi32>) {
  // expected-error @+1 {{'graph.reduce_mean' op operand #0 must be statically shaped tensor of}}
  %0 = graph.reduce_mean %x axes = [1] : tensor<4x8xi32> -> tensor<4xi32>
  return
}

// -----

// Truths are counted after a cast.

func.func @no_sum_of_bool(%x: tensor<4xi1>) {
  // expected-error @+1 {{'graph.reduce_sum' op operand #0 must be statically shaped tensor of}}
  %0 = graph.reduce_sum %x axes = [0] : tensor<4xi1> -> tensor<i1>
  return
}

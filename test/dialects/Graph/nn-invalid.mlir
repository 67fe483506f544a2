// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of softmax, losses and random draws.

func.func @softmax_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.softmax' op expects axis to be a dimension of 'tensor<4x8xf32>', but got 2}}
  %0 = graph.softmax %x axis = 2 : tensor<4x8xf32>
  return
}

// -----

func.func @softmax_c1_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.softmax' op expects axis to be a dimension of 'tensor<4x8xf32>', but got -1}}
  %0 = graph.softmax %x axis = -1 : tensor<4x8xf32>
  return
}

// -----

func.func @softmax_c1_rank_0(%x: tensor<f32>) {
  // expected-error @+1 {{'graph.softmax' op expects axis to be a dimension of 'tensor<f32>', but got 0}}
  %0 = graph.softmax %x axis = 0 : tensor<f32>
  return
}

// -----

func.func @log_softmax_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.log_softmax' op expects axis to be a dimension of 'tensor<4x8xf32>', but got 2}}
  %0 = graph.log_softmax %x axis = 2 : tensor<4x8xf32>
  return
}

// -----

func.func @log_softmax_c1_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.log_softmax' op expects axis to be a dimension of 'tensor<4x8xf32>', but got -1}}
  %0 = graph.log_softmax %x axis = -1 : tensor<4x8xf32>
  return
}

// -----

func.func @log_softmax_c1_rank_0(%x: tensor<f32>) {
  // expected-error @+1 {{'graph.log_softmax' op expects axis to be a dimension of 'tensor<f32>', but got 0}}
  %0 = graph.log_softmax %x axis = 0 : tensor<f32>
  return
}

// -----

func.func @cross_entropy_c1(%x: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'graph.cross_entropy' op expects logits of rank 1 or more, but got 'tensor<f32>'}}
  %0 = graph.cross_entropy %x, %t : tensor<f32>, tensor<i64> -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c2_shape(%x: tensor<8x30xf32>, %t: tensor<7xi64>) {
  // expected-error @+1 {{'graph.cross_entropy' op expects a target of type 'tensor<8xi64>' for logits of type 'tensor<8x30xf32>', but got 'tensor<7xi64>'}}
  %0 = graph.cross_entropy %x, %t : tensor<8x30xf32>, tensor<7xi64> -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c2_type(%x: tensor<8x30xf32>, %t: tensor<8xi8>) {
  // expected-error @+1 {{'graph.cross_entropy' op operand #1 must be statically shaped tensor of}}
  %0 = graph.cross_entropy %x, %t : tensor<8x30xf32>, tensor<8xi8> -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c3(%x: tensor<8x30xf32>, %t: tensor<8xi64>) {
  // expected-error @+1 {{'graph.cross_entropy' op expects label_smoothing in [0, 1], but got 1.5}}
  %0 = graph.cross_entropy %x, %t {label_smoothing = 1.5} : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c3_nan(%x: tensor<8x30xf32>, %t: tensor<8xi64>) {
  // expected-error @+1 {{'graph.cross_entropy' op expects label_smoothing in [0, 1], but got nan}}
  %0 = graph.cross_entropy %x, %t {label_smoothing = 0x7FF8000000000000 : f64} : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c4_reduced(%x: tensor<8x30xf32>, %t: tensor<8xi64>) {
  // expected-error @+1 {{'graph.cross_entropy' op expects result type 'tensor<f32>', but got 'tensor<8xf32>'}}
  %0 = graph.cross_entropy %x, %t : tensor<8x30xf32>, tensor<8xi64> -> tensor<8xf32>
  return
}

// -----

func.func @cross_entropy_c4_not_reduced(%x: tensor<8x30xf32>, %t: tensor<8xi64>) {
  // expected-error @+1 {{'graph.cross_entropy' op expects result type 'tensor<8xf32>', but got 'tensor<f32>'}}
  %0 = graph.cross_entropy %x, %t reduction = none : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c5(%x: tensor<8x30xf32>, %t: tensor<8xi32>) {
  // expected-error @+1 {{'graph.cross_entropy' op expects ignore_index to be a value of 'i32', but got 4294967296}}
  %0 = graph.cross_entropy %x, %t {ignore_index = 4294967296} : tensor<8x30xf32>, tensor<8xi32> -> tensor<f32>
  return
}

// -----

// An attribute of the wrong kind is an error, not a crash.

func.func @cross_entropy_attribute(%x: tensor<8x30xf32>, %t: tensor<8xi64>) {
  // expected-error @+1 {{'graph.cross_entropy' op attribute 'label_smoothing' failed to satisfy constraint: 64-bit float attribute}}
  %0 = graph.cross_entropy %x, %t {label_smoothing = 1 : i32} : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  return
}

// -----

func.func @reduction(%x: tensor<8xf32>) {
  // expected-error @+1 {{expects one of mean, sum, none, but got 'max'}}
  %0 = graph.mse_loss %x, %x reduction = max : tensor<8xf32>, tensor<8xf32> -> tensor<f32>
  return
}

// -----

func.func @mse_loss_c1(%x: tensor<8x2xf32>, %t: tensor<8xf32>) {
  // expected-error @+1 {{'graph.mse_loss' op expects a target of type 'tensor<8x2xf32>', but got 'tensor<8xf32>'}}
  %0 = graph.mse_loss %x, %t : tensor<8x2xf32>, tensor<8xf32> -> tensor<f32>
  return
}

// -----

func.func @mse_loss_c2(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{'graph.mse_loss' op expects result type 'tensor<f32>', but got 'tensor<8x2xf32>'}}
  %0 = graph.mse_loss %x, %x : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<8x2xf32>
  return
}

// -----

func.func @mse_loss_c2_not_reduced(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{'graph.mse_loss' op expects result type 'tensor<8x2xf32>', but got 'tensor<f32>'}}
  %0 = graph.mse_loss %x, %x reduction = none : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<f32>
  return
}

// -----

func.func @binary_cross_entropy_c1(%x: tensor<8x2xf32>, %t: tensor<8xf32>) {
  // expected-error @+1 {{'graph.binary_cross_entropy' op expects a target of type 'tensor<8x2xf32>', but got 'tensor<8xf32>'}}
  %0 = graph.binary_cross_entropy %x, %t : tensor<8x2xf32>, tensor<8xf32> -> tensor<f32>
  return
}

// -----

func.func @binary_cross_entropy_c2(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{'graph.binary_cross_entropy' op expects result type 'tensor<f32>', but got 'tensor<8x2xf32>'}}
  %0 = graph.binary_cross_entropy %x, %x : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<8x2xf32>
  return
}

// -----

func.func @binary_cross_entropy_c2_not_reduced(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{'graph.binary_cross_entropy' op expects result type 'tensor<8x2xf32>', but got 'tensor<f32>'}}
  %0 = graph.binary_cross_entropy %x, %x reduction = none : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<f32>
  return
}

// -----

func.func @binary_cross_entropy_with_logits_c1(%x: tensor<8x2xf32>, %t: tensor<8xf32>) {
  // expected-error @+1 {{'graph.binary_cross_entropy_with_logits' op expects a target of type 'tensor<8x2xf32>', but got 'tensor<8xf32>'}}
  %0 = graph.binary_cross_entropy_with_logits %x, %t : tensor<8x2xf32>, tensor<8xf32> -> tensor<f32>
  return
}

// -----

func.func @binary_cross_entropy_with_logits_c2(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{'graph.binary_cross_entropy_with_logits' op expects result type 'tensor<f32>', but got 'tensor<8x2xf32>'}}
  %0 = graph.binary_cross_entropy_with_logits %x, %x : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<8x2xf32>
  return
}

// -----

func.func @binary_cross_entropy_with_logits_c2_not_reduced(%x: tensor<8x2xf32>) {
  // expected-error @+1 {{'graph.binary_cross_entropy_with_logits' op expects result type 'tensor<8x2xf32>', but got 'tensor<f32>'}}
  %0 = graph.binary_cross_entropy_with_logits %x, %x reduction = none : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<f32>
  return
}

// -----

func.func @random_uniform_c1_key(%k: tensor<2xi64>) { // expected-note {{prior use here}}
  // expected-error @+1 {{use of value '%k' expects different type than prior uses: 'tensor<3xi64>' vs 'tensor<2xi64>'}}
  %0 = graph.random_uniform %k op_id = 0 : tensor<4xf32>
  return
}

// -----

func.func @random_uniform_c1_result(%k: tensor<3xi64>) {
  // expected-error @+1 {{'graph.random_uniform' op result #0 must be statically shaped tensor of}}
  %0 = graph.random_uniform %k op_id = 0 : tensor<4xf16>
  return
}

// -----

func.func @random_uniform_c2(%k: tensor<3xi64>) {
  // expected-error @+1 {{'graph.random_uniform' op expects op_id in [0, 4294967295], but got 4294967296}}
  %0 = graph.random_uniform %k op_id = 4294967296 : tensor<4xf32>
  return
}

// -----

func.func @random_uniform_c2_negative(%k: tensor<3xi64>) {
  // expected-error @+1 {{'graph.random_uniform' op expects op_id in [0, 4294967295], but got -2}}
  %0 = graph.random_uniform %k op_id = -2 : tensor<4xf32>
  return
}

// -----

func.func @dropout_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.dropout' op expects p in [0, 1], but got 1.1}}
  %0 = graph.dropout %x p = 1.1 : tensor<4xf32>
  return
}

// -----

func.func @dropout_c1_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.dropout' op expects p in [0, 1], but got -0.5}}
  %0 = graph.dropout %x p = -0.5 : tensor<4xf32>
  return
}

// -----

func.func @dropout_c2(%x: tensor<4xf32>, %k: tensor<3xi64>) {
  // expected-error @+1 {{'graph.dropout' op expects an op_id with its key}}
  %0 = graph.dropout %x key %k p = 0.5 : tensor<4xf32>
  return
}

// -----

func.func @dropout_c2_op_id(%x: tensor<4xf32>, %k: tensor<3xi64>) {
  // expected-error @+1 {{'graph.dropout' op expects op_id in [0, 4294967295], but got -1}}
  %0 = graph.dropout %x key %k p = 0.5 op_id = -1 : tensor<4xf32>
  return
}

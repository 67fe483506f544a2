// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of the normalisations and attention.

func.func @layer_norm_c1(%x: tensor<4x2x8xf32>) {
  // expected-error @+1 {{'graph.layer_norm' op expects normalized_rank in [1, 3] for 'tensor<4x2x8xf32>', but got 4}}
  %0 = graph.layer_norm %x normalized_rank = 4 eps = 1.0e-5 : tensor<4x2x8xf32>
  return
}

// -----

func.func @layer_norm_c1_zero(%x: tensor<4x2x8xf32>) {
  // expected-error @+1 {{'graph.layer_norm' op expects normalized_rank in [1, 3] for 'tensor<4x2x8xf32>', but got 0}}
  %0 = graph.layer_norm %x normalized_rank = 0 eps = 1.0e-5 : tensor<4x2x8xf32>
  return
}

// -----

func.func @layer_norm_c2(%x: tensor<4x2x8xf32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{'graph.layer_norm' op expects a weight of shape [2, 8], but got 'tensor<8xf32>'}}
  %0 = graph.layer_norm %x, %w normalized_rank = 2 eps = 1.0e-5 : tensor<4x2x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @layer_norm_c2_bias(%x: tensor<4x2x8xf32>, %w: tensor<8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'graph.layer_norm' op expects a bias of shape [8], but got 'tensor<4xf32>'}}
  %0 = graph.layer_norm %x, %w, %b normalized_rank = 1 eps = 1.0e-5 : tensor<4x2x8xf32>, tensor<8xf32>, tensor<4xf32>
  return
}

// -----

func.func @layer_norm_c2_alone(%x: tensor<4x2x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'graph.layer_norm' op expects a weight with its bias}}
  %0 = "graph.layer_norm"(%x, %b) <{eps = 1.0e-5, normalized_rank = 1, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4x2x8xf32>, tensor<8xf32>) -> tensor<4x2x8xf32>
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<4x2x8xf32>, %w: tensor<8xf64>) {
  // expected-error @+1 {{'graph.layer_norm' op expects a weight of the input's element type or its accumulation type, but got 'tensor<8xf64>' for 'tensor<4x2x8xf32>'}}
  %0 = graph.layer_norm %x, %w normalized_rank = 1 eps = 1.0e-5 : tensor<4x2x8xf32>, tensor<8xf64>
  return
}

// -----

func.func @layer_norm_c4(%x: tensor<4x2x8xf32>) {
  // expected-error @+1 {{'graph.layer_norm' op expects eps to be finite and 0 or more, but got -1.0e-05}}
  %0 = graph.layer_norm %x normalized_rank = 1 eps = -1.0e-5 : tensor<4x2x8xf32>
  return
}

// -----

func.func @layer_norm_c4_inf(%x: tensor<4x2x8xf32>) {
  // expected-error @+1 {{'graph.layer_norm' op expects eps to be finite and 0 or more, but got inf}}
  %0 = graph.layer_norm %x normalized_rank = 1 eps = 0x7FF0000000000000 : tensor<4x2x8xf32>
  return
}

// -----

func.func @rms_norm_c1(%x: tensor<4x2x8xf32>) {
  // expected-error @+1 {{'graph.rms_norm' op expects normalized_rank in [1, 3] for 'tensor<4x2x8xf32>', but got 4}}
  %0 = graph.rms_norm %x normalized_rank = 4 eps = 1.0e-5 : tensor<4x2x8xf32>
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<4x2x8xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'graph.rms_norm' op expects a weight of shape [8], but got 'tensor<4xf32>'}}
  %0 = graph.rms_norm %x, %w normalized_rank = 1 eps = 1.0e-5 : tensor<4x2x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @rms_norm_c3(%x: tensor<4x2x8xf32>, %w: tensor<8xf16>) {
  // expected-error @+1 {{'graph.rms_norm' op expects a weight of the input's element type or its accumulation type, but got 'tensor<8xf16>' for 'tensor<4x2x8xf32>'}}
  %0 = graph.rms_norm %x, %w normalized_rank = 1 eps = 1.0e-5 : tensor<4x2x8xf32>, tensor<8xf16>
  return
}

// -----

func.func @rms_norm_c4(%x: tensor<4x2x8xf32>) {
  // expected-error @+1 {{'graph.rms_norm' op expects eps to be finite and 0 or more, but got nan}}
  %0 = graph.rms_norm %x normalized_rank = 1 eps = 0x7FF8000000000000 : tensor<4x2x8xf32>
  return
}

// -----

func.func @group_norm_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'graph.group_norm' op expects an input of rank 2 or more, but got 'tensor<8xf32>'}}
  %0 = graph.group_norm %x groups = 1 eps = 1.0e-5 : tensor<8xf32>
  return
}

// -----

func.func @group_norm_c1_groups(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.group_norm' op expects groups to divide the 8 channels of 'tensor<4x8xf32>', but got 3}}
  %0 = graph.group_norm %x groups = 3 eps = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

func.func @group_norm_c1_zero(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'graph.group_norm' op expects groups to divide the 8 channels of 'tensor<4x8xf32>', but got 0}}
  %0 = graph.group_norm %x groups = 0 eps = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

func.func @group_norm_c2(%x: tensor<4x8xf32>, %w: tensor<2xf32>) {
  // expected-error @+1 {{'graph.group_norm' op expects a weight of shape [8], but got 'tensor<2xf32>'}}
  %0 = graph.group_norm %x, %w groups = 2 eps = 1.0e-5 : tensor<4x8xf32>, tensor<2xf32>
  return
}

// -----

func.func @group_norm_c3(%x: tensor<4x8xf16>, %w: tensor<8xbf16>) {
  // expected-error @+1 {{'graph.group_norm' op expects a weight of the input's element type or its accumulation type, but got 'tensor<8xbf16>' for 'tensor<4x8xf16>'}}
  %0 = graph.group_norm %x, %w groups = 2 eps = 1.0e-5 : tensor<4x8xf16>, tensor<8xbf16>
  return
}

// -----

func.func @group_norm_c4(%x: tensor<4x8xf16>) {
  // expected-error @+1 {{'graph.group_norm' op expects eps to be finite and 0 or more, but got -1.0}}
  %0 = graph.group_norm %x groups = 2 eps = -1.0 : tensor<4x8xf16>
  return
}

// -----

func.func @batch_norm_c1(%x: tensor<8xf32>, %m: tensor<8xf32>) {
  // expected-error @+1 {{'graph.batch_norm' op expects an input of rank 2 or more, but got 'tensor<8xf32>'}}
  %0:3 = graph.batch_norm %x, %m, %m momentum = 0.1 eps = 1.0e-5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_c2_mean(%x: tensor<4x8xf32>, %m: tensor<8xf32>, %n: tensor<4xf32>) {
  // expected-error @+1 {{'graph.batch_norm' op expects a running_mean of shape [8], but got 'tensor<4xf32>'}}
  %0:3 = graph.batch_norm %x, %n, %m momentum = 0.1 eps = 1.0e-5 : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_c2_var(%x: tensor<4x8xf32>, %m: tensor<8xf32>, %n: tensor<4xf32>) {
  // expected-error @+1 {{'graph.batch_norm' op expects a running_var of shape [8], but got 'tensor<4xf32>'}}
  %0:3 = graph.batch_norm %x, %m, %n momentum = 0.1 eps = 1.0e-5 : tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>
  return
}

// -----

func.func @batch_norm_c2_weight(%x: tensor<4x8xf32>, %m: tensor<8xf32>, %n: tensor<4xf32>) {
  // expected-error @+1 {{'graph.batch_norm' op expects a weight of shape [8], but got 'tensor<4xf32>'}}
  %0:3 = graph.batch_norm %x, %m, %m, %n momentum = 0.1 eps = 1.0e-5 : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
  return
}

// -----

func.func @batch_norm_c3(%x: tensor<4x8xf32>, %m: tensor<8xf32>, %n: tensor<8xf64>) {
  // expected-error @+1 {{'graph.batch_norm' op expects a running_mean of the input's element type or its accumulation type, but got 'tensor<8xf64>' for 'tensor<4x8xf32>'}}
  %0:3 = graph.batch_norm %x, %n, %m momentum = 0.1 eps = 1.0e-5 : tensor<4x8xf32>, tensor<8xf64>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_c4(%x: tensor<4x8xf32>, %m: tensor<8xf32>) {
  // expected-error @+1 {{'graph.batch_norm' op expects eps to be finite and 0 or more, but got -1.0}}
  %0:3 = graph.batch_norm %x, %m, %m momentum = 0.1 eps = -1.0 : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_c4_momentum(%x: tensor<4x8xf32>, %m: tensor<8xf32>) {
  // expected-error @+1 {{'graph.batch_norm' op expects momentum in [0, 1], but got 1.5}}
  %0:3 = graph.batch_norm %x, %m, %m momentum = 1.5 eps = 1.0e-5 : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_c5(%x: tensor<1x8x1xf32>, %m: tensor<8xf32>) {
  // expected-error @+1 {{'graph.batch_norm' op expects two or more values per channel in training, but got 'tensor<1x8x1xf32>'}}
  %0:3 = graph.batch_norm %x, %m, %m momentum = 0.1 eps = 1.0e-5 mode = train : tensor<1x8x1xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_c5_none(%x: tensor<0x8xf32>, %m: tensor<8xf32>) {
  // expected-error @+1 {{'graph.batch_norm' op expects two or more values per channel in training, but got 'tensor<0x8xf32>'}}
  %0:3 = graph.batch_norm %x, %m, %m momentum = 0.1 eps = 1.0e-5 mode = train : tensor<0x8xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @attention_c1(%q: tensor<2x4x5x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x2x6x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects query, key and value of one element type and one rank of 2 or more, but got 'tensor<2x4x5x8xf32>', 'tensor<2x6x8xf32>' and 'tensor<2x2x6x3xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, tensor<2x6x8xf32>, tensor<2x2x6x3xf32> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c1_rank(%q: tensor<8xf32>, %k: tensor<8xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{'graph.attention' op expects query, key and value of one element type and one rank of 2 or more, but got 'tensor<8xf32>', 'tensor<8xf32>' and 'tensor<8xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<8xf32>, tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @attention_c1_type(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x3xf64>) {
  // expected-error @+1 {{'graph.attention' op expects query, key and value of one element type and one rank of 2 or more, but got 'tensor<2x4x5x8xf32>', 'tensor<2x2x6x8xf32>' and 'tensor<2x2x6x3xf64>'}}
  %0 = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x3xf64> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c1_depth(%q: tensor<5x0xf32>, %k: tensor<6x0xf32>, %v: tensor<6x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects a query of depth 1 or more, but got 'tensor<5x0xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<5x0xf32>, tensor<6x0xf32>, tensor<6x3xf32> -> tensor<5x3xf32>
  return
}

// -----

func.func @attention_c2_depth(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x7xf32>, %v: tensor<2x2x6x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects a key of depth 8, as the query's, but got 'tensor<2x2x6x7xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, tensor<2x2x6x7xf32>, tensor<2x2x6x3xf32> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c2_heads(%q: tensor<2x4x5x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects a key with the leading dims of 'tensor<2x4x5x8xf32>', or a divisor of its heads, but got 'tensor<2x3x6x8xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, tensor<2x3x6x8xf32>, tensor<2x3x6x3xf32> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c2_batch(%q: tensor<2x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects a key with the leading dims of 'tensor<2x4x5x8xf32>', or a divisor of its heads, but got 'tensor<1x2x6x8xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x3xf32> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c2_no_heads(%q: tensor<2x4x5x8xf32>, %k: tensor<2x0x6x8xf32>, %v: tensor<2x0x6x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects a key with the leading dims of 'tensor<2x4x5x8xf32>', or a divisor of its heads, but got 'tensor<2x0x6x8xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, tensor<2x0x6x8xf32>, tensor<2x0x6x3xf32> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c2_value(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x5x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects a value for each position of 'tensor<2x2x6x8xf32>', but got 'tensor<2x2x5x3xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x5x3xf32> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c3(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x3xf32>, %m: tensor<2x5x6xi1>) {
  // expected-error @+1 {{'graph.attention' op expects a mask that repeats to [2, 4, 5, 6], but got 'tensor<2x5x6xi1>'}}
  %0 = graph.attention %q, %k, %v, %m : tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x3xf32>, tensor<2x5x6xi1> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c3_rank(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x3xf32>, %m: tensor<1x2x4x5x6xi1>) {
  // expected-error @+1 {{'graph.attention' op expects a mask that repeats to [2, 4, 5, 6], but got 'tensor<1x2x4x5x6xi1>'}}
  %0 = graph.attention %q, %k, %v, %m : tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x3xf32>, tensor<1x2x4x5x6xi1> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c4(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x3xf32>, %m: tensor<5x6xf64>) {
  // expected-error @+1 {{'graph.attention' op expects a mask of i1, of the query's element type or of its accumulation type, but got 'tensor<5x6xf64>'}}
  %0 = graph.attention %q, %k, %v, %m : tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x3xf32>, tensor<5x6xf64> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c5(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects a finite scale, but got inf}}
  %0 = graph.attention %q, %k, %v scale = 0x7FF0000000000000 : tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x3xf32> -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @attention_c6(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x3xf32>) {
  // expected-error @+1 {{'graph.attention' op expects result type 'tensor<2x4x5x3xf32>', but got 'tensor<2x4x5x8xf32>'}}
  %0 = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x3xf32> -> tensor<2x4x5x8xf32>
  return
}

// -----

func.func @group_norm_c5(%x: tensor<2x0x3xf32>) {
  // expected-error @+1 {{'graph.group_norm' op expects an input in groups of at most 1099511627776 elements, but got a shape of [2, 4611686018427387904, 0, 3]}}
  %0 = graph.group_norm %x groups = 4611686018427387904 eps = 1.0e-5 : tensor<2x0x3xf32>
  return
}

// -----

func.func @attention_c7(%q: tensor<1048576x1xf32>, %k: tensor<1048577x1xf32>, %v: tensor<1048577x1xf32>) {
  // expected-error @+1 {{'graph.attention' op expects scores of at most 1099511627776 elements, but got a shape of [1048576, 1048577]}}
  %0 = graph.attention %q, %k, %v : tensor<1048576x1xf32>, tensor<1048577x1xf32>, tensor<1048577x1xf32> -> tensor<1048576x1xf32>
  return
}

// -----

func.func @attention_grad_c1(%q: tensor<2x5x8xf32>, %k: tensor<2x6x7xf32>, %v: tensor<2x6x3xf32>, %o: tensor<2x5x3xf32>) {
  // expected-error @+1 {{'graph.attention_grad' op expects a key of depth 8, as the query's, but got 'tensor<2x6x7xf32>'}}
  %0:3 = graph.attention_grad %q, %k, %v, %o, %o : tensor<2x5x8xf32>, tensor<2x6x7xf32>, tensor<2x6x3xf32>, tensor<2x5x3xf32>, tensor<2x5x3xf32>
  return
}

// -----

func.func @attention_grad_c2(%q: tensor<2x5x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x3xf32>, %o: tensor<2x5x3xf32>, %g: tensor<2x5x8xf32>) {
  // expected-error @+1 {{'graph.attention_grad' op expects an output and a grad of type 'tensor<2x5x3xf32>', but got 'tensor<2x5x8xf32>'}}
  %0:3 = graph.attention_grad %q, %k, %v, %o, %g : tensor<2x5x8xf32>, tensor<2x6x8xf32>, tensor<2x6x3xf32>, tensor<2x5x3xf32>, tensor<2x5x8xf32>
  return
}

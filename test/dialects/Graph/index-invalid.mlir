// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of gathers, scatters, dynamic slices, scans,
// sorts and triangles.

func.func @gather_c1(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>) {
  // expected-error @+1 {{'graph.gather' op expects axis to be a dimension of 'tensor<2x5x3xf32>', but got 3}}
  %0 = graph.gather %x, %i axis = 3 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @gather_c1_negative(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>) {
  // expected-error @+1 {{'graph.gather' op expects axis to be a dimension of 'tensor<2x5x3xf32>', but got -1}}
  %0 = graph.gather %x, %i axis = -1 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @gather_c2(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>) {
  // expected-error @+1 {{'graph.gather' op expects batch_dims in [0, 1] for axis 1 and indices of type 'tensor<2x4xi64>', but got 2}}
  %0 = graph.gather %x, %i axis = 1 batch_dims = 2 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @gather_c2_negative(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>) {
  // expected-error @+1 {{'graph.gather' op expects batch_dims in [0, 1] for axis 1 and indices of type 'tensor<2x4xi64>', but got -1}}
  %0 = graph.gather %x, %i axis = 1 batch_dims = -1 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @gather_c2_rank(%x: tensor<2x5x3xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{'graph.gather' op expects batch_dims in [0, 1] for axis 2 and indices of type 'tensor<2xi64>', but got 2}}
  %0 = graph.gather %x, %i axis = 2 batch_dims = 2 : tensor<2x5x3xf32>, tensor<2xi64> -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_c3(%x: tensor<2x5x3xf32>, %i: tensor<3x4xi64>) {
  // expected-error @+1 {{'graph.gather' op expects indices whose first 1 dims are those of 'tensor<2x5x3xf32>', but got 'tensor<3x4xi64>'}}
  %0 = graph.gather %x, %i axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<3x4xi64> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @gather_c4(%x: tensor<2x0xf32>, %i: tensor<4xi64>) {
  // expected-error @+1 {{'graph.gather' op expects dim 1 of 'tensor<2x0xf32>' not to be empty, since there are indices}}
  %0 = graph.gather %x, %i axis = 1 : tensor<2x0xf32>, tensor<4xi64> -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_c5(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>) {
  // expected-error @+1 {{'graph.gather' op expects result type 'tensor<2x4x3xf32>', but got 'tensor<2x4x2xf32>'}}
  %0 = graph.gather %x, %i axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x4x2xf32>
  return
}

// -----

func.func @gather_indices(%x: tensor<2x5x3xf32>, %i: tensor<4xi8>) {
  // expected-error @+1 {{'graph.gather' op operand #1 must be statically shaped tensor of}}
  %0 = graph.gather %x, %i axis = 1 : tensor<2x5x3xf32>, tensor<4xi8> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @scatter_add_c1(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op expects axis to be a dimension of 'tensor<2x5x3xf32>', but got 3}}
  %0 = graph.scatter_add %x, %i, %u axis = 3 : tensor<2x5x3xf32>, tensor<2x4xi64>, tensor<2x4x3xf32> -> tensor<2x5x3xf32>
  return
}

// -----

func.func @scatter_add_c1_negative(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op expects axis to be a dimension of 'tensor<2x5x3xf32>', but got -1}}
  %0 = graph.scatter_add %x, %i, %u axis = -1 : tensor<2x5x3xf32>, tensor<2x4xi64>, tensor<2x4x3xf32> -> tensor<2x5x3xf32>
  return
}

// -----

func.func @scatter_add_c2(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op expects batch_dims in [0, 1] for axis 1 and indices of type 'tensor<2x4xi64>', but got 2}}
  %0 = graph.scatter_add %x, %i, %u axis = 1 batch_dims = 2 : tensor<2x5x3xf32>, tensor<2x4xi64>, tensor<2x4x3xf32> -> tensor<2x5x3xf32>
  return
}

// -----

func.func @scatter_add_c2_negative(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op expects batch_dims in [0, 1] for axis 1 and indices of type 'tensor<2x4xi64>', but got -1}}
  %0 = graph.scatter_add %x, %i, %u axis = 1 batch_dims = -1 : tensor<2x5x3xf32>, tensor<2x4xi64>, tensor<2x4x3xf32> -> tensor<2x5x3xf32>
  return
}

// -----

func.func @scatter_add_c2_rank(%x: tensor<2x5x3xf32>, %i: tensor<2xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op expects batch_dims in [0, 1] for axis 2 and indices of type 'tensor<2xi64>', but got 2}}
  %0 = graph.scatter_add %x, %i, %u axis = 2 batch_dims = 2 : tensor<2x5x3xf32>, tensor<2xi64>, tensor<2x4x3xf32> -> tensor<2x5xf32>
  return
}

// -----

func.func @scatter_add_c3(%x: tensor<2x5x3xf32>, %i: tensor<3x4xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op expects indices whose first 1 dims are those of 'tensor<2x5x3xf32>', but got 'tensor<3x4xi64>'}}
  %0 = graph.scatter_add %x, %i, %u axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<3x4xi64>, tensor<2x4x3xf32> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @scatter_add_c4(%x: tensor<2x0xf32>, %i: tensor<4xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op expects dim 1 of 'tensor<2x0xf32>' not to be empty, since there are indices}}
  %0 = graph.scatter_add %x, %i, %u axis = 1 : tensor<2x0xf32>, tensor<4xi64>, tensor<2x4x3xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @scatter_add_c5(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>, %u: tensor<2x4x3xf16>) {
  // expected-error @+1 {{'graph.scatter_add' op expects updates of type 'tensor<2x4x3xf32>', but got 'tensor<2x4x3xf16>'}}
  %0 = graph.scatter_add %x, %i, %u axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<2x4xi64>, tensor<2x4x3xf16> -> tensor<2x5x3xf32>
  return
}

// -----

func.func @scatter_add_c6(%x: tensor<2x5x3xf32>, %i: tensor<2x4xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error @+1 {{'graph.scatter_add' op expects result type 'tensor<2x5x3xf32>', but got 'tensor<2x4x3xf32>'}}
  %0 = graph.scatter_add %x, %i, %u axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<2x4xi64>, tensor<2x4x3xf32> -> tensor<2x4x3xf32>
  return
}

// -----

func.func @embedding_c1(%w: tensor<10xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'graph.embedding' op expects a weight of rank 2, but got 'tensor<10xf32>'}}
  %0 = graph.embedding %w, %i : tensor<10xf32>, tensor<3xi64> -> tensor<3xf32>
  return
}

// -----

func.func @embedding_c2(%w: tensor<0x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'graph.embedding' op expects a weight with a row, since there are indices, but got 'tensor<0x4xf32>'}}
  %0 = graph.embedding %w, %i : tensor<0x4xf32>, tensor<3xi64> -> tensor<3x4xf32>
  return
}

// -----

func.func @embedding_c3(%w: tensor<10x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'graph.embedding' op expects padding_idx in [0, 10), but got 10}}
  %0 = graph.embedding %w, %i padding_idx = 10 : tensor<10x4xf32>, tensor<3xi64> -> tensor<3x4xf32>
  return
}

// -----

func.func @embedding_c3_negative(%w: tensor<10x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'graph.embedding' op expects padding_idx in [0, 10), but got -1}}
  %0 = graph.embedding %w, %i padding_idx = -1 : tensor<10x4xf32>, tensor<3xi64> -> tensor<3x4xf32>
  return
}

// -----

func.func @embedding_c4(%w: tensor<10x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'graph.embedding' op expects result type 'tensor<3x4xf32>', but got 'tensor<4x3xf32>'}}
  %0 = graph.embedding %w, %i : tensor<10x4xf32>, tensor<3xi64> -> tensor<4x3xf32>
  return
}

// -----

func.func @one_hot_c1(%i: tensor<3xi64>) {
  // expected-error @+1 {{'graph.one_hot' op expects a result with the shape of 'tensor<3xi64>' and one more dim, but got 'tensor<4x10xf32>'}}
  %0 = graph.one_hot %i : tensor<3xi64> -> tensor<4x10xf32>
  return
}

// -----

func.func @one_hot_c1_rank(%i: tensor<3xi64>) {
  // expected-error @+1 {{'graph.one_hot' op expects a result with the shape of 'tensor<3xi64>' and one more dim, but got 'tensor<3xf32>'}}
  %0 = graph.one_hot %i : tensor<3xi64> -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_slice_c1_starts(%x: tensor<8x4xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{'graph.dynamic_slice' op expects 2 starts, one for each dim of 'tensor<8x4xf32>', but got 1}}
  %0 = graph.dynamic_slice %x, %i sizes = [2, 3] : tensor<8x4xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_slice_c1_sizes(%x: tensor<8x4xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{'graph.dynamic_slice' op expects 2 sizes, one for each dim of 'tensor<8x4xf32>', but got 3}}
  %0 = graph.dynamic_slice %x, %i, %i sizes = [2, 3, 1] : tensor<8x4xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_slice_c2(%x: tensor<8x4xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{'graph.dynamic_slice' op expects a size in [0, 4] for dim 1, but got 5}}
  %0 = graph.dynamic_slice %x, %i, %i sizes = [2, 5] : tensor<8x4xf32> -> tensor<2x5xf32>
  return
}

// -----

func.func @dynamic_slice_c2_negative(%x: tensor<8x4xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{'graph.dynamic_slice' op expects a size in [0, 8] for dim 0, but got -1}}
  %0 = graph.dynamic_slice %x, %i, %i sizes = [-1, 3] : tensor<8x4xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%x: tensor<8x4xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{'graph.dynamic_slice' op expects result type 'tensor<2x3xf32>', but got 'tensor<3x2xf32>'}}
  %0 = graph.dynamic_slice %x, %i, %i sizes = [2, 3] : tensor<8x4xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1_size(%x: tensor<8x4xf32>, %i: tensor<i64>, %u: tensor<2x5xf32>) {
  // expected-error @+1 {{'graph.dynamic_update_slice' op expects an update that fits into 'tensor<8x4xf32>', but got 'tensor<2x5xf32>'}}
  %0 = graph.dynamic_update_slice %x, %u, %i, %i : tensor<8x4xf32>, tensor<2x5xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1_rank(%x: tensor<8x4xf32>, %i: tensor<i64>, %u: tensor<2xf32>) {
  // expected-error @+1 {{'graph.dynamic_update_slice' op expects an update that fits into 'tensor<8x4xf32>', but got 'tensor<2xf32>'}}
  %0 = graph.dynamic_update_slice %x, %u, %i, %i : tensor<8x4xf32>, tensor<2xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1_type(%x: tensor<8x4xf32>, %i: tensor<i64>, %u: tensor<2x3xf16>) {
  // expected-error @+1 {{'graph.dynamic_update_slice' op expects an update that fits into 'tensor<8x4xf32>', but got 'tensor<2x3xf16>'}}
  %0 = graph.dynamic_update_slice %x, %u, %i, %i : tensor<8x4xf32>, tensor<2x3xf16> -> tensor<8x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c2(%x: tensor<8x4xf32>, %i: tensor<i64>, %u: tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.dynamic_update_slice' op expects 2 starts, one for each dim of 'tensor<8x4xf32>', but got 3}}
  %0 = graph.dynamic_update_slice %x, %u, %i, %i, %i : tensor<8x4xf32>, tensor<2x3xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c3(%x: tensor<8x4xf32>, %i: tensor<i64>, %u: tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.dynamic_update_slice' op expects result type 'tensor<8x4xf32>', but got 'tensor<2x3xf32>'}}
  %0 = graph.dynamic_update_slice %x, %u, %i, %i : tensor<8x4xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @cumsum_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'graph.cumsum' op expects axis to be a dimension of 'tensor<8x4xf32>', but got 2}}
  %0 = graph.cumsum %x axis = 2 : tensor<8x4xf32>
  return
}

// -----

func.func @sort_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'graph.sort' op expects axis to be a dimension of 'tensor<8x4xf32>', but got -1}}
  %0, %1 = graph.sort %x axis = -1 : tensor<8x4xf32> -> tensor<8x4xf32>, tensor<8x4xi64>
  return
}

// -----

func.func @sort_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'graph.sort' op expects result type 'tensor<8x4xf32>', 'tensor<8x4xi64>', but got 'tensor<8x4xf32>', 'tensor<4x8xi64>'}}
  %0, %1 = graph.sort %x axis = 1 : tensor<8x4xf32> -> tensor<8x4xf32>, tensor<4x8xi64>
  return
}

// -----

func.func @top_k_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'graph.top_k' op expects axis to be a dimension of 'tensor<8x4xf32>', but got 2}}
  %0, %1 = graph.top_k %x k = 1 axis = 2 : tensor<8x4xf32> -> tensor<8x1xf32>, tensor<8x1xi64>
  return
}

// -----

func.func @top_k_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'graph.top_k' op expects k in [0, 4] for dim 1 of 'tensor<8x4xf32>', but got 5}}
  %0, %1 = graph.top_k %x k = 5 axis = 1 : tensor<8x4xf32> -> tensor<8x5xf32>, tensor<8x5xi64>
  return
}

// -----

func.func @top_k_c2_negative(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'graph.top_k' op expects k in [0, 4] for dim 1 of 'tensor<8x4xf32>', but got -1}}
  %0, %1 = graph.top_k %x k = -1 axis = 1 : tensor<8x4xf32> -> tensor<8x1xf32>, tensor<8x1xi64>
  return
}

// -----

func.func @top_k_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'graph.top_k' op expects result type 'tensor<8x2xf32>', 'tensor<8x2xi64>', but got 'tensor<8x3xf32>', 'tensor<8x2xi64>'}}
  %0, %1 = graph.top_k %x k = 2 axis = 1 : tensor<8x4xf32> -> tensor<8x3xf32>, tensor<8x2xi64>
  return
}

// -----

func.func @tril_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'graph.tril' op expects an input of rank 2 or more, but got 'tensor<8xf32>'}}
  %0 = graph.tril %x : tensor<8xf32>
  return
}

// -----

func.func @triu_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'graph.triu' op expects an input of rank 2 or more, but got 'tensor<8xf32>'}}
  %0 = graph.triu %x : tensor<8xf32>
  return
}

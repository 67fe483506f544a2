// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of convolutions, pooling and windows.

func.func @reverse_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.reverse' op expects axes to be strictly increasing dimensions of 'tensor<2x3xf32>', but got [1, 0]}}
  %0 = graph.reverse %x axes = [1, 0] : tensor<2x3xf32>
  return
}

// -----

func.func @reverse_c1_rank(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.reverse' op expects axes to be strictly increasing dimensions of 'tensor<2x3xf32>', but got [2]}}
  %0 = graph.reverse %x axes = [2] : tensor<2x3xf32>
  return
}

// -----

func.func @unfold_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.unfold' op expects strides of at least 1, but got 0}}
  %0 = graph.unfold %x kernel = [2] strides = [0] dilation = [1] : tensor<4xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @unfold_c1_lists(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.unfold' op expects 1 entries of kernel, one for each dimension that slides, but got 2}}
  %0 = graph.unfold %x kernel = [2, 2] strides = [1] dilation = [1] : tensor<4xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @unfold_c1_none(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.unfold' op expects 1 entries of kernel, one for each dimension that slides, but got 0}}
  %0 = graph.unfold %x kernel = [] strides = [] dilation = [] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @unfold_c1_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.unfold' op expects at most 1 dimensions that slide, as many as 'tensor<4xf32>' has, but got 2}}
  %0 = graph.unfold %x kernel = [1, 1] strides = [1, 1] dilation = [1, 1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @unfold_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.unfold' op expects a window that fits, but got one of 5 in 4 elements of dimension 0 of those that slide}}
  %0 = graph.unfold %x kernel = [3] strides = [1] dilation = [2] : tensor<4xf32> -> tensor<0x3xf32>
  return
}

// -----

func.func @unfold_overflow(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.unfold' op window size overflows}}
  %0 = graph.unfold %x kernel = [3] strides = [1] dilation = [9223372036854775807] : tensor<4xf32> -> tensor<0x3xf32>
  return
}

// -----

func.func @fold_c1(%x: tensor<3x2xf32>) {
  // expected-error @+1 {{'graph.fold' op expects 1 entries of kernel, one for each dimension that slides, but got 0}}
  %0 = graph.fold %x strides = [] dilation = [] : tensor<3x2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @fold_c2(%x: tensor<3x2xf32>) {
  // expected-error @+1 {{'graph.fold' op expects windows of type 'tensor<4x2xf32>' for a result of type 'tensor<5xf32>', but got 'tensor<3x2xf32>'}}
  %0 = graph.fold %x strides = [1] dilation = [1] : tensor<3x2xf32> -> tensor<5xf32>
  return
}

// -----

func.func @conv_c1(%x: tensor<2x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'graph.conv' op expects 1 entries of strides, one for each dimension that slides, but got 2}}
  %0 = graph.conv %x, %w strides = [1, 1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<6x4x3xf32> -> tensor<2x6x6xf32>
  return
}

// -----

func.func @conv_c1_negative(%x: tensor<2x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'graph.conv' op expects low of at least 0, but got -1}}
  %0 = graph.conv %x, %w strides = [1] low = [-1] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<6x4x3xf32> -> tensor<2x6x6xf32>
  return
}

// -----

func.func @conv_c2(%x: tensor<2x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'graph.conv' op expects groups of at least 1 that divide the 4 input channels, but got 3}}
  %0 = graph.conv %x, %w strides = [1] low = [0] high = [0] dilation = [1] groups = 3 : tensor<2x4x8xf32>, tensor<6x4x3xf32> -> tensor<2x6x6xf32>
  return
}

// -----

func.func @conv_c2_output(%x: tensor<2x4x8xf32>, %w: tensor<6x1x3xf32>) {
  // expected-error @+1 {{'graph.conv' op expects groups of at least 1 that divide the 6 output channels, but got 4}}
  %0 = graph.conv %x, %w strides = [1] low = [0] high = [0] dilation = [1] groups = 4 : tensor<2x4x8xf32>, tensor<6x1x3xf32> -> tensor<2x6x6xf32>
  return
}

// -----

func.func @conv_c3(%x: tensor<2x4x8xf32>, %w: tensor<6x3x3xf32>) {
  // expected-error @+1 {{'graph.conv' op expects a weight of 4 input channels (4 in 1 groups), but got 3}}
  %0 = graph.conv %x, %w strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<6x3x3xf32> -> tensor<2x6x6xf32>
  return
}

// -----

func.func @conv_c3_rank(%x: tensor<2x4xf32>, %w: tensor<6x4xf32>) {
  // expected-error @+1 {{'graph.conv' op expects an input and a weight of one rank, 3 or more, but got 'tensor<2x4xf32>' and 'tensor<6x4xf32>'}}
  %0 = graph.conv %x, %w strides = [] low = [] high = [] dilation = [] groups = 1 : tensor<2x4xf32>, tensor<6x4xf32> -> tensor<2x6xf32>
  return
}

// -----

func.func @conv_c3_kernel(%x: tensor<2x4x8xf32>, %w: tensor<6x4x0xf32>) {
  // expected-error @+1 {{'graph.conv' op expects kernel of at least 1, but got 0}}
  %0 = graph.conv %x, %w strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<6x4x0xf32> -> tensor<2x6x9xf32>
  return
}

// -----

func.func @conv_c4(%x: tensor<2x4x2xf32>, %w: tensor<6x4x4xf32>) {
  // expected-error @+1 {{'graph.conv' op expects a window that fits, but got one of 4 in 3 elements of dimension 0 of those that slide}}
  %0 = graph.conv %x, %w strides = [1] low = [1] high = [0] dilation = [1] groups = 1 : tensor<2x4x2xf32>, tensor<6x4x4xf32> -> tensor<2x6x0xf32>
  return
}

// -----

func.func @conv_c5(%x: tensor<2x4x8xf32>, %w: tensor<6x4x3xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'graph.conv' op expects a bias of shape [6], but got 'tensor<4xf32>'}}
  %0 = graph.conv %x, %w, %b strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<6x4x3xf32>, tensor<4xf32> -> tensor<2x6x6xf32>
  return
}

// -----

func.func @conv_c6(%x: tensor<2x4x8xf32>, %w: tensor<6x4x3xf16>) {
  // expected-error @+1 {{'graph.conv' op expects one element type, but got 'tensor<2x4x8xf32>' and 'tensor<6x4x3xf16>'}}
  %0 = graph.conv %x, %w strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<6x4x3xf16> -> tensor<2x6x6xf32>
  return
}

// -----

func.func @conv_c6_bias(%x: tensor<2x4x8xf32>, %w: tensor<6x4x3xf32>, %b: tensor<6xf64>) {
  // expected-error @+1 {{'graph.conv' op expects a bias of the input's element type or a wider one, but got 'tensor<6xf64>'}}
  %0 = graph.conv %x, %w, %b strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<6x4x3xf32>, tensor<6xf64> -> tensor<2x6x6xf32>
  return
}

// -----

func.func @conv_transpose_c1(%x: tensor<2x4x8xf32>, %w: tensor<4x4x3xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects 1 entries of strides, one for each dimension that slides, but got 2}}
  %0 = graph.conv_transpose %x, %w strides = [1, 1] low = [0] high = [0] dilation = [1] output_padding = [0] groups = 1 : tensor<2x4x8xf32>, tensor<4x4x3xf32> -> tensor<2x4x10xf32>
  return
}

// -----

func.func @conv_transpose_c2(%x: tensor<2x4x8xf32>, %w: tensor<4x4x3xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects groups of at least 1 that divide the 4 input channels, but got 3}}
  %0 = graph.conv_transpose %x, %w strides = [1] low = [0] high = [0] dilation = [1] output_padding = [0] groups = 3 : tensor<2x4x8xf32>, tensor<4x4x3xf32> -> tensor<2x12x10xf32>
  return
}

// -----

func.func @conv_transpose_c3(%x: tensor<2x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects a weight of 4 input channels, but got 6}}
  %0 = graph.conv_transpose %x, %w strides = [1] low = [0] high = [0] dilation = [1] output_padding = [0] groups = 1 : tensor<2x4x8xf32>, tensor<6x4x3xf32> -> tensor<2x4x10xf32>
  return
}

// -----

func.func @conv_transpose_c3_empty(%x: tensor<2x4x0xf32>, %w: tensor<4x4x3xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects no spatial size of 0, but got 'tensor<2x4x0xf32>'}}
  %0 = graph.conv_transpose %x, %w strides = [1] low = [0] high = [0] dilation = [1] output_padding = [0] groups = 1 : tensor<2x4x0xf32>, tensor<4x4x3xf32> -> tensor<2x4x2xf32>
  return
}

// -----

func.func @conv_transpose_c4(%x: tensor<2x4x8xf32>, %w: tensor<4x4x3xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects output_padding in [0, 2), less than the stride or the dilation, but got 2}}
  %0 = graph.conv_transpose %x, %w strides = [2] low = [0] high = [0] dilation = [1] output_padding = [2] groups = 1 : tensor<2x4x8xf32>, tensor<4x4x3xf32> -> tensor<2x4x19xf32>
  return
}

// -----

func.func @conv_transpose_c4_lists(%x: tensor<2x4x8xf32>, %w: tensor<4x4x3xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects 1 entries of output_padding, one for each dimension that slides, but got 0}}
  %0 = graph.conv_transpose %x, %w strides = [2] low = [0] high = [0] dilation = [1] output_padding = [] groups = 1 : tensor<2x4x8xf32>, tensor<4x4x3xf32> -> tensor<2x4x17xf32>
  return
}

// -----

func.func @conv_transpose_c4_size(%x: tensor<2x4x1xf32>, %w: tensor<4x4x1xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects low and high to leave a size, but got -1 elements of dimension 0 of those that slide}}
  %0 = graph.conv_transpose %x, %w strides = [1] low = [1] high = [1] dilation = [1] output_padding = [0] groups = 1 : tensor<2x4x1xf32>, tensor<4x4x1xf32> -> tensor<2x4x0xf32>
  return
}

// -----

func.func @conv_transpose_c5(%x: tensor<2x4x8xf32>, %w: tensor<4x4x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects a bias of shape [4], but got 'tensor<3xf32>'}}
  %0 = graph.conv_transpose %x, %w, %b strides = [1] low = [0] high = [0] dilation = [1] output_padding = [0] groups = 1 : tensor<2x4x8xf32>, tensor<4x4x3xf32>, tensor<3xf32> -> tensor<2x4x10xf32>
  return
}

// -----

func.func @conv_transpose_c6(%x: tensor<2x4x8xf32>, %w: tensor<4x4x3xf16>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects one element type, but got 'tensor<2x4x8xf32>' and 'tensor<4x4x3xf16>'}}
  %0 = graph.conv_transpose %x, %w strides = [1] low = [0] high = [0] dilation = [1] output_padding = [0] groups = 1 : tensor<2x4x8xf32>, tensor<4x4x3xf16> -> tensor<2x4x10xf32>
  return
}

// -----

func.func @conv_weight_grad_c1(%x: tensor<2x4x8xf32>, %g: tensor<2x6x6xf32>) {
  // expected-error @+1 {{'graph.conv_weight_grad' op expects 1 entries of strides, one for each dimension that slides, but got 2}}
  %0 = graph.conv_weight_grad %x, %g strides = [1, 1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<2x6x6xf32> -> tensor<6x4x3xf32>
  return
}

// -----

func.func @conv_weight_grad_c2(%x: tensor<2x4x8xf32>, %g: tensor<2x6x6xf32>) {
  // expected-error @+1 {{'graph.conv_weight_grad' op expects groups of at least 1 that divide the 4 input channels, but got 3}}
  %0 = graph.conv_weight_grad %x, %g strides = [1] low = [0] high = [0] dilation = [1] groups = 3 : tensor<2x4x8xf32>, tensor<2x6x6xf32> -> tensor<6x4x3xf32>
  return
}

// -----

func.func @conv_weight_grad_c3(%x: tensor<2x4x8xf32>, %g: tensor<2x6x5xf32>) {
  // expected-error @+1 {{'graph.conv_weight_grad' op expects a gradient of type 'tensor<2x6x6xf32>' for an input of type 'tensor<2x4x8xf32>', but got 'tensor<2x6x5xf32>'}}
  %0 = graph.conv_weight_grad %x, %g strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<2x6x5xf32> -> tensor<6x4x3xf32>
  return
}

// -----

func.func @conv_weight_grad_c4(%x: tensor<2x4x8xf32>, %g: tensor<2x6x6xf32>) {
  // expected-error @+1 {{'graph.conv_weight_grad' op expects one element type, but got 'tensor<2x4x8xf32>' and 'tensor<6x4x3xf64>'}}
  %0 = graph.conv_weight_grad %x, %g strides = [1] low = [0] high = [0] dilation = [1] groups = 1 : tensor<2x4x8xf32>, tensor<2x6x6xf32> -> tensor<6x4x3xf64>
  return
}

// -----

func.func @max_pool_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.max_pool' op expects kernel of at least 1, but got 0}}
  %0 = graph.max_pool %x kernel = [0] strides = [1] low = [0] high = [0] dilation = [1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @max_pool_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.max_pool' op expects a window that fits, but got one of 7 in 6 elements of dimension 0 of those that slide}}
  %0 = graph.max_pool %x kernel = [7] strides = [1] low = [1] high = [1] dilation = [1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @max_pool_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.max_pool' op expects padding of at most 1, half of the window, but got low 0, high 2}}
  %0 = graph.max_pool %x kernel = [3] strides = [1] low = [0] high = [2] dilation = [1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @avg_pool_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.avg_pool' op expects dilation of at least 1, but got 0}}
  %0 = graph.avg_pool %x kernel = [3] strides = [1] low = [0] high = [0] dilation = [0] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @avg_pool_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.avg_pool' op expects a window that fits, but got one of 7 in 6 elements of dimension 0 of those that slide}}
  %0 = graph.avg_pool %x kernel = [7] strides = [1] low = [1] high = [1] dilation = [1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @avg_pool_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.avg_pool' op expects padding of at most 1, half of the window, but got low 2, high 0}}
  %0 = graph.avg_pool %x kernel = [3] strides = [1] low = [2] high = [0] dilation = [1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// What an op makes of its operands has at most 2^40 elements, as any tensor.

func.func @conv_c7_padding(%x: tensor<1x1x1xf32>, %w: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'graph.conv' op expects a padded input of at most 1099511627776 elements, but got a shape of [1, 1, 4611686018427387905]}}
  %0 = graph.conv %x, %w strides = [1] low = [2305843009213693952] high = [2305843009213693952] dilation = [4611686018427387904] groups = 1 : tensor<1x1x1xf32>, tensor<1x1x2xf32> -> tensor<1x1x1xf32>
  return
}

// -----

func.func @conv_c7_windows(%x: tensor<0x1x1048576xf32>, %w: tensor<1x1x524289xf32>) {
  // expected-error @+1 {{'graph.conv' op expects windows of at most 1099511627776 elements, but got a shape of [0, 1, 2097153, 524289]}}
  %0 = graph.conv %x, %w strides = [1] low = [1048576] high = [524289] dilation = [1] groups = 1 : tensor<0x1x1048576xf32>, tensor<1x1x524289xf32> -> tensor<0x1x2097153xf32>
  return
}

// -----

func.func @conv_transpose_c7_padding(%x: tensor<1x1x1xf32>, %w: tensor<1x1x2xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects a padded input of at most 1099511627776 elements, but got a shape of [1, 1, 4611686018427387905]}}
  %0 = graph.conv_transpose %x, %w strides = [1] low = [2305843009213693952] high = [2305843009213693952] dilation = [4611686018427387904] output_padding = [0] groups = 1 : tensor<1x1x1xf32>, tensor<1x1x2xf32> -> tensor<1x1x1xf32>
  return
}

// -----

func.func @conv_transpose_c7_windows(%x: tensor<1x1x1048576xf32>, %w: tensor<1x1x1048576xf32>) {
  // expected-error @+1 {{'graph.conv_transpose' op expects windows of at most 1099511627776 elements, but got a shape of [1, 1, 2097151, 1048576]}}
  %0 = graph.conv_transpose %x, %w strides = [1] low = [0] high = [0] dilation = [1] output_padding = [0] groups = 1 : tensor<1x1x1048576xf32>, tensor<1x1x1048576xf32> -> tensor<1x1x2097151xf32>
  return
}

// -----

func.func @conv_weight_grad_c5(%x: tensor<1x1x1xf32>, %g: tensor<1x1x1xf32>) {
  // expected-error @+1 {{'graph.conv_weight_grad' op expects a padded input of at most 1099511627776 elements, but got a shape of [1, 1, 4611686018427387905]}}
  %0 = graph.conv_weight_grad %x, %g strides = [1] low = [2305843009213693952] high = [2305843009213693952] dilation = [4611686018427387904] groups = 1 : tensor<1x1x1xf32>, tensor<1x1x1xf32> -> tensor<1x1x2xf32>
  return
}

// -----

func.func @max_pool_c4(%x: tensor<1xf32>) {
  // expected-error @+1 {{'graph.max_pool' op expects a padded input of at most 1099511627776 elements, but got a shape of [1099511627777]}}
  %0 = graph.max_pool %x kernel = [1099511627777] strides = [1] low = [549755813888] high = [549755813888] dilation = [1] : tensor<1xf32> -> tensor<1xf32>
  return
}

// -----

func.func @avg_pool_c4(%x: tensor<0x1048576xf32>) {
  // expected-error @+1 {{'graph.avg_pool' op expects windows of at most 1099511627776 elements, but got a shape of [0, 1048576, 1048577]}}
  %0 = graph.avg_pool %x kernel = [1048577] strides = [1] low = [524288] high = [524288] dilation = [1] : tensor<0x1048576xf32> -> tensor<0x1048576xf32>
  return
}

// -----

func.func @fold_c3(%w: tensor<1x1048576xf32>) {
  // expected-error @+1 {{'graph.fold' op expects a window and a result of at most 1099511627776 elements, but got a shape of [1048576, 1048577]}}
  %0 = graph.fold %w strides = [2] dilation = [1] : tensor<1x1048576xf32> -> tensor<1048577xf32>
  return
}

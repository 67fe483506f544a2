// The three faces of a convolution, of images of 32 x 32 and of 8 x 8.
func.func @large(%x: tensor<4x16x32x32xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<4x16x32x32xf32> {
  %y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<4x16x32x32xf32>, tensor<16x16x3x3xf32> -> tensor<4x16x32x32xf32>
  return %y : tensor<4x16x32x32xf32>
}
func.func @small(%x: tensor<4x64x8x8xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<4x64x8x8xf32> {
  %y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<4x64x8x8xf32>, tensor<64x64x3x3xf32> -> tensor<4x64x8x8xf32>
  return %y : tensor<4x64x8x8xf32>
}
func.func @input_grad(%g: tensor<4x32x16x16xf32>, %w: tensor<32x16x3x3xf32>) -> tensor<4x16x32x32xf32> {
  %y = graph.conv_transpose %g, %w strides = [2, 2] low = [1, 1] high = [1, 1] dilation = [1, 1] output_padding = [1, 1] groups = 1 : tensor<4x32x16x16xf32>, tensor<32x16x3x3xf32> -> tensor<4x16x32x32xf32>
  return %y : tensor<4x16x32x32xf32>
}
func.func @weight_grad(%x: tensor<4x64x8x8xf32>, %g: tensor<4x64x8x8xf32>) -> tensor<64x64x3x3xf32> {
  %y = graph.conv_weight_grad %x, %g strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<4x64x8x8xf32>, tensor<4x64x8x8xf32> -> tensor<64x64x3x3xf32>
  return %y : tensor<64x64x3x3xf32>
}

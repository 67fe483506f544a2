// A gradient of the user's own, through the user's op, and a function of the
// user's program (Host.cpp).
module @custom {
  graph.variable @w : tensor<2xf32> = dense<[1.0, 2.0]> : tensor<2xf32> trainable
  func.func private @cube(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = "user.cube"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  }
  // Straight through: as if it were x.
  func.func private @cube_vjp(%x: tensor<2xf32>, %y: tensor<2xf32>, %g: tensor<2xf32>) -> tensor<2xf32> {
    return %g : tensor<2xf32>
  }
  func.func private @shift_vjp(%x: tensor<2xf32>, %y: tensor<2xf32>, %g: tensor<2xf32>) -> tensor<2xf32> {
    %three = graph.constant dense<3.0> : tensor<2xf32>
    %d = graph.mul %g, %three : tensor<2xf32>
    return %d : tensor<2xf32>
  }
  func.func private @loss(%x: tensor<2xf32>) -> tensor<f32> {
    %w = graph.get @w : tensor<2xf32>
    %y = graph.mul %x, %w : tensor<2xf32>
    %c = graph.custom_vjp @cube(%y) vjp(@cube_vjp) : (tensor<2xf32>) -> tensor<2xf32>
    %s = graph.custom "shift"(%c) pure vjp(@shift_vjp) : (tensor<2xf32>) -> tensor<2xf32>
    %l = graph.reduce_sum %s axes = [0] : tensor<2xf32> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
}

// RUN: graph-opt --import --split-input-file %s | FileCheck %s

// Calls are expanded in every function, a public function stays, a private one
// goes, and what is differentiated gets a private copy in its mode.

// CHECK-LABEL: func.func @predict(
// CHECK-NOT:     call
// CHECK-COUNT-2: graph.tanh
// CHECK-NOT:   @layer
// CHECK-LABEL: func.func private @step.loss(
// CHECK-NOT:     call
// CHECK-COUNT-2: graph.tanh
// CHECK:       graph.train @step loss(@step.loss)
// CHECK-LABEL: func.func private @loss.eval(
// CHECK-NOT:     call
// CHECK:       graph.grad @dloss of @loss.eval wrt(@w) {mode = #graph<mode eval>}
// CHECK-LABEL: func.func private @loss.train(
// CHECK:       graph.grad @dloss_train of @loss.train wrt(@w) {mode = #graph<mode train>}
// CHECK:       graph.grad @dloss_x of @loss.eval inputs = [0]
graph.variable @w : tensor<4xf32> = #graph.zeros trainable
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = graph.get @w : tensor<4xf32>
  %y = graph.mul %x, %w : tensor<4xf32>
  %z = graph.tanh %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @predict(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = call @layer(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %y = call @predict(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %l = graph.reduce_sum %y axes = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
graph.grad @dloss of @loss wrt(@w)
graph.grad @dloss_train of @loss wrt(@w) {mode = #graph<mode train>}
graph.grad @dloss_x of @loss inputs = [0]

// -----

// Gradients inside functions: two of one function share one copy, in evaluation
// mode unless they say otherwise; a copy's own gradients name copies too.

// CHECK-LABEL: func.func private @df.eval
// CHECK:         graph.value_and_grad @f.eval
// CHECK-LABEL: func.func @gradients
// CHECK:         graph.value_and_grad @df.eval({{.*}} {mode = #graph<mode eval>}
// CHECK:         graph.value_and_grad @f.eval(
// CHECK:         graph.value_and_grad @f.train({{.*}} {mode = #graph<mode train>}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.sin %x : tensor<f32>
  return %y : tensor<f32>
}
func.func private @df(%x: tensor<f32>) -> tensor<f32> {
  %y, %dx = graph.value_and_grad @f(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %a, %da = graph.value_and_grad @df(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %b, %db = graph.value_and_grad @f(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %c, %dc = graph.value_and_grad @f(%x) inputs = [0] {mode = #graph<mode train>} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %da, %db, %dc : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// A name that is taken is avoided.

// CHECK: graph.variable @step.loss
// CHECK: func.func private @[[LOSS:step.loss_[0-9]+]]
// CHECK: graph.train @step loss(@[[LOSS]])
graph.variable @step.loss : tensor<f32> = #graph.zeros trainable
func.func @loss() -> tensor<f32> {
  %w = graph.get @step.loss : tensor<f32>
  return %w : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// An inner gradient of open mode has the mode of the function it stands in: the
// public function evaluates, what is trained trains, though they are the same.

// CHECK-LABEL: func.func private @inner.eval
// CHECK-NOT:     graph.dropout
// CHECK-LABEL: func.func @outer
// CHECK:         graph.value_and_grad @inner.eval({{.*}} {mode = #graph<mode eval>}
// CHECK-LABEL: func.func private @outer.train
// CHECK:         graph.value_and_grad @inner.train({{.*}} {mode = #graph<mode train>}
// CHECK:       func.func @second
// CHECK:         graph.value_and_grad @outer.train({{.*}} {mode = #graph<mode train>}
// CHECK-LABEL: func.func private @inner.train
// CHECK:         graph.dropout
// CHECK-LABEL: func.func private @step.loss
// CHECK:         graph.value_and_grad @inner.train({{.*}} {mode = #graph<mode train>}
graph.variable @w : tensor<4xf32> = #graph.zeros trainable
func.func private @inner(%x: tensor<4xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<4xf32>
  %y = graph.mul %x, %w : tensor<4xf32>
  %d = graph.dropout %y p = 0.5 : tensor<4xf32>
  %l = graph.reduce_sum %d axes = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
func.func @outer(%x: tensor<4xf32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @inner(%x) inputs = [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %l : tensor<f32>
}
func.func @second(%x: tensor<4xf32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @outer(%x) inputs = [0] {mode = #graph<mode train>} : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %l : tensor<f32>
}
graph.train @step loss(@outer) optimizer(#graph.sgd<lr = 0.5>)

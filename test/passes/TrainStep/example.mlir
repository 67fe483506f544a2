// RUN: graph-opt --train-step --split-input-file %s | FileCheck %s

// A step: gradients of every trainable variable that the loss reaches, in
// declaration order, then each one's update with its state.

// CHECK:       graph.variable @w
// CHECK:       graph.variable @step.lr : tensor<f32> = #graph.constant<0.5> {optimizer_state}
// CHECK-NEXT:  graph.variable @step.w.momentum_buffer : tensor<3xf32> = #graph.zeros {optimizer_state}
// CHECK-NEXT:  graph.variable @step.b.momentum_buffer : tensor<f32> = #graph.zeros {optimizer_state}
// CHECK-LABEL: func.func @step(
// CHECK-SAME:    %[[X:.*]]: tensor<3xf32> {test.name = "x"}) -> (tensor<f32>, tensor<3xf32>) attributes {graph.kind = "train"}
// CHECK-NEXT:    %[[R:.*]]:4 = graph.value_and_grad @step.loss(%[[X]]) wrt(@w, @b) {mode = #graph<mode train>}
// CHECK-DAG:     %[[LR:.*]] = graph.get @step.lr
// CHECK-DAG:     graph.get @w
// CHECK-DAG:     graph.get @step.w.momentum_buffer
// CHECK-DAG:     graph.set @w
// CHECK-DAG:     graph.set @step.w.momentum_buffer
// CHECK:         graph.set @b
// CHECK:         return %[[R]]#0, %[[R]]#1
// CHECK-LABEL: func.func @gradients(
// CHECK-SAME:    -> (tensor<f32>, tensor<3xf32>, tensor<3xf32> {graph.name = "input0"}, tensor<f32> {graph.name = "b"})
// CHECK-SAME:    attributes {graph.kind = "grad"}
// CHECK-NEXT:    %[[G:.*]]:4 = graph.value_and_grad @step.loss(%{{.*}}) wrt(@b) inputs = [0]
// CHECK-NEXT:    return %[[G]]#0, %[[G]]#1, %[[G]]#2, %[[G]]#3
graph.variable @w : tensor<3xf32> = #graph.zeros trainable
graph.variable @constant : tensor<f32> = #graph.zeros
graph.variable @b : tensor<f32> = #graph.zeros trainable
func.func private @step.loss(%x: tensor<3xf32> {test.name = "x"}) -> (tensor<f32>, tensor<3xf32>) {
  %b = graph.get @b : tensor<f32>
  %c = graph.get @constant : tensor<f32>
  %w = graph.get @w : tensor<3xf32>
  %y = graph.mul %x, %w : tensor<3xf32>
  %s = graph.reduce_sum %y axes = [0] : tensor<3xf32> -> tensor<f32>
  %t = graph.add %s, %b : tensor<f32>
  %l = graph.add %t, %c : tensor<f32>
  return %l, %y : tensor<f32>, tensor<3xf32>
}
graph.train @step loss(@step.loss) optimizer(#graph.sgd<lr = 0.5, momentum = 0.9>)
graph.grad @gradients of @step.loss wrt(@b) inputs = [0]

// -----

// Two batch sizes of one step share its state; two of a plain function belong
// together too.

// CHECK:     graph.variable @step.lr
// CHECK-NOT: graph.variable
// CHECK:     func.func @step(%{{.*}}: tensor<4xf32>) -> tensor<f32> attributes {graph.kind = "train"}
// CHECK:       graph.get @step.lr
// CHECK:     func.func @step_2(%{{.*}}: tensor<2xf32>) -> tensor<f32> attributes {graph.family = "step", graph.kind = "train"}
// CHECK:       graph.get @step.lr
// CHECK:     func.func @predict_2(%{{.*}}: tensor<2xf32>) -> tensor<2xf32> attributes {graph.family = "predict"}
graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
func.func private @loss_2(%x: tensor<2xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
graph.train @step_2 loss(@loss_2) optimizer(#graph.sgd<lr = 0.5>) specializes(@step)
func.func @predict(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @predict_2(%x: tensor<2xf32>) -> tensor<2xf32> attributes {graph.specializes = @predict} {
  return %x : tensor<2xf32>
}

// -----

// The rate is f64 if a parameter is, and rounded for the others. A step that
// draws counts itself.

// CHECK:     graph.variable @step.lr : tensor<f64>
// CHECK:     func.func @step
// CHECK:       %[[KEY:.*]] = graph.get @graphc.rng_key
// CHECK:       %[[LR:.*]] = graph.get @step.lr : tensor<f64>
// CHECK:       graph.cast %[[LR]] : tensor<f64> -> tensor<f32>
// CHECK:       %[[NEXT:.*]] = graph.add %[[KEY]], %{{.*}}
// CHECK:       graph.set @graphc.rng_key, %[[NEXT]]
graph.variable @a : tensor<f64> = #graph.zeros trainable
graph.variable @b : tensor<f32> = #graph.zeros trainable
graph.variable @graphc.rng_key : tensor<3xi64> = #graph.seed {internal}
func.func private @loss() -> tensor<f64> {
  %key = graph.get @graphc.rng_key : tensor<3xi64>
  %a = graph.get @a : tensor<f64>
  %b = graph.get @b : tensor<f32>
  %d = graph.dropout %b key %key p = 0.5 op_id = 0 mode = train : tensor<f32>
  %c = graph.cast %d : tensor<f32> -> tensor<f64>
  %l = graph.mul %a, %c : tensor<f64>
  return %l : tensor<f64>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// A variable behind an inner gradient counts as reached.

// CHECK: graph.value_and_grad @loss(%{{.*}}) wrt(@w)
graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func private @inner(%x: tensor<f32>) -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  %y = graph.mul %x, %w : tensor<f32>
  return %y : tensor<f32>
}
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %y, %dx = graph.value_and_grad @inner(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// A group has its own optimizer and state; a learning rate of its own only if it
// starts with another. One count serves all.

// CHECK:      graph.variable @step.lr : tensor<f32> = #graph.constant<0.1>
// CHECK-NEXT: graph.variable @step.group1.lr : tensor<f32> = #graph.constant<0.2>
// CHECK-NEXT: graph.variable @step.step : tensor<i64>
// CHECK-NEXT: graph.variable @step.b.exp_avg :
// CHECK-NEXT: graph.variable @step.b.exp_avg_sq :
// CHECK-NEXT: graph.variable @step.c.momentum_buffer :
// CHECK-NOT:  graph.variable
// CHECK:      func.func private @loss
graph.variable @a : tensor<f32> = #graph.zeros trainable
graph.variable @b : tensor<f32> = #graph.zeros trainable
graph.variable @c : tensor<f32> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %a = graph.get @a : tensor<f32>
  %b = graph.get @b : tensor<f32>
  %c = graph.get @c : tensor<f32>
  %d = graph.add %a, %b : tensor<f32>
  %e = graph.add %d, %c : tensor<f32>
  return %e : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.1>)
    groups([#graph.param_group<[@b], #graph.adam<lr = 0.1>>,
            #graph.param_group<[@c], #graph.sgd<lr = 0.2, momentum = 0.9>>])

// -----

// All gradients are scaled by one factor, computed in f32; a product is rounded
// once.

// CHECK-LABEL: func.func @clipped
// CHECK:       %[[R:.*]]:3 = graph.value_and_grad
// CHECK:       graph.cast %[[R]]#2 : tensor<f16> -> tensor<f32>
// CHECK:       %[[NORM:.*]] = graph.sqrt %{{.*}} : tensor<f32>
// CHECK:       %[[FACTOR:.*]] = graph.minimum
// CHECK:       graph.mul %[[R]]#1,
// CHECK:       %[[WIDE:.*]] = graph.cast %[[R]]#2 : tensor<f16> -> tensor<f32>
// CHECK:       %[[PRODUCT:.*]] = graph.mul %[[WIDE]], %[[FACTOR]] : tensor<f32>
// CHECK:       graph.cast %[[PRODUCT]] : tensor<f32> -> tensor<f16>
graph.variable @a : tensor<4xf32> = #graph.zeros trainable
graph.variable @b : tensor<f16> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %a = graph.get @a : tensor<4xf32>
  %b = graph.get @b : tensor<f16>
  %s = graph.reduce_sum %a axes = [0] : tensor<4xf32> -> tensor<f32>
  %c = graph.cast %b : tensor<f16> -> tensor<f32>
  %l = graph.mul %s, %c : tensor<f32>
  return %l : tensor<f32>
}
graph.train @clipped loss(@loss) optimizer(#graph.sgd<lr = 0.5>) clip_norm(1.0)

// -----

// The type of the rates is one for all sizes: f64 if any of them trains an f64.

// CHECK:     graph.variable @step.lr : tensor<f64>
// CHECK-NOT: graph.variable
// CHECK:     func.func @step(
// CHECK:       graph.get @step.lr : tensor<f64>
// CHECK:     func.func @step_2(
// CHECK:       graph.get @step.lr : tensor<f64>
graph.variable @a : tensor<f32> = #graph.zeros trainable
graph.variable @b : tensor<f64> = #graph.zeros trainable
func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %a = graph.get @a : tensor<f32>
  return %a : tensor<f32>
}
func.func private @loss_2(%x: tensor<2xf32>) -> tensor<f32> {
  %a = graph.get @a : tensor<f32>
  %b = graph.get @b : tensor<f64>
  %c = graph.cast %b : tensor<f64> -> tensor<f32>
  %l = graph.mul %a, %c : tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
graph.train @step_2 loss(@loss_2) optimizer(#graph.sgd<lr = 0.5>) specializes(@step)

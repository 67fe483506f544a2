// RUN: graph-opt --import --split-input-file %s | FileCheck %s
// RUN: graph-opt --import --import --split-input-file %s | FileCheck %s

// A public function means evaluation: the dropout is gone. In the step's copy
// each inlined layer draws with an id of its own, in the order of the text.

// CHECK:       graph.variable @graphc.rng_key : tensor<3xi64> = #graph.seed {internal}
// CHECK-LABEL: func.func @loss
// CHECK-NOT:     graph.dropout
// CHECK-LABEL: func.func private @step.loss
// CHECK:         %[[KEY:.*]] = graph.get @graphc.rng_key
// CHECK-NEXT:    graph.dropout %{{.*}} key %[[KEY]] p = 5.000000e-01 op_id = 0 mode = train
// CHECK-NEXT:    graph.dropout %{{.*}} key %[[KEY]] p = 5.000000e-01 op_id = 1 mode = train
// CHECK-NOT:     graph.set
// CHECK:       graph.train
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.dropout %x p = 0.5 : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %a = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = call @layer(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %l = graph.reduce_sum %b axes = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// A mode that is stated holds everywhere. A public function that draws counts
// its step at the end; ids of the user's are kept and left out.

// CHECK:       graph.variable @w
// CHECK-NEXT:  graph.variable @graphc.rng_key
// CHECK-LABEL: func.func @draw
// CHECK-NEXT:    %[[KEY:.*]] = graph.get @graphc.rng_key
// CHECK-NEXT:    %[[A:.*]] = graph.dropout %{{.*}} key %[[KEY]] p = 5.000000e-01 op_id = 1 mode = train
// CHECK-NEXT:    %[[B:.*]] = graph.random_uniform %{{.*}} op_id = 0
// CHECK-NEXT:    %[[C:.*]] = graph.random_uniform %{{.*}} op_id = 2
// CHECK-NEXT:    %[[AGAIN:.*]] = graph.get @graphc.rng_key
// CHECK-NEXT:    %[[ONE:.*]] = graph.constant dense<[0, 1, 0]>
// CHECK-NEXT:    %[[NEXT:.*]] = graph.add %[[AGAIN]], %[[ONE]]
// CHECK-NEXT:    graph.set @graphc.rng_key, %[[NEXT]]
// CHECK-NEXT:    return
graph.variable @w : tensor<f32> = #graph.zeros
func.func @draw(%x: tensor<4xf32>, %key: tensor<3xi64>) -> (tensor<4xf32>, tensor<f32>, tensor<f32>) {
  %a = graph.dropout %x p = 0.5 mode = train : tensor<4xf32>
  %b = graph.random_uniform %key op_id = 0 : tensor<f32>
  %c = graph.random_uniform %key op_id = -1 : tensor<f32>
  return %a, %b, %c : tensor<4xf32>, tensor<f32>, tensor<f32>
}

// -----

// So does one that draws inside a gradient, but not one in evaluation mode.

// CHECK-LABEL: func.func @train_mode
// CHECK:         graph.set @graphc.rng_key
// CHECK-LABEL: func.func @eval_mode
// CHECK-NOT:     graph.set
func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %a = graph.dropout %x p = 0.5 : tensor<4xf32>
  %l = graph.reduce_sum %a axes = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
func.func @train_mode(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] {mode = #graph<mode train>}
      : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %dx : tensor<4xf32>
}
func.func @eval_mode(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0]
      : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %dx : tensor<4xf32>
}

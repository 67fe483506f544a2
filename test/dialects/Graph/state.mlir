// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Variables, training, gradients and regions print and read back.

// CHECK: graph.variable @zeros : tensor<2xi64> = #graph.zeros
graph.variable @zeros : tensor<2xi64> = #graph.zeros
// CHECK: graph.variable @fill : tensor<ui8> = #graph.constant<255.0> {internal}
graph.variable @fill : tensor<ui8> = #graph.constant<255> {internal}
// CHECK: graph.variable @uniform : tensor<30x2xf32> = #graph.uniform<-0.1, 0.1> trainable
graph.variable @uniform : tensor<30x2xf32> = #graph.uniform<-0.1, 0.1> trainable
// CHECK: graph.variable @normal : tensor<0xf64> = #graph.normal<0.0, 1.0e-05> trainable {optimizer_state}
graph.variable @normal : tensor<0xf64> = #graph.normal<0, 1.0e-5> trainable {optimizer_state}
// CHECK: graph.variable @padded : tensor<3x2xf64> = #graph.normal<0.0, 1.0, zero_row = 2>
graph.variable @padded : tensor<3x2xf64> = #graph.normal<0, 1, zero_row = 2>
// CHECK: graph.variable @file : tensor<2xbf16> = #graph.file<"weights/a.npy">
graph.variable @file : tensor<2xbf16> = #graph.file<"weights/a.npy">
// CHECK: graph.variable @key : tensor<3xi64> = #graph.seed
graph.variable @key : tensor<3xi64> = #graph.seed
// CHECK: graph.variable @dense : tensor<2xf16> = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
graph.variable @dense : tensor<2xf16> = dense<[1.0, 2.0]> : tensor<2xf16>
// CHECK: graph.variable @"a b/c" : tensor<f32> = #graph.zeros
graph.variable @"a b/c" : tensor<f32> = #graph.zeros

// CHECK: graph.variable @panels : tensor<3x5xf32> = #graph.zeros trainable layout(<dim = 1, width = 4>) {optimizer_state}
graph.variable @panels : tensor<3x5xf32> = #graph.zeros trainable layout(<dim = 1, width = 4>) {optimizer_state}
// CHECK-LABEL: func @stored
func.func @stored() -> tensor<2x3x4xf32> {
  // CHECK: graph.get @panels : tensor<2x3x4xf32>
  %p = graph.get @panels : tensor<2x3x4xf32>
  graph.set @panels, %p : tensor<2x3x4xf32>
  return %p : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @loss
func.func @loss(%x: tensor<30x2xf32>) -> (tensor<f32>, tensor<30x2xf32>) {
  // CHECK: %[[W:.*]] = graph.get @uniform : tensor<30x2xf32>
  %w = graph.get @uniform : tensor<30x2xf32>
  // CHECK: graph.set @uniform, %[[W]] : tensor<30x2xf32>
  graph.set @uniform, %w : tensor<30x2xf32>
  %l = graph.mse_loss %x, %w : tensor<30x2xf32>, tensor<30x2xf32> -> tensor<f32>
  return %l, %w : tensor<f32>, tensor<30x2xf32>
}

// CHECK: graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.1>)
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.1>)
// CHECK: graph.train @step2 loss(@loss) optimizer(#graph.sgd<lr = 0.5, momentum = 0.9, weight_decay = 1.0e-04, nesterov = true>) specializes(@step)
graph.train @step2 loss(@loss) optimizer(#graph.sgd<momentum = 0.9, lr = 5.0e-1, dampening = 0, weight_decay = 0.0001, nesterov = true>) specializes(@step)
// CHECK: graph.train @step3 loss(@loss) optimizer(#graph.sgd<lr = 1.0, momentum = 0.5, dampening = 0.25>)
graph.train @step3 loss(@loss) optimizer(#graph.sgd<lr = 1, momentum = 0.5, dampening = 0.25, nesterov = false>)
// CHECK: graph.train @step4 loss(@loss) optimizer(#graph.adam<lr = 0.001, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-08, weight_decay = 0.0>)
graph.train @step4 loss(@loss) optimizer(#graph.adam)
// CHECK: graph.train @step5 loss(@loss) optimizer(#graph.adamw<lr = 0.1, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-08, weight_decay = 0.01>)
// CHECK-SAME: groups([#graph.param_group<[@uniform], #graph.adamw<lr = 0.1, beta1 = 0.9, beta2 = 0.5, eps = 1.0e-08, weight_decay = 0.0, amsgrad = true>>]) clip_norm(2.000000e+00)
graph.train @step5 loss(@loss) optimizer(#graph.adamw<lr = 0.1>) groups([#graph.param_group<[@uniform], #graph.adamw<lr = 0.1, beta2 = 0.5, weight_decay = 0, amsgrad = true>>]) clip_norm(2.0)
// CHECK: graph.train @step6 {{.*}} clip_value(5.000000e-01)
graph.train @step6 loss(@loss) optimizer(#graph.adam) clip_value(0.5)
// CHECK: graph.grad @g1 of @loss wrt(@uniform)
graph.grad @g1 of @loss wrt(@uniform)
// CHECK: graph.grad @g2 of @loss inputs = [0] {mode = #graph<mode train>}
graph.grad @g2 of @loss inputs = [0] {mode = #graph<mode train>}

// CHECK-LABEL: func @regions
// CHECK-SAME: (%[[X:.*]]: tensor<30x2xf32>)
func.func @regions(%x: tensor<30x2xf32>) {
  // CHECK: graph.value_and_grad @loss(%[[X]]) wrt(@uniform) inputs = [0] {mode = #graph<mode eval>} : (tensor<30x2xf32>) -> (tensor<f32>, tensor<30x2xf32>, tensor<30x2xf32>, tensor<30x2xf32>)
  %0:4 = graph.value_and_grad @loss(%x) wrt(@uniform) inputs = [0] {mode = #graph<mode eval>}
      : (tensor<30x2xf32>) -> (tensor<f32>, tensor<30x2xf32>, tensor<30x2xf32>, tensor<30x2xf32>)
  // CHECK: graph.for %[[I:.*]] = 10 carry(%[[A:.*]] = %[[X]], %[[B:.*]] = %{{.*}}#0) : tensor<30x2xf32>, tensor<f32> {
  // CHECK:   graph.yield %[[A]], %[[B]] : tensor<30x2xf32>, tensor<f32>
  %1:2 = graph.for %i = 10 carry(%a = %x, %b = %0#0) : tensor<30x2xf32>, tensor<f32> {
    graph.yield %a, %b : tensor<30x2xf32>, tensor<f32>
  }
  // CHECK: graph.for %{{.*}} = 0 carry() {
  graph.for %i = 0 carry() {
  }
  // CHECK: graph.fused(%[[A:.*]] = %[[X]]) : (tensor<30x2xf32>) -> tensor<30x2xf32> attributes {note = "a"} {
  // CHECK:   graph.yield %[[A]] : tensor<30x2xf32>
  %2 = graph.fused(%a = %x) : (tensor<30x2xf32>) -> tensor<30x2xf32> attributes {note = "a"} {
    graph.yield %a : tensor<30x2xf32>
  }
  return
}

// RUN: graph-opt --import --split-input-file %s | FileCheck %s

// The mode of a batch norm and of what only training changes is that of the
// function they end up in: evaluation leaves the statistics as they are.

module {
  graph.variable @mean : tensor<2xf32> = #graph.zeros
  graph.variable @var : tensor<2xf32> = #graph.constant<1.0>
  graph.variable @count : tensor<i64> = #graph.zeros
  graph.variable @w : tensor<2xf32> = #graph.constant<1.0> trainable

  // CHECK-LABEL: func.func @loss(
  // CHECK:         %[[MEAN:.*]] = graph.get @mean
  // CHECK:         %[[VAR:.*]] = graph.get @var
  // CHECK:         graph.batch_norm %{{.*}}, %[[MEAN]], %[[VAR]], %{{.*}} mode = eval
  // CHECK:         graph.set @mean, %[[MEAN]]
  // CHECK:         graph.set @var, %[[VAR]]
  // CHECK:         %[[COUNT:.*]] = graph.get @count
  // CHECK-NOT:     graph.is_training
  // CHECK:         graph.set @count, %[[COUNT]]
  func.func @loss(%x: tensor<4x2xf32>) -> tensor<f32> {
    %m = graph.get @mean : tensor<2xf32>
    %v = graph.get @var : tensor<2xf32>
    %w = graph.get @w : tensor<2xf32>
    %y, %nm, %nv = graph.batch_norm %x, %m, %v, %w momentum = 0.1 eps = 1.0e-5
        : tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    graph.set @mean, %nm : tensor<2xf32>
    graph.set @var, %nv : tensor<2xf32>
    %c = graph.get @count : tensor<i64>
    %one = graph.constant dense<1> : tensor<i64>
    %next = graph.add %c, %one : tensor<i64>
    %t = graph.is_training : tensor<i1>
    %nc = graph.select %t, %next, %c : tensor<i64>
    graph.set @count, %nc : tensor<i64>
    %l = graph.reduce_sum %y axes = [0, 1] : tensor<4x2xf32> -> tensor<f32>
    return %l : tensor<f32>
  }

  // CHECK-LABEL: func.func private @step.loss(
  // CHECK:         %[[Y:.*]], %[[NM:.*]], %[[NV:.*]] = graph.batch_norm {{.*}} mode = train
  // CHECK:         graph.set @mean, %[[NM]]
  // CHECK:         graph.set @var, %[[NV]]
  // CHECK:         %[[NEXT:.*]] = graph.add
  // CHECK-NOT:     graph.is_training
  // CHECK:         graph.set @count, %[[NEXT]]
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
}

// -----

// A mode that is given holds, and is_training may be used as any value.

// CHECK-LABEL: func.func @given(
func.func @given(%x: tensor<4x2xf32>, %s: tensor<2xf32>) -> (tensor<4x2xf32>, tensor<i1>, tensor<i1>) {
  // CHECK: graph.batch_norm {{.*}} mode = train
  %y, %nm, %nv = graph.batch_norm %x, %s, %s momentum = 0.1 eps = 1.0e-5 mode = train
      : tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>
  // CHECK-DAG: %[[TRUE:.*]] = graph.constant dense<true>
  // CHECK-DAG: %[[FALSE:.*]] = graph.constant dense<false>
  %0 = graph.is_training mode = train : tensor<i1>
  %1 = graph.is_training : tensor<i1>
  // CHECK: return %{{.*}}, %[[TRUE]], %[[FALSE]]
  return %y, %0, %1 : tensor<4x2xf32>, tensor<i1>, tensor<i1>
}

// RUN: graph-opt --train-step=amp=f16 %s | FileCheck %s
// RUN: graph-opt --train-step=amp=bf16 %s | FileCheck %s --check-prefix=BF16 --implicit-check-not=loss_scale
// RUN: graph-opt --train-step %s | FileCheck %s --check-prefix=NONE --implicit-check-not=loss_scale --implicit-check-not=graph.precision

// The loss times the scale is what is differentiated; its gradients are looked at,
// unscaled, then clipped. All that the step sets, but for the scale's own state,
// waits for them, and so do the statistics that the loss sets.

// CHECK:       graph.variable @step.loss_scale : tensor<f32> = #graph.constant<65536.0> {optimizer_state}
// CHECK-NEXT:  graph.variable @step.good_steps : tensor<i64> = #graph.zeros {optimizer_state}
// CHECK-NEXT:  graph.variable @step.attempts : tensor<i64> = #graph.zeros {optimizer_state}
// CHECK-LABEL: func.func private @step.scaled_loss(%arg0: tensor<3xf32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT:    %[[L:.*]] = call @step.loss(%arg0)
// CHECK-NEXT:    %[[S:.*]] = graph.mul %[[L]], %arg1 {graph.precision = f32} : tensor<f32>
// CHECK-NEXT:    return %[[S]], %[[L]]
// CHECK-LABEL: func.func @step(
// CHECK-DAG:     %[[SCALE:.*]] = graph.get @step.loss_scale
// CHECK-DAG:     %[[GOOD:.*]] = graph.get @step.good_steps
// CHECK-DAG:     %[[OLD:.*]] = graph.get @seen : tensor<f32>
// CHECK:         %[[R:.*]]:3 = graph.value_and_grad @step.scaled_loss(%arg0, %[[SCALE]]) wrt(@w)
// CHECK:         %[[F:.*]] = graph.is_finite %[[R]]#2 {graph.precision = f32}
// CHECK:         %[[BAD:.*]] = graph.select %[[F]],
// CHECK:         %[[ANY:.*]] = graph.reduce_max %[[BAD]] axes = [0]
// CHECK:         %[[OK:.*]] = graph.compare lt, %[[ANY]],
// CHECK:         %[[NEW:.*]] = graph.get @seen : tensor<f32>
// CHECK:         %[[SEEN:.*]] = graph.select %[[OK]], %[[NEW]], %[[OLD]]
// CHECK:         graph.set @seen, %[[SEEN]]
// CHECK:         %[[INVERSE:.*]] = graph.div %{{.*}}, %[[SCALE]]
// CHECK:         %[[B:.*]] = graph.broadcast %[[INVERSE]]
// CHECK:         %[[G:.*]] = graph.mul %[[R]]#2, %[[B]] {graph.precision = f32}
// CHECK:         graph.mul %[[G]], %[[G]]
// CHECK:         graph.sqrt
// CHECK:         %[[W:.*]] = graph.get @w
// CHECK:         %[[NEXT:.*]] = graph.sub %[[W]],
// CHECK:         %[[ALL:.*]] = graph.broadcast %[[OK]]
// CHECK:         %[[SET:.*]] = graph.select %[[ALL]], %[[NEXT]], %[[W]]
// CHECK:         graph.set @w, %[[SET]]
// CHECK:         graph.set @step.w.exp_avg,
// CHECK:         %[[COUNT:.*]] = graph.select %[[OK]],
// CHECK:         graph.set @step.step, %[[COUNT]]
// CHECK:         graph.set @step.loss_scale
// CHECK:         graph.set @step.good_steps
// CHECK:         graph.set @step.attempts
// CHECK:         return %[[R]]#1

// BF16-LABEL: func.func @step(
// BF16:         graph.value_and_grad @step.loss(%arg0) wrt(@w)
// BF16:         graph.sub {{.*}} {graph.precision = f32}
// NONE-LABEL: func.func @step(
graph.variable @w : tensor<3xf32> = #graph.zeros trainable
graph.variable @seen : tensor<f32> = #graph.zeros
func.func private @step.loss(%x: tensor<3xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<3xf32>
  %y = graph.mul %x, %w : tensor<3xf32>
  %s = graph.reduce_sum %y axes = [0] : tensor<3xf32> -> tensor<f32>
  graph.set @seen, %s : tensor<f32>
  return %s : tensor<f32>
}
graph.train @step loss(@step.loss) optimizer(#graph.adam<lr = 0.5>) clip_norm(1.0)

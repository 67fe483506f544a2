// RUN: graph-opt --import --graphc-pipeline=stop-after=autodiff %s | FileCheck %s --check-prefix=AUTODIFF
// RUN: graph-opt --import --graphc-pipeline=stop-after=fuse %s | FileCheck %s --check-prefix=FUSE
// RUN: graph-opt --import --graphc-pipeline %s | FileCheck %s --check-prefix=PLAN

// The named pipeline is the compile's own order, cut short where asked.

// AUTODIFF-LABEL: func.func @step
// AUTODIFF-NOT:   graph.fused
// AUTODIFF:       graph.set @w
// FUSE-LABEL:     func.func @step
// FUSE:           graph.fused
// PLAN:           plan.program @step
graph.variable @w : tensor<2x4xf32> = #graph.zeros trainable
func.func @loss(%x: tensor<8x4xf32>, %t: tensor<8x2xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<2x4xf32>
  %y = graph.linear %x, %w : tensor<8x4xf32>, tensor<2x4xf32> -> tensor<8x2xf32>
  %l = graph.mse_loss %y, %t : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

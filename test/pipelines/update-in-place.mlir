// RUN: graphc %s --emit=mlir --stop-after=plan -o - | FileCheck %s

// A slice of a variable is replaced where the variable lies: the kernel reads
// and writes the state, and its copy finds both in one place.

// CHECK: plan.program @put
// CHECK: plan.entry launch @dynamic_update_slice_0(f32 state[0:8192], {{.*}}) -> (f32 state[0:8192])
// CHECK-NOT: plan.entry copy
// CHECK: plan.entry launch @reduce_sum_1(f32 state[0:8192])
// CHECK-NOT: plan.entry copy
module {
  graph.variable @cache : tensor<64x32xf32> = #graph.zeros
  func.func @put(%u: tensor<1x32xf32>, %i: tensor<i64>) -> tensor<32xf32> {
    %c = graph.get @cache : tensor<64x32xf32>
    %z = graph.constant dense<0> : tensor<i64>
    %y = graph.dynamic_update_slice %c, %u, %i, %z : tensor<64x32xf32>, tensor<1x32xf32> -> tensor<64x32xf32>
    graph.set @cache, %y : tensor<64x32xf32>
    %s = graph.reduce_sum %y axes = [0] : tensor<64x32xf32> -> tensor<32xf32>
    return %s : tensor<32xf32>
  }
}

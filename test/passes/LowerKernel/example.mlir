// RUN: graph-opt --lower-kernel %s | FileCheck %s

// A kernel of its own, on memory; two elements are one masked vector.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: tensor<2xf32>)
// CHECK-NEXT:    %[[Y:.*]] = plan.launch @[[KERNEL:.*]](%[[X]])
// CHECK-NEXT:    return %[[Y]]
// CHECK:       func.func private @[[KERNEL]](%[[IN:.*]]: memref<2xf32>{{.*}}, %[[OUT:.*]]: memref<2xf32>
// CHECK:         vector.maskedload %[[IN]]
// CHECK:         arith.negf
// CHECK:         vector.maskedstore %[[OUT]]
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = graph.fused(%a = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    %n = graph.neg %a : tensor<2xf32>
    graph.yield %n : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

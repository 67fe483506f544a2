// RUN: graph-opt --autodiff --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// Each gradient op has the location of its forward op, and its name.

// CHECK-LABEL: func.func @gradients
// CHECK-DAG:     graph.exp {{.*}} loc("exp")
// CHECK-DAG:     graph.mul_no_nan {{.*}} loc("gradient of graph.exp"("exp"))
// CHECK-DAG:     graph.cos {{.*}} loc("gradient of graph.sin"("sin"))
// CHECK-DAG:     graph.mul_no_nan {{.*}} loc("gradient of graph.sin"("sin"))
// CHECK-DAG:     graph.constant {{.*}} loc("grad")
// CHECK-NOT:     loc(unknown)
// CHECK:         return
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %a = graph.exp %x : tensor<f32> loc("exp")
  %b = graph.sin %a : tensor<f32> loc("sin")
  return %b : tensor<f32> loc("return")
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0]
      : (tensor<f32>) -> (tensor<f32>, tensor<f32>) loc("grad")
  return %dx : tensor<f32>
}

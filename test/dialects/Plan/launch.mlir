// RUN: graph-opt %s | graph-opt | FileCheck %s

// CHECK: module attributes {plan.targets = [#plan.target<"cpu", "x86-64-v3", max_threads = 16>]}
module attributes {plan.targets = [#plan.target<"cpu", "x86-64-v3", max_threads = 16>]} {

// Inputs, a workspace, outputs; a tensor may come as any shape of its size, and
// i1 as bytes.
// CHECK: func.func private @update(memref<2x2xf32>, memref<4xf32>, memref<64xi8>, memref<4xf32>, memref<4xi8>, i64) attributes {plan.kernel}
func.func private @update(memref<2x2xf32>, memref<4xf32>, memref<64xi8>,
                          memref<4xf32>, memref<4xi8>, i64) attributes {plan.kernel}

// CHECK-LABEL: func.func private @lookup
// CHECK:         plan.fail_index %{{.*}}, %{{.*}}, %{{.*}} : i64
// CHECK:         } {plan.parallel}
func.func private @lookup(%labels: memref<8xi64>, %out: memref<8xi64>) attributes {plan.kernel} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  scf.parallel (%i) = (%zero) to (%eight) step (%one) {
    %label = memref.load %labels[%i] : memref<8xi64>
    %position = arith.index_cast %i : index to i64
    %limit = arith.constant 10 : i64
    %bad = arith.cmpi uge, %label, %limit : i64
    scf.if %bad {
      plan.fail_index %position, %label, %limit : i64
    }
    memref.store %label, %out[%i] : memref<8xi64>
  } {plan.parallel}
  return
}

// CHECK-LABEL: func.func @step
func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>, %y: tensor<8xi64>) -> tensor<4xi1> {
  // CHECK: plan.launch @update(%{{.*}}, %{{.*}}) args = [7] {inplace = {{\[}}[0, 0], [0, 1]], op_name = "graph.sub"} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  %new, %mask = plan.launch @update(%w, %g) args = [7] {inplace = [[0, 0], [0, 1]], op_name = "graph.sub"}
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  // CHECK: plan.launch @lookup(%{{.*}}) {may_fail, parallel} : (tensor<8xi64>) -> tensor<8xi64>
  %p = plan.launch @lookup(%y) {may_fail, parallel} : (tensor<8xi64>) -> tensor<8xi64>
  return %mask : tensor<4xi1>
}
}

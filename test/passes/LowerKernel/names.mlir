// RUN: graph-opt --lower-kernel --split-input-file %s | FileCheck %s
// What a launch says of itself: its ops, and whether an infinity is meant.

// One op has its name alone: the place is the launch's.

// CHECK-LABEL: func @one
// CHECK: plan.launch @exp_0(%{{.*}}) {inplace = {{.*}}, op_name = "graph.exp"}
func.func @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.fused(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %e = graph.exp %a : tensor<4xf32>
    graph.yield %e : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Of several, each has its place, and a gradient says whose it is.

// CHECK-LABEL: func @group
// CHECK: plan.launch @neg_0({{.*}}op_name = "graph.exp (at model.mlir:5:10), graph.mul (gradient of graph.exp at model.mlir:5:10), graph.neg"
func.func @group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.fused(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %e = graph.exp %a : tensor<4xf32> loc("model.mlir":5:10)
    %m = graph.mul %e, %a : tensor<4xf32> loc("gradient of graph.exp"("model.mlir":5:10))
    %n = graph.neg %m : tensor<4xf32> loc(unknown)
    graph.yield %n : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// The mask's infinity is in the kernel; a finite constant's is not.

// CHECK-LABEL: func @mask
// CHECK: plan.launch @select_0({{.*}}gives_inf
// CHECK: plan.launch @mul_1({{.*}}) {inplace = {{.*}}, op_name = "graph.mul"}
func.func @mask(%m: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.fused(%c = %m, %a = %x) : (tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32> {
    %inf = graph.constant dense<0xFF800000> : tensor<4xf32>
    %s = graph.select %c, %a, %inf : tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  %z = graph.fused(%a = %y) : (tensor<4xf32>) -> tensor<4xf32> {
    %two = graph.constant dense<2.0> : tensor<4xf32>
    %s = graph.mul %a, %two : tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  return %z : tensor<4xf32>
}

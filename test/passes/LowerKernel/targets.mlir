// RUN: graph-opt --fuse --lower-kernel --split-input-file %s | FileCheck %s

// Vectors are as wide as those of every level that the module is compiled for.

// CHECK: vector<4xf32>
// CHECK-NOT: vector<8xf32>
module attributes {plan.targets = [#plan.target<"cpu", "x86-64-v4", max_threads = 4>, #plan.target<"cpu", "x86-64-v2", max_threads = 4>]} {
  func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
    %a = graph.relu %x : tensor<64xf32>
    return %a : tensor<64xf32>
  }
}

// -----

// CHECK: vector<16xf32>
module attributes {plan.targets = [#plan.target<"cpu", "x86-64-v4", max_threads = 4>]} {
  func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
    %a = graph.relu %x : tensor<64xf32>
    return %a : tensor<64xf32>
  }
}

// -----

// Without targets, those of x86-64-v3.
// CHECK: vector<8xf32>
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = graph.relu %x : tensor<64xf32>
  return %a : tensor<64xf32>
}

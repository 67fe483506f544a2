// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// Expected values: the formulas in double, rounded once to f32; within f32's
// rounding they are PyTorch's.

// CHECK-LABEL: @layer_norm
func.func @layer_norm() -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2xf16>) {
  %x = graph.constant dense<[[1.0, 2.0, 4.0, -1.0], [0.5, -2.0, 3.0, 7.0]]> : tensor<2x4xf32>
  %w = graph.constant dense<[1.0, 2.0, -1.0, 0.5]> : tensor<4xf32>
  %b = graph.constant dense<[0.0, 1.0, 0.0, -1.0]> : tensor<4xf32>
  // CHECK: result 0 : tensor<2x4xf32> {{\[\[-0.27734968, 1.5546993, -1.3867483, -1.6933742\], \[-0.4889151, -1.4821843, -0.26326197, -0.26662734\]\]}}
  %0 = graph.layer_norm %x, %w, %b normalized_rank = 1 eps = 1.0e-5 : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
  // CHECK: result 1 : tensor<2x4xf32> {{\[\[-0.2919322, 0.06736897, 0.7859713, -1.0105345\], \[-0.47158277, -1.3698357, 0.42667013, 1.8638748\]\]}}
  %1 = graph.layer_norm %x normalized_rank = 2 eps = 0.5 : tensor<2x4xf32>
  // CHECK: result 2 : tensor<2x4xf32> {{\[\[0.4264014, 1.7056056, -1.7056056, -0.2132007\], \[0.12674485, -1.0139588, -0.7604691, 0.88721395\]\]}}
  %2 = graph.rms_norm %x, %w normalized_rank = 1 eps = 1.0e-6 : tensor<2x4xf32>, tensor<4xf32>
  // Equal elements are 0, however large: the variance is never below 0.
  // CHECK: result 3 : tensor<2x3xf32> {{\[\[0, 0, 0\], \[nan, nan, nan\]\]}}
  %c = graph.constant dense<[[1.0e4, 1.0e4, 1.0e4], [1.0, 0x7FC00000, 2.0]]> : tensor<2x3xf32>
  %3 = graph.layer_norm %c normalized_rank = 1 eps = 1.0e-5 : tensor<2x3xf32>
  // Squares beyond f16 are no matter.
  // CHECK: result 4 : tensor<2xf16> [1.2646484, 0.6323242]
  %h = graph.constant dense<[6.0e4, 3.0e4]> : tensor<2xf16>
  %4 = graph.rms_norm %h normalized_rank = 1 eps = 0.0 : tensor<2xf16>
  return %0, %1, %2, %3, %4 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2xf16>
}

// CHECK-LABEL: @group_norm
func.func @group_norm() -> tensor<1x4x2xf32> {
  %x = graph.constant dense<[[[0.0, 1.0], [4.0, 9.0], [-1.0, 2.0], [5.0, 6.0]]]> : tensor<1x4x2xf32>
  %w = graph.constant dense<[1.0, 2.0, -1.0, 0.5]> : tensor<4xf32>
  %b = graph.constant dense<[0.0, 1.0, 0.0, -1.0]> : tensor<4xf32>
  // CHECK: result 0 : tensor<1x4x2xf32> {{\[\[\[-0.9999996, -0.71428543\], \[1.2857141, 4.1428556\], \[1.4605925, 0.36514813\], \[-0.6348519, -0.4522778\]\]\]}}
  %0 = graph.group_norm %x, %w, %b groups = 2 eps = 1.0e-5 : tensor<1x4x2xf32>, tensor<4xf32>, tensor<4xf32>
  return %0 : tensor<1x4x2xf32>
}

// CHECK-LABEL: @batch_norm
func.func @batch_norm() -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<i1>, tensor<i1>) {
  %x = graph.constant dense<[[1.0, 2.0], [3.0, -1.0], [5.0, 0.5]]> : tensor<3x2xf32>
  %m = graph.constant dense<[0.5, -0.5]> : tensor<2xf32>
  %v = graph.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %w = graph.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %b = graph.constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: result 0 : tensor<3x2xf32> {{\[\[-2.449485, 2.2247407\], \[0, -0.22474079\], \[2.449485, 1\]\]}}
  // CHECK: result 1 : tensor<2xf32> [0.75, -0.4]
  // The unbiased variance is kept.
  // CHECK: result 2 : tensor<2xf32> [2.2, 1.125]
  %y, %nm, %nv = graph.batch_norm %x, %m, %v, %w, %b momentum = 0.1 eps = 1.0e-5 mode = train
      : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  // CHECK: result 3 : tensor<3x2xf32> {{\[\[0.70710504, 3.4999876\], \[3.535525, 0.5000025\], \[6.363945, 1.999995\]\]}}
  // CHECK: result 4 : tensor<2xf32> [2, 1]
  %e, %em, %ev = graph.batch_norm %x, %m, %v, %w, %b momentum = 0.1 eps = 1.0e-5 mode = eval
      : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  // A mode left open means evaluation.
  // CHECK: result 5 : tensor<3x2xf32> {{\[\[0.70710504, 3.4999876\], \[3.535525, 0.5000025\], \[6.363945, 1.999995\]\]}}
  %o, %om, %ov = graph.batch_norm %x, %m, %v, %w, %b momentum = 0.1 eps = 1.0e-5
      : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  // CHECK: result 6 : tensor<i1> true
  %t = graph.is_training mode = train : tensor<i1>
  // CHECK: result 7 : tensor<i1> false
  %u = graph.is_training : tensor<i1>
  return %y, %nm, %nv, %e, %ev, %o, %t, %u : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: @attention
func.func @attention() -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<4x2x1xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>) {
  %q = graph.constant dense<[[1.0, 0.0], [0.5, -1.0], [2.0, 1.0]]> : tensor<3x2xf32>
  %k = graph.constant dense<[[1.0, 1.0], [0.0, 2.0], [-1.0, 0.5]]> : tensor<3x2xf32>
  %v = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [-1.0, 0.0]]> : tensor<3x2xf32>
  // CHECK: result 0 : tensor<3x2xf32> {{\[\[1.2879323, 2.2879324\], \[0.65245205, 1.652452\], \[1.5885228, 2.5885227\]\]}}
  %0 = graph.attention %q, %k, %v : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x2xf32>
  // CHECK: result 1 : tensor<3x2xf32> {{\[\[1, 2\], \[1.5143666, 2.5143666\], \[1.5885228, 2.5885227\]\]}}
  %1 = graph.attention %q, %k, %v causal : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x2xf32>
  // CHECK: result 2 : tensor<3x2xf32> {{\[\[-0.19737533, 0.8026247\], \[-0.40113428, 0.5988657\], \[0.17323516, 1.1732352\]\]}}
  %bias = graph.constant dense<[[0.0, 0xFF800000, 1.0]]> : tensor<1x3xf32>
  %2 = graph.attention %q, %k, %v, %bias scale = 0.3 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x3xf32> -> tensor<3x2xf32>
  // Heads 0 and 1 of the queries read head 0 of the keys, 2 and 3 head 1. The
  // mask rules out the first key of all heads but the third.
  // CHECK: result 3 : tensor<4x2x1xf32> {{\[\[\[3\], \[3\]\], \[\[3\], \[3\]\], \[\[20\], \[20\]\], \[\[30\], \[30\]\]\]}}
  %gq = graph.constant dense<0.0> : tensor<4x2x1xf32>
  %gv = graph.constant dense<[[[1.0], [3.0]], [[10.0], [30.0]]]> : tensor<2x2x1xf32>
  %heads = graph.constant dense<[[[0, 1]], [[0, 1]], [[1, 1]], [[0, 1]]]> : tensor<4x1x2xi1>
  %3 = graph.attention %gq, %gv, %gv, %heads : tensor<4x2x1xf32>, tensor<2x2x1xf32>, tensor<2x2x1xf32>, tensor<4x1x2xi1> -> tensor<4x2x1xf32>
  // A query that no key takes part with gives 0, by a mask or a bias.
  // CHECK: result 4 : tensor<3x2xf32> {{\[\[1.2879323, 2.2879324\], \[0, 0\], \[1.5885228, 2.5885227\]\]}}
  %some = graph.constant dense<[[1], [0], [1]]> : tensor<3x1xi1>
  %4 = graph.attention %q, %k, %v, %some : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x1xi1> -> tensor<3x2xf32>
  // The last query sees all keys, so the first of two sees two of three.
  // CHECK: result 5 : tensor<2x2xf32> {{\[\[2, 3\], \[1, 2\]\]}}
  %q2 = graph.constant dense<0.0> : tensor<2x2xf32>
  %5 = graph.attention %q2, %k, %v causal : tensor<2x2xf32>, tensor<3x2xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  // With two keys for three queries the first query sees none.
  // CHECK: result 6 : tensor<3x2xf32> {{\[\[0, 0\], \[1, 2\], \[2, 3\]\]}}
  %k2 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %q3 = graph.constant dense<0.0> : tensor<3x2xf32>
  %6 = graph.attention %q3, %k2, %k2 causal : tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32> -> tensor<3x2xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<4x2x1xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>
}

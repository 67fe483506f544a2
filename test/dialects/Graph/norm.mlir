// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --mlir-print-op-generic %s | graph-opt | FileCheck %s

// Normalisations and attention print and read back.

// CHECK-LABEL: func @layer_norm
// CHECK-SAME: (%[[X:.*]]: tensor<4x2x8xf32>, %[[W:.*]]: tensor<8xf32>, %[[H:.*]]: tensor<4x8xbf16>)
func.func @layer_norm(%x: tensor<4x2x8xf32>, %w: tensor<8xf32>, %h: tensor<4x8xbf16>) {
  // CHECK: graph.layer_norm %[[X]] normalized_rank = 2 eps = 1.000000e-05 : tensor<4x2x8xf32>
  %0 = graph.layer_norm %x normalized_rank = 2 eps = 1.0e-5 : tensor<4x2x8xf32>
  // CHECK: graph.layer_norm %[[X]], %[[W]] normalized_rank = 1 eps = 0.000000e+00 : tensor<4x2x8xf32>, tensor<8xf32>
  %1 = graph.layer_norm %x, %w normalized_rank = 1 eps = 0.0 : tensor<4x2x8xf32>, tensor<8xf32>
  // CHECK: graph.layer_norm %[[X]], %[[W]], %[[W]] normalized_rank = 1 eps = 1.000000e-05 : tensor<4x2x8xf32>, tensor<8xf32>, tensor<8xf32>
  %2 = graph.layer_norm %x, %w, %w normalized_rank = 1 eps = 1.0e-5 : tensor<4x2x8xf32>, tensor<8xf32>, tensor<8xf32>
  // Parameters may be f32 where the input is narrower.
  // CHECK: graph.layer_norm %[[H]], %[[W]], %[[W]] normalized_rank = 1 eps = 1.000000e-05 : tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>
  %3 = graph.layer_norm %h, %w, %w normalized_rank = 1 eps = 1.0e-5 : tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>
  // CHECK: graph.rms_norm %[[X]] normalized_rank = 3 eps = {{.*}} : tensor<4x2x8xf32>
  %4 = graph.rms_norm %x normalized_rank = 3 eps = 1.0e-6 : tensor<4x2x8xf32>
  // CHECK: graph.rms_norm %[[H]], %[[W]] normalized_rank = 1 eps = {{.*}} : tensor<4x8xbf16>, tensor<8xf32>
  %5 = graph.rms_norm %h, %w normalized_rank = 1 eps = 1.0e-6 : tensor<4x8xbf16>, tensor<8xf32>
  return
}

// CHECK-LABEL: func @channels
// CHECK-SAME: (%[[X:.*]]: tensor<4x8x3xf32>, %[[W:.*]]: tensor<8xf32>)
func.func @channels(%x: tensor<4x8x3xf32>, %w: tensor<8xf32>) {
  // CHECK: graph.group_norm %[[X]] groups = 8 eps = 1.000000e-05 : tensor<4x8x3xf32>
  %0 = graph.group_norm %x groups = 8 eps = 1.0e-5 : tensor<4x8x3xf32>
  // CHECK: graph.group_norm %[[X]], %[[W]], %[[W]] groups = 2 eps = 1.000000e-05 : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>
  %1 = graph.group_norm %x, %w, %w groups = 2 eps = 1.0e-5 : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = graph.batch_norm %[[X]], %[[W]], %[[W]] momentum = 1.000000e-01 eps = 1.000000e-05 : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>
  %2:3 = graph.batch_norm %x, %w, %w momentum = 0.1 eps = 1.0e-5 : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>
  // CHECK: graph.batch_norm %[[X]], %[[W]], %[[W]], %[[W]], %[[W]] momentum = 1.000000e-01 eps = 1.000000e-05 mode = train : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %3:3 = graph.batch_norm %x, %w, %w, %w, %w momentum = 0.1 eps = 1.0e-5 mode = train : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  // CHECK: graph.is_training : tensor<i1>
  %4 = graph.is_training : tensor<i1>
  // CHECK: graph.is_training mode = eval : tensor<i1>
  %5 = graph.is_training mode = eval : tensor<i1>
  return
}

// One value per channel is fine in evaluation, and while the mode is open.

// CHECK-LABEL: func @one_value
func.func @one_value(%x: tensor<1x2xf32>, %w: tensor<2xf32>) {
  // CHECK: graph.batch_norm
  %0:3 = graph.batch_norm %x, %w, %w momentum = 0.1 eps = 1.0e-5 mode = eval : tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>
  // CHECK: graph.batch_norm
  %1:3 = graph.batch_norm %x, %w, %w momentum = 0.1 eps = 1.0e-5 : tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>
  return
}

// CHECK-LABEL: func @attention
// CHECK-SAME: (%[[Q:.*]]: tensor<2x8x5x4xf32>, %[[K:.*]]: tensor<2x4x6x4xf32>, %[[V:.*]]: tensor<2x4x6x3xf32>, %[[B:.*]]: tensor<5x6xi1>, %[[M:.*]]: tensor<2x1x1x6xf32>)
func.func @attention(%q: tensor<2x8x5x4xf32>, %k: tensor<2x4x6x4xf32>, %v: tensor<2x4x6x3xf32>, %b: tensor<5x6xi1>, %m: tensor<2x1x1x6xf32>) {
  // CHECK: graph.attention %[[Q]], %[[K]], %[[V]] : tensor<2x8x5x4xf32>, tensor<2x4x6x4xf32>, tensor<2x4x6x3xf32> -> tensor<2x8x5x3xf32>
  %0 = graph.attention %q, %k, %v : tensor<2x8x5x4xf32>, tensor<2x4x6x4xf32>, tensor<2x4x6x3xf32> -> tensor<2x8x5x3xf32>
  // CHECK: graph.attention %[[Q]], %[[K]], %[[V]], %[[B]] causal scale = 5.000000e-01 : tensor<2x8x5x4xf32>, tensor<2x4x6x4xf32>, tensor<2x4x6x3xf32>, tensor<5x6xi1> -> tensor<2x8x5x3xf32>
  %1 = graph.attention %q, %k, %v, %b causal scale = 0.5 : tensor<2x8x5x4xf32>, tensor<2x4x6x4xf32>, tensor<2x4x6x3xf32>, tensor<5x6xi1> -> tensor<2x8x5x3xf32>
  // CHECK: graph.attention %[[Q]], %[[K]], %[[V]], %[[M]] : tensor<2x8x5x4xf32>, tensor<2x4x6x4xf32>, tensor<2x4x6x3xf32>, tensor<2x1x1x6xf32> -> tensor<2x8x5x3xf32>
  %2 = graph.attention %q, %k, %v, %m : tensor<2x8x5x4xf32>, tensor<2x4x6x4xf32>, tensor<2x4x6x3xf32>, tensor<2x1x1x6xf32> -> tensor<2x8x5x3xf32>
  return
}

// CHECK-LABEL: func @attention_grad
// CHECK-SAME: (%[[Q:.*]]: tensor<4x5x4xf32>, %[[K:.*]]: tensor<2x6x4xf32>, %[[O:.*]]: tensor<4x5x4xf32>, %[[B:.*]]: tensor<5x6xi1>)
func.func @attention_grad(%q: tensor<4x5x4xf32>, %k: tensor<2x6x4xf32>, %o: tensor<4x5x4xf32>, %b: tensor<5x6xi1>) {
  // CHECK: graph.attention_grad %[[Q]], %[[K]], %[[K]], %[[O]], %[[O]] : tensor<4x5x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<4x5x4xf32>, tensor<4x5x4xf32>
  %0:3 = graph.attention_grad %q, %k, %k, %o, %o : tensor<4x5x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<4x5x4xf32>, tensor<4x5x4xf32>
  // CHECK: graph.attention_grad %[[Q]], %[[K]], %[[K]], %[[O]], %[[O]], %[[B]] causal scale = 5.000000e-01 : tensor<4x5x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<4x5x4xf32>, tensor<4x5x4xf32>, tensor<5x6xi1>
  %1:3 = graph.attention_grad %q, %k, %k, %o, %o, %b causal scale = 0.5 : tensor<4x5x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<4x5x4xf32>, tensor<4x5x4xf32>, tensor<5x6xi1>
  return
}

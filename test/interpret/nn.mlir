// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// Expected values: the formulas in double, rounded once to f32.

// CHECK-LABEL: @activations
func.func @activations() -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %x = graph.constant dense<[-20.0, -1.0, 0.0, 0.5, 3.0, 100.0]> : tensor<6xf32>
  // CHECK: result 0 : tensor<6xf32> [0, 0, 0, 0.5, 3, 100]
  %relu = graph.relu %x : tensor<6xf32>
  // CHECK: result 1 : tensor<6xf32> [2.0611537e-09, 0.26894143, 0.5, 0.62245935, 0.95257413, 1]
  %sigmoid = graph.sigmoid %x : tensor<6xf32>
  // CHECK: result 2 : tensor<6xf32> [-4.122307e-08, -0.26894143, 0, 0.31122968, 2.8577223, 100]
  %silu = graph.silu %x : tensor<6xf32>
  %y = graph.constant dense<[-6.0, -1.0, 0.0, 0.5, 3.0, 100.0]> : tensor<6xf32>
  // CHECK: result 3 : tensor<6xf32> [-5.9195258e-09, -0.15865526, 0, 0.34573123, 2.9959502, 100]
  %gelu = graph.gelu %y : tensor<6xf32>
  // CHECK: result 4 : tensor<6xf32> [-8.439647e-11, -0.15880801, 0, 0.345714, 2.9963627, 100]
  %tanh = graph.gelu %y approximate = tanh : tensor<6xf32>
  return %relu, %sigmoid, %silu, %gelu, %tanh : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// CHECK-LABEL: @activation_edges
func.func @activation_edges() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf16>) {
  %x = graph.constant dense<[-0.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  // CHECK: result 0 : tensor<4xf32> [0, nan, inf, 0]
  %relu = graph.relu %x : tensor<4xf32>
  // CHECK: result 1 : tensor<4xf32> [0.5, nan, 1, 0]
  %sigmoid = graph.sigmoid %x : tensor<4xf32>
  // The formulas say -inf * 0.
  // CHECK: result 2 : tensor<4xf32> [-0, nan, inf, nan]
  %silu = graph.silu %x : tensor<4xf32>
  // CHECK: result 3 : tensor<4xf32> [-0, nan, inf, nan]
  %gelu = graph.gelu %x : tensor<4xf32>
  // CHECK: result 4 : tensor<4xf32> [-0, nan, inf, nan]
  %tanh = graph.gelu %x approximate = tanh : tensor<4xf32>
  %c = graph.constant dense<[-5.0, -1.0, 0.0, 6.0, 7.0, 0x7FC00000]> : tensor<6xf32>
  // CHECK: result 5 : tensor<6xf32> [-1, -1, 0, 6, 6, nan]
  %clamp = graph.clamp %c low = -1.0 high = 6.0 : tensor<6xf32>
  %h = graph.constant dense<[0.0, 1.0]> : tensor<2xf16>
  // Bounds are rounded to the type.
  // CHECK: result 6 : tensor<2xf16> [0.099975586, 0.7001953]
  %hc = graph.clamp %h low = 0.1 high = 0.7 : tensor<2xf16>
  return %relu, %sigmoid, %silu, %gelu, %tanh, %clamp, %hc : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<6xf32>, tensor<2xf16>
}

// CHECK-LABEL: @softmax
func.func @softmax() -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<1x0xf32>, tensor<2xf16>) {
  %x = graph.constant dense<[[1.0, 2.0, 3.0], [1000.0, 1000.0, 999.0]]> : tensor<2x3xf32>
  // CHECK: result 0 : tensor<2x3xf32> {{\[\[0.09003057, 0.24472848, 0.66524094\], \[0.4223188, 0.4223188, 0.1553624\]\]}}
  %s = graph.softmax %x axis = 1 : tensor<2x3xf32>
  // CHECK: result 1 : tensor<2x3xf32> {{\[\[-2.407606, -1.407606, -0.40760598\], \[-0.8619948, -0.8619948, -1.8619949\]\]}}
  %l = graph.log_softmax %x axis = 1 : tensor<2x3xf32>
  %t = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  // CHECK: result 2 : tensor<3x2xf32> {{\[\[0.09003057, 0.4223188\], \[0.24472848, 0.4223188\], \[0.66524094, 0.1553624\]\]}}
  %st = graph.softmax %t axis = 0 : tensor<3x2xf32>
  // A class ruled out by -inf has probability 0; a row ruled out whole, NaN or
  // +inf in it give NaN.
  %e = graph.constant dense<[[0xFF800000, 1.0], [0xFF800000, 0xFF800000], [0x7FC00000, 0.0], [0x7F800000, 0.0], [-3.0e38, 3.0e38]]> : tensor<5x2xf32>
  // CHECK: result 3 : tensor<5x2xf32> {{\[\[0, 1\], \[nan, nan\], \[nan, nan\], \[nan, nan\], \[0, 1\]\]}}
  %es = graph.softmax %e axis = 1 : tensor<5x2xf32>
  // CHECK: result 4 : tensor<5x2xf32> {{\[\[-inf, 0\], \[nan, nan\], \[nan, nan\], \[nan, nan\], \[-inf, 0\]\]}}
  %el = graph.log_softmax %e axis = 1 : tensor<5x2xf32>
  %n = graph.constant dense<> : tensor<1x0xf32>
  // CHECK: result 5 : tensor<1x0xf32> {{\[\[\]\]}}
  %ns = graph.softmax %n axis = 1 : tensor<1x0xf32>
  // log 2 in f16 is 0.6933594: 0.33328 and 0.66672, each rounded once.
  %h = graph.constant dense<[0.0, 0.69314718]> : tensor<2xf16>
  // CHECK: result 6 : tensor<2xf16> [0.33325195, 0.6665039]
  %hs = graph.softmax %h axis = 0 : tensor<2xf16>
  return %s, %l, %st, %es, %el, %ns, %hs : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<1x0xf32>, tensor<2xf16>
}

// CHECK-LABEL: @cross_entropy
func.func @cross_entropy() -> (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<f32>) {
  %x = graph.constant dense<[[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]]> : tensor<2x3xf32>
  %t = graph.constant dense<[2, 0]> : tensor<2xi64>
  // CHECK: result 0 : tensor<2xf32> [0.40760598, 1.7413113]
  %none = graph.cross_entropy %x, %t reduction = none : tensor<2x3xf32>, tensor<2xi64> -> tensor<2xf32>
  // CHECK: result 1 : tensor<f32> 1.0744586
  %mean = graph.cross_entropy %x, %t : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  // CHECK: result 2 : tensor<f32> 2.1489172
  %sum = graph.cross_entropy %x, %t reduction = sum : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  // CHECK: result 3 : tensor<2xf32> [0.50760597, 1.7413113]
  %smooth = graph.cross_entropy %x, %t reduction = none {label_smoothing = 0.1} : tensor<2x3xf32>, tensor<2xi64> -> tensor<2xf32>
  // CHECK: result 4 : tensor<f32> 1.1244587
  %smean = graph.cross_entropy %x, %t {label_smoothing = 0.1} : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  // CHECK: result 5 : tensor<f32> 1.5744586
  %only = graph.cross_entropy %x, %t {label_smoothing = 1.0} : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  return %none, %mean, %sum, %smooth, %smean, %only : tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<f32>
}

// Ignored positions give 0 and do not count; with none left the mean is NaN.
// CHECK-LABEL: @ignored
func.func @ignored() -> (tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2x1xf32>) {
  %x = graph.constant dense<[[1.0, 2.0, 3.0], [0.5, -1.0, 2.0], [0x7FC00000, 0.0, 0.0]]> : tensor<3x3xf32>
  %t = graph.constant dense<[2, 0, -100]> : tensor<3xi64>
  // CHECK: result 0 : tensor<3xf32> [0.40760598, 1.7413113, 0]
  %none = graph.cross_entropy %x, %t reduction = none : tensor<3x3xf32>, tensor<3xi64> -> tensor<3xf32>
  // CHECK: result 1 : tensor<f32> 1.0744586
  %mean = graph.cross_entropy %x, %t : tensor<3x3xf32>, tensor<3xi64> -> tensor<f32>
  %all = graph.constant dense<1> : tensor<3xi32>
  // CHECK: result 2 : tensor<f32> nan
  %nothing = graph.cross_entropy %x, %all {ignore_index = 1 : i64} : tensor<3x3xf32>, tensor<3xi32> -> tensor<f32>
  // CHECK: result 3 : tensor<f32> 0
  %zero = graph.cross_entropy %x, %all reduction = sum {ignore_index = 1 : i64} : tensor<3x3xf32>, tensor<3xi32> -> tensor<f32>
  // Logits of rank 1 have one position.
  %v = graph.constant dense<[1000.0, 0.0, -1000.0]> : tensor<3xf32>
  %one = graph.constant dense<1> : tensor<i64>
  // CHECK: result 4 : tensor<f32> 1000
  %big = graph.cross_entropy %v, %one : tensor<3xf32>, tensor<i64> -> tensor<f32>
  // Classes are the last dimension, also of rank 3; -inf rules a class out.
  %c = graph.constant dense<[[[0.0, 0xFF800000]], [[0.0, 0xFF800000]]]> : tensor<2x1x2xf32>
  %d = graph.constant dense<[[0], [1]]> : tensor<2x1xi64>
  // CHECK: result 5 : tensor<2x1xf32> {{\[\[0\], \[inf\]\]}}
  %ruled = graph.cross_entropy %c, %d reduction = none : tensor<2x1x2xf32>, tensor<2x1xi64> -> tensor<2x1xf32>
  return %none, %mean, %nothing, %zero, %big, %ruled : tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2x1xf32>
}

// CHECK-LABEL: @pair_losses
func.func @pair_losses() -> (tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %x = graph.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf32>
  %t = graph.constant dense<[0.0, 1.0, 0.5]> : tensor<3xf32>
  // CHECK: result 0 : tensor<3xf32> [1, 9, 0]
  %none = graph.mse_loss %x, %t reduction = none : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  // CHECK: result 1 : tensor<f32> 3.3333333
  %mean = graph.mse_loss %x, %t : tensor<3xf32>, tensor<3xf32> -> tensor<f32>
  // CHECK: result 2 : tensor<f32> 10
  %sum = graph.mse_loss %x, %t reduction = sum : tensor<3xf32>, tensor<3xf32> -> tensor<f32>
  // The logarithm stops at -100.
  %p = graph.constant dense<[0.25, 0.9, 0.0, 1.0, 0.0, 1.0]> : tensor<6xf32>
  %q = graph.constant dense<[1.0, 0.0, 1.0, 0.0, 0.0, 1.0]> : tensor<6xf32>
  // CHECK: result 3 : tensor<6xf32> [1.3862944, 2.302585, 100, 100, {{-?}}0, {{-?}}0]
  %bce = graph.binary_cross_entropy %p, %q reduction = none : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  // CHECK: result 4 : tensor<f32> 33.948147
  %bmean = graph.binary_cross_entropy %p, %q : tensor<6xf32>, tensor<6xf32> -> tensor<f32>
  %y = graph.constant dense<[0.0, 2.0, -2.0, 1000.0, -1000.0, 0.5]> : tensor<6xf32>
  %z = graph.constant dense<[1.0, 0.0, 0.0, 0.0, 1.0, 0.25]> : tensor<6xf32>
  // CHECK: result 5 : tensor<6xf32> [0.6931472, 2.126928, 0.12692802, 1000, 1000, 0.849077]
  %logits = graph.binary_cross_entropy_with_logits %y, %z reduction = none : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  // CHECK: result 6 : tensor<f32> 2003.796
  %lsum = graph.binary_cross_entropy_with_logits %y, %z reduction = sum : tensor<6xf32>, tensor<6xf32> -> tensor<f32>
  %n = graph.constant dense<> : tensor<0xf32>
  // CHECK: result 7 : tensor<f32> nan
  %nmean = graph.mse_loss %n, %n : tensor<0xf32>, tensor<0xf32> -> tensor<f32>
  // CHECK: result 8 : tensor<f32> 0
  %nsum = graph.mse_loss %n, %n reduction = sum : tensor<0xf32>, tensor<0xf32> -> tensor<f32>
  return %none, %mean, %sum, %bce, %bmean, %logits, %lsum, %nmean, %nsum : tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<f32>, tensor<f32>
}

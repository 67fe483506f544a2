// RUN: graph-opt --fuse --split-input-file %s | FileCheck %s

// A sum of rows takes what makes its terms and what uses it over the same rows.

// CHECK-LABEL: func @rows
// CHECK:       %[[R:.*]]:2 = graph.fused
// CHECK-NEXT:    graph.add
// CHECK-NEXT:    graph.reduce_sum
// CHECK-NEXT:    graph.sqrt
// CHECK-NEXT:    graph.broadcast
// CHECK-NEXT:    graph.div
// CHECK-NEXT:    graph.yield
// CHECK:       return %[[R]]
func.func @rows(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64xf32>) {
  %a = graph.add %x, %y : tensor<64x128xf32>
  %s = graph.reduce_sum %a axes = [1] : tensor<64x128xf32> -> tensor<64xf32>
  %r = graph.sqrt %s : tensor<64xf32>
  %b = graph.broadcast %r dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
  %q = graph.div %a, %b : tensor<64x128xf32>
  return %q, %r : tensor<64x128xf32>, tensor<64xf32>
}

// -----

// The residual sum goes into the normalisation that reads it.

// CHECK-LABEL: func @residual_norm
// CHECK:       graph.fused
// CHECK-NEXT:    graph.add
// CHECK-NEXT:    graph.layer_norm
// CHECK-NEXT:    graph.yield
func.func @residual_norm(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %w: tensor<128xf32>, %b: tensor<128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %a = graph.add %x, %y : tensor<64x128xf32>
  %n = graph.layer_norm %a, %w, %b normalized_rank = 1 eps = 1.0e-5 : tensor<64x128xf32>, tensor<128xf32>, tensor<128xf32>
  return %a, %n : tensor<64x128xf32>, tensor<64x128xf32>
}

// -----

// Of a row, something costly is computed once and kept for all passes over it;
// rows of less than a vector are no loop of their own.

// CHECK-LABEL: func @costly_rows
// CHECK:       graph.fused
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.softmax
// CHECK-NEXT:    graph.neg
// CHECK-NEXT:    graph.yield
func.func @costly_rows(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = graph.exp %x : tensor<64x128xf32>
  %s = graph.softmax %e axis = 1 : tensor<64x128xf32>
  %n = graph.neg %s : tensor<64x128xf32>
  return %n : tensor<64x128xf32>
}

// CHECK-LABEL: func @short_rows
// CHECK:       graph.fused
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.softmax
func.func @short_rows(%x: tensor<1024x15xf32>) -> tensor<1024x15xf32> {
  %e = graph.exp %x : tensor<1024x15xf32>
  %s = graph.softmax %e axis = 1 : tensor<1024x15xf32>
  return %s : tensor<1024x15xf32>
}

// -----

// A sum of columns takes its terms only if nobody else reads them, and what is
// made of the result.

// CHECK-LABEL: func @columns
// CHECK:       graph.fused
// CHECK-NEXT:    graph.mul
// CHECK-NEXT:    graph.reduce_sum
// CHECK-NEXT:    graph.sqrt
// CHECK-NEXT:    graph.yield
func.func @columns(%x: tensor<64x128xf32>) -> tensor<128xf32> {
  %a = graph.mul %x, %x : tensor<64x128xf32>
  %s = graph.reduce_sum %a axes = [0] : tensor<64x128xf32> -> tensor<128xf32>
  %r = graph.sqrt %s : tensor<128xf32>
  return %r : tensor<128xf32>
}

// -----

// CHECK-LABEL: func @columns_read_elsewhere
// CHECK:       graph.fused
// CHECK-NEXT:    graph.mul
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.reduce_sum
// CHECK-NEXT:    graph.yield
func.func @columns_read_elsewhere(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<128xf32>) {
  %a = graph.mul %x, %x : tensor<64x128xf32>
  %s = graph.reduce_sum %a axes = [0] : tensor<64x128xf32> -> tensor<128xf32>
  return %a, %s : tensor<64x128xf32>, tensor<128xf32>
}

// -----

// Of enough rows, a loop over them stores each and adds it up.

// CHECK-LABEL: func @rows_and_columns
// CHECK:       graph.fused
// CHECK-NEXT:    graph.mul
// CHECK-NEXT:    graph.reduce_sum
// CHECK-NEXT:    graph.yield
func.func @rows_and_columns(%x: tensor<512x128xf32>) -> (tensor<512x128xf32>, tensor<128xf32>) {
  %a = graph.mul %x, %x : tensor<512x128xf32>
  %s = graph.reduce_sum %a axes = [0] : tensor<512x128xf32> -> tensor<128xf32>
  return %a, %s : tensor<512x128xf32>, tensor<128xf32>
}

// -----

// What reads such a sum for every row waits until there is one.

// CHECK-LABEL: func @centered
// CHECK:       graph.fused
// CHECK-NEXT:    graph.reduce_mean
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.broadcast
// CHECK-NEXT:    graph.sub
func.func @centered(%x: tensor<512x128xf32>) -> tensor<512x128xf32> {
  %s = graph.reduce_mean %x axes = [0] : tensor<512x128xf32> -> tensor<128xf32>
  %b = graph.broadcast %s dims = [1] : tensor<128xf32> -> tensor<512x128xf32>
  %c = graph.sub %x, %b : tensor<512x128xf32>
  return %c : tensor<512x128xf32>
}

// -----

// Rows that do not stay in the cache are read once only.

// CHECK-LABEL: func @long_rows
// CHECK:       graph.fused
// CHECK-NEXT:    graph.reduce_sum
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.broadcast
// CHECK-NEXT:    graph.div
func.func @long_rows(%x: tensor<4x131072xf32>) -> tensor<4x131072xf32> {
  %s = graph.reduce_sum %x axes = [1] : tensor<4x131072xf32> -> tensor<4xf32>
  %b = graph.broadcast %s dims = [0] : tensor<4xf32> -> tensor<4x131072xf32>
  %q = graph.div %x, %b : tensor<4x131072xf32>
  return %q : tensor<4x131072xf32>
}

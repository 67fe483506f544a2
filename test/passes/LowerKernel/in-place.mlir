// RUN: graph-opt --lower-kernel --split-input-file %s | FileCheck %s

// The update of a weight in the kernel of its gradient writes where the weight
// lies: a tile is read after its sums are complete, just before it is stored.

// CHECK-LABEL: func @product
// CHECK:       plan.launch {{.*}}inplace = {{\[}}[0, 2]], op_name = "graph.dot_general (at
func.func @product(%x: tensor<8x16xf32>, %g: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %n = graph.fused(%a = %g, %b = %x, %c = %w) : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = graph.dot_general %a, %b batching = [] x [] contracting = [0] x [0] : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
    %s = graph.sub %c, %d : tensor<16x16xf32>
    graph.yield %s : tensor<16x16xf32>
  }
  return %n : tensor<16x16xf32>
}

// -----

// Not where the product itself reads it.

// CHECK-LABEL: func @factor
// CHECK:       plan.launch
// CHECK-NOT:   inplace = {{\[}}[0, 1]
// CHECK:       return
func.func @factor(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %n = graph.fused(%a = %x, %c = %w) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = graph.dot_general %a, %c batching = [] x [] contracting = [1] x [0] : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %s = graph.sub %c, %d : tensor<16x16xf32>
    graph.yield %s : tensor<16x16xf32>
  }
  return %n : tensor<16x16xf32>
}

// -----

// Of several nests, each may write over what it alone reads.

// CHECK-LABEL: func @side_by_side
// CHECK:       plan.launch {{.*}}inplace = {{\[}}[0, 0], [1, 1]]
func.func @side_by_side(%x: tensor<16xf32>, %y: tensor<8xf32>) -> (tensor<16xf32>, tensor<8xf32>) {
  %n:2 = graph.fused(%a = %x, %b = %y) : (tensor<16xf32>, tensor<8xf32>) -> (tensor<16xf32>, tensor<8xf32>) {
    %d = graph.neg %a : tensor<16xf32>
    %s = graph.neg %b : tensor<8xf32>
    graph.yield %d, %s : tensor<16xf32>, tensor<8xf32>
  }
  return %n#0, %n#1 : tensor<16xf32>, tensor<8xf32>
}

// -----

// Another nest may read it, if that is before.

// CHECK-LABEL: func @read_twice
// CHECK:       plan.launch {{.*}}inplace = {{\[}}[0, 0]]
func.func @read_twice(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<f32>) {
  %n:2 = graph.fused(%a = %x) : (tensor<16xf32>) -> (tensor<16xf32>, tensor<f32>) {
    %d = graph.neg %a : tensor<16xf32>
    %s = graph.reduce_sum %a axes = [0] : tensor<16xf32> -> tensor<f32>
    graph.yield %d, %s : tensor<16xf32>, tensor<f32>
  }
  return %n#0, %n#1 : tensor<16xf32>, tensor<f32>
}

// -----

// Not where other elements are read than are written.

// CHECK-LABEL: func @transposed
// CHECK:       plan.launch
// CHECK-NOT:   inplace
// CHECK:       return
func.func @transposed(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %n = graph.fused(%a = %x) : (tensor<16x16xf32>) -> tensor<16x16xf32> {
    %t = graph.transpose %a permutation = [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
    %d = graph.add %t, %a : tensor<16x16xf32>
    graph.yield %d : tensor<16x16xf32>
  }
  return %n : tensor<16x16xf32>
}

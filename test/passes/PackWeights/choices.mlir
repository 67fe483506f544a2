// REQUIRES: graph-interpret
// RUN: graph-opt --pack-weights="min-elements=64 report=true" %s -o %t.mlir 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
// RUN: for f in products both_ways others tables two sets rows; do graph-interpret %t.mlir --against=%s --rtol=0 --atol=0 --function=$f || exit 1; done | FileCheck %s --check-prefix=EQUAL
// EQUAL-COUNT-7: equal:

// Each variable's layout, or why it has none. Values are the same, as are those
// of variables after some steps.

// CHECK:@linear: #graph.panels<dim = 0, width = 32>
graph.variable @linear : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// Half a panel's width divides it.
// CHECK-NEXT:@half: #graph.panels<dim = 0, width = 16>
graph.variable @half : tensor<48x8xf32> = #graph.uniform<-1.0, 1.0>
// f64 elements are twice as wide.
// CHECK-NEXT:@double: #graph.panels<dim = 0, width = 16>
graph.variable @double : tensor<64x8xf64> = #graph.uniform<-1.0, 1.0>
// x w and not x w^T.
// CHECK-NEXT:@columns: #graph.panels<dim = 1, width = 32>
graph.variable @columns : tensor<8x64xf32> = #graph.uniform<-1.0, 1.0>
// On the left: w x.
// CHECK-NEXT:@left: #graph.panels<dim = 0, width = 32>
graph.variable @left : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// Nothing is summed along the panels, so the last one may be filled up.
// CHECK-NEXT:@odd: #graph.panels<dim = 0, width = 32>
graph.variable @odd : tensor<131x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@much: the last panel would be much of it
graph.variable @much : tensor<37x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@both: its size is no multiple of 16, and a sum would run over what fills up the last panel
graph.variable @both : tensor<131x131xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@small: it is small
graph.variable @small : tensor<7x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@many: its products have many rows
graph.variable @many : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@shown: 'func.return' reads it as it is
graph.variable @shown : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@summed: 'graph.reduce_sum' reads it as it is
graph.variable @summed : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@norm: 'graph.mul' reads it as it is
graph.variable @norm : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@unread: no product reads it
graph.variable @unread : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@halves: it is no matrix of f32 or f64
graph.variable @halves : tensor<64x8xf16> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@cube: it is no matrix of f32 or f64
graph.variable @cube : tensor<2x64x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@table: #graph.panels<dim = 0, width = 32>
graph.variable @table : tensor<200x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@across: #graph.panels<dim = 1, width = 32>
graph.variable @across : tensor<200x64xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@factor: 'graph.dot_general' reads it as it is
graph.variable @factor : tensor<64x64xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@given: what it is set to lies in rows, across the panels
graph.variable @given : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// One layout for all that elementwise ops combine.
// CHECK-NEXT:@average: #graph.panels<dim = 0, width = 32>
// CHECK-NEXT:@averaged: #graph.panels<dim = 0, width = 32>
graph.variable @average : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
graph.variable @averaged : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// CHECK-NEXT:@clipped: what it is set to lies in rows, across the panels
graph.variable @clipped : tensor<64x8xf32> = #graph.uniform<-1.0, 1.0>
// Of panels along the rows, parts of rows are read in order.
// CHECK-NEXT:@along: #graph.panels<dim = 1, width = 32>
graph.variable @along : tensor<64x32xf32> = #graph.uniform<-1.0, 1.0>
// 16 divides its second size only; an embedding's gradient and a product's are added.
// CHECK-NEXT:@tied: #graph.panels<dim = 1, width = 16>
graph.variable @tied : tensor<67x48xf32> = #graph.uniform<-1.0, 1.0>

func.func @products(%x: tensor<4x8xf32>, %d: tensor<4x8xf64>, %m: tensor<513x8xf32>)
    -> (tensor<4x64xf32>, tensor<4x48xf32>, tensor<4x64xf64>, tensor<4x64xf32>, tensor<64x4xf32>,
        tensor<4x131xf32>, tensor<4x37xf32>, tensor<4x7xf32>, tensor<513x64xf32>) {
  %w0 = graph.get @linear : tensor<64x8xf32>
  %0 = graph.linear %x, %w0 : tensor<4x8xf32>, tensor<64x8xf32> -> tensor<4x64xf32>
  %w1 = graph.get @half : tensor<48x8xf32>
  %1 = graph.linear %x, %w1 : tensor<4x8xf32>, tensor<48x8xf32> -> tensor<4x48xf32>
  %w2 = graph.get @double : tensor<64x8xf64>
  %2 = graph.linear %d, %w2 : tensor<4x8xf64>, tensor<64x8xf64> -> tensor<4x64xf64>
  %w3 = graph.get @columns : tensor<8x64xf32>
  %3 = graph.dot_general %x, %w3 batching = [] x [] contracting = [1] x [0] : tensor<4x8xf32>, tensor<8x64xf32> -> tensor<4x64xf32>
  %w4 = graph.get @left : tensor<64x8xf32>
  %4 = graph.dot_general %w4, %x batching = [] x [] contracting = [1] x [1] : tensor<64x8xf32>, tensor<4x8xf32> -> tensor<64x4xf32>
  %w5 = graph.get @odd : tensor<131x8xf32>
  %5 = graph.linear %x, %w5 : tensor<4x8xf32>, tensor<131x8xf32> -> tensor<4x131xf32>
  %w6 = graph.get @much : tensor<37x8xf32>
  %6 = graph.linear %x, %w6 : tensor<4x8xf32>, tensor<37x8xf32> -> tensor<4x37xf32>
  %w7 = graph.get @small : tensor<7x8xf32>
  %7 = graph.linear %x, %w7 : tensor<4x8xf32>, tensor<7x8xf32> -> tensor<4x7xf32>
  %w8 = graph.get @many : tensor<64x8xf32>
  %8 = graph.linear %m, %w8 : tensor<513x8xf32>, tensor<64x8xf32> -> tensor<513x64xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : tensor<4x64xf32>, tensor<4x48xf32>, tensor<4x64xf64>, tensor<4x64xf32>, tensor<64x4xf32>,
        tensor<4x131xf32>, tensor<4x37xf32>, tensor<4x7xf32>, tensor<513x64xf32>
}

func.func @both_ways(%x: tensor<4x131xf32>) -> tensor<4x131xf32> {
  %w = graph.get @both : tensor<131x131xf32>
  %0 = graph.linear %x, %w : tensor<4x131xf32>, tensor<131x131xf32> -> tensor<4x131xf32>
  %1 = graph.dot_general %0, %w batching = [] x [] contracting = [1] x [0] : tensor<4x131xf32>, tensor<131x131xf32> -> tensor<4x131xf32>
  return %1 : tensor<4x131xf32>
}

func.func @others(%x: tensor<4x8xf32>, %h: tensor<4x8xf16>)
    -> (tensor<64x8xf32>, tensor<4x64xf32>, tensor<8xf32>, tensor<4x64xf32>, tensor<64x8xf32>, tensor<4x64xf16>) {
  %w0 = graph.get @shown : tensor<64x8xf32>
  %0 = graph.linear %x, %w0 : tensor<4x8xf32>, tensor<64x8xf32> -> tensor<4x64xf32>
  %w1 = graph.get @summed : tensor<64x8xf32>
  %1 = graph.reduce_sum %w1 axes = [0] : tensor<64x8xf32> -> tensor<8xf32>
  %2 = graph.linear %x, %w1 : tensor<4x8xf32>, tensor<64x8xf32> -> tensor<4x64xf32>
  %w2 = graph.get @norm : tensor<64x8xf32>
  %3 = graph.mul %w2, %w2 : tensor<64x8xf32>
  %w3 = graph.get @halves : tensor<64x8xf16>
  %4 = graph.linear %h, %w3 : tensor<4x8xf16>, tensor<64x8xf16> -> tensor<4x64xf16>
  return %w0, %0, %1, %2, %3, %4
      : tensor<64x8xf32>, tensor<4x64xf32>, tensor<8xf32>, tensor<4x64xf32>, tensor<64x8xf32>, tensor<4x64xf16>
}

func.func @tables(%ids: tensor<3xi64>, %x: tensor<4x200xf32>)
    -> (tensor<3x200xf32>, tensor<3x64xf32>, tensor<4x64xf32>) {
  %w0 = graph.get @table : tensor<200x8xf32>
  %0 = graph.embedding %w0, %ids : tensor<200x8xf32>, tensor<3xi64> -> tensor<3x8xf32>
  %1 = graph.linear %0, %w0 : tensor<3x8xf32>, tensor<200x8xf32> -> tensor<3x200xf32>
  %w1 = graph.get @across : tensor<200x64xf32>
  %2 = graph.embedding %w1, %ids : tensor<200x64xf32>, tensor<3xi64> -> tensor<3x64xf32>
  %3 = graph.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : tensor<4x200xf32>, tensor<200x64xf32> -> tensor<4x64xf32>
  return %1, %2, %3 : tensor<3x200xf32>, tensor<3x64xf32>, tensor<4x64xf32>
}

// The product of two variables is made from both as they are.
func.func @two(%x: tensor<64x8xf32>) -> tensor<64x64xf32> {
  %w = graph.get @factor : tensor<64x64xf32>
  %0 = graph.dot_general %w, %w batching = [] x [] contracting = [1] x [0] : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

func.func @sets(%x: tensor<4x8xf32>, %new: tensor<64x8xf32>, %g: tensor<4x64xf32>, %rate: tensor<f32>)
    -> (tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<f32>) {
  %w0 = graph.get @given : tensor<64x8xf32>
  %0 = graph.linear %x, %w0 : tensor<4x8xf32>, tensor<64x8xf32> -> tensor<4x64xf32>
  graph.set @given, %new : tensor<64x8xf32>

  %w1 = graph.get @averaged : tensor<64x8xf32>
  %a = graph.get @average : tensor<64x8xf32>
  %1 = graph.linear %x, %w1 : tensor<4x8xf32>, tensor<64x8xf32> -> tensor<4x64xf32>
  %d1 = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<4x64xf32>, tensor<4x8xf32> -> tensor<64x8xf32>
  %r = graph.broadcast %rate dims = [] : tensor<f32> -> tensor<64x8xf32>
  %s1 = graph.mul %d1, %r : tensor<64x8xf32>
  %n1 = graph.sub %w1, %s1 : tensor<64x8xf32>
  %a1 = graph.add %a, %n1 : tensor<64x8xf32>
  graph.set @averaged, %n1 : tensor<64x8xf32>
  graph.set @average, %a1 : tensor<64x8xf32>

  %w2 = graph.get @clipped : tensor<64x8xf32>
  %2 = graph.linear %x, %w2 : tensor<4x8xf32>, tensor<64x8xf32> -> tensor<4x64xf32>
  %d2 = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<4x64xf32>, tensor<4x8xf32> -> tensor<64x8xf32>
  %q = graph.reduce_sum %d2 axes = [0, 1] : tensor<64x8xf32> -> tensor<f32>
  %n2 = graph.sub %w2, %d2 : tensor<64x8xf32>
  graph.set @clipped, %n2 : tensor<64x8xf32>
  return %0, %1, %2, %q : tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<f32>
}

func.func @rows(%x: tensor<4x32xf32>, %g: tensor<4x64xf32>, %ids: tensor<5xi64>, %h: tensor<5x67xf32>)
    -> (tensor<4x64xf32>, tensor<4x32xf32>, tensor<f32>, tensor<5x67xf32>, tensor<5x48xf32>) {
  %w0 = graph.get @along : tensor<64x32xf32>
  %0 = graph.linear %x, %w0 : tensor<4x32xf32>, tensor<64x32xf32> -> tensor<4x64xf32>
  %1 = graph.dot_general %g, %w0 batching = [] x [] contracting = [1] x [0] : tensor<4x64xf32>, tensor<64x32xf32> -> tensor<4x32xf32>
  %d0 = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<4x64xf32>, tensor<4x32xf32> -> tensor<64x32xf32>
  %q = graph.reduce_sum %d0 axes = [0, 1] : tensor<64x32xf32> -> tensor<f32>
  %n0 = graph.sub %w0, %d0 : tensor<64x32xf32>
  graph.set @along, %n0 : tensor<64x32xf32>

  %w1 = graph.get @tied : tensor<67x48xf32>
  %e = graph.embedding %w1, %ids : tensor<67x48xf32>, tensor<5xi64> -> tensor<5x48xf32>
  %2 = graph.linear %e, %w1 : tensor<5x48xf32>, tensor<67x48xf32> -> tensor<5x67xf32>
  %3 = graph.dot_general %h, %w1 batching = [] x [] contracting = [1] x [0] : tensor<5x67xf32>, tensor<67x48xf32> -> tensor<5x48xf32>
  %d1 = graph.dot_general %h, %e batching = [] x [] contracting = [0] x [0] : tensor<5x67xf32>, tensor<5x48xf32> -> tensor<67x48xf32>
  %zeros = graph.constant dense<0.0> : tensor<67x48xf32>
  %d2 = graph.scatter_add %zeros, %ids, %3 axis = 0 : tensor<67x48xf32>, tensor<5xi64>, tensor<5x48xf32> -> tensor<67x48xf32>
  %d = graph.add %d1, %d2 : tensor<67x48xf32>
  %n1 = graph.sub %w1, %d : tensor<67x48xf32>
  graph.set @tied, %n1 : tensor<67x48xf32>
  return %0, %1, %q, %2, %3 : tensor<4x64xf32>, tensor<4x32xf32>, tensor<f32>, tensor<5x67xf32>, tensor<5x48xf32>
}

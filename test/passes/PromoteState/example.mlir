// RUN: graph-opt --promote-state --split-input-file %s | FileCheck %s

// A read after a set gets the value set; the first set is never seen.

// CHECK-LABEL: func.func @read_after_set
// CHECK-SAME:    %[[X:.*]]: tensor<f32>
// CHECK-NEXT:    %[[W:.*]] = graph.get @w
// CHECK-NEXT:    %[[A:.*]] = graph.add %[[W]], %[[X]]
// CHECK-NEXT:    %[[B:.*]] = graph.mul %[[A]], %[[W]]
// CHECK-NEXT:    graph.set @w, %[[B]]
// CHECK-NEXT:    return %[[A]], %[[B]]
graph.variable @w : tensor<f32> = #graph.zeros
func.func @read_after_set(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %w0 = graph.get @w : tensor<f32>
  %a = graph.add %w0, %x : tensor<f32>
  graph.set @w, %a : tensor<f32>
  %w1 = graph.get @w : tensor<f32>
  %b = graph.mul %w1, %w0 : tensor<f32>
  graph.set @w, %b : tensor<f32>
  %w2 = graph.get @w : tensor<f32>
  return %w1, %w2 : tensor<f32>, tensor<f32>
}

// -----

// A variable that is set before it is read is not read; one that gets its own
// value back is not set; an unused read goes.

// CHECK-LABEL: func.func @less
// CHECK-NEXT:    %[[B:.*]] = graph.get @b
// CHECK-NEXT:    graph.set @a, %{{.*}}
// CHECK-NEXT:    return %{{.*}}, %[[B]]
graph.variable @a : tensor<f32> = #graph.zeros
graph.variable @b : tensor<f32> = #graph.zeros
graph.variable @c : tensor<f32> = #graph.zeros
func.func @less(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  graph.set @a, %x : tensor<f32>
  %a = graph.get @a : tensor<f32>
  %b = graph.get @b : tensor<f32>
  graph.set @b, %b : tensor<f32>
  %c = graph.get @c : tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

// A loop carries the variable it sets, through a loop inside it, and reads the
// other one from outside.

// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    %[[N:.*]] = graph.get @n
// CHECK-NEXT:    %[[W:.*]] = graph.get @w
// CHECK-NEXT:    %[[R:.*]]:2 = graph.for %{{.*}} = 3 carry(%[[C:.*]] = %{{.*}}, %[[N1:.*]] = %[[N]])
// CHECK-NEXT:      %[[S:.*]]:2 = graph.for %{{.*}} = 2 carry(%[[D:.*]] = %[[C]], %[[N2:.*]] = %[[N1]])
// CHECK-NEXT:        %[[NEXT:.*]] = graph.add %[[N2]], %[[W]]
// CHECK-NEXT:        graph.yield %[[N2]], %[[NEXT]]
// CHECK:           %[[E:.*]] = graph.mul %[[S]]#0, %[[S]]#1
// CHECK-NEXT:      graph.yield %[[E]], %[[S]]#1
// CHECK:         graph.set @n, %[[R]]#1
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1
graph.variable @n : tensor<f32> = #graph.zeros
graph.variable @w : tensor<f32> = #graph.zeros
func.func @loops(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r = graph.for %i = 3 carry(%c = %x) : tensor<f32> {
    %s = graph.for %j = 2 carry(%d = %c) : tensor<f32> {
      %n = graph.get @n : tensor<f32>
      %w = graph.get @w : tensor<f32>
      %next = graph.add %n, %w : tensor<f32>
      graph.set @n, %next : tensor<f32>
      graph.yield %n : tensor<f32>
    }
    %n = graph.get @n : tensor<f32>
    %e = graph.mul %s, %n : tensor<f32>
    graph.yield %e : tensor<f32>
  }
  %n = graph.get @n : tensor<f32>
  return %r, %n : tensor<f32>, tensor<f32>
}

// -----

// Two variables change places: what each held is still read at entry.

// CHECK-LABEL: func.func @exchange
// CHECK-NEXT:    %[[W:.*]] = graph.get @w
// CHECK-NEXT:    %[[V:.*]] = graph.get @v
// CHECK-DAG:     graph.set @w, %[[V]]
// CHECK-DAG:     graph.set @v, %[[W]]
// CHECK-NEXT:    return
graph.variable @w : tensor<f32> = #graph.zeros
graph.variable @v : tensor<f32> = #graph.zeros
func.func @exchange() {
  %w = graph.get @w : tensor<f32>
  %v = graph.get @v : tensor<f32>
  graph.set @w, %v : tensor<f32>
  graph.set @v, %w : tensor<f32>
  return
}

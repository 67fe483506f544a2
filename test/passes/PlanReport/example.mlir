// RUN: graph-opt --plan --plan-report %s 2>&1 >/dev/null | FileCheck %s
// RUN: graph-opt --import --graphc-pipeline --plan-report %source_root/test/dialects/Graph/mlp.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-MODEL
// CHECK-MODEL: @step: {{[0-9]+}} entries

graph.variable @w : tensor<4xf32> = #graph.zeros trainable
func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @add(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func private @work(memref<4xf32>, memref<100xi8>, memref<4xf32>) attributes {plan.kernel}
func.func private @pick(memref<i64>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// CHECK:      1 variables of 16 bytes, constants of 16 bytes

// A workspace beside the two buffers of its launch.
// CHECK-NEXT: @peak: 4 entries (4 launches, 0 copies, 0 memsets, 0 loops), 0 in place, arena 256 bytes, 256 live at plan.entry launch @work(f32 arena[{{.*}}]) -> (i8 arena[{{.*}}], f32 arena[{{.*}}]) {has_workspace}
func.func @peak(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @work(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = plan.launch @relu(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %d = plan.launch @relu(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// In the body live the slot, what is carried, the value from outside and the
// temporary: four buffers.
// CHECK-NEXT: @loop: 7 entries (4 launches, 1 copies, 0 memsets, 1 loops), 1 in place, arena 256 bytes, 256 live at plan.entry launch @pick
func.func @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = graph.for %i = 3 carry(%s = %c) : tensor<4xf32> {
    %t = plan.launch @pick(%i, %a) : (tensor<i64>, tensor<4xf32>) -> tensor<4xf32>
    %n = plan.launch @add(%s, %t) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %n : tensor<4xf32>
  }
  %d = plan.launch @add(%r, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// CHECK-NEXT: @none: 2 entries (1 launches, 0 copies, 0 memsets, 0 loops), 1 in place, arena 0 bytes{{$}}
func.func @none(%x: tensor<4xf32>) {
  %w = graph.get @w : tensor<4xf32>
  %n = plan.launch @add(%w, %x) {inplace = [[0, 0]]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.set @w, %n : tensor<4xf32>
  return
}

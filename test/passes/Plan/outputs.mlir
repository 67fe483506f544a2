// RUN: graph-opt --plan --split-input-file %s | FileCheck %s

func.func private @relu(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// A launch writes its output itself. An argument that nothing reads keeps its
// number.

// CHECK-LABEL: plan.program @direct
// CHECK-SAME:    ("" : tensor<2xf32>, "" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 0 {
// CHECK-NEXT:    plan.entry launch @relu(f32 input 1[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @direct(%unused: tensor<2xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// What is read again later is read from the output.

// CHECK-LABEL: plan.program @read_back
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 output 1[0:16])
// CHECK-NEXT:    plan.entry launch @relu(f32 output 1[0:16]) -> (f32 output 0[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @read_back(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @relu(%a) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}

// An input, a value given twice.

// CHECK-LABEL: plan.program @copies
// CHECK-NEXT:    plan.entry launch @relu(f32 input 0[0:16]) -> (f32 output 1[0:16])
// CHECK-NEXT:    plan.entry copy(f32 input 0[0:16]) -> (f32 output 0[0:16]) {op_name = "func.return"}
// CHECK-NEXT:    plan.entry copy(f32 output 1[0:16]) -> (f32 output 2[0:16])
// CHECK-NEXT:    plan.entry copy(f32 input 0[0:16]) -> (f32 output 3[0:16])
// CHECK-NEXT:{{^ *[}]}}
func.func @copies(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = plan.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %x, %a, %a, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: plan.program @nothing plain family "other" () -> () arena 0 {
// CHECK-NEXT:{{^ *[}]}}
func.func @nothing() attributes {graph.family = "other"} {
  return
}

// -----

// Constants: one of equal bytes is memory set, others are stored once whatever
// their type.

// CHECK:       plan.constant 0 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:  plan.constant 64 = dense<[false, true, true]> : tensor<3xi1>
// CHECK-NOT:   plan.constant
// CHECK-LABEL: plan.program @constants
// CHECK-NEXT:    plan.entry copy(f32 constant[0:8]) -> (f32 output 0[0:8])
// CHECK-NEXT:    plan.entry copy(i32 constant[0:8]) -> (i32 output 1[0:8])
// CHECK-NEXT:    plan.entry memset -> (i32 output 2[0:8]) args = [255]
// CHECK-NEXT:    plan.entry copy(i1 constant[64:67]) -> (i1 output 3[0:3])
// CHECK-NEXT:    plan.entry memset -> (i1 output 4[0:3]) args = [1]
// CHECK-NEXT:{{^ *[}]}}
func.func @constants() -> (tensor<2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<3xi1>, tensor<3xi1>) {
  %a = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = graph.constant dense<[0x3f800000, 0x40000000]> : tensor<2xi32>
  %c = graph.constant dense<-1> : tensor<2xi32>
  %d = graph.constant dense<[false, true, true]> : tensor<3xi1>
  %e = graph.constant dense<true> : tensor<3xi1>
  return %a, %b, %c, %d, %e : tensor<2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<3xi1>, tensor<3xi1>
}

// -----

// Tensors without elements have no bytes, so nothing needs a copy or a place.

graph.variable @none : tensor<0x3xf32> = #graph.zeros
func.func private @empty(memref<0xf32>, memref<0x3xf32>) attributes {plan.kernel}

// CHECK-LABEL: plan.program @zero_size
// CHECK-SAME:    arena 0 {
// CHECK-NEXT:    plan.entry launch @empty(f32 input 0[0:0]) -> (f32 arena[0:0])
// CHECK-NEXT:    plan.entry launch @empty(f32 input 0[0:0]) -> (f32 output 1[0:0])
// CHECK-NEXT:{{^ *[}]}}
func.func @zero_size(%x: tensor<0xf32>) -> (tensor<0xf32>, tensor<0x3xf32>) {
  %a = plan.launch @empty(%x) : (tensor<0xf32>) -> tensor<0x3xf32>
  %b = plan.launch @empty(%x) : (tensor<0xf32>) -> tensor<0x3xf32>
  graph.set @none, %a : tensor<0x3xf32>
  return %x, %b : tensor<0xf32>, tensor<0x3xf32>
}

// RUN: graph-opt --inline %s | FileCheck %s

// A call of a private function is inlined: the func extension is registered.

func.func private @callee(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

// CHECK-LABEL: func @caller
// CHECK-NOT:   call
// CHECK:       arith.addf
func.func @caller(%x: f32) -> f32 {
  %y = call @callee(%x) : (f32) -> f32
  return %y : f32
}

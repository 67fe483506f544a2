// RUN: graph-opt %s | graph-opt | FileCheck %s

// A program without entries is legal: a function that returns nothing.

// CHECK:      plan.program @f plain family "f" () -> () arena 0 {
// CHECK-NEXT: }
plan.program @f plain family "f" () -> () arena 0 {
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def ExpandMath : Pass<"expand-math", "::mlir::ModuleOp"> {
  let summary = "Replace math functions in kernels by arithmetic";
  let description = [{
    Expands exp, expm1, log, log1p, sin, cos, tanh, erf, powf and arith.remf on f32 and f64,
    scalars and vectors, into arith ops and math.fma. What the machine has an
    instruction for (sqrt, floor, ceil, roundeven, fma, abs, copysign) stays. With `strict`,
    so does what libm has, for the target to call it; remf, which is exact, is expanded.

    - Expects: math ops on f32 or f64.
    - Ensures: none of the functions above is left; with `strict`, no remf.
    - Preserves: values within the errors of docs/math.md; everything else.

    @example test/passes/ExpandMath/example.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Leave the functions to libm, whose values they then have">,
  ];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_LOWERKERNEL_TD
#define GRAPHC_PASSES_LOWERKERNEL_TD

include "mlir/Pass/PassBase.td"

def LowerKernel : Pass<"lower-kernel", "::mlir::ModuleOp"> {
  let summary = "Turn each graph.fused region into a kernel and a plan.launch";
  let description = [{
    A kernel is a short sequence of loop nests over memrefs: what only moves or
    maps elements is computed where it is read, while reductions, matrix products
    and the region's results are nests of their own. Loops are `scf`, elements
    `arith`, `math` and 1-D `vector`. The bits do not depend on the vector width.
    Kernels of the same structure are shared.

    - Expects: every compute op inside a graph.fused.
    - Ensures: no graph.fused is left; each has become a plan.launch.
    - Preserves: every op's result, rounded to its declared type.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::graphc::plan::PlanDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"-1",
           "Width of a vector register; 0 for scalar code, -1 for what the module's plan.targets have">,
    Option<"parallelFlops", "parallel-flops", "int64_t", /*default=*/"200000",
           "Work that is worth spreading over threads">,
    Option<"parallelBytes", "parallel-bytes", "int64_t", /*default=*/"65536",
           "Memory traffic that is worth spreading over threads">,
  ];
}

#endif // GRAPHC_PASSES_LOWERKERNEL_TD

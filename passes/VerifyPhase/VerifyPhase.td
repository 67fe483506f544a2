// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def VerifyPhase : Pass<"verify-phase", "::mlir::ModuleOp"> {
  let summary = "Check what may exist after a phase of the pipeline";
  let description = [{
    - import: builtin, func and graph only; functions of static tensors; no
      func.call; every dropout is in training mode and has its key; every
      graph.value_and_grad has a mode; no two draws of a function share an op_id.
    - autodiff: also no graph.train, graph.grad or graph.value_and_grad, and
      state is functional: each variable is read at most once and written at
      most once, reads in the entry block before everything else, writes after
      everything else.
    - amp: also every op of the f32 list, and every op that carries
      `graph.precision`, reads and gives f32 (or f64), casts apart; every other product
      reads f16 or bf16, unless it reads f64 or integers.
    - fuse: after autodiff, or amp, every op that computes is in exactly one graph.fused.

    - Expects: a module at the end of that phase.
    - Ensures: the above, or an error at the op.
    - Preserves: everything.

    @example test/passes/VerifyPhase/example.mlir
  }];
  let options = [
    Option<"phase", "phase", "std::string", /*default=*/"\"import\"",
           "import, autodiff, amp or fuse">,
  ];
}

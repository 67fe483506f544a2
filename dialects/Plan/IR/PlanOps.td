// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PLAN_OPS_TD
#define GRAPHC_PLAN_OPS_TD

include "dialects/Plan/IR/PlanBase.td"

// ---- Attributes --------------------------------------------------------------

def Plan_TargetAttr : Plan_Attr<"Target", "target"> {
  let summary = "What one variant is compiled for";
  let description = [{
    Example: `#plan.target<"cpu", "x86-64-v3", max_threads = 16>`. Workspaces are
    sized for `max_threads`. lib/Analysis/TargetModel says what a level offers.
  }];
  let parameters = (ins StringRefParameter<"device kind">:$kind,
                        StringRefParameter<"instruction set level">:$level,
                        "int64_t":$maxThreads);
  let assemblyFormat = "`<` $kind `,` $level `,` `max_threads` `=` $maxThreads `>`";
  let genVerifyDecl = 1;
}

// ---- Value form ----------------------------------------------------------------

def Plan_LaunchOp : Plan_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Runs a kernel on tensors";
  let description = [{
    Results are the kernel's outputs. `args` are its i64 arguments: op ids and
    other numbers that differ between launches of one kernel. `op_name` and the
    location name the work in messages and profiles.

    `inplace` lists pairs `[output, input]`: the kernel is right even when both
    are one buffer. Any choice of pairs that names no output and no input twice
    may be in force at the same time.

    `may_fail`: the kernel has a plan.fail_index. `parallel`: it has a loop marked
    plan.parallel.

    Constraints:
      - (C1) `kernel` names a function with the attribute `plan.kernel`.
      - (C2) the kernel's memrefs are those of the inputs, at most one workspace
        `memref<Nxi8>`, and those of the outputs, and have as many elements, of the
        same type (an i1 or ui8 tensor may also be a memref of i8).
      - (C3) the kernel has as many i64 arguments as `args`.
      - (C4) a pair of `inplace` names an output and an input with the same number
        of bytes, and no pair is given twice.

    Example:

    ```mlir
    %h, %m = plan.launch @update(%w, %g) args = [7]
        {inplace = [[0, 0]], op_name = "graph.sub"}
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel,
      Variadic<AnyStaticShapeTensor>:$inputs,
      DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$args,
      OptionalAttr<TypedArrayAttrBase<I64ArrayAttr, "pairs of output and input">>:$inplace,
      OptionalAttr<StrAttr>:$op_name, UnitAttr:$may_fail, UnitAttr:$parallel);
  let results = (outs Variadic<AnyStaticShapeTensor>:$outputs);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` (`args` `=` $args^)? attr-dict
    `:` functional-type($inputs, $outputs)
  }];
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$outputs, "::mlir::FlatSymbolRefAttr":$kernel,
      "::mlir::ValueRange":$inputs, "::llvm::ArrayRef<int64_t>":$args,
      "::llvm::ArrayRef<::graphc::plan::InPlacePair>":$inplace,
      "::mlir::StringAttr":$opName, "bool":$mayFail, "bool":$parallel)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::graphc::plan::InPlacePair> getInPlacePairs();
  }];
}

// ---- Inside kernels ------------------------------------------------------------

def Plan_FailIndexOp : Plan_Op<"fail_index", [MemoryEffects<[MemWrite]>]> {
  let summary = "Notes an out-of-range index";
  let description = [{
    `value` was met where `0 <= value < limit` holds; `position` is its element
    index in the tensor of indices. The step will fail and change no state; the
    lowest position of the first failing launch is reported. The kernel goes on
    with index 0.

    Example: `plan.fail_index %i, %label, %classes : i64`
  }];
  let arguments = (ins I64:$position, I64:$value, I64:$limit);
  let assemblyFormat = "$position `,` $value `,` $limit attr-dict `:` type($limit)";
}

#endif // GRAPHC_PLAN_OPS_TD

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

class Plan_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::graphc::plan";
  let genSpecializedAttr = 0;
}
// The numbers of these three are those of model_abi.h.
def Plan_Space : Plan_Enum<"Space", "where a buffer lives", [
  I32EnumAttrCase<"Arena", 0, "arena">, I32EnumAttrCase<"State", 1, "state">,
  I32EnumAttrCase<"Constant", 2, "constant">, I32EnumAttrCase<"Input", 3, "input">,
  I32EnumAttrCase<"Output", 4, "output">]>;
def Plan_EntryKind : Plan_Enum<"EntryKind", "what an entry does", [
  I32EnumAttrCase<"Launch", 0, "launch">, I32EnumAttrCase<"Copy", 1, "copy">,
  I32EnumAttrCase<"Memset", 2, "memset">, I32EnumAttrCase<"LoopBegin", 3, "loop_begin">,
  I32EnumAttrCase<"LoopEnd", 4, "loop_end">, I32EnumAttrCase<"Commit", 5, "commit">]>;
def Plan_EntryKindAttr : EnumAttr<Plan_Dialect, Plan_EntryKind, "entry_kind">;
def Plan_ProgramKind : Plan_Enum<"ProgramKind", "where a program comes from", [
  I32EnumAttrCase<"Plain", 0, "plain">, I32EnumAttrCase<"Train", 1, "train">,
  I32EnumAttrCase<"Grad", 2, "grad">]>;
def Plan_ProgramKindAttr : EnumAttr<Plan_Dialect, Plan_ProgramKind, "program_kind">;

def Plan_ValueAttr : Plan_Attr<"Value", "value"> {
  let summary = "Name and type of an input or output: `#plan.value<\"x\" : tensor<4xf32>>`";
  let parameters = (ins StringRefParameter<"name">:$name,
                        "::mlir::RankedTensorType":$type);
  let assemblyFormat = "`<` $name `:` $type `>`";
}
def Plan_ValueArrayAttr : TypedArrayAttrBase<Plan_ValueAttr, "array of #plan.value">;

def Plan_RefAttr : Plan_Attr<"Ref", "ref"> {
  let summary = "A buffer as a plan names it";
  let description = [{
    Element type, space, first byte and end: `#plan.ref<f32 arena[64:320]>`. Inputs
    and outputs are numbered, and bytes count from their start: `f32 input 1[0:64]`.
    `stride 64` is added for each finished iteration of the innermost loop around
    the entry.
  }];
  let parameters = (ins "::mlir::Type":$elementType, "::graphc::plan::Space":$space,
                        "int64_t":$index, "int64_t":$offset, "int64_t":$bytes,
                        "int64_t":$iterationStride);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getEnd() const { return getOffset() + getBytes(); }
    /// True if both name some same byte, iterations aside.
    bool overlaps(RefAttr other) const;

    static RefAttr parseBare(::mlir::AsmParser &parser);
    void printBare(::llvm::raw_ostream &os) const;
  }];
}
def Plan_RefArrayAttr : TypedArrayAttrBase<Plan_RefAttr, "array of #plan.ref">;

def Plan_BundleAttr : Plan_Attr<"Bundle", "bundle"> {
  let summary = "A kernel that does what several entries in a row do";
  let description = [{
    Example: `#plan.bundle<@step_tiny, 7>` on the first of the seven. Its buffers are
    all of theirs, one entry after another, and it has no i64 arguments.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$kernel, "int64_t":$entries);
  let assemblyFormat = "`<` $kernel `,` $entries `>`";
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
    plan.parallel. `gives_inf`: the model writes an infinity into it, a mask's for
    example, so one among its results is no sign of a fault.

    Constraints:
      - (C1) `kernel` names a function with the attribute `plan.kernel`.
      - (C2) the kernel's memrefs are those of the inputs, at most one workspace
        `memref<Nxi8>`, and those of the outputs, and have as many elements, of the
        same type (an i1 or ui8 tensor may also be a memref of i8, an f16 or bf16
        tensor one of i16).
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
      OptionalAttr<StrAttr>:$op_name, UnitAttr:$may_fail, UnitAttr:$parallel,
      UnitAttr:$gives_inf);
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

// ---- Table form ----------------------------------------------------------------

def Plan_ConstantOp : Plan_Op<"constant", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "Elements that are part of the model, and their place";
  let description = [{
    Constraints:
      - (C1) `offset` is not negative and a multiple of 64.

    Example: `plan.constant 64 = dense<[1.0, 2.0]> : tensor<2xf32>`
  }];
  let arguments = (ins I64Attr:$offset, ElementsAttr:$value);
  let assemblyFormat = "$offset `=` $value attr-dict";
  let hasVerifier = 1;
}

def Plan_ProgramOp : Plan_Op<"program", [Symbol, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, NoTerminator, NoRegionArguments]> {
  let summary = "A function as a table of entries";
  let description = [{
    `arena_bytes` of scratch memory are enough to run it. `family` is the name that
    all sizes of one function share. `of` names the function in value form that the
    table was made from, while that still exists.

    Constraints:
      - (C1) the body holds nothing but plan.entry.
      - (C2) loops nest, and none is left open.
      - (C3) buffers lie inside the arena, the input or the output, at every
        iteration; there is no stride outside loops.
      - (C4) `of`, if given, names a function of the types of inputs and outputs.

    Example:

    ```mlir
    plan.program @double plain family "double" ("x" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 0 {
      plan.entry launch @k(f32 input 0[0:16]) -> (f32 output 0[0:16])
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Plan_ProgramKindAttr:$kind,
      StrAttr:$family, Plan_ValueArrayAttr:$inputs, Plan_ValueArrayAttr:$outputs,
      I64Attr:$arena_bytes, OptionalAttr<FlatSymbolRefAttr>:$of);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `` $kind `family` $family custom<Values>($inputs) `->` custom<Values>($outputs)
    `arena` $arena_bytes (`of` $of^)? attr-dict-with-keyword custom<Body>($body)
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    auto getEntries() { return getBody().front().getOps<::graphc::plan::EntryOp>(); }
    bool writesState();
  }];
}

def Plan_EntryOp : Plan_Op<"entry", [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "One line of a program";
  let description = [{
    - `launch` runs `kernel` on the buffers read, then those written, the workspace
      first if it `has_workspace`; `inplace` is that of plan.launch, and says which
      may be one buffer;
    - `copy` reads one buffer and writes one of the same size;
    - `memset` fills the buffer written with the byte `args[0]`;
    - `loop_begin` starts `count` iterations up to its `loop_end`; the buffer
      written, if any, receives the iteration number; `carry` lists the buffers that
      hold a value from one iteration to the next;
    - `commit` ends the part in which a launch may fail; only what follows writes
      state.

    A launch with a `bundle` may be run together with the entries after it.

    Constraints:
      - (C1) the buffers, `args`, `count` and `carry` are those of the kind.
      - (C2) a launch's kernel is marked plan.kernel, and has as many memrefs as
        there are buffers, of as many bytes, and as many i64 arguments as `args`.
      - (C3) neither an input nor a constant is written.
      - (C4) `bundle`, on a launch only, covers launches, copies, memsets and commits
        that neither may fail nor are parallel, and its kernel has as many memrefs
        as these have buffers, of as many bytes, and no i64 arguments.

    Example:

    ```mlir
    plan.entry launch @k(f32 input 0[0:16], f32 state[64:80]) -> (f32 arena[0:16]) args = [3]
    plan.entry copy(f32 arena[0:16]) -> (f32 output 0[0:16])
    ```
  }];
  let arguments = (ins Plan_EntryKindAttr:$kind, OptionalAttr<FlatSymbolRefAttr>:$kernel,
      Plan_RefArrayAttr:$reads, Plan_RefArrayAttr:$writes,
      DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$args, OptionalAttr<I64Attr>:$count,
      Plan_RefArrayAttr:$carried,
      OptionalAttr<TypedArrayAttrBase<I64ArrayAttr, "pairs of output and input">>:$inplace,
      OptionalAttr<StrAttr>:$op_name, UnitAttr:$has_workspace, UnitAttr:$may_fail,
      UnitAttr:$parallel, UnitAttr:$gives_inf, OptionalAttr<Plan_BundleAttr>:$bundle);
  let assemblyFormat = [{
    `` $kind ($kernel^)? `` custom<Buffers>($reads, $writes) (`args` `=` $args^)?
    (`count` `=` $count^)? `` custom<Carried>($carried) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    auto getReadRefs() { return getReads().getAsRange<RefAttr>(); }
    auto getWrittenRefs() { return getWrites().getAsRange<RefAttr>(); }
    auto getCarriedRefs() { return getCarried().getAsRange<RefAttr>(); }
    /// All buffers, as the kernel gets them.
    ::llvm::SmallVector<::graphc::plan::RefAttr> getRefs();
    /// The outputs of a launch: what is written, without a workspace.
    auto getOutputRefs() { return ::llvm::drop_begin(getWrittenRefs(), getHasWorkspace()); }
    ::llvm::SmallVector<::graphc::plan::InPlacePair> getInPlacePairs();
  }];
}

#endif // GRAPHC_PLAN_OPS_TD

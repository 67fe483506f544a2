// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect and the base classes of its ops and attributes.
#ifndef GRAPHC_PLAN_BASE_TD
#define GRAPHC_PLAN_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::graphc::plan";
  let summary = "Kernel launches, and the table that the runtime walks";
  let description = [{
    Two forms. In the *value form* a function launches kernels on tensors
    (`plan.launch`). In the *table form* every tensor has a place in memory and
    a function is a list of entries, one for one what model_abi.h holds.

    A *kernel* is a private function with the attribute `plan.kernel`. Its
    arguments are static row-major memrefs in the order inputs, workspace
    (`memref<Nxi8>`, if it has one), outputs; then i64 values. It returns
    nothing. Memrefs may share memory only as `inplace` of the launch says, and
    are aligned to their element; a workspace is aligned to 64 bytes.

    Discardable attributes: `plan.kernel` on a func.func; `plan.parallel` on an
    scf.parallel of a kernel whose iterations are worth spreading over threads;
    `plan.targets`, an array of #plan.target, on a module; `plan.offset`, where the
    state holds it, on a graph.variable; `plan.places` on a kernel whose buffers
    keep their distances: for each, the number of a buffer, itself or an earlier
    one that lies at its own place, and the bytes from there to it; `plan.pack` and
    `plan.unpack` on a graph.variable with a layout, the kernels that make what is
    stored of its elements in order and back.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();

    static constexpr ::llvm::StringLiteral getKernelAttrName() { return "plan.kernel"; }
    static constexpr ::llvm::StringLiteral getParallelAttrName() { return "plan.parallel"; }
    static constexpr ::llvm::StringLiteral getTargetsAttrName() { return "plan.targets"; }
    static constexpr ::llvm::StringLiteral getOffsetAttrName() { return "plan.offset"; }
    static constexpr ::llvm::StringLiteral getPlacesAttrName() { return "plan.places"; }
    static constexpr ::llvm::StringLiteral getPackAttrName() { return "plan.pack"; }
    static constexpr ::llvm::StringLiteral getUnpackAttrName() { return "plan.unpack"; }
  }];
}

class Plan_Op<string mnemonic, list<Trait> traits = []>
    : Op<Plan_Dialect, mnemonic, traits>;

class Plan_Attr<string name, string mnem, list<Trait> traits = []>
    : AttrDef<Plan_Dialect, name, traits> {
  let mnemonic = mnem;
}

#endif // GRAPHC_PLAN_BASE_TD

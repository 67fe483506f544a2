// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect, its types and the base classes of its ops.
#ifndef GRAPHC_GRAPH_BASE_TD
#define GRAPHC_GRAPH_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "dialects/Graph/IR/GraphInterfaces.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::graphc::graph";
  let summary = "Tensor programs, their variables and their training";
  let description = [{
    Values are builtin ranked tensors with static shapes and value semantics, of
    f64, f32, f16, bf16, i1, i8, ui8, i32 or i64. Rank 0 and sizes of 0 are legal.
    Nothing broadcasts by itself.

    - Floats: every op rounds its result once to its declared type, to nearest
      even; denormals are kept; any NaN is as good as any other. Sums, products
      and statistics of f16 and bf16 accumulate in f32 (the *accumulation type*;
      for other types it is the type itself).
    - Integers wrap. `x/0` is -1 (all ones if unsigned), `x%0` is x, `MIN/-1` is MIN,
      `MIN%-1` is 0; a shift by the width or more gives 0, an arithmetic right
      shift the sign. i1 is true or false and has no arithmetic.
    - A reduction over nothing gives its neutral element, a mean over nothing NaN.
    - Variables are the only state: a function reads each at its start, and what
      it sets takes effect when the call ends without an error.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = "void registerAttributes();";
}

def Graph_Tensor : StaticShapeTensorOf<[F64, F32, F16, BF16, I1, I8, UI8, I32, I64]>;
def Graph_NumTensor : StaticShapeTensorOf<[F64, F32, F16, BF16, I8, UI8, I32, I64]>;
def Graph_FloatTensor : StaticShapeTensorOf<[F64, F32, F16, BF16]>;
def Graph_IntTensor : StaticShapeTensorOf<[I8, UI8, I32, I64]>;
def Graph_BitsTensor : StaticShapeTensorOf<[I1, I8, UI8, I32, I64]>;
def Graph_BoolTensor : StaticShapeTensorOf<[I1]>;
def Graph_IndexTensor : StaticShapeTensorOf<[I32, I64]>;
// A random key: seed, attempted-step counter, global micro-batch index.
def Graph_Key : Type<CPred<"::graphc::graph::isKeyType($_self)">, "tensor<3xi64>",
                     "::mlir::RankedTensorType">,
    BuildableType<"::mlir::RankedTensorType::get({3}, $_builder.getI64Type())">;

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, traits>;

// MLIR's InferTypeOpAdaptor, except that the attributes are verified before an
// op's inference reads them: whoever builds an op without its text infers first
// and could verify the whole only later.
class Graph_CheckedInfer<code additionalDecls = [{}]> : TraitList<[
  DeclareOpInterfaceMethods<InferTypeOpInterface>,
  NativeOpTrait<"InferTypeOpAdaptor", /*traits=*/[],
    /*extraOpDeclaration=*/[{
        static ::llvm::LogicalResult
        inferReturnTypes(::mlir::MLIRContext *context,
                                std::optional<::mlir::Location> location,
                                Adaptor adaptor,
                                ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes);
      }] # additionalDecls,
    /*extraOpDefinition=*/[{
      ::llvm::LogicalResult
      $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
                                  std::optional<::mlir::Location> location,
                                  ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
                                  ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
                                  ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
        $cppClass::Adaptor adaptor(operands, attributes, properties, regions);
        if (::mlir::failed(adaptor.verify(
                location.value_or(::mlir::UnknownLoc::get(context)))))
          return ::mlir::failure();
        return $cppClass::inferReturnTypes(context, location, adaptor, inferredReturnTypes);
      }
    }]>
]>;

// A pure op whose result type follows from operands and attributes; the text
// may state it and is then held to it.
def Graph_InferredResults : NativeOpTrait<"InferredResults"> {
  let cppNamespace = "::graphc::graph";
}
def Graph_Infer : TraitList<[Graph_InferredResults, Graph_CheckedInfer<>]>;
// The same where the declared type need only be compatible.
def Graph_InferCompatible : TraitList<[Graph_InferredResults, Graph_CheckedInfer<[{
    static bool isCompatibleReturnTypes(::mlir::TypeRange l, ::mlir::TypeRange r);
  }]>]>;

// Says in which type mixed precision computes an op.
class Graph_PrecisionFact<string kind>
    : NativeOpTrait<"PrecisionFact", /*traits=*/[], /*extraOpDeclaration=*/[{
    ::graphc::graph::PrecisionClass getPrecisionClass() {
      return ::graphc::graph::PrecisionClass::}] # kind # [{;
    }
  }]> {
  let cppNamespace = "::graphc::graph";
}
class Graph_Precision<string kind>
    : TraitList<[Graph_PrecisionOpInterface, Graph_PrecisionFact<kind>]> {
  string precision = kind;
}
def Graph_Low : Graph_Precision<"Low">;
def Graph_Wide : Graph_Precision<"Wide">;
def Graph_Widest : Graph_Precision<"Widest">;
def Graph_Follow : Graph_Precision<"Follow">;
// Says that output element i depends on element i of each operand only.
def Graph_Elementwise : NativeOpTrait<"ElementwiseOp"> {
  let cppNamespace = "::graphc::graph";
}
// Says how elements of the results depend on those of the operands, where that
// is not elementwise; with axes, along which dimensions.
def Graph_Fusible : DeclareOpInterfaceMethods<Graph_FusibleOpInterface>;
def Graph_FusibleAxes
    : DeclareOpInterfaceMethods<Graph_FusibleOpInterface, ["getReducedAxes"]>;
// Says that an op is defined by its decomposition's formula, not by a kernel.
def Graph_Composite : DeclareOpInterfaceMethods<Graph_DecomposableOpInterface>;

#endif // GRAPHC_GRAPH_BASE_TD

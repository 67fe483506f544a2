// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect, its discardable attributes and #plan.target.
#include "dialects/Plan/IR/Plan.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace graphc::plan;

#include "dialects/Plan/IR/PlanDialect.cpp.inc"

#include "dialects/Plan/IR/PlanEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/IR/PlanAttrs.cpp.inc"

void PlanDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Plan/IR/PlanOps.cpp.inc"
      >();
}

void PlanDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Plan/IR/PlanAttrs.cpp.inc"
      >();
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef kind, StringRef level,
                                 int64_t maxThreads) {
  if (kind != "cpu")
    return emitError() << "expects kind \"cpu\", but got \"" << kind << "\"";
  if (level.empty())
    return emitError() << "expects a level, but got an empty one";
  if (maxThreads < 1)
    return emitError() << "expects max_threads of 1 or more, but got "
                       << maxThreads;
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

int64_t graphc::plan::getByteSize(ShapedType type) {
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  return type.getNumElements() * llvm::divideCeil(bits, 8);
}

bool graphc::plan::isKernel(func::FuncOp function) {
  return function->hasAttr(PlanDialect::getKernelAttrName());
}

unsigned graphc::plan::getBufferCount(func::FuncOp kernel) {
  return llvm::count_if(kernel.getArgumentTypes(),
                        [](Type type) { return isa<MemRefType>(type); });
}

std::optional<int64_t> graphc::plan::getWorkspaceBytes(func::FuncOp kernel,
                                                       unsigned inputCount,
                                                       unsigned outputCount) {
  if (getBufferCount(kernel) != inputCount + outputCount + 1)
    return std::nullopt;
  return getByteSize(cast<MemRefType>(kernel.getArgumentTypes()[inputCount]));
}

static LogicalResult verifyKernel(func::FuncOp kernel) {
  if (!kernel.isPrivate())
    return kernel.emitOpError("expects a kernel to be private");
  if (kernel.getNumResults() != 0)
    return kernel.emitOpError("expects a kernel to return nothing, but got ")
           << kernel.getResultTypes();
  bool sawInteger = false;
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    if (type.isSignlessInteger(64)) {
      sawInteger = true;
      continue;
    }
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.hasStaticShape() ||
        !memref.getLayout().isIdentity() || memref.getMemorySpace())
      return kernel.emitOpError("expects argument ")
             << number
             << " of a kernel to be i64 or a static row-major memref, but got "
             << type;
    if (sawInteger)
      return kernel.emitOpError("expects a kernel's i64 arguments to be last, "
                                "but argument ")
             << number << " is " << type;
  }
  return success();
}

LogicalResult PlanDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == getTargetsAttrName()) {
    auto targets = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!isa<ModuleOp>(op) || !targets || targets.empty() ||
        !llvm::all_of(targets, llvm::IsaPred<TargetAttr>))
      return op->emitOpError("expects '")
             << name << "' to be a non-empty array of #plan.target on a module";
    return success();
  }
  if (name == getOffsetAttrName()) {
    auto offset = dyn_cast<IntegerAttr>(attribute.getValue());
    if (op->getName().getStringRef() != "graph.variable" || !offset ||
        offset.getInt() < 0 || offset.getInt() % alignment != 0)
      return op->emitOpError("expects '")
             << name << "' to be 0 or more and a multiple of " << alignment
             << ", on a graph.variable";
    return success();
  }
  if (name == getPackAttrName() || name == getUnpackAttrName()) {
    if (op->getName().getStringRef() != "graph.variable" ||
        !isa<FlatSymbolRefAttr>(attribute.getValue()))
      return op->emitOpError("expects '")
             << name << "' to name a kernel, on a graph.variable";
    return success();
  }
  if (name == kHostFunctionAttrName)
    return verifyHostFunction(op, attribute);
  if (name == getPlacesAttrName())
    return verifyPlaces(op, attribute);
  if (name != getKernelAttrName() && name != getParallelAttrName())
    return op->emitOpError("has unknown attribute '") << name << "'";
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError("expects '")
           << name << "' to be a unit attribute, but got "
           << attribute.getValue();
  if (name == getKernelAttrName()) {
    auto kernel = dyn_cast<func::FuncOp>(op);
    if (!kernel)
      return op->emitOpError("expects '") << name << "' on a func.func only";
    return verifyKernel(kernel);
  }
  // By name, so that the dialect needs no scf.
  if (op->getName().getStringRef() != "scf.parallel")
    return op->emitOpError("expects '") << name << "' on an scf.parallel only";
  return success();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan dialect: launches on values, and the table of entries.
#ifndef GRAPHC_DIALECTS_PLAN_IR_PLAN_H
#define GRAPHC_DIALECTS_PLAN_IR_PLAN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace graphc::plan {

/// Output `output` of a kernel may be written to the buffer of input `input`.
struct InPlacePair {
  int64_t output;
  int64_t input;
};

/// Places in the arena, the state and the constants are multiples of this.
inline constexpr int64_t alignment = 64;

class EntryOp;

/// Checks the `inplace` of a launch or of an entry.
llvm::LogicalResult verifyInPlace(mlir::Operation *op, mlir::ArrayAttr inplace,
                                  llvm::ArrayRef<int64_t> inputBytes,
                                  llvm::ArrayRef<int64_t> outputBytes);

/// Bytes of a tensor as kernels, state and hosts hold it: row-major, elements
/// of whole bytes, an i1 in one byte.
int64_t getByteSize(mlir::ShapedType type);

/// The elements of a constant as getByteSize() counts them: `pattern`, over and
/// over, `size` bytes in all. Equal bytes have equal patterns, whatever their
/// element type, and those of a splat take no memory.
struct ElementBytes {
  std::string pattern;
  int64_t size = 0;

  std::string expand() const;
  bool operator==(const ElementBytes &other) const {
    return size == other.size && pattern == other.pattern;
  }
};

/// The arena of a function, and all variables together, have at most so many
/// bytes: more than a machine has, and far less than what overflows.
inline constexpr int64_t maxMemoryBytes = int64_t(1) << 42;

/// Constants, and initial values that are kept as data, have at most so many
/// bytes in all: a compile holds them several times.
inline constexpr int64_t maxConstantBytes = int64_t(1) << 30;

/// True for elements that are in memory: the others have no bytes.
bool hasElementBytes(mlir::ElementsAttr value);
std::optional<ElementBytes> getElementBytes(mlir::ElementsAttr value);

/// The byte that all the bytes of `value` are, if there is one.
std::optional<uint8_t> getUniformByte(mlir::ElementsAttr value);

/// True if `function` is marked plan.kernel.
bool isKernel(mlir::func::FuncOp function);

/// Checks a kernel's plan.places.
llvm::LogicalResult verifyPlaces(mlir::Operation *op,
                                 mlir::NamedAttribute attribute);

/// The number of memref arguments of a kernel; i64 arguments follow.
unsigned getBufferCount(mlir::func::FuncOp kernel);

/// Bytes of the workspace of a kernel that has `inputCount` inputs and
/// `outputCount` outputs, or nothing if it has none.
std::optional<int64_t> getWorkspaceBytes(mlir::func::FuncOp kernel,
                                         unsigned inputCount,
                                         unsigned outputCount);

/// A function of the host program, as kernels call it.
struct HostFunction {
  llvm::StringRef name;
  mlir::FunctionType type; // of tensors
};

/// The attribute of a kernel, whose body is empty, that stands for a host
/// function: name, number in the model's table, type.
inline constexpr llvm::StringLiteral kHostFunctionAttrName =
    "plan.host_function";
/// Inputs and results of one call, at most.
inline constexpr unsigned maxHostTensors = 64;
void setHostFunction(mlir::func::FuncOp kernel, int64_t number,
                     const HostFunction &function);
std::optional<int64_t> getHostFunctionNumber(mlir::func::FuncOp kernel);
/// The model's table, by number.
llvm::SmallVector<HostFunction> getHostFunctions(mlir::ModuleOp module);
llvm::LogicalResult verifyHostFunction(mlir::Operation *op,
                                       mlir::NamedAttribute attribute);

} // namespace graphc::plan

#include "dialects/Plan/IR/PlanDialect.h.inc"
#include "dialects/Plan/IR/PlanEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/IR/PlanAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Plan/IR/PlanOps.h.inc"

#endif // GRAPHC_DIALECTS_PLAN_IR_PLAN_H

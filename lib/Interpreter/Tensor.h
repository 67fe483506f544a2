// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor in the interpreter's memory: doubles or 64-bit integers, row-major.
#ifndef GRAPHC_LIB_INTERPRETER_TENSOR_H
#define GRAPHC_LIB_INTERPRETER_TENSOR_H

#include "lib/Interpreter/Rounding.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <vector>

namespace graphc::interpreter {

/// The tensor types of the graph dialect have one of these elements.
enum class ElementKind { F64, F32, F16, BF16, I1, I8, UI8, I32, I64 };

/// The kind of `element`, or nothing if no tensor may have it.
std::optional<ElementKind> getElementKind(mlir::Type element);
bool isFloatKind(ElementKind kind);
FloatFormat getFloatFormat(ElementKind kind);
/// Bits of an integer kind.
int getWidth(ElementKind kind);
bool isSignedKind(ElementKind kind);
/// Smallest and largest value of an integer kind.
int64_t getMinimum(ElementKind kind);
int64_t getMaximum(ElementKind kind);
/// The value of an integer kind that is congruent to `value`.
int64_t wrapTo(ElementKind kind, uint64_t value);

/// Elements in a tensor of `type`, or nothing if an int64_t cannot count them.
std::optional<int64_t> countElements(mlir::RankedTensorType type);

/// A value. `floats` holds the elements of a float tensor and `ints` those of
/// any other; i1 is 0 or 1, ui8 0 to 255. What a double may hold beyond the
/// declared type (f64 mode) is kept.
struct Tensor {
  mlir::RankedTensorType type;
  std::vector<double> floats;
  std::vector<int64_t> ints;

  Tensor() = default;
  /// Zeros of `type`.
  explicit Tensor(mlir::RankedTensorType type);
  /// Reads an attribute of the builtin dialect, exactly. Fails on elements that
  /// are not held in memory.
  static mlir::FailureOr<Tensor> fromAttribute(mlir::ElementsAttr attribute);

  ElementKind kind() const { return *getElementKind(type.getElementType()); }
  bool isFloat() const { return isFloatKind(kind()); }
  llvm::ArrayRef<int64_t> shape() const { return type.getShape(); }
  int64_t rank() const { return type.getRank(); }
  int64_t size() const {
    return static_cast<int64_t>(floats.size() + ints.size());
  }
  /// Copies element `from` of `source`, which has the same element type.
  void copyElement(int64_t to, const Tensor &source, int64_t from);
  /// Rounds every float to the declared type.
  void roundToType();
};

/// Place in a row-major tensor of `shape` of the element at `index`.
int64_t linearIndex(llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> index);

/// Calls `visit` for each index of `shape`, in row-major order; for no more
/// once the deadline is past.
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

struct PrintOptions {
  int maxElements = 1000; // longer tensors show only their ends
};

/// Prints the type and the values as nested lists: `tensor<2xf32> [1, -0.5]`.
/// Floats read back to the same double.
void printTensor(llvm::raw_ostream &os, const Tensor &tensor,
                 const PrintOptions &options = {});

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_TENSOR_H

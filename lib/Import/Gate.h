// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of checkModule(). They use no accessor of an op before its shape is
// known, since the module has not been verified.
#ifndef GRAPHC_LIB_IMPORT_GATE_H
#define GRAPHC_LIB_IMPORT_GATE_H

#include "lib/Import/Import.h"

namespace graphc {

/// Checks a type of a value: a static tensor of a supported element type,
/// within the limits.
mlir::LogicalResult checkValueType(mlir::Location loc, mlir::Type type,
                                   const ImportLimits &limits);

/// Checks attributes and locations with all that they hold: kinds, types,
/// tensors whose data fits their type, names. Attributes are shared, so a few
/// lines of text can hold 2^40 parts once written out: they are counted as a
/// tree, each node once.
class AttributeGate {
public:
  explicit AttributeGate(const ImportLimits &limits) : limits(limits) {}

  mlir::LogicalResult check(mlir::Attribute attribute, mlir::Location loc) {
    return countParts(attribute, loc, /*depth=*/1);
  }

private:
  mlir::LogicalResult checkOne(mlir::Attribute attribute, mlir::Location loc);
  mlir::FailureOr<int64_t> countParts(mlir::Attribute attribute,
                                      mlir::Location loc, int64_t depth);

  const ImportLimits &limits;
  llvm::DenseMap<mlir::Attribute, int64_t> parts;
};

/// Checks the name of a symbol.
mlir::LogicalResult checkName(mlir::Location loc, llvm::StringRef name,
                              const ImportLimits &limits);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_GATE_H

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

/// Checks an attribute of an op and what it holds: types, tensors whose data
/// fits their type, names.
mlir::LogicalResult checkAttribute(mlir::Location loc,
                                   mlir::Attribute attribute,
                                   const ImportLimits &limits);

/// Checks the name of a symbol.
mlir::LogicalResult checkName(mlir::Location loc, llvm::StringRef name,
                              const ImportLimits &limits);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_GATE_H

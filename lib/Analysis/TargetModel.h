// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes may know about the machines that a module is compiled for.
#ifndef GRAPHC_LIB_ANALYSIS_TARGETMODEL_H
#define GRAPHC_LIB_ANALYSIS_TARGETMODEL_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>

namespace graphc {

/// All levels of a model share its kernels' IR, so these are facts that hold
/// for each of the module's `plan.targets`.
struct TargetModel {
  int64_t vectorBits = 256; // the narrowest vector register
  int64_t maxThreads = 64;  // the most threads that a step may run on
};

/// Reads `plan.targets`; the defaults above where a module has none. A level
/// that is not known counts as the default.
TargetModel getTargetModel(mlir::ModuleOp module);

} // namespace graphc

#endif // GRAPHC_LIB_ANALYSIS_TARGETMODEL_H

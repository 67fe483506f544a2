// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_LIB_IMPORT_DRAWS_H
#define GRAPHC_LIB_IMPORT_DRAWS_H

#include "lib/Import/Entries.h"

namespace graphc {

/// Resolves the mode of each dropout, gives every random op an id of its own
/// and dropouts their key, and makes public functions that draw count steps.
mlir::LogicalResult resolveDraws(mlir::ModuleOp module,
                                 llvm::ArrayRef<Entry> entries);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_DRAWS_H

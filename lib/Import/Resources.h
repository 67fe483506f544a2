// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_LIB_IMPORT_RESOURCES_H
#define GRAPHC_LIB_IMPORT_RESOURCES_H

#include "lib/Import/Import.h"

namespace graphc {

/// Replaces elements kept as resources by elements in the IR, which is what
/// every pass reads.
void takeInResources(mlir::ModuleOp module);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_RESOURCES_H

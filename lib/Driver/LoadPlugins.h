// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_LIB_DRIVER_LOADPLUGINS_H
#define GRAPHC_LIB_DRIVER_LOADPLUGINS_H

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace graphc {

/// Adds the dialects of the user's libraries (`--load-dialect-plugin`) to
/// `context`. They find what they need in the program, which exports it. False
/// with a `message` if a library cannot be loaded.
bool loadDialectPlugins(mlir::MLIRContext &context,
                        llvm::ArrayRef<std::string> paths,
                        std::string &message);

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_LOADPLUGINS_H

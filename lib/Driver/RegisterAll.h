// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that registers dialects, interfaces, extensions and passes.

#ifndef GRAPHC_LIB_DRIVER_REGISTERALL_H
#define GRAPHC_LIB_DRIVER_REGISTERALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace graphc {

/// Adds every dialect the compiler works with, ours and upstream, and every
/// extension they need, to `registry`. Upstream dialects are those that kernels
/// are lowered through.
void registerAll(mlir::DialectRegistry &registry);

/// Registers every pass, ours and upstream, for command lines and textual
/// pipelines. Call it at most once in a process.
void registerAllPasses();

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_REGISTERALL_H

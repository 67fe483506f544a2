// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The upstream half of RegisterAll.h.

#ifndef GRAPHC_LIB_DRIVER_REGISTERUPSTREAM_H
#define GRAPHC_LIB_DRIVER_REGISTERUPSTREAM_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace graphc {

/// Adds the upstream dialects and the extensions they need.
void registerUpstreamDialects(mlir::DialectRegistry &registry);

/// Registers the upstream passes that work on those dialects.
void registerUpstreamPasses();

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_REGISTERUPSTREAM_H

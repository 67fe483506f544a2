// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the layout of a variable means, as a region that a kernel computes.
#ifndef GRAPHC_PASSES_LOWERKERNEL_LAYOUTS_H
#define GRAPHC_PASSES_LOWERKERNEL_LAYOUTS_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc::kernel {

/// A region at the end of `module` that makes what `variable` is stored as of
/// its elements in order if `packs`, and the reverse if not.
graph::FusedOp buildLayoutRegion(graph::VariableOp variable, bool packs,
                                 mlir::ModuleOp module);

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_LAYOUTS_H

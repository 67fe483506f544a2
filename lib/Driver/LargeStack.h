// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR recurses with the depth of what it is given; a caller's stack may be
// small.
#ifndef GRAPHC_LIB_DRIVER_LARGESTACK_H
#define GRAPHC_LIB_DRIVER_LARGESTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace graphc {

inline constexpr uint64_t kLargeStackBytes = uint64_t(512) << 20;

/// Runs `body` to its end on a thread of its own with a stack of
/// kLargeStackBytes. False, without a run, if the system refuses the thread.
bool runOnLargeStack(llvm::function_ref<void()> body);

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_LARGESTACK_H

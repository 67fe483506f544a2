// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Import.h"
#include "lib/Import/Checkpoints.h"
#include "lib/Import/Draws.h"
#include "lib/Import/Entries.h"
#include "lib/Import/Resources.h"

using namespace mlir;

namespace graphc {

LogicalResult importModule(ModuleOp module, const ImportLimits &limits) {
  if (failed(checkModule(module, limits)))
    return failure();
  takeInResources(module);
  FailureOr<llvm::SmallVector<Entry>> entries = makeEntries(module, limits);
  if (failed(entries))
    return failure();
  for (const Entry &entry : *entries) {
    dissolveCheckpoints(entry.function);
    dissolvePrecisions(entry.function);
  }
  return resolveDraws(module, *entries);
}

} // namespace graphc

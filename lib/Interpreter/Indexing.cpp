// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers, scatters, dynamic slices, scans and sorts.

#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

void addIndexing(OpTable &table) {}

} // namespace graphc::interpreter

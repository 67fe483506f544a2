// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, pooling and windows.

#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

void addConvolutions(OpTable &table) {}

} // namespace graphc::interpreter

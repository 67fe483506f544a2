// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalisations and attention.

#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

void addNormalizations(OpTable &table) {}

} // namespace graphc::interpreter

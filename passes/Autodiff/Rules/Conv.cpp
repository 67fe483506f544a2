// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of convolutions, pooling and windows.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

void graphc::attachConvRules(MLIRContext *context) {}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of gathers, scatters, dynamic slices, scans and sorts.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

void graphc::attachIndexRules(MLIRContext *context) {}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of normalisations and attention.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

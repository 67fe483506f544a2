// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of convolutions and pooling.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

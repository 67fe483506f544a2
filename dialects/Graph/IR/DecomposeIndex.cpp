// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of embedding, top_k, one_hot and triangles.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

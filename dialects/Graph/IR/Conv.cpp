// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference and verifiers of convolutions and pooling.
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;
using namespace graphc::graph;

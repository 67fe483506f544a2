// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference and verifiers of gathers, scatters, dynamic slices, scans and sorts.
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;
using namespace graphc::graph;

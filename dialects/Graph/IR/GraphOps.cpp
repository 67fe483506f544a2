// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generated op definitions, alone: they take a while to compile.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/Graph/IR/GraphOps.cpp.inc"

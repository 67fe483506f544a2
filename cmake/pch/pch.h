// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every library of the compiler includes sooner or later.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

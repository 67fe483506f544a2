// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions in value form.
#ifndef GRAPHC_TEST_UNIT_PLAN_RANDOMFUNCTION_H
#define GRAPHC_TEST_UNIT_PLAN_RANDOMFUNCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <random>

/// A module with variables, kernels (declared only) and a public function @f of
/// launches, loops, constants and tensors of 0, 4 and 8 elements. It gives back
/// and sets what it likes: inputs, old values, one value twice.
mlir::OwningOpRef<mlir::ModuleOp> makeRandomModule(mlir::MLIRContext *context,
                                                   std::mt19937 &random);

#endif // GRAPHC_TEST_UNIT_PLAN_RANDOMFUNCTION_H

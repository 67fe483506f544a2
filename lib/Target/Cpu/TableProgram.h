// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plan.program as a graphc_abi_plan.

#ifndef GRAPHC_LIB_TARGET_CPU_TABLEPROGRAM_H
#define GRAPHC_LIB_TARGET_CPU_TABLEPROGRAM_H

#include "dialects/Plan/IR/Plan.h"
#include "lib/Target/Cpu/TableData.h"

namespace graphc::cpu {

/// Kernels by name, in the order of the table of kernels.
using KernelNumbers = llvm::DenseMap<mlir::StringAttr, unsigned>;

/// Adds every string that makePlan() will need.
void addStrings(plan::ProgramOp program, StringPool &strings);

llvm::Constant *makePlan(plan::ProgramOp program, const KernelNumbers &kernels,
                         TableData &data);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_TABLEPROGRAM_H

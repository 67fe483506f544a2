// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVX-512's instruction for x * 2^n.

#ifndef GRAPHC_LIB_TARGET_CPU_SCALEBYPOWER_H
#define GRAPHC_LIB_TARGET_CPU_SCALEBYPOWER_H

namespace llvm {
class Function;
} // namespace llvm

namespace graphc::cpu {

/// Makes one vscalef of what ExpandMath writes as two products with powers of
/// two. Both round once, so no bit changes.
void scaleByPowers(llvm::Function &function);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_SCALEBYPOWER_H

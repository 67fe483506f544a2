// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error bounds of normalisations and attention, for Bounds.cpp.
#ifndef GRAPHC_LIB_INTERPRETER_NORMBOUNDS_H
#define GRAPHC_LIB_INTERPRETER_NORMBOUNDS_H

#include "lib/Interpreter/Interpreter.h"

namespace graphc::interpreter {

/// The bounds of result `result` of a normalisation or attention before its
/// own rounding, in a type of epsilon `eps`; nothing for any other op.
std::optional<std::vector<double>>
normBounds(mlir::Operation *op, llvm::ArrayRef<const Tensor *> operands,
           unsigned result, double eps);
std::optional<std::vector<double>>
attentionBounds(mlir::Operation *op, llvm::ArrayRef<const Tensor *> operands,
                unsigned result, double eps);

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_NORMBOUNDS_H

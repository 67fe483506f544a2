// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a compiled op may be from the reference in declared mode.
#ifndef GRAPHC_LIB_INTERPRETER_BOUNDS_H
#define GRAPHC_LIB_INTERPRETER_BOUNDS_H

#include "lib/Interpreter/Interpreter.h"

namespace graphc::interpreter {

/// The largest |compiled - reference| that a correct implementation of `op` may
/// have, for each element of `reference`, its result of number `result`. With
/// eps the epsilon of the type in which the op accumulates:
///   - exact ops (arithmetic, sqrt, compare, casts, data movement): 0;
///   - functions: the units of docs/math.md;
///   - sums of n terms: (n / 64 + 8) eps sum|terms|; k + 8 instead for products
///     of f16 or bf16 over k, and n + 8 for scatter_add and cumsum, which add
///     in order;
///   - products of n factors: (n + 8) eps |product|, or kAnyValue if those above
///     1 overflow;
///   - softmax, losses, normalisations, attention: what follows from these for
///     their formulas.
/// Results in f16 or bf16 may be one unit more off, because a rounding may tip
/// over; so may f64 results, because the reference is no better than they are.
/// Empty for integers, which are exact.
std::vector<double> errorBounds(mlir::Operation *op,
                                llvm::ArrayRef<const Tensor *> operands,
                                const Tensor &reference, unsigned result = 0);

/// Units that the function `op` may be off in f32, or 0 if it is exact. Sums,
/// products and losses are not in this table.
double getFunctionUnits(mlir::Operation *op);

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_BOUNDS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators and functions on traced tensors, by family. Include
// graphc/trace.hpp.
//
// Rules for all of them
//   Operands   Tensors, parameters or numbers. Two tensors must have one dtype
//              (cast with to()); a number takes the tensor's, except that a
//              floating number makes an integer tensor f32. Without a tensor,
//              an integer is i64 and a floating number f32.
//   Shapes     Elementwise functions of several operands broadcast as NumPy and
//              PyTorch do: aligned at the last dimension, a size of 1 repeats.
//              Rank 0 and sizes of 0 are fine; a rank is at most 16.
//   Dimensions Negative ones count from the end.
//   Errors     What does not fit throws Error (GRAPHC_COMPILE_ERROR) at once,
//              with the caller's file and line and where each operand was made;
//              so does a use outside a function that is being traced, of an
//              undefined tensor, or of one made in another function or model.
//              An integer number that a dtype cannot hold does not fit either.
//              What was recorded before stays.
// What each function says about dtypes, shapes and errors comes on top.
#ifndef GRAPHC_TRACE_FUNCTIONAL_HPP
#define GRAPHC_TRACE_FUNCTIONAL_HPP

#include "graphc/trace/activations.hpp"
#include "graphc/trace/arithmetic.hpp"
#include "graphc/trace/attention.hpp"
#include "graphc/trace/conv.hpp"
#include "graphc/trace/index.hpp"
#include "graphc/trace/logic.hpp"
#include "graphc/trace/loss.hpp"
#include "graphc/trace/norm.hpp"
#include "graphc/trace/product.hpp"
#include "graphc/trace/reduce.hpp"
#include "graphc/trace/shape.hpp"

#endif // GRAPHC_TRACE_FUNCTIONAL_HPP

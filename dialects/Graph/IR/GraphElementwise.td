// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise primitives and the pointwise activations.
#ifndef GRAPHC_GRAPH_ELEMENTWISE_TD
#define GRAPHC_GRAPH_ELEMENTWISE_TD

include "dialects/Graph/IR/GraphAttrs.td"

class Graph_UnaryOp<string mnemonic, Type type, list<Trait> traits = [],
                    Trait precision = Graph_Follow>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType, Graph_Elementwise, precision,
                          DeclareOpInterfaceMethods<Graph_CostOpInterface>] # traits> {
  let arguments = (ins type:$input);
  let results = (outs type:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}
class Graph_BinaryOp<string mnemonic, Type type, list<Trait> traits = [],
                     Trait precision = Graph_Widest>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType, Graph_Elementwise, precision,
                          DeclareOpInterfaceMethods<Graph_CostOpInterface>] # traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

// ---- Exactly specified arithmetic ----------------------------------------------

let hasFolder = 1 in {
def Graph_NegOp : Graph_UnaryOp<"neg", Graph_NumTensor> {
  let summary = "Negation: -x";
  let description = [{
    Exact: flips the sign bit of a float; integers wrap (`-MIN` is `MIN`).

    Example: `%y = graph.neg %x : tensor<4xf32>`
  }];
}
def Graph_AbsOp : Graph_UnaryOp<"abs", Graph_NumTensor> {
  let summary = "Absolute value: |x|";
  let description = [{
    Exact; clears the sign bit of a float; `|MIN|` is `MIN` for signed integers.
    Its derivative at 0 is 0.

    Example: `%y = graph.abs %x : tensor<4xf32>`
  }];
}
def Graph_AddOp : Graph_BinaryOp<"add", Graph_NumTensor, [Commutative]> {
  let summary = "Sum: lhs + rhs";
  let description = [{
    Rounded once; integers wrap.

    Example: `%z = graph.add %x, %y : tensor<4xf32>`
  }];
}
def Graph_SubOp : Graph_BinaryOp<"sub", Graph_NumTensor> {
  let summary = "Difference: lhs - rhs";
  let description = [{
    Rounded once; integers wrap.

    Example: `%z = graph.sub %x, %y : tensor<4xf32>`
  }];
}
def Graph_MulOp : Graph_BinaryOp<"mul", Graph_NumTensor, [Commutative]> {
  let summary = "Product: lhs * rhs";
  let description = [{
    Rounded once; integers wrap.

    Example: `%z = graph.mul %x, %y : tensor<4xf32>`
  }];
}
def Graph_DivOp : Graph_BinaryOp<"div", Graph_NumTensor> {
  let summary = "Quotient: lhs / rhs";
  let description = [{
    Floats: rounded once. Integers: truncated towards zero; `x/0` is -1 (all ones
    if unsigned) and `MIN/-1` is `MIN`.

    Example: `%z = graph.div %x, %y : tensor<4xf32>`
  }];
}
def Graph_RemOp : Graph_BinaryOp<"rem", Graph_NumTensor> {
  let summary = "Remainder of truncated division, with the sign of lhs";
  let description = [{
    Floats: C's `fmod`, exact. Integers: `x%0` is `x`, `MIN%-1` is 0.

    Example: `%z = graph.rem %x, %y : tensor<4xi32>`
  }];
}
def Graph_MaximumOp : Graph_BinaryOp<"maximum", Graph_NumTensor, [Commutative]> {
  let summary = "Larger of two; NaN if either is NaN";
  let description = [{
    Exact; +0 is larger than -0. A tie splits its gradient in half; beside a
    NaN both get all of it (as in PyTorch).

    Example: `%z = graph.maximum %x, %y : tensor<4xf32>`
  }];
}
def Graph_MinimumOp : Graph_BinaryOp<"minimum", Graph_NumTensor, [Commutative]> {
  let summary = "Smaller of two; NaN if either is NaN";
  let description = [{
    Exact; -0 is smaller than +0. A tie splits its gradient in half; beside a
    NaN both get all of it (as in PyTorch).

    Example: `%z = graph.minimum %x, %y : tensor<4xf32>`
  }];
}
def Graph_SqrtOp : Graph_UnaryOp<"sqrt", Graph_FloatTensor> {
  let summary = "Square root";
  let description = [{
    Correctly rounded; NaN below 0; `sqrt(-0)` is -0.

    Example: `%y = graph.sqrt %x : tensor<4xf32>`
  }];
}
def Graph_AndOp : Graph_BinaryOp<"and", Graph_BitsTensor, [Commutative]> {
  let summary = "Bitwise and; logical on i1";
  let description = "Example: `%z = graph.and %x, %y : tensor<4xi1>`";
}
def Graph_OrOp : Graph_BinaryOp<"or", Graph_BitsTensor, [Commutative]> {
  let summary = "Bitwise or; logical on i1";
  let description = "Example: `%z = graph.or %x, %y : tensor<4xi1>`";
}
def Graph_XorOp : Graph_BinaryOp<"xor", Graph_BitsTensor, [Commutative]> {
  let summary = "Bitwise exclusive or; logical on i1";
  let description = "Example: `%z = graph.xor %x, %y : tensor<4xi1>`";
}
def Graph_NotOp : Graph_UnaryOp<"not", Graph_BitsTensor> {
  let summary = "Bitwise complement; logical on i1";
  let description = "Example: `%y = graph.not %x : tensor<4xi1>`";
}
def Graph_ShiftLeftOp : Graph_BinaryOp<"shift_left", Graph_IntTensor> {
  let summary = "lhs shifted left by rhs bits";
  let description = [{
    A shift by the width or more (or by a negative count) gives 0.

    Example: `%z = graph.shift_left %x, %y : tensor<4xi32>`
  }];
}
def Graph_ShiftRightOp : Graph_BinaryOp<"shift_right", Graph_IntTensor> {
  let summary = "lhs shifted right by rhs bits: arithmetic if signed, logical if unsigned";
  let description = [{
    A shift by the width or more (or by a negative count) gives the sign: 0 or -1.

    Example: `%z = graph.shift_right %x, %y : tensor<4xi32>`
  }];
}
} // hasFolder

def Graph_SignOp : Graph_UnaryOp<"sign", Graph_NumTensor> {
  let summary = "-1, 0 or 1 by the sign of x; NaN and -0 stay";
  let description = "Example: `%y = graph.sign %x : tensor<4xf32>`";
}
def Graph_FloorOp : Graph_UnaryOp<"floor", Graph_FloatTensor> {
  let summary = "Largest integer not above x";
  let description = "Exact. Example: `%y = graph.floor %x : tensor<4xf32>`";
}
def Graph_CeilOp : Graph_UnaryOp<"ceil", Graph_FloatTensor> {
  let summary = "Smallest integer not below x";
  let description = "Exact. Example: `%y = graph.ceil %x : tensor<4xf32>`";
}
def Graph_RoundOp : Graph_UnaryOp<"round", Graph_FloatTensor> {
  let summary = "Nearest integer, ties to even";
  let description = "Exact. Example: `%y = graph.round %x : tensor<4xf32>`";
}

// ---- Functions with a stated error -----------------------------------------------

class Graph_MathOp<string mnemonic, string values, Trait precision = Graph_Follow>
    : Graph_UnaryOp<mnemonic, Graph_FloatTensor, [], precision> {
  let description = values # "\n\nExample: `%y = graph." # mnemonic # " %x : tensor<4xf32>`";
}
def Graph_ExpOp : Graph_MathOp<"exp", "0 at -inf; inf where the result overflows.", Graph_Wide> {
  let summary = "e^x";
}
def Graph_Expm1Op : Graph_MathOp<"expm1", "-1 at -inf; -0 stays.", Graph_Wide> {
  let summary = "e^x - 1, accurate near 0";
}
def Graph_LogOp : Graph_MathOp<"log", "-inf at 0 of either sign; NaN below 0.",
                                Graph_Wide> {
  let summary = "Natural logarithm";
}
def Graph_Log1pOp : Graph_MathOp<"log1p", "-inf at -1; NaN below -1; -0 stays.",
                                    Graph_Wide> {
  let summary = "log(1 + x), accurate near 0";
}
def Graph_RsqrtOp : Graph_MathOp<"rsqrt",
    "Two roundings. inf at 0, -inf at -0, 0 at inf; NaN below 0.", Graph_Wide> {
  let summary = "1 / sqrt(x)";
}
def Graph_ReciprocalOp : Graph_MathOp<"reciprocal",
    "Rounded once; infinite at 0, by its sign.", Graph_Wide> {
  let summary = "1 / x";
}
def Graph_SinOp : Graph_MathOp<"sin", "NaN at infinities; -0 stays."> {
  let summary = "Sine of x radians";
}
def Graph_CosOp : Graph_MathOp<"cos", "NaN at infinities."> {
  let summary = "Cosine of x radians";
}
def Graph_TanhOp : Graph_MathOp<"tanh", "1 and -1 at infinities; -0 stays."> {
  let summary = "Hyperbolic tangent";
}
def Graph_ErfOp : Graph_MathOp<"erf", "1 and -1 at infinities; -0 stays."> {
  let summary = "Error function";
}

def Graph_PowOp : Graph_BinaryOp<"pow", Graph_FloatTensor, [], Graph_Wide> {
  let summary = "lhs to the power rhs";
  let description = [{
    C's special cases: 1 where rhs is 0 or lhs is 1, even against NaN; NaN where
    lhs is below 0 and rhs is finite and no integer.

    Example: `%z = graph.pow %x, %y : tensor<4xf32>`
  }];
}
def Graph_MulNoNanOp : Graph_BinaryOp<"mul_no_nan", Graph_FloatTensor> {
  let summary = "lhs * rhs, but 0 wherever lhs is 0, even if rhs is inf or NaN";
  let description = [{
    Gradient rules multiply a cotangent `lhs` by a local derivative `rhs` with it,
    so that an unselected branch never leaks a NaN. Its own gradient with respect
    to `lhs` is `mul_no_nan(g, rhs)`.

    Example: `%z = graph.mul_no_nan %g, %d : tensor<4xf32>`
  }];
}

// ---- Tests, compare, select, cast ------------------------------------------------

class Graph_TestOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, Graph_Elementwise, Graph_Infer, Graph_Follow]> {
  let arguments = (ins Graph_FloatTensor:$input);
  let results = (outs Graph_BoolTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}
def Graph_IsFiniteOp : Graph_TestOp<"is_finite"> {
  let summary = "True where x is neither inf nor NaN";
  let description = "Example: `%b = graph.is_finite %x : tensor<4xf32>`";
}
def Graph_IsNanOp : Graph_TestOp<"is_nan"> {
  let summary = "True where x is NaN";
  let description = "Example: `%b = graph.is_nan %x : tensor<4xf32>`";
}
def Graph_CompareOp : Graph_Op<"compare", [Pure, Graph_Elementwise, Graph_Infer, Graph_Widest,
                                           SameTypeOperands]> {
  let summary = "Comparison: eq, ne, lt, le, gt, ge";
  let description = [{
    IEEE: any comparison with NaN is false, except `ne`. ui8 compares unsigned;
    false is less than true.

    Example: `%b = graph.compare lt, %x, %y : tensor<4xf32>` gives `tensor<4xi1>`
  }];
  let arguments = (ins Graph_ComparePredicateAttr:$predicate,
                       Graph_Tensor:$lhs, Graph_Tensor:$rhs);
  let results = (outs Graph_BoolTensor:$result);
  let assemblyFormat = "custom<Enum>($predicate) `,` $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
}
def Graph_SelectOp : Graph_Op<"select", [Pure, Graph_Elementwise, Graph_Infer,
                                         Graph_Widest]> {
  let summary = "on_true where condition holds, else on_false";
  let description = [{
    Exact; the unselected value never matters, not even a NaN.

    Constraints:
      - (C1) `condition` has the shape of the other two operands.
      - (C2) `on_true`, `on_false` and the result have one type.

    Example: `%z = graph.select %c, %x, %y : tensor<4xf32>`
  }];
  let arguments = (ins Graph_BoolTensor:$condition, Graph_Tensor:$on_true,
                       Graph_Tensor:$on_false);
  let results = (outs Graph_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
}
def Graph_CastOp : Graph_Op<"cast", [Pure, Graph_Elementwise, SameOperandsAndResultShape,
                                     Graph_Follow]> {
  let summary = "Conversion of element type";
  let description = [{
    Float to float rounds to nearest even. Float to integer truncates and
    saturates, NaN becomes 0. Anything nonzero (NaN too) becomes true as i1.
    Integer to narrower integer wraps; to float rounds to nearest even.

    Example: `%y = graph.cast %x : tensor<4xf32> -> tensor<4xbf16>`
  }];
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
}

def Graph_CheckIndexOp : Graph_Op<"check_index", [Pure, SameOperandsAndResultType,
                                                  Graph_Elementwise, Graph_Follow]> {
  let summary = "An index held to 0 <= i < limit; any other fails the step";
  let description = [{
    Where `0 <= index < limit`, or `index` equals `ignore`, gives `index`. Elsewhere
    gives 0 and notes the failure: the call ends in an error that names this op's
    location and the index, and changes no state.

    What needs the check reads the result in place of `index`. So the check has
    no side effect that passes must know: equal checks are one check, a check that
    nothing reads protects nothing and may go, a clone notes the same failure.
    Never folded, so that a wrong constant is still reported at run time.

    Constraints:
      - (C1) `limit` is 0 or more.
      - (C2) `ignore`, if present, is a value of the element type.

    Example: `%j = graph.check_index %i limit = 10 ignore = -100 : tensor<8xi64>`
  }];
  let arguments = (ins Graph_IndexTensor:$index, I64Attr:$limit,
                       OptionalAttr<I64Attr>:$ignore);
  let results = (outs Graph_IndexTensor:$result);
  let assemblyFormat = [{
    $index `limit` `=` $limit (`ignore` `=` $ignore^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

// ---- Pointwise composites ----------------------------------------------------------

class Graph_PointwiseOp<string mnemonic, string text>
    : Graph_UnaryOp<mnemonic, Graph_FloatTensor, [Graph_Composite]> {
  let description = text # "\n\nExample: `%y = graph." # mnemonic # " %x : tensor<4xf32>`";
}
def Graph_ReluOp : Graph_PointwiseOp<"relu",
    "Exact; `maximum(x, 0)`, so that NaN stays and -0 becomes 0. The derivative at 0 is 0."> {
  let summary = "max(x, 0)";
}
def Graph_SigmoidOp : Graph_PointwiseOp<"sigmoid",
    "In the accumulation type: with `z = exp(-|x|)`, `1 / (1 + z)` for x of 0 or more\n"
    "and `z / (1 + z)` below, so that neither end overflows."> {
  let summary = "1 / (1 + exp(-x))";
}
def Graph_SiluOp : Graph_PointwiseOp<"silu",
    "In the accumulation type. NaN at -inf, as the formula says."> {
  let summary = "x * sigmoid(x)";
}
def Graph_GeluOp : Graph_Op<"gelu", [Pure, SameOperandsAndResultType,
                                     Graph_Elementwise, Graph_Composite, Graph_Follow]> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `none`: `0.5 * x * (1 + erf(x / sqrt(2)))`. `tanh`: `0.5 * x * (1 +
    tanh(z))` with `z = sqrt(2/pi) * (x + 0.044715 x^3)`, computed as the equal
    `x * sigmoid(2 z)`. Both in the accumulation type. The error of `none` is
    relative to |x|, since far below 0 the sum cancels. NaN at -inf.

    Example: `%y = graph.gelu %x approximate = tanh : tensor<4xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input,
      DefaultValuedAttr<Graph_ApproximateAttr,
                        "::graphc::graph::Approximate::None">:$approximate);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`approximate` `=` custom<Enum>($approximate)^)? attr-dict `:` type($result)
  }];
}
def Graph_ClampOp : Graph_Op<"clamp", [Pure, SameOperandsAndResultType,
                                       Graph_Elementwise, Graph_Composite, Graph_Follow]> {
  let summary = "min(max(x, low), high), where NaN stays";
  let description = [{
    Exact; the bounds are rounded to the element type first. The gradient passes
    at the bounds, as PyTorch's clamp.

    Constraints:
      - (C1) `low` is not above `high`; neither is NaN.

    Example: `%y = graph.clamp %x low = 0.0 high = 6.0 : tensor<4xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, F64Attr:$low, F64Attr:$high);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `low` `=` $low `high` `=` $high attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}
def Graph_StopGradientOp : Graph_UnaryOp<"stop_gradient", Graph_Tensor> {
  let summary = "x itself, through which no gradient flows";
  let description = "Example: `%y = graph.stop_gradient %x : tensor<4xf32>`";
}

#endif // GRAPHC_GRAPH_ELEMENTWISE_TD

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products.
#ifndef GRAPHC_GRAPH_PRODUCT_TD
#define GRAPHC_GRAPH_PRODUCT_TD

include "dialects/Graph/IR/GraphAttrs.td"

def Graph_DotGeneralOp : Graph_Op<"dot_general", [Pure, Graph_Fusible, Graph_Low,
    Graph_InferCompatible,
    DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>]> {
  let summary = "Sum of products over contracting dimensions, for each batch";
  let description = [{
    Result dimensions: the batch dimensions in order, then the other dimensions
    of lhs, then those of rhs. The sum over the contracting dimensions (row-major
    over `lhs_contracting` order) runs in order with one fused multiply-add a
    term, in the accumulation type: f64 for f64, f32 for other floats, the result
    type for integers, which wrap. Rounded once to the result type.

    Constraints:
      - (C1) batching and contracting lists pair up, and name distinct dimensions.
      - (C2) paired dimensions have the same size.
      - (C3) lhs and rhs have one element type; the result has it too, or a wider
        one of the same kind (f16, bf16 -> f32; i8, ui8 -> i32).
      - (C4) `result` has the shape given above.

    Example: `%c = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>`
  }];
  let arguments = (ins Graph_NumTensor:$lhs, Graph_NumTensor:$rhs,
      DenseI64ArrayAttr:$lhs_batching, DenseI64ArrayAttr:$rhs_batching,
      DenseI64ArrayAttr:$lhs_contracting, DenseI64ArrayAttr:$rhs_contracting);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `batching` `=` $lhs_batching `x` $rhs_batching
    `contracting` `=` $lhs_contracting `x` $rhs_contracting attr-dict `:`
    type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasCanonicalizer = 1;
}
def Graph_LinearOp : Graph_Op<"linear", [Pure, Graph_Composite, Graph_Fusible, Graph_Low,
    Graph_InferCompatible,
    DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>]> {
  let summary = "Affine map over the last dimension: x * w^T + b";
  let description = [{
    Computes `result[..., n] = sum_k input[..., k] * weight[n, k] + bias[n]`.
    The sum is that of dot_general; `bias` is added in the accumulation type
    before the result is rounded.

    Constraints:
      - (C1) `weight` has rank 2 and `input` has rank 1 or more.
      - (C2) the last dim of `input` equals dim 1 of `weight`.
      - (C3) `result` is `input` with its last dim replaced by dim 0 of `weight`.
      - (C4) `bias`, if present, has shape `[dim 0 of weight]`.
      - (C5) `input` and `weight` have one element type; `bias` and `result` have
        it too, or f32 where it is f16 or bf16.

    Example: `%y = graph.linear %x, %w, %b : tensor<8x64xf32>, tensor<32x64xf32>, tensor<32xf32> -> tensor<8x32xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$weight,
                       Optional<Graph_FloatTensor>:$bias);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight (`,` $bias^)? attr-dict `:`
    type($input) `,` type($weight) (`,` type($bias)^)? `->` type($result)
  }];
}

#endif // GRAPHC_GRAPH_PRODUCT_TD

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalisations and attention.
#ifndef GRAPHC_GRAPH_NORM_TD
#define GRAPHC_GRAPH_NORM_TD

include "dialects/Graph/IR/GraphAttrs.td"

// What weights, biases and running statistics are held to; cited by the
// constraints below.
class Graph_NormOp<string mnemonic, list<Trait> traits = []>
    : Graph_Op<mnemonic, [Pure, Graph_Composite,
                          AllTypesMatch<["input", "result"]>] # traits> {
  let hasVerifier = 1;
}

def Graph_LayerNormOp : Graph_NormOp<"layer_norm", [AttrSizedOperandSegments, Graph_FusibleAxes,
                                                   Graph_Wide]> {
  let summary = "(x - mean) / sqrt(var + eps) * weight + bias over the last dimensions";
  let description = [{
    Mean and biased variance are over the last `normalized_rank` dimensions. The
    variance is the mean of the squared distances from the mean, so never
    negative. All in the accumulation type, rounded once. (As
    torch.nn.functional.layer_norm.)

    Constraints:
      - (C1) `normalized_rank` is in [1, rank of the input].
      - (C2) `weight` and `bias`, if present, have the shape of the last
        `normalized_rank` dimensions of the input; `bias` comes with `weight`.
      - (C3) they have the input's element type, or f32 where it is f16 or bf16.
      - (C4) `eps` is finite and 0 or more.

    Example: `%y = graph.layer_norm %x, %w, %b normalized_rank = 1 eps = 1.0e-5 : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Optional<Graph_FloatTensor>:$weight,
                       Optional<Graph_FloatTensor>:$bias, I64Attr:$normalized_rank,
                       F64Attr:$eps);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`,` $weight^)? (`,` $bias^)? `normalized_rank` `=` $normalized_rank
    `eps` `=` $eps attr-dict `:` type($input) (`,` type($weight)^)? (`,` type($bias)^)?
  }];
}

def Graph_RmsNormOp : Graph_NormOp<"rms_norm", [Graph_FusibleAxes, Graph_Wide]> {
  let summary = "x / sqrt(mean(x^2) + eps) * weight over the last dimensions";
  let description = [{
    The mean is over the last `normalized_rank` dimensions. In the accumulation
    type, rounded once. (As torch.nn.functional.rms_norm.)

    Constraints:
      - (C1) `normalized_rank` is in [1, rank of the input].
      - (C2) `weight`, if present, has the shape of the last `normalized_rank`
        dimensions of the input.
      - (C3) it has the input's element type, or f32 where it is f16 or bf16.
      - (C4) `eps` is finite and 0 or more.

    Example: `%y = graph.rms_norm %x, %w normalized_rank = 1 eps = 1.0e-6 : tensor<4x8xf32>, tensor<8xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Optional<Graph_FloatTensor>:$weight,
                       I64Attr:$normalized_rank, F64Attr:$eps);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`,` $weight^)? `normalized_rank` `=` $normalized_rank `eps` `=` $eps
    attr-dict `:` type($input) (`,` type($weight)^)?
  }];
}

def Graph_GroupNormOp : Graph_NormOp<"group_norm", [AttrSizedOperandSegments, Graph_Wide]> {
  let summary = "(x - mean) / sqrt(var + eps) * weight + bias over groups of channels";
  let description = [{
    The input is `[N, C, ...]`. Mean and biased variance are those of each sample
    over C / `groups` neighbouring channels and all further dimensions; `weight`
    and `bias` have one element for each channel. Two passes, in the accumulation
    type, rounded once. (As torch.nn.functional.group_norm.)

    Constraints:
      - (C1) the input has rank 2 or more; `groups` is 1 or more and divides C.
      - (C2) `weight` and `bias`, if present, have shape `[C]`; `bias` comes with
        `weight`.
      - (C3) they have the input's element type, or f32 where it is f16 or bf16.
      - (C4) `eps` is finite and 0 or more.
      - (C5) the input in groups, `[N, groups, C / groups, ...]`, has at most 2^40
        elements, sizes of 0 left out.

    Example: `%y = graph.group_norm %x, %w, %b groups = 2 eps = 1.0e-5 : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Optional<Graph_FloatTensor>:$weight,
                       Optional<Graph_FloatTensor>:$bias, I64Attr:$groups, F64Attr:$eps);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`,` $weight^)? (`,` $bias^)? `groups` `=` $groups `eps` `=` $eps
    attr-dict `:` type($input) (`,` type($weight)^)? (`,` type($bias)^)?
  }];
}

def Graph_BatchNormOp : Graph_NormOp<"batch_norm", [AttrSizedOperandSegments, Graph_Follow,
    AllTypesMatch<["running_mean", "new_mean"]>, AllTypesMatch<["running_var", "new_var"]>]> {
  let summary = "(x - mean) / sqrt(var + eps) * weight + bias for each channel";
  let description = [{
    The input is `[N, C, ...]`. In training, mean and variance are those of each
    channel of this batch: the biased variance (two passes) normalises, and
    `new_mean = (1 - momentum) * running_mean + momentum * mean`, `new_var =
    (1 - momentum) * running_var + momentum * var * n / (n - 1)`, with n values a
    channel. In evaluation `running_mean` and `running_var` normalise and are
    returned as they are. In the accumulation type; each result is rounded once.
    (As torch.nn.functional.batch_norm.)

    Gradients flow through `result` only: the new statistics are state, and
    nothing is differentiated through them. Import resolves `mode` where it is
    absent: training under graph.train, evaluation in a public function.

    Constraints:
      - (C1) the input has rank 2 or more.
      - (C2) the other operands have shape `[C]`; `bias` comes with `weight`.
      - (C3) they have the input's element type, or f32 where it is f16 or bf16.
      - (C4) `eps` is finite and 0 or more; `momentum` is in [0, 1].
      - (C5) in training each channel has 2 or more values.

    Example: `%y, %m, %v = graph.batch_norm %x, %rm, %rv, %w, %b momentum = 0.1 eps = 1.0e-5 mode = train : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$running_mean,
                       Graph_FloatTensor:$running_var, Optional<Graph_FloatTensor>:$weight,
                       Optional<Graph_FloatTensor>:$bias, F64Attr:$momentum, F64Attr:$eps,
                       OptionalAttr<Graph_ModeAttr>:$mode);
  let results = (outs Graph_FloatTensor:$result, Graph_FloatTensor:$new_mean,
                      Graph_FloatTensor:$new_var);
  let assemblyFormat = [{
    $input `,` $running_mean `,` $running_var (`,` $weight^)? (`,` $bias^)?
    `momentum` `=` $momentum `eps` `=` $eps (`mode` `=` custom<Enum>($mode)^)? attr-dict `:`
    type($input) `,` type($running_mean) `,` type($running_var)
    (`,` type($weight)^)? (`,` type($bias)^)?
  }];
  let extraClassDeclaration = [{
    /// The values of one channel.
    int64_t getCount();
  }];
}

def Graph_IsTrainingOp : Graph_Op<"is_training", [Pure, Graph_Composite, Graph_Infer, Graph_Follow]> {
  let summary = "True in training, false in evaluation";
  let description = [{
    For state that only training changes, such as the number of batches that a
    batch_norm has seen. Import resolves `mode` as that of batch_norm.

    Example: `%t = graph.is_training mode = train : tensor<i1>`
  }];
  let arguments = (ins OptionalAttr<Graph_ModeAttr>:$mode);
  let results = (outs Graph_BoolTensor:$result);
  let assemblyFormat = "(`mode` `=` custom<Enum>($mode)^)? attr-dict `:` type($result)";
}

def Graph_AttentionOp : Graph_Op<"attention", [Pure, Graph_Infer, Graph_Composite, Graph_Low,
    DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>]> {
  let summary = "softmax(scale * q k^T + mask) v for each head";
  let description = [{
    `query` is `[..., Hq, T, D]`, `key` `[..., Hkv, S, D]` and `value`
    `[..., Hkv, S, E]`; heads `h * Hq / Hkv` and up of the queries read head h of
    the keys and values (grouped queries). In rank 2 there are no heads. Scores
    are `scale` times the products of queries and keys; `scale` is by default
    `1 / sqrt(D)`. With `causal`, query i takes part with keys up to
    `i + S - T` only: the last query sees all keys. A boolean `mask` is true
    where a key takes part; a float one is added to the scores, and only that one
    has a gradient. It is aligned with `[..., Hq, T, S]` at the right; its
    dimensions of size 1 repeat.

    The result is the mean of the values, weighted by the exponentials of the
    scores. A query of which every score is masked or -inf gives 0, and its
    gradients are finite. Keys that do not take part have weight 0, but must be
    finite, as 0 * inf is NaN.

    Scores, exponentials and sums are in the accumulation type, rounded once at
    the end. The keys are read in blocks of at most 64, each by the online
    formula; blocks that are wholly ahead of a block of queries are left out. The
    decomposition takes at most 16 blocks, of a multiple of 64 keys. Source: Dao
    et al., FlashAttention, 2022.

    Constraints:
      - (C1) `query`, `key` and `value` have one element type and one rank of 2 or
        more; D is 1 or more.
      - (C2) `key` has the D of `query`, and `value` the S of `key`; leading
        dimensions are equal, but that Hkv divides Hq.
      - (C3) `mask` has at most the rank of `query`; from the right, each dimension
        is 1 or that of `[..., Hq, T, S]`.
      - (C4) a float `mask` has the element type of `query`, or f32 where that is
        f16 or bf16.
      - (C5) `scale`, if given, is finite.
      - (C6) `result` is `[..., Hq, T, E]`.
      - (C7) the scores, `[..., Hq, T, S]`, have at most 2^40 elements, sizes of 0
        left out.

    Example: `%o = graph.attention %q, %k, %v causal : tensor<2x8x16x64xf32>, tensor<2x4x16x64xf32>, tensor<2x4x16x64xf32> -> tensor<2x8x16x64xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$query, Graph_FloatTensor:$key,
                       Graph_FloatTensor:$value,
                       Optional<StaticShapeTensorOf<[F64, F32, F16, BF16, I1]>>:$mask,
                       UnitAttr:$causal, OptionalAttr<F64Attr>:$scale);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`,` $mask^)?
    oilist(`causal` $causal | `scale` `=` custom<Given>($scale)) attr-dict `:`
    type($query) `,` type($key) `,` type($value) (`,` type($mask)^)? `->` type($result)
  }];
  let extraClassDeclaration = [{
    double getScaleOrDefault();
  }];
  let hasVerifier = 1;
}

def Graph_AttentionGradOp : Graph_Op<"attention_grad", [Pure, Graph_Infer, Graph_Composite, Graph_Low,
    DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>]> {
  let summary = "Gradients of attention with respect to query, key and value";
  let description = [{
    For the attention of the same operands and attributes, with P its weights, O
    its result `output`, `grad` the gradient dO with respect to that, and D the
    sums of the rows of dO * O:

    `dS = P (dO v^T - D)`, `query_grad = scale dS k`, `key_grad = scale dS^T q`,
    `value_grad = P^T dO`.

    Heads of keys and values add up what the queries that share them give. All
    is computed in the accumulation type and rounded once at the end. The
    weights are computed again, in blocks of at most 64 queries and keys; blocks
    that are wholly masked by `causal` are left out. Source: Dao et al.,
    FlashAttention, 2022.

    Constraints:
      - (C1) `query`, `key`, `value`, `mask` and `scale` are those of a
        graph.attention.
      - (C2) `output` and `grad` have the type of its result.

    Example: `%dq, %dk, %dv = graph.attention_grad %q, %k, %v, %o, %g causal : tensor<4x16x64xf32>, tensor<4x16x64xf32>, tensor<4x16x64xf32>, tensor<4x16x64xf32>, tensor<4x16x64xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$query, Graph_FloatTensor:$key,
                       Graph_FloatTensor:$value, Graph_FloatTensor:$output,
                       Graph_FloatTensor:$grad,
                       Optional<StaticShapeTensorOf<[F64, F32, F16, BF16, I1]>>:$mask,
                       UnitAttr:$causal, OptionalAttr<F64Attr>:$scale);
  let results = (outs Graph_FloatTensor:$query_grad, Graph_FloatTensor:$key_grad,
                      Graph_FloatTensor:$value_grad);
  let assemblyFormat = [{
    $query `,` $key `,` $value `,` $output `,` $grad (`,` $mask^)? (`causal` $causal^)?
    (`scale` `=` $scale^)? attr-dict `:` type($query) `,` type($key) `,` type($value) `,`
    type($output) `,` type($grad) (`,` type($mask)^)?
  }];
  let extraClassDeclaration = [{
    double getScaleOrDefault();
  }];
  let hasVerifier = 1;
}

#endif // GRAPHC_GRAPH_NORM_TD

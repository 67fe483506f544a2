// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, training, control flow and fused regions.
#ifndef GRAPHC_GRAPH_STATE_TD
#define GRAPHC_GRAPH_STATE_TD

include "dialects/Graph/IR/GraphAttrs.td"

def Graph_VariableOp : Graph_Op<"variable", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "A named tensor that lives across calls";
  let description = [{
    Parameters, statistics, optimizer state, counters and the learning rate. The
    runtime can list, get, set, save and load it by name. Initializers run at load
    in declaration order. `optimizer_state` and `internal` mark what a training step
    and the random draws add.

    Constraints:
      - (C1) `type` is a static tensor of a supported element type.
      - (C2) `initial_value` is a graph initializer that suits the element type,
        or elements of `type`.
      - (C3) only float variables are trainable.
      - (C4) a `layout` is that of a matrix.

    `layout` says how the elements lie in memory between calls; graph.get and
    graph.set have the type that they are stored as. Whoever asks for the variable
    by name (the host, a file of state) sees it as `type`.

    Example: `graph.variable @fc1.bias : tensor<30xf32> = #graph.zeros trainable`,
    `graph.variable @lr : tensor<f32> = #graph.constant<0.1> {optimizer_state}`,
    `graph.variable @key : tensor<3xi64> = #graph.seed {internal}`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, AnyAttr:$initial_value,
                       UnitAttr:$trainable, UnitAttr:$optimizer_state, UnitAttr:$internal,
                       OptionalAttr<Graph_PanelsAttr>:$layout);
  let assemblyFormat = [{
    $sym_name `:` $type `=` $initial_value (`trainable` $trainable^)?
    (`layout` `(` $layout^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getType());
    }
    /// What graph.get gives: the type, or how it lies in memory.
    ::mlir::RankedTensorType getStoredType() {
      return getLayout() ? getLayout()->getStoredType(getTensorType())
                         : getTensorType();
    }
  }];
}
def Graph_GetOp : Graph_Op<"get", [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "The current value of a variable";
  let description = [{
    Constraints:
      - (C1) `variable` names a graph.variable that is stored as the result type.

    Example: `%w = graph.get @fc1.weight : tensor<30x2xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}
def Graph_SetOp : Graph_Op<"set", [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Gives a variable a new value when the call commits";
  let description = [{
    Constraints:
      - (C1) `variable` names a graph.variable that is stored as the operand type.

    Example: `graph.set @fc1.weight, %w : tensor<30x2xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Graph_Tensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Graph_TrainOp : Graph_Op<"train", [Symbol, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A training step: loss, gradients, optimizer update";
  let description = [{
    What follows the optimizer may stand in any order.

    Becomes a function of the loss function's arguments that returns its results
    and updates every trainable variable that the loss reaches. Modes left open
    in the loss function mean training.

    The variables of a `#graph.param_group` are updated by its optimizer instead.
    `clip_norm` scales all gradients by `min(1, clip_norm / (norm + 1e-6))`, where
    `norm` is the root of the sum of their squares, in f32 (f64 if a parameter
    is); `clip_value` clamps each element to `[-clip_value, clip_value]`. (As
    torch.nn.utils.clip_grad_norm_ and clip_grad_value_.)

    With `accumulate(n)` a step takes n micro-batches at once: dimension 0 of each
    argument of rank 1 or more is n times that of the loss function, which sees one
    slice after the other; arguments of rank 0 are the same for all. The loss and the
    gradients are means over the micro-batches, summed in their order in f32 (f64
    for f64); other results are joined along dimension 0, those of rank 0 stacked.
    Random draws differ between micro-batches.

    With `weighted` the loss function returns a sum and its weight (say, the number of
    tokens) as its first two results. The step divides the sum, and the gradients of
    it, by the weight, after adding up both over the micro-batches, so that
    micro-batches of unequal weight count as one batch. The first two results of the
    step are that mean and the whole weight. Sums of the whole weight 0 are not
    divided: where nothing counted, the loss is 0 and the optimizer gets gradients of
    0, which decay and momentum follow as in PyTorch.

    Constraints:
      - (C1) `loss` names a function whose first result is a rank-0 float tensor.
      - (C2) `optimizer` and those of `groups` implement OptimizerAttrInterface.
      - (C3) `groups` are `#graph.param_group`s of float variables, none of which
        is given twice.
      - (C4) `clip_norm` and `clip_value` are above 0; at most one is given.
      - (C5) `accumulate` is at least 1.
      - (C6) the second result of a `weighted` loss function has the type of the first.

    Example: `graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>) clip_norm(1.0)`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$loss,
                       AnyAttr:$optimizer, OptionalAttr<ArrayAttr>:$groups,
                       OptionalAttr<F64Attr>:$clip_norm,
                       OptionalAttr<F64Attr>:$clip_value,
                       DefaultValuedAttr<I64Attr, "1">:$accumulate,
                       UnitAttr:$weighted,
                       OptionalAttr<FlatSymbolRefAttr>:$specializes);
  let assemblyFormat = [{
    $sym_name `loss` `(` $loss `)` `optimizer` `(` $optimizer `)`
    oilist(
      `groups` `(` custom<Given>($groups) `)`
      | `clip_norm` `(` custom<Given>($clip_norm) `)`
      | `clip_value` `(` custom<Given>($clip_value) `)`
      | `accumulate` `(` custom<Given>($accumulate) `)`
      | `weighted` $weighted
      | `specializes` `(` custom<Given>($specializes) `)`
    ) attr-dict
  }];
  let hasVerifier = 1;
}
def Graph_GradOp : Graph_Op<"grad", [Symbol, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A function that returns a loss and its gradients";
  let description = [{
    Sugar for a public function around graph.value_and_grad, in evaluation mode
    unless the attribute `mode` says training.

    Constraints:
      - (C1) `function` names a function whose first result is a rank-0 float tensor.
      - (C2) `variables` name float variables; `inputs` are numbers of float arguments.
      - (C3) at least one gradient is asked for, none twice.

    Example: `graph.grad @dloss of @loss wrt(@fc1.weight, @fc1.bias)`,
    `graph.grad @dx of @loss inputs = [0] {mode = #graph<mode train>}`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$function,
      TypedArrayAttrBase<FlatSymbolRefAttr, "variables">:$variables,
      DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$inputs,
      OptionalAttr<Graph_ModeAttr>:$mode);
  let hasCustomAssemblyFormat = 1;
}
def Graph_ValueAndGradOp : Graph_Op<"value_and_grad", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function and differentiates its first result";
  let description = [{
    Results: those of `function`, then the gradient of the first (a rank-0 float)
    with respect to each argument in `inputs`, then each variable in `variables`.
    A gradient that the loss does not reach is zeros. Replaced by the Autodiff pass.

    Constraints: C1 to C3 of graph.grad, and
      - (C4) operands and results have the types that follow.

    Example:

    ```mlir
    %l, %dx, %dw = graph.value_and_grad @loss(%x, %y) wrt(@fc1.weight) inputs = [0] {mode = #graph<mode train>}
        : (tensor<8x2xf32>, tensor<8xi64>) -> (tensor<f32>, tensor<8x2xf32>, tensor<30x2xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$function, Variadic<Graph_Tensor>:$args,
      TypedArrayAttrBase<FlatSymbolRefAttr, "variables">:$variables,
      DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$inputs,
      OptionalAttr<Graph_ModeAttr>:$mode);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let hasCustomAssemblyFormat = 1;
}

/// An op whose body is part of the function around it.
class Graph_BodyOp<string mnemonic, list<Trait> traits>
    : Graph_Op<mnemonic, traits # [OpAsmOpInterface]> {
  let extraClassDeclaration = [{
    /// `call` and `return` are written as in the function, though a return is an
    /// error.
    static ::llvm::StringRef getDefaultDialect() { return "func"; }
  }];
}
def Graph_CheckpointOp : Graph_BodyOp<"checkpoint", [
    SingleBlockImplicitTerminator<"::graphc::graph::YieldOp">, RecursiveMemoryEffects]> {
  let summary = "A region whose values the backward pass may compute again"
                " (torch.utils.checkpoint)";
  let description = [{
    What lies inside is not kept for the gradient: the pass Remat computes it again
    in the backward pass, with the same bits. Import dissolves the region; its ops
    carry its number as the attribute `graph.checkpoint`.

    Constraints:
      - (C1) yielded values have the types of the results.

    Example:

    ```mlir
    %y = graph.checkpoint : tensor<4xf32> {
      %a = graph.exp %x : tensor<4xf32>
      graph.yield %a : tensor<4xf32>
    }
    ```
  }];
  let results = (outs Variadic<Graph_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`:` type($results)^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}
def Graph_RecomputeBarrierOp : Graph_Op<"recompute_barrier", [
    Pure, AllTypesMatch<["saved", "result"]>]> {
  let summary = "A saved value, as the backward pass computes on with it";
  let description = [{
    `result` is `saved`, bit for bit, once `after` has been computed. What is computed
    again in the backward pass reads it instead of `saved`: it is then another op
    than the first one to everything that looks for equal ops, and cannot run before
    `after`. No folder sees through it, and it takes no memory of its own.

    Example:

    ```mlir
    %r = graph.recompute_barrier %saved after %cotangent : tensor<4xf32>, tensor<f32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$saved, Graph_Tensor:$after);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $saved `after` $after attr-dict `:` type($saved) `,` type($after)
  }];
}
def Graph_PrecisionOp : Graph_BodyOp<"precision", [
    SingleBlockImplicitTerminator<"::graphc::graph::YieldOp">, RecursiveMemoryEffects]> {
  let summary = "A region that mixed precision computes in f32"
                " (torch.autocast(enabled=False))";
  let description = [{
    What lies inside, and its gradient, reads and gives f32, whatever `--amp` makes of
    the ops around it. Without `--amp` it changes nothing. Import dissolves the
    region; its ops carry its type as the attribute `graph.precision`.

    Constraints:
      - (C1) yielded values have the types of the results.
      - (C2) `type` is f32.

    Example:

    ```mlir
    %y = graph.precision f32 : tensor<4xf32> {
      %a = graph.exp %x : tensor<4xf32>
      graph.yield %a : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins TypeAttr:$type);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$type (`:` type($results)^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}
def Graph_CustomVjpOp : Graph_Op<"custom_vjp", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function whose gradient another function gives";
  let description = [{
    Computes `function(inputs)`. Its gradient is not that of the body: `vjp` gets the
    inputs, then the results, then the cotangent of each float result (zeros where it
    does not reach the loss), and returns the gradient of each float input in order.
    Replaced by the Autodiff pass. (torch.autograd.Function, jax.custom_vjp.)

    Constraints:
      - (C1) `function` and `vjp` name functions of the types that follow.
      - (C2) neither function reads or sets a variable or draws random numbers.

    Example: `%y = graph.custom_vjp @clip(%x) vjp(@clip_vjp) : (tensor<4xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$function, Variadic<Graph_Tensor>:$inputs,
                       FlatSymbolRefAttr:$vjp);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let assemblyFormat = [{
    $function `(` $inputs `)` `vjp` `(` $vjp `)` attr-dict `:`
    functional-type($inputs, $results)
  }];
}
def Graph_CustomOp : Graph_Op<"custom", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Calls a function of the host program";
  let description = [{
    At run time the step calls the host function that the program has registered
    under `callee` (graphc_model_set_host_function), with the inputs' and results'
    memory. A `pure` one may be left out, moved or called again; others run once, in
    order. The interpreter runs `reference` instead, a function of the same type.
    `vjp` is as for graph.custom_vjp; without it nothing can be differentiated
    through the op. `flops` is what a call costs, for reports and choices.

    Constraints:
      - (C1) `callee` is not empty.
      - (C2) `reference` and `vjp`, if given, name functions of the types that follow.
      - (C3) `flops` is not negative.

    Example: `%y = graph.custom "table_lookup"(%x) pure : (tensor<4xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins StrAttr:$callee, Variadic<Graph_Tensor>:$inputs, UnitAttr:$pure,
                       OptionalAttr<FlatSymbolRefAttr>:$vjp,
                       OptionalAttr<FlatSymbolRefAttr>:$reference,
                       DefaultValuedAttr<I64Attr, "0">:$flops);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` oilist(
      `pure` $pure
      | `vjp` `(` custom<Given>($vjp) `)`
      | `reference` `(` custom<Given>($reference) `)`
      | `flops` `=` custom<Given>($flops)
    ) attr-dict `:` functional-type($inputs, $results)
  }];
  let hasVerifier = 1;
}
def Graph_ForOp : Graph_BodyOp<"for", [SingleBlockImplicitTerminator<"::graphc::graph::YieldOp">,
    RecursiveMemoryEffects, AllTypesMatch<["inits", "results"]>]> {
  let summary = "A counted loop over carried values";
  let description = [{
    Runs the body for i = 0, 1, ..., count - 1. Block arguments: i (tensor<i64>),
    then the carried values; the body yields their next values.

    Constraints:
      - (C1) `count` is not negative.
      - (C2) block arguments and yielded values have the types of `inits`.

    Example:

    ```mlir
    %r = graph.for %i = 10 carry(%a = %x) : tensor<4xf32> {
      %b = graph.add %a, %a : tensor<4xf32>
      graph.yield %b : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$count, Variadic<Graph_Tensor>:$inits);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 0;
}
def Graph_FusedOp : Graph_Op<"fused", [IsolatedFromAbove,
    SingleBlockImplicitTerminator<"::graphc::graph::YieldOp">, RecursiveMemoryEffects]> {
  let summary = "A group of ops that becomes one kernel";
  let description = [{
    Block arguments stand for the operands. Values are those of the ops inside,
    each rounded to its own declared type.

    Constraints:
      - (C1) block arguments have the operands' types, yielded values the results'.

    Example:

    ```mlir
    %r = graph.fused(%a = %x, %b = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
      %s = graph.add %a, %b : tensor<4xf32>
      graph.yield %s : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$inputs);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Graph_YieldOp : Graph_Op<"yield", [Pure, ReturnLike, Terminator,
    ParentOneOf<["ForOp", "FusedOp", "CheckpointOp", "PrecisionOp"]>]> {
  let summary = "Ends the body of graph.for, graph.fused, graph.checkpoint or graph.precision";
  let description = "Example: `graph.yield %x : tensor<4xf32>`";
  let arguments = (ins Variadic<Graph_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
}

#endif // GRAPHC_GRAPH_STATE_TD

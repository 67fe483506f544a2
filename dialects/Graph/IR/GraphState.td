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
    in declaration order.

    Constraints:
      - (C1) `type` is a static tensor of a supported element type.
      - (C2) `initial_value` is a graph initializer that suits the element type,
        or elements of `type`.
      - (C3) only float variables are trainable.

    Example: `graph.variable @fc1.bias : tensor<30xf32> = #graph.zeros trainable`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, AnyAttr:$initial_value,
                       UnitAttr:$trainable, UnitAttr:$optimizer_state, UnitAttr:$internal);
  let assemblyFormat = [{
    $sym_name `:` $type `=` $initial_value (`trainable` $trainable^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getType());
    }
  }];
}
def Graph_GetOp : Graph_Op<"get", [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "The current value of a variable";
  let description = [{
    Constraints:
      - (C1) `variable` names a graph.variable of the result type.

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
      - (C1) `variable` names a graph.variable of the operand type.

    Example: `graph.set @fc1.weight, %w : tensor<30x2xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Graph_Tensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Graph_TrainOp : Graph_Op<"train", [Symbol, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A training step: loss, gradients, optimizer update";
  let description = [{
    Becomes a function of the loss function's arguments that returns its results
    and updates every trainable variable that the loss reaches. Modes left open
    in the loss function mean training.

    The variables of a `#graph.param_group` are updated by its optimizer instead.
    `clip_norm` scales all gradients by `min(1, clip_norm / (norm + 1e-6))`, where
    `norm` is the root of the sum of their squares, in f32 (f64 if a parameter
    is); `clip_value` clamps each element to `[-clip_value, clip_value]`. (As
    torch.nn.utils.clip_grad_norm_ and clip_grad_value_.)

    Constraints:
      - (C1) `loss` names a function whose first result is a rank-0 float tensor.
      - (C2) `optimizer` and those of `groups` implement OptimizerAttrInterface.
      - (C3) `groups` are `#graph.param_group`s of float variables, none of which
        is given twice.
      - (C4) `clip_norm` and `clip_value` are above 0; at most one is given.

    Example: `graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>) clip_norm(1.0)`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$loss,
                       AnyAttr:$optimizer, OptionalAttr<ArrayAttr>:$groups,
                       OptionalAttr<F64Attr>:$clip_norm,
                       OptionalAttr<F64Attr>:$clip_value,
                       OptionalAttr<FlatSymbolRefAttr>:$specializes);
  let assemblyFormat = [{
    $sym_name `loss` `(` $loss `)` `optimizer` `(` $optimizer `)`
    (`groups` `(` $groups^ `)`)? (`clip_norm` `(` $clip_norm^ `)`)?
    (`clip_value` `(` $clip_value^ `)`)?
    (`specializes` `(` $specializes^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}
def Graph_GradOp : Graph_Op<"grad", [Symbol, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A function that returns a loss and its gradients";
  let description = [{
    Sugar for a public function around graph.value_and_grad, in evaluation mode
    unless `mode = #graph<mode train>` is given.

    Constraints:
      - (C1) `function` names a function whose first result is a rank-0 float tensor.
      - (C2) `variables` name float variables; `inputs` are numbers of float arguments.
      - (C3) at least one gradient is asked for, none twice.

    Example: `graph.grad @dloss of @loss wrt(@fc1.weight, @fc1.bias)`
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
    %l, %dx, %dw = graph.value_and_grad @loss(%x, %y) wrt(@w) inputs = [0]
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

def Graph_ForOp : Graph_Op<"for", [SingleBlockImplicitTerminator<"::graphc::graph::YieldOp">,
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
    ParentOneOf<["ForOp", "FusedOp"]>]> {
  let summary = "Ends the body of graph.for or graph.fused";
  let description = "Example: `graph.yield %x : tensor<4xf32>`";
  let arguments = (ins Variadic<Graph_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
}

#endif // GRAPHC_GRAPH_STATE_TD

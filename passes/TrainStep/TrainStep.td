// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def TrainStep : Pass<"train-step", "::mlir::ModuleOp"> {
  let summary = "Turn graph.train and graph.grad into functions";
  let description = [{
    A graph.train becomes a public function of the loss function's arguments
    that returns its results. The body is one graph.value_and_grad with respect
    to every trainable variable that the loss reaches, then each variable's
    update by the optimizer of its group, on clipped gradients. The step keeps its
    state in variables marked `optimizer_state`: `@<step>.lr`, a tensor<f32> (f64
    if a parameter is) that the host may set at any time; `@<step>.group<k>.lr`
    for each group that starts with another learning rate;
    `@<step>.<variable>.<state>` for each state of the optimizer; `@<step>.step`,
    the number of finished steps, if an optimizer needs it. A step that
    specializes another shares all of these.

    A graph.grad becomes a public function around one graph.value_and_grad.

    A trainable variable that no step of the module reaches is a warning.

    With `amp` every op of the update carries `graph.precision = f32`, so that mixed
    precision leaves it alone, and so does every op of PyTorch's f32 list, from which
    Autodiff hands it to the gradient. With `amp=f16` the loss is scaled, wholly in the step:
    `@<step>.loss_scale`, 65536 at first, is doubled after 2000 good steps in a row
    (`@<step>.good_steps`) and halved by one whose gradients are not all finite, which
    changes nothing else: parameters, the optimizer's state, what the loss sets and
    `@<step>.step` stay as they are. `@<step>.attempts` counts both. Gradients are
    unscaled before they are clipped. (As torch.amp.GradScaler.)

    - Expects: what import leaves: loss functions without calls.
    - Ensures: no graph.train and no graph.grad; the functions made are marked
      `graph.kind = "train"` and `"grad"`, and specialisations
      `graph.family = "<name of the first>"`; a function that draws random
      numbers counts its step in `@graphc.rng_key`.
    - Preserves: all other functions.

    @example test/passes/TrainStep/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect",
                           "::mlir::func::FuncDialect"];
  let options = [
    Option<"amp", "amp", "std::string", /*default=*/"\"\"",
           "The type of the mixed precision that follows: bf16, f16 or none">,
  ];
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tutorial's six training losses and the logits after them, in the
# interpreter, are those of PyTorch; from another seed they are not.
#
# REQUIRES: graph-interpret
# RUN: graph-opt --import --train-step --autodiff --promote-state %S/Inputs/tutorial_mlp.mlir -o %t.mlir
# RUN: graph-opt --canonicalize --cse %t.mlir -o %t.clean.mlir
# RUN: %python %s %S/Inputs/tutorial_training.json %t.mlir 123 | FileCheck %s
# RUN: %python %s %S/Inputs/tutorial_training.json %t.clean.mlir 123 | FileCheck %s
# RUN: not %python %s %S/Inputs/tutorial_training.json %t.mlir 124 | FileCheck %s --check-prefix=OTHER
#
# CHECK-COUNT-10: ok
# CHECK:          10 of 10 agree
# OTHER-COUNT-6:  miss
# OTHER:          0 of 10 agree

import json
import re
import subprocess
import sys


def interpret(model, seed, function, arguments, state_in, state_out):
    """The numbers of the first result."""
    command = ["graph-interpret", model, f"--function={function}", f"--seed={seed}"]
    command += [f"--input={argument}" for argument in arguments]
    if state_in:
        command.append(f"--state-in={state_in}")
    if state_out:
        command.append(f"--state-out={state_out}")
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [float(x) for x in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", text.split(">", 1)[1])]


def main():
    gold_path, model, seed = sys.argv[1:]
    with open(gold_path) as file:
        gold = json.load(file)
    x, y = gold["x_train"], gold["y_train"]
    agreed = total = 0

    def compare(what, got, expected):
        nonlocal agreed, total
        ok = abs(got - expected) <= 1e-5 * max(1.0, abs(expected))
        print(f"{what}: expected {expected:.8f}, got {got:.8f} {'ok' if ok else 'miss'}")
        agreed += ok
        total += 1

    state = None
    for number, step in enumerate(gold["steps"]):
        rows = [x[i] for i in step["indices"]]
        labels = [y[i] for i in step["indices"]]
        arguments = [f"dense<{rows}> : tensor<2x2xf32>", f"dense<{labels}> : tensor<2xi64>"]
        following = f"{model}.{seed}.{number}.safetensors"
        loss = interpret(model, seed, "step", arguments, state, following)[0]
        compare(f"loss {number}", loss, step["loss"])
        state = following
    logits = interpret(model, seed, "forward", [f"dense<{x[:2]}> : tensor<2x2xf32>"], state, None)
    for number, (got, expected) in enumerate(zip(logits, sum(gold["logits_after"][:2], []))):
        compare(f"logit {number}", got, expected)
    print(f"{agreed} of {total} agree")
    return 0 if agreed == total else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %source_root %t
"""Each op of the table computes in the type of its class, forwards and backwards.

Operands are what products give, so that they are bf16 under --amp, or arguments,
which are f32. The ops are those of the examples in docs/ops.md.
"""
import csv
import os
import re
import subprocess
import sys

root, scratch = sys.argv[1:]
sys.path.insert(0, os.path.join(root, "test/dialects/Graph"))
import examples  # noqa: E402

PRODUCTS = {"linear", "dot_general", "conv", "conv_transpose", "conv_weight_grad", "attention", "attention_grad"}
# Which only move or choose elements, whatever they are asked to: or say their own type.
MOVES = {"broadcast", "reshape", "transpose", "slice", "reverse", "unfold", "pad", "concat", "select", "cast", "constant",
         "gather", "iota", "compare", "is_nan", "fold", "stop_gradient", "tril", "triu", "dynamic_slice", "dynamic_update_slice"}
# Give no float, or the op of a gradient.
NO_GRADIENT = {"stop_gradient", "attention_grad", "one_hot", "is_finite", "is_nan", "compare"}
# Operands beyond these may be wider than what the op computes in.
DATA = {"linear": 2, "conv": 2, "conv_transpose": 2, "attention": 3, "batch_norm": 1}

with open(os.path.join(root, "passes/Amp/autocast.csv"), encoding="utf-8") as file:
    classes = {row["op"]: row["class"] for row in csv.DictReader(file) if row["op"] != "-"}
with open(os.path.join(root, "docs/ops.md"), encoding="utf-8") as file:
    page = file.read()


def product(name, source, type):
    return (f"{name} = graph.dot_general {source}, %one batching = [] x [] contracting = [] x [] : "
            f"{type}, tensor<f32> -> {type}")


def cases():
    """(op, arguments as (name, type), lines, results as (name, type))"""
    for section in re.split(r"^### ", page, flags=re.M)[1:]:
        op = section.split("\n", 1)[0].removeprefix("graph.")
        if op not in classes or op in ("constant", "cast", "is_training"):
            continue
        for inline, block in re.findall(r"Example: `([^`]*)`|```mlir\n(.*?)```", section, re.S):
            lines = examples.module((inline or block).strip())
            head = next(line for line in lines if line.startswith("func.func"))
            arguments = re.findall(r"(%\w+): (tensor<[^>]*>)", head)
            body = lines[lines.index(head) + 1 : -2]
            yield op, arguments, body
            break


def function(op, arguments, body, low):
    """The example, with those float arguments that `low` chooses as low values."""
    inner = []
    for k, (name, type) in enumerate(arguments):
        if type.endswith(("xf32>", "<f32>")) and low(k):
            # The second product reads it too: it is in memory, and rounded.
            inner += [product(name, name + "_in", type), product(name + "_b", name, type)]
            arguments = arguments[:k] + [(name + "_in", type)] + arguments[k + 1 :]
    head = ", ".join(f"{name}: {type}" for name, type in arguments + [("%one", "tensor<f32>")])
    return [f"// {op}", f"func.func @example({head}) {{"] + inner + body + ["return", "}"]


def run(modules, *options):
    with open(scratch, "w", encoding="utf-8") as file:
        file.write("\n// -----\n".join("\n".join(lines) for lines in modules))
    done = subprocess.run(["graph-opt", "--split-input-file", "--mlir-print-op-generic", scratch, *options],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr[:4000])
    return done.stdout.split("// -----")


def elements(text):
    return re.findall(r"tensor<(?:\d+x)*(bf16|f32|f16|f64)>", text)


def types_of(op, text):
    """Element types of the float operands and results of the op, in order."""
    found = re.findall(rf'"graph\.{op}"\(.*?\)(?: <\{{.*\}}>)? : \((.*)\) -> (.*)', text)
    assert len(found) == 1, (op, found, text)
    return elements(found[0][0]), elements(found[0][1])


everything = list(cases())
assert len(everything) >= 75, len(everything)
checked, failures = 0, []


def expect(op, what, got, want):
    global checked
    checked += 1
    if any(type != want for type in got):
        failures.append(f"{op}: {what}: expects {want}, but got {got}")


# ---- Forwards: all operands low, then only the first, then none -------------------------

ways = {"low": lambda k: True, "mixed": lambda k: k == 0, "f32": lambda k: False}
for way, low in ways.items():
    outputs = run([function(*case, low) for case in everything], "--amp")
    for (op, arguments, _), text in zip(everything, outputs):
        if op == "dot_general":
            text = text.replace('() : ', '')
            found = [m for m in re.findall(r'"graph\.dot_general"\(.*\) <\{(.*)\}> : \((.*)\) -> (.*)', text)
                     if "lhs_contracting = array<i64: 1>" in m[0]]
            assert len(found) == 1, text
            operands, results = elements(found[0][1]), elements(found[0][2])
        else:
            operands, results = types_of(op, text)
        if "f64" in operands + results:
            continue
        count = DATA.get(op, len(operands))
        # What no float goes into is f32; a value that nothing reads is stored.
        kind = classes[op]
        is_low = kind == "low" or (kind == "follow" and operands and way != "f32") or (
            kind == "widest" and operands and (way == "low" or (way == "mixed" and len(operands) == 1)))
        if op == "select" and way == "mixed":
            is_low = False  # operand 0 is the condition
        want = "bf16" if is_low else "f32"
        expect(op, f"operands, {way}", operands[:count], want)
        expect(op, f"results, {way}", results[:1] if op == "batch_norm" else results, want)

# ---- Backwards: the ops of its gradient ------------------------------------------------

modules, names = [], []
for op, arguments, body in everything:
    result = re.match(r"(%\w+)", body[0])
    signature = re.findall(r"tensor<[^>]*>", " ".join(body).split(" -> ")[-1])
    floats = [k for k, (_, type) in enumerate(arguments) if type.endswith(("xf32>", "<f32>"))]
    type = signature[0]
    if not result or not floats or not type.endswith(("xf32>", "<f32>")) or op in NO_GRADIENT:
        continue
    text = " ".join(body)
    if op in ("dropout", "batch_norm"):
        body = [line.replace(" p = 0.5", " p = 0.5 mode = train") for line in body]
    lines = function(op, arguments, body, lambda k: True)
    rank = len(type[7:].split("x")) - 1
    # Squared, so that the cotangent is no constant.
    lines[1] = lines[1].replace("@example", "@loss").replace(") {", ") -> tensor<f32> {")
    lines[-2:] = [f"%sq_ = graph.mul {result[1]}, {result[1]} : {type}",
                  f"%l_ = graph.reduce_sum %sq_ axes = {list(range(rank))} : {type} -> tensor<f32>",
                  "return %l_ : tensor<f32>", "}"]
    lines.append(f"graph.grad @grads of @loss inputs = {floats} {{mode = #graph<mode train>}}")
    modules.append(lines)
    names.append(op)
outputs = run(modules, "--import", "--train-step=amp=bf16", "--autodiff", "--promote-state", "--canonicalize", "--cse", "--amp",
              "--verify-phase=phase=amp", "--mlir-print-debuginfo")
for op, text in zip(names, outputs):
    locs = {name: loc for name, loc in re.findall(r'^(#loc\d*) = loc\("gradient of graph\.(\w+)"', text, re.M)}
    of = [(name, types) for name, types, loc in re.findall(r'"graph\.(\w+)"\(.*?\)(?: <\{.*\}>)?(?: \{.*\})? : (\(.*\) -> .*) loc\((#loc\d*)\)', text)
          if locs.get(loc) == op]
    if classes[op] == "low":
        products = [elements(types.split(" -> ")[0]) for name, types in of if name in PRODUCTS]
        if not products:
            failures.append(f"{op}: no product in its gradient: {of}")
        for got in products:
            expect(op, "products of its gradient", got, "bf16")
    elif classes[op] == "wide":
        arithmetic = [elements(types) for name, types in of if name not in MOVES]
        for got in arithmetic:
            expect(op, "arithmetic of its gradient", got, "f32")

print(checked, "types of", len(everything), "ops,", len(names), "gradients")
if failures:
    sys.exit("\n".join(failures))
assert checked > 400, checked

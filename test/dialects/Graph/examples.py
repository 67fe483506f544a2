# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %source_root/docs/ops.md > %t.mlir
# RUN: graph-opt --split-input-file %t.mlir -o /dev/null
"""Every op of docs/ops.md has an example, and every example parses.

Prints one module for each example: operands that the example leaves open become
arguments of the type that its own type list gives them.
"""
import re
import sys

# What module-level examples refer to, unless they define it.
PRELUDE = {
    "@clip": """func.func private @clip(%x: tensor<4xf32>) -> tensor<4xf32> {
return %x : tensor<4xf32>
}""",
    "@clip_vjp": """func.func private @clip_vjp(%x: tensor<4xf32>, %y: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
return %g : tensor<4xf32>
}""",
    "@fc1.weight": "graph.variable @fc1.weight : tensor<30x2xf32> = #graph.zeros trainable",
    "@fc1.bias": "graph.variable @fc1.bias : tensor<30xf32> = #graph.zeros trainable",
    "@fc2.bias": "graph.variable @fc2.bias : tensor<2xf32> = #graph.zeros trainable",
    "@w": "graph.variable @w : tensor<30x2xf32> = #graph.zeros trainable",
    "@loss": "func.func private @loss(tensor<8x2xf32>, tensor<8xi64>) -> tensor<f32>",
}
TENSOR = r"tensor<[^>]*>"


def element_type(tensor):
    return re.split(r"x(?=[a-z])|<", tensor)[-1].rstrip(">")


def operand_types(text, operands):
    """The type of each operand of an op, by the type list after the colon."""
    op = re.search(r"graph\.(\w+)", text).group(1)
    head, _, signature = text.rpartition(" : ") if " : " in text else (text, "", "")
    types = re.findall(TENSOR, signature.split("->")[0])
    shape = re.match(r"tensor<((?:\d+x)*)", types[0]).group(1) if types else ""
    if op == "select":
        return [f"tensor<{shape}i1>"] + types * 2
    if op == "pad":
        return [types[0], f"tensor<{element_type(types[0])}>"]
    if op == "random_uniform":
        return ["tensor<3xi64>"]
    return types * len(operands) if len(types) == 1 else types


def module(example):
    if example.startswith("#graph.param_group"):
        example = f"graph.train @step loss(@loss) optimizer(#graph.adamw) groups([{example}])"
    elif example.startswith(("#graph.sgd", "#graph.adam")):
        example = f"graph.train @step loss(@loss) optimizer({example})"
    elif example.startswith("#graph.panels"):
        example = f"graph.variable @v : tensor<64x3xf32> = #graph.zeros layout({example.removeprefix('#graph.panels')})"
    elif example.startswith("#"):
        element = "i64" if example == "#graph.seed" else "f32"
        example = f"graph.variable @v : tensor<3x{element}> = {example}"
    symbols = set(re.findall(r"@[\w.]+", example))
    defined = set(re.findall(r"graph\.(?:variable|train|grad) (@[\w.]+)", example))
    lines = [text for symbol, text in PRELUDE.items() if symbol in symbols - defined]
    if re.match(r"graph\.(variable|train|grad)\b", example):
        return lines + [example]
    # Names that the example does not define itself, in order; the region ops'
    # bindings are `%inner = %outer`.
    results = re.match(r"((?:%\w+(?:, )?)+) = ", example)
    own = set(re.findall(r"%\w+", results.group(1))) if results else set()
    own |= set(re.findall(r"(%\w+) = (?:%|\d|graph)", example))
    open_names = []
    first = re.split(r" \{\n", example)[0]
    for name in re.findall(r"%\w+", first):
        if name not in own and name not in open_names:
            open_names.append(name)
    types = operand_types(" ".join(first.split()), open_names)
    if "graph.dynamic_" in first:  # Starts have no type in the text.
        tensors = 2 if "update" in first else 1
        types = types[:tensors] + ["tensor<i64>"] * (len(open_names) - tensors)
    assert len(types) >= len(open_names), example
    arguments = ", ".join(f"{name}: {type}" for name, type in zip(open_names, types))
    if "graph.checkpoint" in example or "graph.precision" in example:
        return ["func.func @example(%x: tensor<4xf32>) {", example, "return", "}"]
    if example.startswith("graph.yield"):
        return [f"func.func @example({arguments}) {{", "graph.fused(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {",
                example.replace("%x", "%a"), "}", "return", "}"]
    return lines + [f"func.func @example({arguments}) {{", example, "return", "}"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    modules, sections = [], re.split(r"^### ", page, flags=re.M)[1:]
    for section in sections:
        name = section.split("\n", 1)[0]
        found = re.findall(r"Example: `([^`]*)`|```mlir\n(.*?)```", section, re.S)
        examples = [(inline or block).strip() for inline, block in found]
        assert any(name in example for example in examples), f"{name} has no example"
        modules += ["\n".join([f"// {name}"] + module(example)) for example in examples]
    assert len(modules) >= 70, len(modules)
    print("\n// -----\n".join(modules))


if __name__ == "__main__":
    main()

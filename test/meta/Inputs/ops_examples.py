# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ops_examples.py <ops.md> <graph-opt>: parses and verifies all that the page shows.

Each section has an example of what it is about. What an example uses and does not
define is made an argument, of the type that graph-opt says it needs.
"""
import re
import subprocess
import sys

# What the examples refer to.
PRELUDE = """
graph.variable @fc1.weight : tensor<30x2xf32> = #graph.zeros trainable
graph.variable @fc1.bias : tensor<30xf32> = #graph.zeros trainable
func.func private @loss(%x: tensor<8x2xf32>, %y: tensor<8xi64>) -> tensor<f32> {
  %w = graph.get @fc1.weight : tensor<30x2xf32>
  %b = graph.get @fc1.bias : tensor<30xf32>
  %h = graph.linear %x, %w, %b : tensor<8x2xf32>, tensor<30x2xf32>, tensor<30xf32> -> tensor<8x30xf32>
  %l = graph.cross_entropy %h, %y : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @clip(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @clip_vjp(%x: tensor<4xf32>, %y: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  return %g : tensor<4xf32>
}
"""
MODULE_OPS = ("graph.train ", "graph.grad ")
YIELD = "graph.for %i = 1 carry(%c = %x) : tensor<4xf32> {\n%TEXT\n}"


class Example:
    def __init__(self, title, text):
        self.title, self.text = title, text
        self.types = {}
        if not text.startswith(MODULE_OPS + ("graph.variable ", "#")):
            results = ", ".join(re.findall(r"^\s*(%.*) = graph\.", text, re.M)).split(", ")
            defined = results + re.findall(r"(%\w+) =", text)
            self.types = {name: "none" for name in re.findall(r"%\w+", text) if name not in defined}

    def module(self):
        if self.text.startswith("#"):
            return "module attributes {test.x = " + self.text + "} {}"
        if self.text.startswith("graph.variable "):
            return self.text
        if self.text.startswith(MODULE_OPS):
            return PRELUDE + self.text
        body = YIELD.replace("%TEXT", self.text) if self.text.startswith("graph.yield") else self.text
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.types.items())
        return PRELUDE + f"func.func @example({arguments}) {{\n{body}\nreturn\n}}"


def read(path):
    with open(path, encoding="utf-8") as file:
        sections = re.split(r"^### ", file.read(), flags=re.M)[1:]
    examples, holes = [], []
    for section in sections:
        title, text = section.split("\n", 1)
        text = re.split(r"^## ", text, flags=re.M)[0]
        # An attribute with its fields is whole wherever it stands.
        snippets = re.findall(r"`(#graph\.\w+<[^`]*>)`", text.partition("Example:")[0])
        example = re.search(r"(?:^|\. )Example:(?:\n\n```mlir\n((?s:.*?))^```| ((?:.+\n)+))", text, re.M)
        if example:
            code, sentence = example.groups()
            snippets += [code] if code else re.findall(r"`((?:%|#?graph\.)[^`]*)`", sentence)
        if not any(re.search(re.escape(title) + r"\b", snippet) for snippet in snippets):
            holes.append(f"{title}: no example")
        examples += [Example(title, snippet) for snippet in snippets]
    return len(sections), examples, holes


def parse(examples, tool):
    """Returns the first error of each example, by its number."""
    separator = "\n// -----\n"
    text, first = "", []
    for example in examples:
        first.append(text.count("\n") + 1)
        text += example.module() + separator
    run = subprocess.run([tool, "--split-input-file", "-"], input=text, capture_output=True, text=True)
    errors = {}
    for line, message in re.findall(r"^within split at <stdin>:(\d+) offset .*: error: (.*)$", run.stderr, re.M):
        number = max(k for k, start in enumerate(first) if start <= int(line) + 1)
        errors.setdefault(number, message)
    if run.returncode and not errors:
        sys.exit(run.stderr)
    return errors


def wrong_defaults(path, tool):
    """The attributes whose fields are not what `Defaults:` says."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"Defaults: `((#graph\.\w+<lr = [0-9.]+)[^`]*>)`", file.read())
    text = "\n// -----\n".join(f"module attributes {{test.a = {all}, test.b = {first}>}} {{}}" for all, first in found)
    run = subprocess.run([tool, "--split-input-file", "-"], input=text, capture_output=True, text=True)
    printed = re.findall(r"test.a = (.*), test.b = (.*)}", run.stdout)
    if run.returncode:
        return []  # One does not parse, which has been found above.
    if len(printed) != len(found):
        sys.exit(run.stdout)
    return [f"{given} is not {default}" for given, default in printed if given != default]


def main():
    count, examples, holes = read(sys.argv[1])
    while True:
        errors = parse(examples, sys.argv[2])
        learnt = False
        for number, message in errors.items():
            wrong = re.match(r"use of value '(%\w+)' expects different type than prior uses: '(.*)' vs 'none'", message)
            if wrong:
                examples[number].types[wrong[1]] = wrong[2]
                learnt = True
        if not learnt:
            break
    for number, message in errors.items():
        holes.append(f"{examples[number].title}: {message}\n{examples[number].text}")
    holes += wrong_defaults(sys.argv[1], sys.argv[2])
    print("\n".join(holes))
    print(f"{count} sections, {len(examples)} examples, {len(holes)} of them wrong")
    sys.exit(1 if holes else 0)


if __name__ == "__main__":
    main()

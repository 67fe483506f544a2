#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the room of a new op, in every place that an op needs.

  tools/dev/new_op.py Square square      graph.square, family Square

What it makes builds and passes its tests: an elementwise op of floats that
gives x * x. Then change, in this order: the definition (formula, constraints,
types), the interpreter, the decomposition, the derivative, the tests.
docs/extending.md goes through them.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

FILES = {
    "dialects/Graph/IR/Graph{family}.td": """// {licence}
// What the ops of this family are about.
#ifndef GRAPHC_GRAPH_{upper}_TD
#define GRAPHC_GRAPH_{upper}_TD

include "dialects/Graph/IR/GraphAttrs.td"

def Graph_{cpp} : Graph_Op<"{op}", [Pure, SameOperandsAndResultType, Graph_Elementwise,
                                        Graph_Composite, Graph_Follow]> {{
  let summary = "Square: x * x";
  let description = [{{
    f16 and bf16 compute in f32 and round once.

    Example: `%y = graph.{op} %x : tensor<4xf32>`
  }}];
  let arguments = (ins Graph_FloatTensor:$input);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}}

#endif // GRAPHC_GRAPH_{upper}_TD
""",
    "dialects/Graph/IR/Decompose{family}.cpp": """// {licence}
// The ops of this family in terms of primitives.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

llvm::SmallVector<Value> {cpp}::decompose(OpBuilder &builder) {{
  Emit e{{builder, getLoc()}};
  Value x = e.widen(getInput());
  return {{e.cast(e.op<MulOp>(x, x), elementTypeOf(getResult()))}};
}}
""",
    "lib/Interpreter/{family}.cpp": """// {licence}
// The ops of this family by their textbook formulas.

#include "lib/Interpreter/Ops.h"

using namespace mlir;

namespace graphc::interpreter {{

void add{family}(OpTable &table) {{
  table.add<graph::{cpp}>(mapFloats([](double x) {{ return x * x; }}));
}}

}} // namespace graphc::interpreter
""",
    "passes/Autodiff/Rules/{family}.cpp": """// {licence}
// Derivatives of the ops of this family.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

static LogicalResult {rule}Rule({cpp} op, Rule &r) {{
  Value x = r.operand(0);
  r.give(0, r.mulNoNan(r.cotangent(), r.add(x, x)));
  return success();
}}

void graphc::attach{family}Rules(MLIRContext *context) {{
  attachRule<{cpp}, {rule}Rule>(context);
}}
""",
    "test/dialects/Graph/{op}.mlir": """// RUN: graph-opt %s | graph-opt | FileCheck %s
// RUN: graph-opt --decompose-composites %s | FileCheck %s --check-prefix=PRIMITIVES

// It prints and reads back, and has a decomposition.

// CHECK-LABEL: func @{op}
// PRIMITIVES-LABEL: func @{op}
func.func @{op}(%x: tensor<4xf32>) -> tensor<4xf32> {{
  // CHECK: graph.{op} %{{{{.*}}}} : tensor<4xf32>
  // PRIMITIVES: graph.mul
  %y = graph.{op} %x : tensor<4xf32>
  return %y : tensor<4xf32>
}}
""",
    "test/interpret/{op}.mlir": """// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @{op}
func.func @{op}() -> tensor<3xf32> {{
  %x = graph.constant dense<[-2.0, 0.0, 3.0]> : tensor<3xf32>
  // CHECK: result 0 : tensor<3xf32> [4, 0, 9]
  %y = graph.{op} %x : tensor<3xf32>
  return %y : tensor<3xf32>
}}
""",
}

# File, the line before which a line goes, the line.
LINES = [
    ("dialects/Graph/IR/GraphOps.td", 'include "dialects/Graph/IR/GraphState.td"', 'include "dialects/Graph/IR/Graph{family}.td"'),
    ("dialects/Graph/IR/CMakeLists.txt", "  Elementwise.cpp", "  Decompose{family}.cpp"),
    ("lib/Interpreter/CMakeLists.txt", "  Shape.cpp", "  {family}.cpp"),
    ("lib/Interpreter/Ops.h", "void addRandom(OpTable &table);", "void add{family}(OpTable &table);"),
    ("lib/Interpreter/OpTable.cpp", "  addRandom(*this);", "  add{family}(*this);"),
    ("passes/Autodiff/CMakeLists.txt", "  Rules/Shape.cpp", "  Rules/{family}.cpp"),
    ("passes/Autodiff/Rules/Rule.h", "void attachShapeRules(mlir::MLIRContext *context);",
     "void attach{family}Rules(mlir::MLIRContext *context);"),
    ("passes/Autodiff/Rules/Rule.cpp", "    attachShapeRules(context);", "    attach{family}Rules(context);"),
    ("passes/Amp/autocast.csv", "neg,neg,follow,none", "-,{op},follow,none"),
    ("test/unit/Autodiff/Cases.cpp", '      unary("neg"),', '      unary("{op}"),'),
]  # fmt: skip


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
        file.write(text)
    print(path)


def main():
    if (len(sys.argv) != 3 or not re.fullmatch(r"[A-Z][A-Za-z0-9]*", sys.argv[1])
            or not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", sys.argv[2])):  # fmt: skip
        sys.exit(__doc__)
    family, op = sys.argv[1:]
    cpp = "".join(part.capitalize() for part in op.split("_")) + "Op"
    names = {"family": family, "op": op, "cpp": cpp, "rule": cpp[0].lower() + cpp[1:-2],
             "upper": family.upper(), "licence": LICENCE}  # fmt: skip
    for path in FILES:
        path = path.format(**names)
        if os.path.exists(os.path.join(ROOT, path)):
            sys.exit(f"new_op.py: {path} is there already; add the op to it by hand")
    texts = {path: read(path) for path, _, _ in LINES}
    for path, before, line in LINES:
        marker = "\n" + before + "\n"
        if texts[path].count(marker) != 1:
            sys.exit(f"new_op.py: expects the line '{before}' once in {path}")
        texts[path] = texts[path].replace(marker, "\n" + line.format(**names) + marker)
    for path, text in FILES.items():
        write(path.format(**names), text.format(**names))
    for path, text in texts.items():
        write(path, text)
    print("now: tools/dev/gen_ops_doc.py && cmake --preset default && ninja -C build graph-opt graph-interpret AutodiffTests\n"
          f"     build/bin/lit -v test/dialects/Graph/{op}.mlir test/interpret/{op}.mlir")  # fmt: skip


if __name__ == "__main__":
    main()

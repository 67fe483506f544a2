# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s orders > %t/orders.mlir
# RUN: graph-opt %t/orders.mlir -o %t/printed.mlir && graph-opt %t/printed.mlir | cmp - %t/printed.mlir
# RUN: %python %s check %t/printed.mlir | FileCheck %s
# RUN: %python %s wrong > %t/wrong.mlir
# RUN: graph-opt --split-input-file --verify-diagnostics %t/wrong.mlir
#
# CHECK: 6 ops, 154 orders
"""Optional clauses stand in any order and are printed in one; a clause that is
there twice, or without its value, is an error."""
import itertools
import re
import sys

T = "tensor<2x4x8xf32>"
GROUP = "[#graph.param_group<[@w], #graph.adam>]"
# Each op's text before its clauses, the clauses in the order in which they are
# printed, and the text after them.
OPS = [
    ("graph.train @NAME loss(@loss) optimizer(#graph.adam)",
     [f"groups({GROUP})", "clip_norm(2.5)", "accumulate(3)", "weighted", "specializes(@first)"], ""),
    ("graph.train @NAME loss(@loss) optimizer(#graph.adam)", ["clip_value(2.5)", "accumulate(3)"], ""),
    ("graph.grad @NAME of @loss", ["wrt(@w)", "inputs = [0]"], ""),
    ('%NAME = graph.custom "host"(%x)', ["pure", "vjp(@vjp)", "reference(@reference)", "flops = 7"], f" : ({T}) -> {T}"),
    ("%NAME = graph.attention %x, %x, %x", ["causal", "scale = 0.5"], f" : {T}, {T}, {T} -> {T}"),
    ("%NAME:4 = graph.value_and_grad @loss(%x)", ["wrt(@w)", "inputs = [0]"],
     f" : ({T}) -> (tensor<f32>, tensor<f32>, {T}, {T})"),
    ("%NAME = graph.dropout %x key %k p = 0.5", ["op_id = 9", "mode = train"], f" : {T}"),
]  # fmt: skip
PRELUDE = f"""graph.variable @w : {T} = #graph.zeros trainable
func.func @loss(%x: {T}) -> (tensor<f32>, tensor<f32>) {{
  %w = graph.get @w : {T}
  %l = graph.mse_loss %x, %w : {T}, {T} -> tensor<f32>
  return %l, %l : tensor<f32>, tensor<f32>
}}
func.func @reference(%x: {T}) -> {T} {{ return %x : {T} }}
func.func @vjp(%x: {T}, %y: {T}, %g: {T}) -> {T} {{ return %g : {T} }}
graph.train @first loss(@loss) optimizer(#graph.adam)
"""


def module(lines):
    """The lines where they may stand: results have to be in a function."""
    inside = [line for line in lines if line.startswith("%")]
    outside = [line for line in lines if not line.startswith("%")]
    return PRELUDE + "\n".join([*outside, f"func.func @f(%x: {T}, %k: tensor<3xi64>) {{", *inside, "return", "}"]) + "\n"


def line(op, clauses, name):
    before, _, after = op
    return before.replace("NAME", name) + " " + " ".join(clauses) + after


def orders():
    """(op, its clauses in one order) for each order."""
    return [(op, clauses) for op in OPS for clauses in itertools.permutations(op[1])]


def wrong():
    for op in OPS:
        for clause in op[1]:
            word = re.match(r"\w+", clause).group()
            twice = "expects one clause " + word if "grad" in op[0] else f"`{word}` clause can appear at most once"
            modules = [(twice, [clause, clause])]
            if word not in ("pure", "causal", "weighted"):
                modules.append(("expected|expects", [re.sub(r"\(.*\)|(?<== ).*", lambda m: "()" if "(" in m[0] else "", clause)]))
            for message, clauses in modules:
                bad = line(op, clauses, "bad")
                yield module([bad]).replace(bad, f"// expected-error-re @+1 {{{{{{{{{message}}}}}}}}}\n{bad}")


if sys.argv[1] == "orders":
    print(module([line(op, clauses, f"n{k}") for k, (op, clauses) in enumerate(orders())]))
elif sys.argv[1] == "wrong":
    print("// -----\n".join(wrong()))
else:
    with open(sys.argv[2], encoding="utf-8") as file:
        printed = [re.sub(r"^%\w+(:\d)?|@n\d+", "", text.strip()) for text in file]
    for op in OPS:
        word = re.search(r"graph\.\w+", op[0]).group()
        same = [text for text in printed if word in text and re.match(r"\w+", op[1][0]).group() in text]
        assert len(same) == len(list(itertools.permutations(op[1]))) and len(set(same)) == 1, set(same)
        places = [same[0].index(" " + re.match(r"\w+", clause).group()) for clause in op[1]]
        assert places == sorted(places), same[0]
    print(f"{len({re.search('graph.[a-z_]+', op[0]).group() for op in OPS})} ops, {len(orders())} orders")

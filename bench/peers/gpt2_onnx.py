# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workload (v) as an ONNX model, node by node, with the weights inside."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from common import TRANSFORMERS

OPSET = 20  # The first with Gelu.


class Graph:
    def __init__(self):
        self.nodes, self.weights = [], {}

    def weight(self, name, array):
        if name not in self.weights:
            self.weights[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def op(self, kind, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def split(self, x, parts, axis):
        names = [f"v{len(self.nodes)}.{k}" for k in range(parts)]
        self.nodes.append(helper.make_node("Split", [x], names, axis=axis, num_outputs=parts))
        return names


def gpt2(state, count, time):
    graph = Graph()
    heads, layers = TRANSFORMERS["v"]["heads"], TRANSFORMERS["v"]["layers"]
    vocabulary, width = state["wte"].shape

    def dense(x, name):
        # Transposed here, so that no run has to.
        product = graph.op("MatMul", x, graph.weight(name + ".weight", state[name + ".weight"].T))
        return graph.op("Add", product, graph.weight(name + ".bias", state[name + ".bias"]))

    def norm(x, name):
        return graph.op("LayerNormalization", x, graph.weight(name + ".weight", state[name + ".weight"]),
                        graph.weight(name + ".bias", state[name + ".bias"]), axis=-1, epsilon=1e-5)

    def shape(name, sizes):
        return graph.weight(name, np.array(sizes, np.int64))

    apart = shape("apart", [count, time, heads, width // heads])
    together = shape("together", [count, time, width])
    scale = graph.weight("scale", np.float32((width // heads) ** -0.5))
    future = graph.weight("future", np.where(np.tri(time, dtype=bool), 0, -np.inf).astype(np.float32))
    x = graph.op("Gather", graph.weight("wte", state["wte"]), "tokens", axis=0)
    x = graph.op("Add", x, graph.weight("wpe", state["wpe"][:time]))
    for layer in range(layers):
        at = f"blocks.{layer}."
        q, k, v = (graph.op("Reshape", part, apart)
                   for part in graph.split(dense(norm(x, at + "ln1"), at + "qkv"), 3, 2))
        q = graph.op("Transpose", q, perm=[0, 2, 1, 3])
        k = graph.op("Transpose", k, perm=[0, 2, 3, 1])
        v = graph.op("Transpose", v, perm=[0, 2, 1, 3])
        scores = graph.op("Add", graph.op("Mul", graph.op("MatMul", q, k), scale), future)
        mixed = graph.op("MatMul", graph.op("Softmax", scores, axis=-1), v)
        mixed = graph.op("Reshape", graph.op("Transpose", mixed, perm=[0, 2, 1, 3]), together)
        x = graph.op("Add", x, dense(mixed, at + "out"))
        up = graph.op("Gelu", dense(norm(x, at + "ln2"), at + "up"), approximate="tanh")
        x = graph.op("Add", x, dense(up, at + "down"))
    head = graph.weight("head", state["wte"].T)
    graph.nodes.append(helper.make_node("MatMul", [norm(x, "norm"), head], ["logits"]))
    return helper.make_model(
        helper.make_graph(
            graph.nodes, "gpt2",
            [helper.make_tensor_value_info("tokens", TensorProto.INT64, [count, time])],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [count, time, vocabulary])],
            list(graph.weights.values())),
        opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def parameters_of(state):
    return sum(array.size for array in state.values())


def save(path, state, tokens):
    model = gpt2(state, *tokens.shape)
    onnx.save(model, path)
    return path

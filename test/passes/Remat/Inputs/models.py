# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that keep much for their backward pass, as text."""


def tensor(*sizes, of="f32"):
    return "tensor<" + "".join(f"{size}x" for size in sizes) + of + ">"


class Model:
    def __init__(self, name):
        self.name, self.variables, self.lines, self.count = name, [], [], 0

    def op(self, text, *types):
        """Adds `text`, whose result has the last of `types`."""
        self.count += 1
        self.lines.append(f"    %v{self.count} = graph.{text}")
        return f"%v{self.count}"

    def variable(self, name, shape, initial="#graph.normal<0.0, 0.05>"):
        self.variables.append(f"  graph.variable @{name} : {tensor(*shape)} = {initial} trainable")
        return self.op(f"get @{name} : {tensor(*shape)}")

    def linear(self, name, x, shape, width):
        w, b = self.variable(name + ".w", (width, shape[-1])), self.variable(name + ".b", (width,), "#graph.zeros")
        out = shape[:-1] + (width,)
        types = f"{tensor(*shape)}, {tensor(width, shape[-1])}, {tensor(width)} -> {tensor(*out)}"
        return self.op(f"linear {x}, {w}, {b} : {types}")

    def norm(self, name, x, shape):
        w, b = self.variable(name + ".w", shape[-1:], "#graph.constant<1.0>"), self.variable(name + ".b", shape[-1:], "#graph.zeros")
        last = tensor(shape[-1])
        return self.op(f"layer_norm {x}, {w}, {b} normalized_rank = 1 eps = 1.0e-05 : {tensor(*shape)}, {last}, {last}")

    def text(self, arguments, loss, optimizer="#graph.sgd<lr = 0.01>", grad=False):
        body = "\n".join(self.lines)
        train = f"  graph.train @step loss(@loss) optimizer({optimizer})"
        return "\n".join([f"module @{self.name} {{"] + self.variables + [
            f"  func.func private @loss({arguments}) -> tensor<f32> {{", body, f"    return {loss} : tensor<f32>", "  }", train, "}", ""])


def transformer(layers=12, width=256, heads=8, time=256, batch=8, vocabulary=256):
    """Tokens to the next ones: GPT's blocks."""
    model = Model("transformer")
    shape, depth = (batch, time, width), width // heads
    wte, wpe = model.variable("wte", (vocabulary, width)), model.variable("wpe", (time, width))
    tokens = tensor(batch, time, of="i64")
    x = model.op(f"embedding {wte}, %tokens : {tensor(vocabulary, width)}, {tokens} -> {tensor(*shape)}")
    places = model.op(f"broadcast {wpe} dims = [1, 2] : {tensor(time, width)} -> {tensor(*shape)}")
    x = model.op(f"add {x}, {places} : {tensor(*shape)}")
    for layer in range(layers):
        name = f"h{layer}"
        all = model.linear(name + ".qkv", model.norm(name + ".ln1", x, shape), shape, 3 * width)
        parts = []
        split, last = (batch, time, heads, depth), (batch, heads, time, depth)
        for k in range(3):
            part = model.op(f"slice {all} starts = [0, 0, {k * width}] limits = [{batch}, {time}, {(k + 1) * width}] strides = [1, 1, 1]"
                            f" : {tensor(batch, time, 3 * width)} -> {tensor(*shape)}")
            part = model.op(f"reshape {part} : {tensor(*shape)} -> {tensor(*split)}")
            parts.append(model.op(f"transpose {part} permutation = [0, 2, 1, 3] : {tensor(*split)} -> {tensor(*last)}"))
        y = model.op(f"attention {', '.join(parts)} causal : {', '.join([tensor(*last)] * 3)} -> {tensor(*last)}")
        y = model.op(f"transpose {y} permutation = [0, 2, 1, 3] : {tensor(*last)} -> {tensor(*split)}")
        y = model.op(f"reshape {y} : {tensor(*split)} -> {tensor(*shape)}")
        x = model.op(f"add {x}, {model.linear(name + '.out', y, shape, width)} : {tensor(*shape)}")
        up = model.linear(name + ".up", model.norm(name + ".ln2", x, shape), shape, 4 * width)
        up = model.op(f"gelu {up} approximate = tanh : {tensor(batch, time, 4 * width)}")
        down = model.linear(name + ".down", up, (batch, time, 4 * width), width)
        x = model.op(f"add {x}, {down} : {tensor(*shape)}")
    logits = model.linear("head", model.norm("norm", x, shape), shape, vocabulary)
    rows = batch * time
    logits = model.op(f"reshape {logits} : {tensor(batch, time, vocabulary)} -> {tensor(rows, vocabulary)}")
    next = model.op(f"reshape %next : {tokens} -> {tensor(rows, of='i64')}")
    loss = model.op(f"cross_entropy {logits}, {next} : {tensor(rows, vocabulary)}, {tensor(rows, of='i64')} -> tensor<f32>")
    return model.text(f"%tokens: {tokens}, %next: {tokens}", loss)


def mlp(layers=6, width=64, batch=128, activation="tanh"):
    model = Model("mlp")
    shape, x = (batch, width), "%x"
    for layer in range(layers):
        x = model.op(f"{activation} {model.linear(f'fc{layer}', x, shape, width)} : {tensor(*shape)}")
    loss = model.op(f"reduce_mean {x} axes = [0, 1] : {tensor(*shape)} -> tensor<f32>")
    return model.text(f"%x: {tensor(*shape)}", loss)


def checkpointed(regions=True, width=64, wide=512, batch=256):
    """Three layers, of which the first two are heavy and in graph.checkpoint."""
    model = Model("checkpointed")
    shape, x = (batch, width), "%x"
    for layer in range(2):
        opens = len(model.lines)
        name = f"heavy{layer}"
        y = x
        for k in range(3):
            y = model.linear(f"{name}.up{k}", y, shape, wide)
            y = model.op(f"gelu {y} : {tensor(batch, wide)}")
            y = model.linear(f"{name}.down{k}", y, (batch, wide), width)
        inner = model.lines[opens:]
        if regions:
            model.count += 1
            x = f"%v{model.count}"
            model.lines[opens:] = ([f"    {x} = graph.checkpoint : {tensor(*shape)} {{"] + ["  " + line for line in inner] +
                                   [f"      graph.yield {y} : {tensor(*shape)}", "    }"])
        else:
            x = y
    x = model.op(f"tanh {model.linear('last', x, shape, width)} : {tensor(*shape)}")
    loss = model.op(f"reduce_mean {x} axes = [0, 1] : {tensor(*shape)} -> tensor<f32>")
    return model.text(f"%x: {tensor(*shape)}", loss)


if __name__ == "__main__":
    import sys
    name, arguments = sys.argv[1], dict(word.split("=") for word in sys.argv[2:])
    print({"transformer": transformer, "mlp": mlp, "checkpointed": checkpointed}[name](**{k: int(v) for k, v in arguments.items()}))

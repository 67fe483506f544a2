# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""regions.py FOLDER FAMILY...: functions of many ops give the bits of their ops,
each in a kernel of its own, at every level and with any number of threads.

Each is compiled twice: as it is, and with --opt-bisect-limit=0, which fuses
nothing. Of what the ops read, nothing is read later, so that results may lie in
the same memory.
"""
import math
import random
import sys

from harness import Harness, draw, levels, parse_type, read_npy, run, tensor, write_npy
from conformance import SIZES

THREADS = (1, 2, 3, 4, 7)


class Region:
    """Ops, (name, text); all else has a name and a type."""

    def __init__(self, name):
        self.name, self.inputs, self.ops, self.results, self.types = name, [], [], [], {}

    def input(self, shape, dtype="f32"):
        name = f"%x{len(self.inputs)}"
        self.types[name] = tensor(shape, dtype)
        self.inputs.append(name)
        return name

    def op(self, text, shape, dtype="f32"):
        name = f"%v{len(self.ops)}"
        self.types[name] = tensor(shape, dtype)
        self.ops.append((name, text))
        return name

    def shape(self, name):
        return parse_type(self.types[name])[0]

    def dtype(self, name):
        return parse_type(self.types[name])[1]

    def apply(self, op, *operands):
        """An elementwise op whose operands and result are of one type."""
        t = self.types[operands[0]]
        return self.op(f"{op} {', '.join(operands)} : {t}", *parse_type(t))

    def reduce(self, op, x, axes):
        out = [d for k, d in enumerate(self.shape(x)) if k not in axes]
        return self.op(f"{op} {x} axes = {axes} : {self.types[x]} -> {tensor(out, self.dtype(x))}", out, self.dtype(x))

    def spread(self, x, shape, dims):
        to = tensor(shape, self.dtype(x))
        return self.op(f"broadcast {x} dims = {dims} : {self.types[x]} -> {to}", shape, self.dtype(x))

    def result(self, *names):
        self.results += [n for n in dict.fromkeys(names) if n not in self.results]

    def text(self):
        arguments = ", ".join(f"%a{k}: {self.types[n]}" for k, n in enumerate(self.inputs))
        # Values of the function's own.
        ops = [(n, f"neg %a{k} : {self.types[n]}") for k, n in enumerate(self.inputs)] + self.ops
        lines = [f"  {name} = graph.{text}" for name, text in ops]
        types = ", ".join(self.types[r] for r in self.results)
        lines.append(f"  return {', '.join(self.results)} : {types}")
        return f"func.func @{self.name}({arguments}) -> ({types}) {{\n" + "\n".join(lines) + "\n}\n"


def sizes():
    """Every reduction with elementwise ops around it, several results, at all
    sizes: of rows, of columns, of few and of enough rows for threads."""
    for n in SIZES:
        for shape, axis in (([3, n], 1), ([70, n], 1), ([n, 19], 0), ([2, n, 19], 1), ([n], 0)):
            if math.prod(shape) > 70 * 1025:
                continue
            r = Region("sizes_" + "x".join(map(str, shape)) + f"_{axis}")
            x, y = r.input(shape), r.input(shape)
            dims = [k for k in range(len(shape)) if k != axis]
            back = lambda v: r.spread(v, shape, dims)  # noqa: E731
            e = r.apply("exp", r.apply("sub", x, back(r.reduce("reduce_max", x, [axis]))))
            p = r.apply("div", e, back(r.reduce("reduce_sum", e, [axis])))
            g = r.apply("mul", p, y)
            s = r.reduce("reduce_sum", g, [axis])
            d = r.apply("sub", g, r.apply("mul", p, back(s)))
            low = r.reduce("reduce_min", d, [axis])
            r.result(p, d, s, r.apply("neg", s), low)
            if n:
                of = [shape[k] for k in dims]
                r.result(r.op(f"argmax {g} axis = {axis} : {r.types[g]} -> {tensor(of, 'i64')}", of, "i64"))
            yield r
    for n in SIZES:
        r = Region(f"update_{n}")
        p, m, v, g = (r.input([n]) for _ in range(4))
        m = r.apply("add", m, r.apply("mul", g, g))
        v = r.apply("maximum", v, r.apply("abs", g))
        r.result(m, v, r.apply("sub", p, r.apply("div", m, v)))
        yield r


def norms():
    """Layer norm and its gradients, all in one region."""
    for rows, n in ((4, 10), (64, 33), (65, 768), (130, 100), (200, 64), (3, 4100), (64, 4100)):
        shape = [rows, n]
        for dtype in ("f32", "f16"):
            r = Region(f"norms_{rows}x{n}_{dtype}")
            x, g, w = r.input(shape, dtype), r.input(shape, dtype), r.input([n], dtype)
            back = lambda v: r.spread(v, shape, [0])  # noqa: E731
            c = r.apply("sub", x, back(r.reduce("reduce_mean", x, [1])))
            scale = r.apply("rsqrt", r.apply("exp", r.reduce("reduce_mean", r.apply("mul", c, c), [1])))
            h = r.apply("mul", c, back(scale))
            gw = r.apply("mul", g, r.spread(w, shape, [1]))
            a = back(r.reduce("reduce_mean", gw, [1]))
            b = back(r.reduce("reduce_mean", r.apply("mul", gw, h), [1]))
            d = r.apply("mul", r.apply("sub", r.apply("sub", gw, a), r.apply("mul", h, b)), back(scale))
            gh = r.apply("mul", g, h)
            r.result(d, r.reduce("reduce_sum", gh, [0]), r.reduce("reduce_sum", g, [0]), h)
            yield r


def products():
    """What follows a product, stored with it: itself, an activation, a sum."""
    for m, k, n in ((5, 7, 9), (33, 17, 70), (64, 64, 64)):
        r = Region(f"products_{m}x{k}x{n}")
        a, b, c, old = r.input([m, k]), r.input([k, n]), r.input([n]), r.input([m, n])
        text = f"dot_general {a}, {b} batching = [] x [] contracting = [1] x [0] : "
        y = r.op(text + f"{r.types[a]}, {r.types[b]} -> {tensor([m, n], 'f32')}", [m, n])
        z = r.apply("add", y, r.spread(c, [m, n], [1]))
        u = r.apply("maximum", z, r.apply("neg", z))
        r.result(z, u, r.apply("add", u, old))
        t = r.op(f"transpose {u} permutation = [1, 0] : {r.types[u]} -> {tensor([n, m], 'f32')}", [n, m])
        r.result(r.apply("neg", t), r.reduce("reduce_sum", u, [0]))
        yield r
    # Epilogues that draw, choose and round, of a product and of a convolution.
    r = Region("products_long_epilogues")
    key = r.input([3], "i64")
    x, w, b = r.input([70, 33]), r.input([50, 33]), r.input([50])
    residual, image, weight = r.input([70, 50]), r.input([3, 17, 9, 10]), r.input([17, 17, 3, 3])
    y = r.op(f"linear {x}, {w}, {b} : {r.types[x]}, {r.types[w]}, {r.types[b]} -> {tensor([70, 50], 'f32')}", [70, 50])
    window = "strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1"
    c = r.op(f"conv {image}, {weight} {window} : {r.types[image]}, {r.types[weight]} -> {r.types[image]}", r.shape(image))
    for number, (value, other) in enumerate(((y, residual), (c, image))):
        h = r.apply("gelu", value)
        d = r.op(f"dropout {h} key {key} p = 0.3 op_id = {number + 7} mode = train : {r.types[h]}", r.shape(h))
        s = r.apply("add", d, other)
        low = r.op(f"cast {s} : {r.types[s]} -> {tensor(r.shape(s), 'bf16')}", r.shape(s), "bf16")
        up = r.op(f"cast {r.apply('relu', low)} : {r.types[low]} -> {r.types[s]}", r.shape(s))
        r.result(s, up)
    yield r
    # Parts of a product, in another order.
    r = Region("products_in_parts")
    x, w = r.input([24, 30]), r.input([36, 30])
    y = r.op(f"linear {x}, {w} : {r.types[x]}, {r.types[w]} -> {tensor([24, 36], 'f32')}", [24, 36])
    y = r.op(f"reshape {y} : {r.types[y]} -> {tensor([24, 3, 12], 'f32')}", [24, 3, 12])
    t = r.op(f"transpose {y} permutation = [1, 0, 2] : {r.types[y]} -> {tensor([3, 24, 12], 'f32')}", [3, 24, 12])
    parts = [r.op(f"slice {t} starts = [{k}, 0, 0] limits = [{k + 1}, 24, 12] strides = [1, 1, 1] : {r.types[t]} -> "
                  f"{tensor([1, 24, 12], 'f32')}", [1, 24, 12]) for k in range(3)]  # fmt: skip
    r.result(*parts, r.apply("exp", parts[0]),
             r.op(f"attention {', '.join(parts)} causal : {', '.join([r.types[parts[0]]] * 3)} -> {r.types[parts[0]]}", [1, 24, 12]))
    yield r
    # Two products, one for each phase of the stride, which store pieces.
    r = Region("products_in_pieces")
    x, w = r.input([3, 2, 4], "f64"), r.input([2, 3, 2], "f64")
    text = f"conv_transpose {x}, {w} strides = [2] low = [1] high = [0] dilation = [1] output_padding = [1] groups = 1 : "
    y = r.op(text + f"{r.types[x]}, {r.types[w]} -> {tensor([3, 3, 8], 'f64')}", [3, 3, 8], "f64")
    z = r.op(f"cast {y} : {r.types[y]} -> {tensor([3, 3, 8], 'f32')}", [3, 3, 8])
    r.result(y, z, r.reduce("reduce_sum", z, [0, 1, 2]))
    yield r


def random_region(rng, name):
    r = Region(name)
    shape = rng.choice(([3, 17], [70, 33], [64, 16], [5, 257], [2, 64, 20], [130, 8], [6, 5, 40], [64, 3, 32], [300]))
    values = [r.input(shape) for _ in range(rng.randint(1, 3))]
    rank = len(shape)
    some = [[shape[k]] for k in range(rank)]
    vectors = [(r.input(s), [k]) for k, s in enumerate(some) if rng.random() < 0.6]
    reduced = []
    for _ in range(rng.randint(3, 14)):
        kind = rng.random()
        x = rng.choice(values[-4:])
        if kind < 0.25:
            op = rng.choice(("neg", "abs", "exp", "tanh", "relu", "sigmoid"))
            values.append(r.apply(op, x))
        elif kind < 0.5:
            values.append(r.apply(rng.choice(("add", "sub", "mul", "maximum", "div")), x, rng.choice(values)))
        elif kind < 0.75:
            axes = sorted(rng.sample(range(rank), rng.randint(1, rank)))
            v = r.reduce(rng.choice(("reduce_sum", "reduce_max", "reduce_mean")), x, axes)
            if rng.random() < 0.4:
                v = r.apply("tanh", v)
            reduced.append(v)
            values.append(r.apply("sub", x, r.spread(v, shape, [k for k in range(rank) if k not in axes])))
        elif kind < 0.8 and vectors:
            v, dims = rng.choice(vectors)
            values.append(r.apply("mul", x, r.spread(v, shape, dims)))
        elif kind < 0.85:
            to = [math.prod(shape)] if rng.random() < 0.5 else [shape[0], math.prod(shape[1:])]
            y = r.op(f"reshape {x} : {r.types[x]} -> {tensor(to, 'f32')}", to)
            y = r.apply("tanh", y)
            if rng.random() < 0.5:
                reduced.append(y)
            values.append(r.op(f"reshape {y} : {r.types[y]} -> {tensor(shape, 'f32')}", shape))
        elif kind < 0.9:
            order = list(range(rank))
            rng.shuffle(order)
            to = [shape[k] for k in order]
            y = r.apply("exp", r.op(f"transpose {x} permutation = {order} : {r.types[x]} -> {tensor(to, 'f32')}", to))
            reduced.append(y)
            if rng.random() < 0.5:
                reduced.append(r.reduce("reduce_sum", y, [rng.randrange(rank)]))
        elif kind < 0.94:
            axis = rng.randrange(rank)
            values.append(r.op(f"{rng.choice(('softmax', 'log_softmax', 'cumsum'))} {x} axis = {axis} : {r.types[x]}", shape))
        elif kind < 0.97:
            axis = rng.randrange(rank)
            to = [d for k, d in enumerate(shape) if k != axis]
            reduced.append(r.op(f"argmin {x} axis = {axis} : {r.types[x]} -> {tensor(to, 'i64')}", to, "i64"))
        else:
            low = r.op(f"cast {x} : {r.types[x]} -> {tensor(shape, 'bf16')}", shape, "bf16")
            low = r.apply("mul", low, low)
            values.append(r.op(f"cast {low} : {tensor(shape, 'bf16')} -> {r.types[x]}", shape))
    made = [v for v in values + reduced if v.startswith("%v")]
    r.result(made[-1], *rng.sample(made, min(len(made), rng.randint(1, 5))))
    return r


def drawn():
    for seed in range(60):
        yield random_region(random.Random(seed), f"drawn_{seed}")


FAMILIES = {f.__name__: f for f in (sizes, norms, products, drawn)}


def check(folder, name, regions):
    harness = Harness(folder)
    model = harness.path(name + ".mlir")
    with open(model, "w") as file:
        file.write("\n".join(r.text() for r in regions))
    libraries, apart = {}, harness.path(name + "-apart.so")
    run(["graphc", model, f"--cpu={levels()[0]}", "--opt-bisect-limit=0", "-o", apart])
    for level in levels():
        libraries[level] = harness.path(f"{name}-{level}.so")
        run(["graphc", model, f"--cpu={level}", "-o", libraries[level]])
        harness.guard(level, libraries[level])
    elements = 0
    for number, r in enumerate(regions):
        inputs, rng = [], random.Random(number)
        for k, n in enumerate(r.inputs):
            shape, dtype = parse_type(r.types[n])
            how = "special" if rng.random() < 0.2 else (-3.0, 3.0)
            inputs.append(harness.path(f"in{k}.npy"))
            write_npy(inputs[k], shape, dtype, draw(rng, dtype, math.prod(shape), how))
        outputs = [harness.path(f"out{k}.npy") for k in range(len(r.results))]
        dtypes = [r.dtype(n) for n in r.results]

        def outcome(library, threads):
            run(["graph-run", library, f"--function={r.name}", f"--threads={threads}"]
                + ["--input=" + i for i in inputs] + ["--output=" + o for o in outputs])  # fmt: skip
            return [read_npy(o, d) for o, d in zip(outputs, dtypes)]

        want = outcome(apart, 1)
        elements += sum(map(len, want))
        for level, library in libraries.items():
            for threads in THREADS if level == levels()[-1] else (2,):
                got = outcome(library, threads)
                wrong = [n for n, a, b in zip(r.results, got, want) if repr(a) != repr(b)]
                if wrong:
                    harness.fail(r, f"{level} with {threads} threads: other bits of {wrong}")
    print(f"{len(regions)} regions, {elements} elements, {harness.failures} failures")
    return harness.failures


if __name__ == "__main__":
    folder, *names = sys.argv[1:]
    failures = 0
    for name in names:
        print(name, end=": ")
        failures += check(folder, name, list(FAMILIES[name]()))
    sys.exit(failures != 0)

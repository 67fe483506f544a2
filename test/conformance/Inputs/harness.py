# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares compiled functions with the reference interpreter.

A function is MLIR text with tensors in and out. Each CPU level that this machine
has is compiled by itself: all must give the same bits, and those the values of
the interpreter's declared mode, within each result's bound.
"""
import math
import os
import random
import re
import struct
import subprocess

# struct's letter, bytes, npy's name.
FORMATS = {
    "f64": ("d", 8, "<f8"), "f32": ("f", 4, "<f4"), "f16": ("e", 2, "<f2"),
    "i1": ("B", 1, "|b1"), "i8": ("b", 1, "|i1"), "ui8": ("B", 1, "|u1"),
    "i32": ("i", 4, "<i4"), "i64": ("q", 8, "<i8"),
}  # fmt: skip
EPSILON = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10}
SPECIAL_FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3e4, 1e-7, 6e-8, -1e-5,
                  math.inf, -math.inf, math.nan]  # fmt: skip
EXACT = ("ulp", 0)


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{d}x" for d in shape) + dtype + ">"


def parse_type(text):
    match = re.fullmatch(r"tensor<((?:\d+x)*)(\w+)>", text)
    return [int(d) for d in match.group(1).split("x") if d], match.group(2)


class Function:
    """`inputs` are (type, how to draw); `results` are (SSA name, type, bound).

    A bound is ("ulp", n), ("relative", r, smallest magnitude), ("sum", terms,
    number of the result that holds the sum of magnitudes) or ("scaled", r, number
    of the result that r is a multiple of).
    """

    def __init__(self, name):
        self.name, self.inputs, self.lines, self.results = name, [], [], []

    def input(self, shape, dtype, draw="special"):
        self.inputs.append((tensor(shape, dtype), draw))
        return f"%in{len(self.inputs) - 1}"

    def op(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = graph.{text}")
        return name

    def result(self, name, shape, dtype, bound=EXACT):
        self.results.append((name, tensor(shape, dtype), bound))
        return len(self.results) - 1

    def out(self, text, shape, dtype, bound=EXACT):
        return self.result(self.op(text), shape, dtype, bound)

    def text(self):
        arguments = ", ".join(f"%in{k}: {t}" for k, (t, _) in enumerate(self.inputs))
        names = ", ".join(r[0] for r in self.results)
        types = ", ".join(r[1] for r in self.results)
        body = "\n".join(self.lines)
        return f"func.func @{self.name}({arguments}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"


def draw(rng, dtype, count, how):
    """`how`: "special" mixes in zeros, infinities, extremes; (low, high)."""
    letter, size, _ = FORMATS[dtype]
    special = how == "special"
    if dtype == "i1":
        values = [rng.randrange(2) for _ in range(count)]
    elif letter in "dfe":
        low, high = (-4.0, 4.0) if special else how
        values = [rng.uniform(low, high) for _ in range(count)]
        if special:
            values = [rng.choice(SPECIAL_FLOATS) if rng.random() < 0.3 else v for v in values]
    else:
        bits = 8 * size
        low, high = (0, 2**bits - 1) if dtype == "ui8" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        edges = [v for v in (0, 1, 2, 3, low, high, high - 1, -1, -2) if low <= v <= high]
        if not special:
            low, high = how
        values = [rng.choice(edges) if special and rng.random() < 0.4 else rng.randint(low, high)
                  for _ in range(count)]  # fmt: skip
    return struct.pack(f"<{count}{letter}", *values)


def write_npy(path, shape, dtype, data):
    shape_text = "(" + "".join(f"{d}," for d in shape) + ")"
    header = f"{{'descr': '{FORMATS[dtype][2]}', 'fortran_order': False, 'shape': {shape_text}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read_npy(path, dtype):
    with open(path, "rb") as file:
        content = file.read()
    start = 10 + struct.unpack("<H", content[8:10])[0]
    letter, size, _ = FORMATS[dtype]
    return struct.unpack(f"<{(len(content) - start) // size}{letter}", content[start:])


def ordered(value, dtype):
    """Neighbouring floats are neighbouring integers."""
    if math.isinf(value) or dtype == "f64":
        form = {"f64": ("d", "q", 63), "f32": ("f", "i", 31), "f16": ("e", "h", 15)}[dtype]
    else:
        form = {"f32": ("f", "i", 31), "f16": ("e", "h", 15)}[dtype]
    bits = struct.unpack("<" + form[1], struct.pack("<" + form[0], value))[0]
    return bits if bits >= 0 else -(bits + 2 ** form[2])


def agrees(got, want, dtype, bound, magnitude):
    if got != got or want != want:
        return got != got and want != want
    if dtype not in EPSILON:
        return got == want
    if bound == EXACT:
        return got == want and math.copysign(1, got) == math.copysign(1, want)
    if got == want:
        return True
    if math.isinf(got) or math.isinf(want):
        return False
    if bound[0] == "ulp":
        return abs(ordered(got, dtype) - ordered(want, dtype)) <= bound[1]
    if bound[0] == "relative":
        return abs(got - want) <= bound[1] * max(abs(want), bound[2])
    if bound[0] == "scaled":
        return abs(got - want) <= bound[1] * magnitude
    return abs(got - want) <= (bound[1] / 64 + 8) * EPSILON[dtype] * magnitude


def levels():
    with open("/proc/cpuinfo") as file:
        flags = set(re.search(r"^flags\s*:(.*)$", file.read(), re.M).group(1).split())
    found = ["x86-64-v2"]
    if {"avx2", "fma", "f16c", "bmi2"} <= flags:
        found.append("x86-64-v3")
    if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags:
        found.append("x86-64-v4")
    return found


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")


class Harness:
    def __init__(self, folder, threads=(2,), seed=1):
        self.folder, self.threads, self.seed = folder, threads, seed
        self.compared = self.failures = 0
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def fail(self, function, text):
        self.failures += 1
        if self.failures <= 20:
            print(f"FAILED {function.name}: {text}")

    def check(self, functions):
        model = self.path("model.mlir")
        with open(model, "w") as file:
            file.write("\n".join(f.text() for f in functions))
        libraries = {}
        for level in levels():
            libraries[level] = self.path(level + ".so")
            run(["graphc", model, f"--cpu={level}", "-o", libraries[level]])
        for number, function in enumerate(functions):
            self.check_function(model, libraries, number, function)
        print(f"{len(functions)} functions, {self.compared} elements, {self.failures} failures")
        return self.failures

    def check_function(self, model, libraries, number, function):
        rng = random.Random(self.seed * 1000 + number)
        inputs = []
        for k, (type_text, how) in enumerate(function.inputs):
            shape, dtype = parse_type(type_text)
            path = self.path(f"in{k}.npy")
            write_npy(path, shape, dtype, draw(rng, dtype, math.prod(shape), how))
            inputs.append("--input=" + path)
        run(["graph-interpret", model, f"--function={function.name}", "--mode=declared",
             "--output=" + self.folder] + inputs)  # fmt: skip
        dtypes = [parse_type(r[1])[1] for r in function.results]
        wanted = [read_npy(self.path(f"{k}.npy"), d) for k, d in enumerate(dtypes)]
        first = None
        for level, library in libraries.items():
            for threads in self.threads:
                outputs = [self.path(f"out{k}.npy") for k in range(len(dtypes))]
                run(["graph-run", library, f"--function={function.name}", f"--threads={threads}"]
                    + inputs + ["--output=" + o for o in outputs])  # fmt: skip
                got = [read_npy(o, d) for o, d in zip(outputs, dtypes)]
                if first is None:
                    first = got
                    self.compare(function, got, wanted, dtypes)
                elif repr(got) != repr(first):
                    self.fail(function, f"{level} with {threads} threads gives other bits")

    def compare(self, function, got, wanted, dtypes):
        for k, (name, _, bound) in enumerate(function.results):
            if len(got[k]) != len(wanted[k]):
                self.fail(function, f"result {k} has {len(got[k])} elements")
                continue
            for i, (g, w) in enumerate(zip(got[k], wanted[k])):
                self.compared += 1
                magnitude = wanted[bound[2]][i] if bound[0] in ("sum", "scaled") else 0
                if not agrees(g, w, dtypes[k], bound, magnitude):
                    line = next((t for t in function.lines if t.startswith(f"  {name} =")), name)
                    self.fail(function, f"element {i}: got {g!r}, want {w!r}:{line}")
                    break

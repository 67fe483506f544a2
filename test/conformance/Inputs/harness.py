# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares compiled functions with the reference interpreter.

A function is MLIR text with tensors in and out. Each CPU level that this machine
has is compiled by itself: all must give the same bits, and those the values of
the interpreter's declared mode: bit for bit, or within the bound that
lib/Interpreter/Bounds.h documents for the op. All tensors of each library also
run flush against guard pages.
"""
import math
import os
import random
import re
import shutil
import struct
import subprocess

# struct's letter, bytes, npy's name.
FORMATS = {
    "f64": ("d", 8, "<f8"), "f32": ("f", 4, "<f4"), "f16": ("e", 2, "<f2"),
    "i1": ("B", 1, "|b1"), "i8": ("b", 1, "|i1"), "ui8": ("B", 1, "|u1"),
    "i32": ("i", 4, "<i4"), "i64": ("q", 8, "<i8"),
}  # fmt: skip
FLOATS = ["f64", "f32", "f16"]
SPECIAL_FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3e4, 1e-7, 6e-8, -1e-5,
                  math.inf, -math.inf, math.nan]  # fmt: skip
EXACT, BOUNDED = "exact", "bounded"


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{d}x" for d in shape) + dtype + ">"


def parse_type(text):
    match = re.fullmatch(r"tensor<((?:\d+x)*)(\w+)>", text)
    return [int(d) for d in match.group(1).split("x") if d], match.group(2)


class Function:
    """`inputs` are (type, how to draw); `results` are (SSA name, type, bound).

    A bound is EXACT or BOUNDED: by the op that gives the result.
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

    def ops(self, text, count):
        """An op with several results."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name}:{count} = graph.{text}")
        return [f"{name}#{k}" for k in range(count)]

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
    """`how`: "special" mixes in zeros, infinities, extremes; "near one" has
    either sign; "whole" numbers have exact products and sums; (low, high)."""
    letter, size, _ = FORMATS[dtype]
    special = how == "special"
    if how == "whole":
        values = [rng.randint(-8, 8) for _ in range(count)]
    elif dtype == "i1":
        values = [rng.randrange(2) for _ in range(count)]
    elif letter in "dfe":
        low, high = {"special": (-4.0, 4.0), "near one": (0.9, 1.1)}.get(how, how)
        values = [rng.uniform(low, high) for _ in range(count)]
        if special:
            values = [rng.choice(SPECIAL_FLOATS) if rng.random() < 0.3 else v for v in values]
        if how == "near one":
            values = [rng.choice((-1, 1)) * v for v in values]
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


def same(got, want, dtype):
    """The same bits, but any NaN is any other."""
    if got != got or want != want:
        return got != got and want != want
    return got == want and (dtype not in FLOATS or math.copysign(1, got) == math.copysign(1, want))


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
            self.guard(level, libraries[level])
        for number, function in enumerate(functions):
            self.check_function(model, libraries, number, function)
        print(f"{len(functions)} functions, {self.compared} elements, {self.failures} failures")
        return self.failures

    def guard(self, level, library):
        program = os.path.join(os.path.dirname(shutil.which("graphc")), "test", "guard-pages")
        done = subprocess.run([program, library], capture_output=True, text=True)
        if done.returncode:
            self.failures += 1
            print(f"FAILED on {level}: {done.stdout}{done.stderr}")

    def write_inputs(self, number, function):
        rng = random.Random(self.seed * 1000 + number)
        paths = []
        for k, (type_text, how) in enumerate(function.inputs):
            shape, dtype = parse_type(type_text)
            paths.append(self.path(f"in{k}.npy"))
            write_npy(paths[k], shape, dtype, draw(rng, dtype, math.prod(shape), how))
        return ["--input=" + path for path in paths]

    def check_function(self, model, libraries, number, function):
        inputs = self.write_inputs(number, function)
        dtypes = [parse_type(r[1])[1] for r in function.results]
        first = None
        for level, library in libraries.items():
            for threads in self.threads:
                name = "other" if first else "out"
                outputs = [self.path(f"{name}{k}.npy") for k in range(len(dtypes))]
                run(["graph-run", library, f"--function={function.name}", f"--threads={threads}"]
                    + inputs + ["--output=" + o for o in outputs])  # fmt: skip
                got = [read_npy(o, d) for o, d in zip(outputs, dtypes)]
                if first is None:
                    first = got
                elif repr(got) != repr(first):
                    self.fail(function, f"{level} with {threads} threads gives other bits")
        self.compare(model, function, inputs)

    def compare(self, model, function, inputs):
        """Holds out0.npy, out1.npy ... to the reference."""
        command = ["graph-interpret", model, f"--function={function.name}", "--mode=declared", "--op-bounds",
                   "--output=" + self.folder] + inputs  # fmt: skip
        command += ["--expect=" + self.path(f"out{k}.npy") for k in range(len(function.results))]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = re.findall(r"^result (\d+): (.*)$", done.stdout, re.M)
        if len(lines) != len(function.results):
            raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        for (number, verdict), (name, type_text, bound) in zip(lines, function.results):
            shape, dtype = parse_type(type_text)
            self.compared += math.prod(shape)
            where = next((t for t in function.lines if t.startswith(f"  {name} =")), name)
            if not verdict.startswith("equal"):
                self.fail(function, f"{verdict}:{where}")
            elif bound == EXACT:
                got, want = (read_npy(self.path(f"{p}{number}.npy"), dtype) for p in ("out", ""))
                wrong = [i for i in range(len(want)) if not same(got[i], want[i], dtype)]
                if wrong:
                    i = wrong[0]
                    self.fail(function, f"element {i}: got {got[i]!r}, want {want[i]!r}:{where}")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run
# With --strict-math each function is that of this machine's libm, bit for bit:
# f32 and f64 over special values and random ones; f16 and bf16 through f32; alone,
# in a kernel with others and at every level.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %S/Inputs
import ctypes
import itertools
import random
import struct
import sys

sys.path.insert(0, sys.argv[1])
from training import must  # noqa: E402

FUNCTIONS = {"exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "sin": "sin", "cos": "cos",
             "tanh": "tanh", "erf": "erf", "pow": "pow"}  # fmt: skip
CODES = {"f64": "d", "f32": "f", "f16": "e"}
FORMS = {"f64": "<f8", "f32": "<f4", "f16": "<f2", "bf16": "|V2"}
COUNT = 4099
libm = ctypes.CDLL("libm.so.6")


def call(name, kind, *arguments):
    function = getattr(libm, name + ("" if kind == "f64" else "f"))
    number = ctypes.c_double if kind == "f64" else ctypes.c_float
    function.restype, function.argtypes = number, [number] * len(arguments)
    return function(*arguments)


def pack(kind, value):
    """The bytes of `value` rounded to nearest even; any NaN is the same one."""
    if value != value:
        return b"nan"
    if kind == "bf16":
        (bits,) = struct.unpack("<I", struct.pack("<f", value))
        return struct.pack("<H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16)
    try:
        return struct.pack("<" + CODES[kind], value)
    except OverflowError:
        return struct.pack("<" + CODES[kind], float("inf") if value > 0 else -float("inf"))


def unpack(kind, data):
    if kind == "bf16":
        return [struct.unpack("<f", b"\0\0" + data[i : i + 2])[0] for i in range(0, len(data), 2)]
    return [value for (value,) in struct.iter_unpack("<" + CODES[kind], data)]


def raw(kind, value):
    packed = pack(kind, value)
    if packed != b"nan":
        return packed
    return b"\xc0\x7f" if kind == "bf16" else struct.pack("<" + CODES[kind], float("nan"))


def write(path, kind, values):
    header = repr({"descr": FORMS[kind], "fortran_order": False, "shape": (len(values),)})
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(b"".join(raw(kind, value) for value in values))


def read(path, kind):
    with open(path, "rb") as file:
        content = file.read()
    (size,) = struct.unpack_from("<H", content, 8)
    return unpack(kind, content[10 + size :])


def sample(kind, seed):
    rng = random.Random(seed)
    inf = float("inf")
    values = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, inf, -inf, float("nan"), 1e-40, -1e-40, 1e-310, 88.7, 88.8, -87.4,
              -103.9, -104.0, 709.7, 709.8, -745.1, -745.2, 1e10, -1e10, 3e38, 1e300, 22.0, 9.0, 1e-8]  # fmt: skip
    while len(values) < COUNT:
        draw = rng.random()
        if draw < 0.4:
            size = 8 if kind == "f64" else 4
            (value,) = struct.unpack("<d" if size == 8 else "<f", rng.randbytes(size))
        else:
            value = rng.uniform(-5, 5) if draw < 0.7 else rng.gauss(0, 40)
        values.append(value)
    if kind == "f64":
        return values
    values = [value for value in values if not 3.5e38 < abs(value) < inf]
    values += [rng.uniform(-20, 20) for _ in range(COUNT - len(values))]
    # As the type holds them.
    return unpack(kind, b"".join(raw(kind, value) for value in values))


def same(kind, got, expected):
    return [i for i, (a, b) in enumerate(zip(got, expected)) if pack(kind, a) != pack(kind, b)]


model, inputs, expected = "module @m {\n", {}, {}
for kind in FORMS:
    xs, ys = sample(kind, 1), sample(kind, 2)
    # Pairs of special values too.
    pairs = list(itertools.product(xs[:14], xs[:14]))
    ys = [y for _, y in pairs] + ys[len(pairs) :]
    px = [x for x, _ in pairs] + xs[len(pairs) :]
    wide = "f64" if kind == "f64" else "f32"
    tensor = f"tensor<{COUNT}x{kind}>"
    for name in FUNCTIONS:
        binary = name == "pow"
        function = f"{name}_{kind}"
        model += f"func.func @{function}(%x: {tensor}" + (f", %y: {tensor}" if binary else "") + f") -> {tensor} {{\n"
        model += f"  %r = graph.{name} %x" + (", %y" if binary else "") + f" : {tensor}\n  return %r : {tensor}\n}}\n"
        inputs[function] = [px, ys] if binary else [xs]
        results = [call(name, wide, *arguments) for arguments in zip(*inputs[function])]
        expected[function] = [value if value != value else unpack(kind, pack(kind, value))[0] for value in results]
    # Several in one kernel.
    function = f"chain_{kind}"
    model += f"func.func @{function}(%x: {tensor}) -> {tensor} {{\n  %a = graph.sin %x : {tensor}\n"
    model += f"  %b = graph.exp %a : {tensor}\n  %r = graph.tanh %b : {tensor}\n  return %r : {tensor}\n}}\n"
    inputs[function] = [xs]
    values = xs
    for name in ("sin", "exp", "tanh"):
        values = [unpack(kind, raw(kind, call(name, wide, value)))[0] for value in values]
    expected[function] = values
with open("model.mlir", "w") as file:
    file.write(model + "}\n")

for number, arguments in enumerate(inputs.values()):
    for index, values in enumerate(arguments):
        write(f"{number}.{index}.npy", list(inputs)[number].split("_")[1], values)


def run(*options):
    """How many elements of each function are not libm's."""
    must("graphc", "model.mlir", "-o", "model.so", *options)
    different = {}
    for number, (function, arguments) in enumerate(inputs.items()):
        kind = function.split("_")[1]
        given = [f"--input={number}.{index}.npy" for index in range(len(arguments))]
        must("graph-run", "model.so", f"--function={function}", *given, "--output=got.npy")
        wrong = same(kind, read("got.npy", kind), expected[function])
        different[function] = len(wrong)
        if wrong and "--strict-math" in options:
            shown = [[values[wrong[0]] for values in arguments], read("got.npy", kind)[wrong[0]], expected[function][wrong[0]]]
            sys.exit(f"{options}: {function}: {len(wrong)} of {COUNT} elements are not libm's, such as {shown}")
    return different


for options in ([], ["-O0"], ["--fuse=off"], ["--cpu=x86-64-v2"], ["-O3"]):
    run("--strict-math", *options)
undefined = must("nm", "-D", "--undefined-only", "model.so")
for symbol in ("expf@GLIBC_2.27", "pow@GLIBC_2.29", "tanhf@GLIBC_2.2.5"):
    if symbol not in undefined:
        sys.exit(f"{symbol} is not called: {undefined}")
# Our own functions are others, or this compares nothing.
own = run()
print(own)
if any(own[f"{name}_{kind}"] == 0 for name in FUNCTIONS for kind in ("f32", "f64") if name not in ("sin", "cos", "pow")):
    sys.exit("the functions without --strict-math are libm's")
if "exp" in must("nm", "-D", "--undefined-only", "model.so"):
    sys.exit("libm is called without --strict-math")

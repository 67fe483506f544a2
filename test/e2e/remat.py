# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A step has the same bits whatever is computed again: losses and state after
# three steps, for each rung of the ladder and for all that a budget chooses.
#
# RUN: %python %s %S/../passes/Remat/Inputs %t
import json
import os
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import models  # noqa: E402

work = sys.argv[2]
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)


def path(name):
    return os.path.join(work, name)


def run(*command, fails=False):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600)
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def write_npy(name, dtype, shape, values):
    header = repr({"descr": dtype, "fortran_order": False, "shape": tuple(shape)}) + "\n"
    header = " " * ((64 - (10 + len(header)) % 64) % 64) + header
    with open(path(name), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{'q' if dtype == '<i8' else 'f'}", *values))
    return path(name)


def inputs(text):
    """Some for @loss, by its arguments' types."""
    arguments = re.search(r"@loss\((.*?)\) ->", text).group(1)
    files = []
    for k, (sizes, kind) in enumerate(re.findall(r"tensor<((?:\d+x)*)(\w+)>", arguments)):
        shape = [int(size) for size in sizes.split("x")[:-1]]
        shape[0] *= 2 if "accumulate(2)" in text else 1
        count = 1
        for size in shape:
            count *= size
        if kind == "i64":
            files.append(write_npy(f"{k}.npy", "<i8", shape, [i * 7919 % 10 for i in range(count)]))
        else:
            files.append(write_npy(f"{k}.npy", "<f4", shape, [(i * 7919 % 1009) / 1009 - 0.3 for i in range(count)]))
    return files


def train(model, files):
    """The losses and the state after three steps."""
    state, losses = [], ""
    for step in range(3):
        command = ["graph-run", path(model), "--function=step", "--full", "--precision=9", "--save-state", path("state")]
        losses += run(*command, *state, *[word for file in files for word in ("--input", file)])
        state = ["--load-state", path("state")]
    return losses, open(path("state"), "rb").read()


def compile(name, *options, fails=False):
    return run("graphc", path("model.mlir"), "-o", path(name), "--report=json", "--report-file", path("report.json"),
               *options, fails=fails)  # fmt: skip


def step():
    """What the last report says of it: its memory and its launches."""
    functions = json.load(open(path("report.json")))["functions"]
    return [(f["arena_bytes"], f["activation_bytes"], f["launches"]) for f in functions if f["name"] == "step"][0]


CONV = """
graph.variable @w0 : tensor<8x3x3x3xf32> = #graph.normal<0.0, 0.2> trainable
graph.variable @w1 : tensor<8x8x3x3xf32> = #graph.normal<0.0, 0.2> trainable
graph.variable @g : tensor<8xf32> = #graph.constant<1.0> trainable
graph.variable @b : tensor<8xf32> = #graph.zeros trainable
graph.variable @w2 : tensor<10x8xf32> = #graph.normal<0.0, 0.2> trainable
func.func private @loss(%x: tensor<4x3x16x16xf32>, %y: tensor<4xi64>) -> tensor<f32> {
  %w0 = graph.get @w0 : tensor<8x3x3x3xf32>
  %w1 = graph.get @w1 : tensor<8x8x3x3xf32>
  %w2 = graph.get @w2 : tensor<10x8xf32>
  %c = graph.conv %x, %w0 strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<4x3x16x16xf32>, tensor<8x3x3x3xf32> -> tensor<4x8x16x16xf32>
  %r = graph.relu %c : tensor<4x8x16x16xf32>
  %d = graph.dropout %r p = 0.25 mode = train : tensor<4x8x16x16xf32>
  %e = graph.conv %d, %w1 strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<4x8x16x16xf32>, tensor<8x8x3x3xf32> -> tensor<4x8x16x16xf32>
  %s = graph.sigmoid %e : tensor<4x8x16x16xf32>
  %t = graph.reduce_max %s axes = [2, 3] : tensor<4x8x16x16xf32> -> tensor<4x8xf32>
  %z = graph.linear %t, %w2 : tensor<4x8xf32>, tensor<10x8xf32> -> tensor<4x10xf32>
  %l = graph.cross_entropy %z, %y : tensor<4x10xf32>, tensor<4xi64> -> tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.adam<lr = 0.01>)
"""
SMALL = dict(layers=4, width=64, heads=4, time=64, batch=2, vocabulary=32)
cases = {
    "transformer": models.transformer(**SMALL),
    "mlp": models.mlp(),
    "relu": models.mlp(activation="relu").replace("sgd<lr = 0.01>", "adam<lr = 0.01>"),
    "checkpointed": models.checkpointed(),
    "conv": CONV,
}
cases["accumulated"] = models.mlp().replace("#graph.sgd<lr = 0.01>)", "#graph.sgd<lr = 0.01>) accumulate(2)")
for name, text in cases.items():
    with open(path("model.mlir"), "w") as file:
        file.write(text)
    files = inputs(text)
    compile("off.so", "--remat=off")
    expected, sizes = train("off.so", files), [step()]
    for rung in (0, 1, 3, 6, 7):
        compile("remat.so", f"--remat={rung}")
        sizes.append(step())
        assert train("remat.so", files) == expected, (name, rung)
    print(name, sizes)
    kept, launches = [size[1] for size in sizes], [size[2] for size in sizes]
    assert min(kept) < kept[0] and max(launches) > launches[0], name

# What is printed is what is used, and that is within the budget, at 20 budgets.
with open(path("model.mlir"), "w") as file:
    file.write(cases["transformer"])
files = inputs(cases["transformer"])
compile("off.so", "--remat=off")
expected = train("off.so", files)
error = compile("budget.so", "--remat=auto", "--mem-budget=1000", fails=True)
least = int(re.search(r"smallest feasible budget is (\d+) bytes", error).group(1))
assert not os.path.exists(path("budget.so"))
compile("budget.so", "--remat=auto", f"--mem-budget={least - 1}", fails=True)
most = 2 * least
last, rungs = None, set()
for k in range(20):
    budget = most - (most - least) * k // 19
    said = compile("budget.so", "--remat=auto", f"--mem-budget={budget}")
    planned, rung = map(int, re.search(r"planned peak (\d+) bytes, remat rung (\d)", said).groups())
    told = run("graph-run", path("budget.so"), "--memory", "--function=step",
               *[word for file in files for word in ("--input", file)]).replace(",", "")  # fmt: skip
    measured = int(re.search(r"measured peak (\d+)", told).group(1))
    assert f"planned {planned} " in told, (planned, told)
    assert abs(measured - planned) <= 0.02 * planned and measured <= planned <= budget, (budget, told)
    assert last is None or planned <= last, "less memory, a larger peak"
    last = planned
    rungs.add(rung)
assert planned == least and len(rungs) >= 4, rungs
assert train("budget.so", files) == expected
print(least, sorted(rungs))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run, graph-interpret
# A step whose gradients overflow changes the loss scale and the counters, and not
# one bit of anything else; the compiled step and the interpreter agree on it.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %S/Inputs
import os
import shutil
import sys

inputs = sys.argv[1]
sys.path.insert(0, inputs)
from compare_state import read  # noqa: E402
from training import NPY, must, write  # noqa: E402

model = os.path.join(inputs, "amp.mlir")
COUNTERS = {"step.loss_scale", "step.good_steps", "step.attempts", "graphc.rng_key"}

x, y = write("x.npy", "<f4", "8,8"), write("y.npy", "<i8", "8")
with open("x.npy", "rb") as file:
    assert file.read(6) == b"\x93NUMPY"
# One element that f16 does not have: inf - inf in the batch norm.
values = [i * 7919 % 2003 / 1001.5 - 1 for i in range(64)]
values[5] = 1e9
must(sys.executable, NPY, "write", "inf.npy", "<f4", "8,8", *map(str, values))


def compiled(data, state, out):
    load = ["--load-state=" + state] if state else []
    must("graph-run", "model.so", "--function=step", "--input=" + data, "--input=" + y, *load, "--save-state=" + out)


def interpreted(data, state, out):
    load = ["--state-in=" + state] if state else []
    must("graph-interpret", "amp.mlir", "--function=step", "--input=" + data, "--input=" + y, *load, "--state-out=" + out)


must("graphc", model, "--amp=f16", "-o", "model.so")
must("graphc", model, "--amp=f16", "--emit=mlir", "--stop-after=amp", "-o", "amp.mlir")
finals = {}
for run in (compiled, interpreted):
    states = []
    for k, data in enumerate([x, x, "inf.npy", x, x]):
        out = f"{run.__name__}{k}.safetensors"
        run(data, f"{run.__name__}{k - 1}.safetensors" if k else "", out)
        states.append(read(out))
    before, after = states[1], states[2]
    assert set(before) > COUNTERS and len(before) >= 20, sorted(before)
    for name in before:
        # The bytes: NaN, or -0 for 0, would be a change.
        same = before[name] == after[name]
        if same == (name in COUNTERS):
            sys.exit(f"{run.__name__}: {name} {before[name][2][:8]} -> {after[name][2][:8]}")
    expected = [(65536.0, 1, 1, 1), (65536.0, 2, 2, 2), (32768.0, 0, 3, 2), (32768.0, 1, 4, 3), (32768.0, 2, 5, 4)]
    for state, want in zip(states, expected):
        got = tuple(state["step." + name][2][0] for name in ("loss_scale", "good_steps", "attempts", "step"))
        assert got == want, (run.__name__, got, want)
    # Good steps do train, and count the batches.
    changed = [name for name in states[3] if states[3][name] != states[4][name]]
    assert {"fc1.weight", "fc2.weight", "norm.running_var", "norm.batches", "step.fc1.weight.exp_avg"} <= set(changed), changed
    assert all(v == v and abs(v) < 1e6 for t in states[4].values() for v in t[2]), "not finite"
    finals[run.__name__] = states[4]

for name, (_, _, want) in finals["interpreted"].items():
    got = finals["compiled"][name][2]
    scale = max(map(abs, want)) or 1
    error = max(abs(a - b) for a, b in zip(got, want)) / scale
    # Adam's first steps are of the learning rate's size, whatever the gradient.
    if error > 2e-2:
        sys.exit(f"{name}: off by {error} of {scale}")

# The 2000th good step in a row doubles the scale.
shutil.copy("compiled4.safetensors", "start.safetensors")
must("graph-run", "model.so", "--load-state=start.safetensors", "--set=step.good_steps=1998", "--save-state=s.safetensors")
for scale, good in ((32768.0, 1999), (65536.0, 0), (65536.0, 1)):
    compiled(x, "s.safetensors", "s.safetensors")
    state = read("s.safetensors")
    assert (state["step.loss_scale"][2][0], state["step.good_steps"][2][0]) == (scale, good), (scale, good, state["step.loss_scale"])
print("ok")

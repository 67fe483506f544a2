# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is planned: the transformer of 12 layers keeps less than a fifth, two heavy
# layers of three in graph.checkpoint halve the activations, and these double with
# the batch and with the depth.
#
# RUN: %python %s %S/Inputs %t
import json
import os
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import models  # noqa: E402

work = sys.argv[2]
os.makedirs(work, exist_ok=True)


def plan(text, remat):
    """Arena and activations of the step."""
    model, report = os.path.join(work, "model.mlir"), os.path.join(work, "report.json")
    with open(model, "w") as file:
        file.write(text)
    subprocess.run(["graphc", model, f"--remat={remat}", "--emit=mlir", "-o", os.devnull, "--report=json",
                    "--report-file", report], check=True, timeout=300)  # fmt: skip
    step = [function for function in json.load(open(report))["functions"] if function["name"] == "step"][0]
    print(remat, step["arena_bytes"], step["activation_bytes"])
    return step["arena_bytes"], step["activation_bytes"]


def is_twice(more, less):
    return abs(more - 2 * less) <= 0.02 * 2 * less


text = models.transformer(layers=12, width=256, heads=8, time=256, batch=8)
whole, kept = plan(text, "off")
arena, activations = plan(text, "6")
assert activations * 5 <= kept, "activations"
assert arena * 5 <= whole, "all of the arena, gradients and workspace included"

whole, kept = plan(models.checkpointed(regions=False), "regions")
arena, activations = plan(models.checkpointed(), "regions")
assert plan(models.checkpointed(), "off") == (whole, kept), "regions are there to be used"
assert 0 < activations <= 0.5 * kept and arena < whole

sizes = dict(layers=4, width=128, heads=4, time=64, batch=4, vocabulary=64)
for remat in ("off", "1"):
    once = plan(models.transformer(**sizes), remat)[1]
    batch = plan(models.transformer(**dict(sizes, batch=8)), remat)[1]
    assert is_twice(batch, once), "batch"
    # What is neither before nor after the layers is a small part.
deep = [plan(models.transformer(**dict(sizes, layers=n, vocabulary=16)), "off")[1] for n in (8, 16)]
assert is_twice(deep[1], deep[0]), "depth"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kernels.py FOLDER ROOT LEAST [--all]: every kernel of the test suite's models and
of test/conformance through the CUDA printer and NVRTC. Prints a line for each
source and the sum, and fails if a kernel with a text does not compile or uses
local memory, or if fewer than LEAST compile. With --all that is one in SAMPLE
kernels, another one each day: all would take half an hour. The others are printed."""
import collections
import datetime
import os
import re
import shutil
import subprocess
import sys

folder, root, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.path.insert(0, os.path.join(root, "test/conformance/Inputs"))
import conformance
from tile import lower, run

PROGRAMS = os.path.join(os.path.dirname(shutil.which("graphc")), "test")
MODELS = ["test/dialects/Graph/mlp.mlir", "test/e2e/Inputs/mlp.mlir", "test/e2e/Inputs/tutorial_mlp.mlir",
          "test/e2e/Inputs/hazards.mlir", "test/e2e/Inputs/wide.mlir", "test/e2e/Inputs/block.mlir",
          "test/e2e/Inputs/lookup.mlir", "test/e2e/Inputs/convnet.mlir", "bench/toy_mlp/toy_mlp.mlir"]  # fmt: skip
EXAMPLES = {"digits": [], "gpt": ["--data=" + os.path.join(root, "LICENSE")], "names": []}
FAMILIES = conformance.FAMILIES
SAMPLE = 12 if "--all" in sys.argv else 1
CHOSEN = datetime.date.today().toordinal() % SAMPLE
if "--all" not in sys.argv:
    # A size of each kind; the work is NVRTC's, some 70 ms a kernel.
    conformance.SIZES = [1, 65, 4097]
    FAMILIES = {name: FAMILIES[name] for name in ("chain",)}


def sources():
    for model in MODELS:
        yield model, os.path.join(root, model)
    for example, options in EXAMPLES.items():
        path = os.path.join(folder, example + ".mlir")
        done = subprocess.run([os.path.join(PROGRAMS, "save-" + example), *options], capture_output=True, text=True,
                              env={**os.environ, "GRAPHC_SAVE_MODEL": path})  # fmt: skip
        if done.returncode:
            raise SystemExit(f"save-{example}: {done.stderr}")
        yield "examples/" + example, path
    for name, family in FAMILIES.items():
        path = os.path.join(folder, name + ".mlir")
        with open(path, "w") as file:
            file.write("\n".join(f.text() for f in family()))
        yield "conformance " + name, path


def main():
    os.makedirs(folder, exist_ok=True)
    print(f"sample: {CHOSEN}/{SAMPLE}")
    reasons, sums = collections.Counter(), collections.Counter()
    known = {}
    for name, path in sources():
        tile = os.path.join(folder, os.path.basename(path) + ".tile")
        lower(path, tile)
        done = subprocess.run([os.path.join(PROGRAMS, "cuda-kernels"), f"--sample={CHOSEN}/{SAMPLE}", tile], capture_output=True, text=True)
        lines = done.stdout.splitlines()
        if not lines or not re.search(r"\d+ kernels: ", lines[-1]):
            raise SystemExit(f"{name}: {done.returncode}\n{done.stdout}{done.stderr}")
        print(f"{name}: {lines[-1]}", flush=True)
        for line in lines:
            if line.startswith("error: "):
                print(line)
            if line.startswith("not yet: "):
                reasons[line.split(": ", 2)[2]] += 1
        for key, pattern in (("kernels", r"(\d+) kernels"), ("compiled", r"(\d+) compiled"), ("rows", r"(\d+) with rows"),
                             ("wide", r"(\d+) with loads"), ("not yet", r"(\d+) not yet"), ("printed only", r"(\d+) printed only"), ("failed", r"(\d+) failed")):
            sums[key] += int(re.search(pattern, lines[-1]).group(1))
    print("all: " + ", ".join(f"{count} {key}" for key, count in sums.items()))
    for reason, count in sorted(reasons.items()):
        print(f"not yet: {count} of {reason}")
    if sums["compiled"] < least:
        print(f"error: expects {least} kernels or more to compile, but {sums['compiled']} did")
    return 1 if sums["failed"] or sums["compiled"] < least else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, bench-worker, cuda-kernels
# Fusion takes no more memory: in no function of the examples and of the measured
# workloads is more of the arena in use at once than with one op a kernel, but for a
# hundredth of it, as Fuse knows no kernel's workspace. And it leaves fewer kernels
# than a third.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %build_root/bin %source_root
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
from training import must  # noqa: E402

folder, root = sys.argv[1:]


def models():
    """Names, with the model in the file model.mlir."""
    for example, options in (("digits", []), ("gpt", ["--data=" + os.path.join(root, "LICENSE")]), ("names", [])):
        program = os.path.join(folder, "test", "save-" + example)
        subprocess.run([program, *options], check=True, capture_output=True,
                       env={**os.environ, "GRAPHC_SAVE_MODEL": "model.mlir"})  # fmt: skip
        yield example
    for workload in ("toy-mlp", "mnist-mlp", "gpt-small", "resnet"):
        must(os.path.join(folder, "bench-workload-" + workload), "model.mlir")
        yield workload


failures = kernels = ops = 0
for name in models():
    functions = []
    for fuse in ("off", "on"):
        must("graphc", "model.mlir", "--emit=mlir", "--stop-after=plan", "-o", "plan.mlir", "--fuse=" + fuse,
             "--report=json", "--report-file=report.json")  # fmt: skip
        with open("report.json") as file:
            functions.append(json.load(file)["functions"])
    for apart, fused in zip(*functions, strict=True):
        rises = fused["live_bytes"] > 1.01 * apart["live_bytes"]
        print(f"{name} @{fused['name']}: {apart['launches']} kernels, {apart['live_bytes']} bytes; "
              f"fused {fused['launches']}, {fused['live_bytes']}{' RISES' if rises else ''}")
        failures += rises
        ops, kernels = ops + apart["launches"], kernels + fused["launches"]
sys.exit(failures != 0 or kernels > ops / 3)

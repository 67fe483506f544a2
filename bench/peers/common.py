# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the peers share: arguments, what to start from, and run.py's protocol.

  <peer>.py <workload> <threads> <folder> [option...]

`folder` holds state.safetensors and input<k>.npy, which bench-worker wrote. The
peer runs one step, prints a line of JSON about itself, then answers each line
`steps N` on standard input with the seconds that N steps took.
"""
import glob
import json
import os
import sys
import time

workload, threads, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
options = sys.argv[4:]
# Before any framework is imported.
for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = str(threads)

import numpy as np  # noqa: E402

# By the ids of the table.
TRANSFORMERS = {
    "iii": dict(heads=8, layers=4),
    "v": dict(heads=12, layers=12),
    "x": dict(heads=12, layers=12),
}


def read_state():
    """The parameters by name: what the file holds but optimizer state, learning rates and counters."""
    path = os.path.join(folder, "state.safetensors")
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size)
    state = {}
    for name, entry in header.items():
        if name == "__metadata__" or name.startswith("step.") or entry["dtype"] != "F32":
            continue
        begin, end = entry["data_offsets"]
        state[name] = np.array(data[begin:end].view(np.float32).reshape(entry["shape"]))
    return state


def read_inputs():
    return [np.load(path) for path in sorted(glob.glob(os.path.join(folder, "input*.npy")))]


def mark(array):
    """What tells one result of a forward pass from another: a root mean square, with weights by position."""
    flat = np.asarray(array, np.float64).ravel()
    return float(np.sqrt(np.mean(np.square(flat) * (1 + np.arange(flat.size) % 7))))


def serve(step, value, about, wait=lambda: None):
    """Answers run.py. `value()` turns the result of `step()` into a float; `wait()` ends what still runs after it."""
    print(json.dumps({"value": value(step()), **about}), flush=True)
    for line in sys.stdin:
        count = int(line.split()[1])
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(count):
            result = step()
        wait()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(json.dumps({"seconds": wall, "cpu_seconds": cpu, "value": value(result)}), flush=True)

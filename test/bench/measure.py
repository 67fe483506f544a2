# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %source_root
"""What bench/run.py computes from what it measured: FLOPs, medians, who agrees, who is best."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(sys.argv[1], "bench"))
from measure.rounds import summarize
from measure.table import disagreement, markdown
from measure.workloads import WORKLOADS, limit_ms

# As torch.utils.flop_counter.FlopCounterMode counts a step. For attention it counts one product more, as
# PyTorch's backward computes the scores again: 2 * tokens * time * width for each layer.
for name, counted, again in (("i", 8160, 0), ("ii", 205389824, 0), ("iii", 27648851968, 4 * 2 * 1024 * 128 * 256),
                             ("iv", 5089910784, 0), ("v", 32228179968, 0)):
    assert WORKLOADS[name].flops == counted - again, (name, WORKLOADS[name].flops)
assert WORKLOADS["x"].flops == 3 * WORKLOADS["v"].flops

# By arithmetic or by memory, whichever takes longer.
limits = {"fma_gflops": 100.0, "best_stream_gbs": 10.0}
assert limit_ms(WORKLOADS["v"], 1000, limits) == WORKLOADS["v"].flops / 1e8
assert limit_ms(WORKLOADS["i"], 10**6, limits) == 2 * 4 * 10**6 / 1e7
assert limit_ms(WORKLOADS["i"], 752, {"fma_gflops": 0.0, "best_stream_gbs": 0.0}) is None


def window(ms, others):
    return {"ms": ms, "cpu_ms": ms / 2, "others": others}


# Three quiet windows are enough, and then the others do not count.
quiet = summarize([window(1, 0), window(2, 0.01), window(3, 0.02), window(50, 1.0), window(60, 0.9)])
assert (quiet["ms"], quiet["is_noisy"], quiet["quiet_windows"], quiet["windows"]) == (2, False, 3, 5), quiet
assert quiet["spread"] == 1 and quiet["deviation_ms"] is None, quiet
steady = summarize([{**window(4, 0), "deviation_ms": d} for d in (0.1, 0.3, 0.2)])
assert (steady["spread"], steady["deviation_ms"]) == (0, 0.2), steady
noisy = summarize([window(1, 0), window(2, 0.01), window(30, 0.8), window(50, 1.0), window(60, 0.9)])
assert (noisy["ms"], noisy["is_noisy"], noisy["min_ms"]) == (30, True, 1), noisy

# Equal within the tolerance, by the worst of the steps.
assert disagreement([2.0, 1.0], [2.0, 1.00001], 1e-4)[1]
assert not disagreement([2.0, 1.0], [2.0, 1.001], 1e-4)[1]
assert not disagreement([2.0, 1.0], [2.001, 1.0], 1e-4)[1]
assert not disagreement([2.0, 1.0], [2.0, float("nan")], 1e-4)[1]

# How steady a step is stands in its row.
full = {"workload": "v", "threads": 2, "implementation": "graphc", "limit_share": 0.5, "gflops": 1.0, "ratio": None,
        "cpu_ratio": None, "peak_rss_bytes": 1, "compile_seconds": 1.0, "artifact_bytes": 1, "first_step_s": 1.0, **quiet}
names, _, cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown([full]).splitlines()]
assert len(names) == len(cells) and cells[names.index("spread")] == "100%", cells

# A skip has no number in its row.
row = markdown([{"workload": "v", "threads": 2, "implementation": "iree", "skipped": "no module 'iree'"}])
cells = [cell.strip() for cell in row.splitlines()[-1].strip("|").split("|")]
assert cells[:4] == ["v", "2", "iree", "skipped: no module 'iree'"] and not any(cells[4:]), row

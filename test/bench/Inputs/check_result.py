# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exits with 1 unless a file of `bench/run.py --workloads=i --threads=1 --peers= --rounds=2` holds every number."""
import json
import sys

with open(sys.argv[1]) as file:
    data = json.load(file)
assert data["format"] == 1, data["format"]
limits, = data["limits"]
assert limits["threads"] == 1 and {"fma_gflops", "read_gbs", "copy_gbs", "adamw_gbs", "best_stream_gbs"} <= set(limits)
result, = data["results"]
assert (result["workload"], result["threads"], result["implementation"]) == ("i", 1, "graphc"), result
for name in ("ms", "cpu_ms", "gflops", "peak_rss_bytes", "compile_seconds", "artifact_bytes", "first_step_s",
             "arena_bytes", "plan_entries", "parameter_bytes"):
    assert result[name] > 0, (name, result[name])
assert result["parameters"] == 752, result["parameters"]
assert result["others_load"] >= 0 and result["windows"] == 2 == len(result["all_windows"]), result
assert result["ratio"] is None, "there is nobody to compare with"
# Of the machine's limit where it could be measured.
assert (result["limit_share"] is None) == (limits["fma_gflops"] == 0), result["limit_share"]
first, second, third = result["values"]
assert first > second > third > 0, "the loss falls"
# The summary counts elementwise ops too.
assert result["flops"] == 8160 < result["summary_flops"], result["summary_flops"]
kernels = data["profiles"]["i"]
assert abs(sum(kernel["share"] for kernel in kernels) - 1) < 1e-6 and len(kernels) > 5, kernels

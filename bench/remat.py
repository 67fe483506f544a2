#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory and time of a transformer's training step for each rung of passes/Remat's ladder.

  bench/remat.py [--build build] [--layers 12] [--rounds 5] [--threads 1]

Rungs take turns, in rounds; times are the medians over rounds of processor time a step, as other programs may run
beside. The first row, without remat, is what the others are compared with.
"""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test/passes/Remat/Inputs"))
import models  # noqa: E402


def step_time(program, model, threads):
    """Seconds of processor time of one step."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)

    def run(seconds):
        done = subprocess.run([program, model, "--bench", "--train=step", f"--bench-seconds={seconds}",
                               f"--threads={threads}"], check=True, capture_output=True, text=True)  # fmt: skip
        return 3 + int(re.search(r"runs ([\d,]+)", done.stdout).group(1).replace(",", ""))

    runs = run(3)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / runs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rungs", default="off,1,2,3,4,5,6,7")
    parser.add_argument("--checkpoint", action="store_true", help="the model with layers in graph.checkpoint instead")
    arguments = parser.parse_args()
    tools = os.path.join(arguments.build, "bin")
    rungs = arguments.rungs.split(",")
    with tempfile.TemporaryDirectory() as work:
        text, report = os.path.join(work, "model.mlir"), os.path.join(work, "report.json")
        with open(text, "w", encoding="utf-8") as file:
            file.write(models.checkpointed() if arguments.checkpoint else models.transformer(layers=arguments.layers))
        memory, times = {}, {rung: [] for rung in rungs}
        for rung in rungs:
            subprocess.run([os.path.join(tools, "graphc"), text, f"--remat={rung}", "--cpu=native", "-o", f"{work}/{rung}.so",
                            "--report=json", "--report-file", report], check=True)  # fmt: skip
            with open(report, encoding="utf-8") as file:
                memory[rung] = [f for f in json.load(file)["functions"] if f["name"] == "step"][0]
        for _ in range(arguments.rounds):
            for rung in rungs:
                times[rung].append(step_time(os.path.join(tools, "graph-run"), f"{work}/{rung}.so", arguments.threads))
        print(f"{'rung':>5} {'arena MiB':>10} {'kept MiB':>9} {'of off':>7} {'ms':>8} {'of off':>7}")
        first = rungs[0]
        for rung in rungs:
            kept, time = memory[rung]["activation_bytes"], statistics.median(times[rung])
            ratio = statistics.median([a / b for a, b in zip(times[rung], times[first])])
            print(f"{rung:>5} {memory[rung]['arena_bytes'] / 2**20:10.1f} {kept / 2**20:9.1f} "
                  f"{kept / memory[first]['activation_bytes']:7.3f} {1000 * time:8.1f} {ratio:7.3f}")  # fmt: skip


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our side: from the tracer's program to a model.so and the files that everyone starts from."""
import json
import os
import re
import subprocess
import time


class BuildFailed(Exception):
    pass


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode:
        lines = (result.stderr or result.stdout).strip().splitlines() or ["no message"]
        raise BuildFailed(f"{os.path.basename(command[0])}: exit status {result.returncode}: {lines[-1][:300]}")
    return result.stdout


def build_model(build, workload, folder, flags):
    """Compiles `workload` into `folder`. Returns what the table says of it."""
    bin_folder = os.path.join(build, "bin")
    text, library, report = (os.path.join(folder, name) for name in ("model.mlir", "model.so", "report.json"))
    run([os.path.join(bin_folder, "bench-workload-" + workload.program.replace("_", "-")), text])
    start = time.perf_counter()
    run([os.path.join(bin_folder, "graphc"), text, "-o", library, "--report=json", "--report-file=" + report, *flags])
    seconds = time.perf_counter() - start
    run([os.path.join(bin_folder, "bench-worker"), "--prepare", library, workload.function, str(workload.limit), folder])
    summary = run([os.path.join(bin_folder, "graphc"), text, "--summary"])
    totals = re.findall(r"= total +[\d,]+ ops +(?:[\d,]+ +)?([\d,]+) +[\d,]+$", summary, re.M)
    with open(report) as file:
        phases = {phase["name"]: phase["seconds"] for phase in json.load(file)["phases"]}
    return {
        "compile_seconds": seconds,
        "compile_phases": phases,
        "artifact_bytes": os.path.getsize(library),
        # Of every op of the step, elementwise ones included.
        "summary_flops": int(totals[-1].replace(",", "")) if totals else None,
    }


def profile(build, workload, folder, threads, seconds):
    """Share of the time by op, largest first, as lines of text; from `graph-run --profile`."""
    text = run([os.path.join(build, "bin", "graph-run"), os.path.join(folder, "model.so"),
                "--function=" + workload.function, "--bench", f"--bench-seconds={seconds}", f"--threads={threads}",
                "--profile"])
    rows = re.findall(r"^ *[\d.]+% +([\d.]+) +(\d+) +[\d.]+  (\S+) \((.*), [^,]*\) in @", text, re.M)
    kernels = {}
    for ms, runs, kernel, op in rows:
        entry = kernels.setdefault(kernel, {"op": op, "ms": 0.0, "entries": 0})
        entry["ms"] += float(ms) / int(runs)
        entry["entries"] += 1
    steps_ms = sum(entry["ms"] for entry in kernels.values())
    return [{"kernel": name, **entry, "share": entry["ms"] / steps_ms}
            for name, entry in sorted(kernels.items(), key=lambda item: -item[1]["ms"])]

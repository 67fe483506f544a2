#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the workloads in graphc and in the frameworks that are installed.

  ninja -C build bench-all
  bench/run.py --workloads=i,ii,iii,iv,v,x --threads=1,2 --json=FILE

Each implementation is a process of its own. They start from equal weights and inputs, and the values of their first
three steps are compared. Then each in turn runs a window of steps, for some rounds; a number is the median over the
windows in which other processes used at most 6% of a processor, or over all (marked ~) if there were fewer than
three such. README.md in this folder says how to install the frameworks.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from measure import peers as peers_module  # noqa: E402
from measure.build import BuildFailed, build_model, profile  # noqa: E402
from measure.noise import available_bytes  # noqa: E402
from measure.rounds import measure, summarize  # noqa: E402
from measure.table import disagreement, markdown  # noqa: E402
from measure.worker import Failed, Worker  # noqa: E402
from measure.workloads import WORKLOADS, limit_ms  # noqa: E402

# Relative, on losses after up to two updates. Seen: 4e-6 on (iv), 7e-7 elsewhere; a learning rate 1% off gives 6e-5.
TOLERANCE = 2e-5


def parse_arguments():
    def some_of(known):
        def parse(text):
            names = [name for name in text.split(",") if name]
            wrong = [name for name in names if name not in known]
            if wrong:
                raise argparse.ArgumentTypeError(f"expects some of {','.join(known)}, but got '{wrong[0]}'")
            return names
        return parse

    def counts(text):
        numbers = [int(x) for x in text.split(",") if x.isdigit()]
        if not numbers or min(numbers) < 1 or len(numbers) != len(text.split(",")):
            raise argparse.ArgumentTypeError(f"expects numbers of at least 1, but got '{text}'")
        return numbers

    def whole(text):
        return counts(text)[0]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workloads", type=some_of(WORKLOADS), default=list(WORKLOADS), help="default: all six")
    parser.add_argument("--threads", type=counts, default=[1, 2], help="default: 1,2")
    parser.add_argument("--peers", type=some_of(peers_module.PEERS), default=list(peers_module.PEERS),
                        help="default: " + ",".join(peers_module.PEERS) + "; --peers= for none")
    parser.add_argument("--peers-python", default=os.environ.get("GRAPHC_PEERS_PYTHON", sys.executable),
                        help="a Python that has the peers (default: $GRAPHC_PEERS_PYTHON, or this one)")
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"), help="build folder (default: build)")
    parser.add_argument("--graphc-flags", default="-O3 --cpu=native", help="default: -O3 --cpu=native")
    parser.add_argument("--rounds", type=whole, default=7, help="windows of each implementation (default 7)")
    parser.add_argument("--window", type=float, default=0.5, help="seconds of a window (default 0.5)")
    parser.add_argument("--retries", type=int, default=4, help="times to wait for a quieter window (default 4)")
    parser.add_argument("--start-timeout", type=float, default=600, help="seconds until the first step (default 600)")
    parser.add_argument("--json", help="write all that was measured to this file")
    parser.add_argument("--profile", action="store_true", help="also print the kernels that take the most time")
    parser.add_argument("--check-only", action="store_true", help="compare the values, measure nothing")
    return parser.parse_args()


def say(text):
    print(text, file=sys.stderr, flush=True)


def measure_limits(arguments, limits):
    """Raises `limits` to what is measured now: other processes can only lower it."""
    out = subprocess.run([os.path.join(arguments.build, "bin", "bench-limits"), *map(str, arguments.threads)],
                         check=True, capture_output=True, text=True).stdout
    for entry in map(json.loads, out.splitlines()):
        known = limits.setdefault(entry["threads"], entry)
        for name in entry:
            known[name] = max(known[name], entry[name])


def add_shares(results, limits):
    for result in results:
        if "ms" in result:
            least = limit_ms(WORKLOADS[result["workload"]], result["parameters"], limits.get(result["threads"]))
            result["limit_ms"] = least
            result["limit_share"] = None if least is None else least / result["ms"]


def commands(arguments, workload, threads, folder, found):
    """(implementation, configuration, command) of all that can be tried, and (implementation, why) of the others."""
    library = os.path.join(folder, "model.so")
    yes = [("graphc", arguments.graphc_flags, [os.path.join(arguments.build, "bin", "bench-worker"), library,
                                               workload.function, str(threads), folder])]
    no = []
    for name in arguments.peers:
        peer = peers_module.PEERS[name]
        if not peer.measures(workload):
            no.append((name, "forward passes only"))
        elif peer.module not in found:
            no.append((name, f"no module '{peer.module}' in {arguments.peers_python}"))
        else:
            for options in peer.configurations_of(workload):
                script = os.path.join(peers_module.HERE, peer.script)
                yes.append((name, " ".join(options), [arguments.peers_python, script, workload.id, str(threads),
                                                      folder, *options]))
    return yes, no


def start_workers(arguments, workload, threads, folder, found):
    yes, no = commands(arguments, workload, threads, folder, found)
    workers, skipped = [], list(no)
    environment = peers_module.environment(threads, folder)
    for number, (name, configuration, command) in enumerate(yes):
        say(f"({workload.id}) {threads}T: starting {name} {configuration}")
        try:
            if available_bytes() < 3 << 30:
                raise Failed("less than 3 GiB of memory left")
            worker = Worker(name, command, threads, environment, os.path.join(folder, f"log{number}.txt"),
                            arguments.start_timeout)
        except Failed as error:
            skipped.append((name, str(error)))
            continue
        worker.configuration = configuration
        workers.append(worker)
    return workers, skipped


def result_of(worker, workload, threads, ours, built):
    result = {"workload": workload.id, "threads": threads, "implementation": worker.name,
              "configuration": worker.about.get("config") or worker.configuration,
              "version": worker.about["version"], "parameters": worker.about["parameters"],
              "values": worker.values[:3], "first_step_s": worker.first_step_s,
              "peak_rss_bytes": worker.peak_rss_bytes(), "flops": workload.flops, "ratio": None, "cpu_ratio": None,
              "counted_flops": worker.about.get("flops")}
    if worker.windows:
        result.update(summarize(worker.windows))
        result["gflops"] = workload.flops / result["ms"] / 1e6
        result["all_windows"] = worker.windows
    about = built if worker is ours else worker.about
    result["compile_seconds"] = about.get("compile_seconds")
    result["artifact_bytes"] = about.get("artifact_bytes")
    if worker is ours:
        result.update({key: worker.about[key] for key in ("arena_bytes", "plan_entries", "parameter_bytes",
                                                          "other_state_bytes")})
        result.update(compile_phases=built["compile_phases"], summary_flops=built["summary_flops"])
    elif ours:
        result["difference"], result["is_equal"] = disagreement(ours.values, worker.values, TOLERANCE)
        result["is_equal"] &= result["parameters"] == ours.about["parameters"]
    return result


def best_of_each(results):
    """The fastest configuration of each implementation, of each workload and number of threads."""
    def place(result):
        return result["workload"], result["threads"], result["implementation"]

    best = {}
    for result in results:
        if not result.get("skipped"):
            known = best.get(place(result))
            if known is None or result.get("ms", 0) < known.get("ms", 0):
                best[place(result)] = result
    return [r for r in results if r.get("skipped") or best[place(r)] is r]


def measure_workload(arguments, workload, threads, folder, built, found):
    workers, skipped = start_workers(arguments, workload, threads, folder, found)
    ours = next((w for w in workers if w.name == "graphc"), None)
    try:
        if arguments.check_only:
            for worker in workers:
                worker.values += [worker.run(1)["value"] for _ in range(2)]
        else:
            for worker, why in measure(workers, arguments.rounds, arguments.window, arguments.retries,
                                       lambda text: say(f"({workload.id}) {threads}T: {text}")):
                skipped.append((worker.name, why))
        results = [result_of(worker, workload, threads, ours, built) for worker in workers]
    finally:
        for worker in workers:
            worker.close()
    shown = {result["implementation"] for result in results}
    results += [{"workload": workload.id, "threads": threads, "implementation": name, "skipped": why}
                for name, why in skipped if name not in shown or name == "graphc"]
    own = next((r for r in results if r["implementation"] == "graphc" and not r.get("skipped")), None)
    peers = [r for r in best_of_each(results) if r["implementation"] != "graphc" and not r.get("skipped")]
    if own and peers and not arguments.check_only:
        for peer in peers:
            peer["ratio"] = peer["ms"] / own["ms"]
            # Threads that wait in a loop count too: of two threads it says nothing.
            peer["cpu_ratio"] = peer["cpu_ms"] / own["cpu_ms"] if threads == 1 else None
        best = min(peers, key=lambda r: r["ms"])
        own.update(best_peer=best["implementation"], ratio=best["ratio"],
                   cpu_ratio=min(r["cpu_ratio"] for r in peers) if threads == 1 else None)
    return results


def main():
    arguments = parse_arguments()
    wanted = {peers_module.PEERS[name].module for name in arguments.peers}
    found = peers_module.modules_found(arguments.peers_python, sorted(wanted)) if wanted else set()
    limits, results, profiles, failures = {}, [], {}, 0
    with tempfile.TemporaryDirectory(prefix="graphc-bench-") as root:
        for workload in (WORKLOADS[name] for name in arguments.workloads):
            folder = os.path.join(root, workload.program)
            os.mkdir(folder)
            try:
                built = build_model(arguments.build, workload, folder, arguments.graphc_flags.split())
            except BuildFailed as error:
                failures += 1
                results += [{"workload": workload.id, "threads": t, "implementation": "graphc", "skipped": str(error)}
                            for t in arguments.threads]
                continue
            for threads in arguments.threads:
                results += measure_workload(arguments, workload, threads, folder, built, found)
            if not arguments.check_only:
                measure_limits(arguments, limits)
                add_shares(results, limits)
            if arguments.profile:
                profiles[workload.id] = profile(arguments.build, workload, folder, arguments.threads[0], 2)
            for name in os.listdir(folder):
                os.path.isfile(os.path.join(folder, name)) and os.remove(os.path.join(folder, name))
            if arguments.json:  # After each workload: a later one may be interrupted.
                write_json(arguments, limits, results, profiles)
    if arguments.check_only:
        for r in results:
            print(r["workload"], f"{r['threads']}T", r["implementation"], r.get("configuration", ""),
                  r.get("skipped") or f"parameters {r['parameters']} values {r['values']} difference "
                  f"{r.get('difference', 0):.1e} {'' if r.get('is_equal', True) else 'DIFFERS'}")
    else:
        for entry in limits.values():
            print(f"machine, {entry['threads']} threads: {entry['fma_gflops']} GFLOP/s of fma, GB/s: "
                  f"read {entry['read_gbs']}, copy {entry['copy_gbs']}, AdamW {entry['adamw_gbs']}")
        print()
        print(markdown(best_of_each(results)))
    for name, rows in profiles.items():
        print(f"\n({name}) kernels by time in a step, {arguments.threads[0]} threads, of {sum(r['ms'] for r in rows):.4g} ms")
        for row in rows[:12]:
            print(f"{100 * row['share']:5.1f}% {row['ms']:10.4g} ms {row['entries']:5} x {row['kernel']} ({row['op']})")
    skipped = [r for r in results if r.get("skipped")]
    compared = [r for r in results if "is_equal" in r]
    wrong = [r for r in compared if not r["is_equal"]]
    say(f"{len(results) - len(skipped)} measured, {len(skipped)} skipped, {len(compared)} compared with graphc, "
        f"{len(wrong)} with other values")
    failures += len(wrong) + sum(r["implementation"] == "graphc" for r in skipped)
    return 1 if failures else 0


def write_json(arguments, limits, results, profiles):
    with open(arguments.json + ".part", "w") as file:
        json.dump({"format": 1, "machine": platform.processor() or platform.machine(), "limits": list(limits.values()),
                   "graphc_flags": arguments.graphc_flags, "results": results, "profiles": profiles}, file, indent=1)
    os.replace(arguments.json + ".part", arguments.json)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times `graphc` on the workloads, and on the transformer of (iii) with other numbers of layers.

  ninja -C build bench-all
  bench/compile_time.py --workloads=i,ii,iii,iv,v,x --layers=4,12,48 --rounds=5

A model is text; what is timed is the process that reads it and writes model.so, one after another, for some rounds. Each
number is a median of the rounds: seconds of the clock, seconds of processor time of all its threads and children
(steadier where others use the machine), and the most memory that it had at once. With --layers the last lines compare
each number of layers with the first: equal layers are compiled once.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from measure.table import bytes_text  # noqa: E402
from measure.workloads import WORKLOADS  # noqa: E402


def parse_arguments():
    def names(text):
        wrong = [name for name in text.split(",") if name and name not in WORKLOADS]
        if wrong:
            raise argparse.ArgumentTypeError(f"expects some of {','.join(WORKLOADS)}, but got '{wrong[0]}'")
        return [name for name in text.split(",") if name]

    def counts(text):
        words = [word for word in text.split(",") if word]
        if not all(word.isdigit() and int(word) for word in words):
            raise argparse.ArgumentTypeError(f"expects numbers of at least 1, but got '{text}'")
        return [int(word) for word in words]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workloads", type=names, default=list(WORKLOADS), help="default: all six")
    parser.add_argument("--layers", type=counts, default=[], help="of the transformer of (iii); default: none")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"), help="build folder (default: build)")
    parser.add_argument("--graphc-flags", default="", help="default: none, as users compile")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or not arguments.workloads + arguments.layers:
        parser.error("expects a round at least, and something to compile")
    return arguments


def compile_once(command):
    """Seconds, processor seconds and bytes of memory of `command`."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"compile_time.py: {' '.join(command)}: exit status {process.returncode}\n{output}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def write_models(arguments, folder):
    """{name: path of its text}."""
    def trace(program, name, *options):
        path = os.path.join(folder, name.replace(" ", "-") + ".mlir")
        tool = os.path.join(arguments.build, "bin", "bench-workload-" + program.replace("_", "-"))
        subprocess.run([tool, path, *map(str, options)], check=True)
        return path

    models = {f"({name})": trace(WORKLOADS[name].program, name) for name in arguments.workloads}
    program = WORKLOADS["iii"].program
    models.update({f"{n} layers": trace(program, f"{n} layers", n) for n in arguments.layers})
    return models


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="graphc-compile-") as folder:
        models = write_models(arguments, folder)
        library = os.path.join(folder, "model.so")
        graphc = os.path.join(arguments.build, "bin", "graphc")
        measured = {name: [] for name in models}
        for number in range(arguments.rounds):
            for name, path in models.items():
                measured[name].append(compile_once([graphc, path, "-o", library, *arguments.graphc_flags.split()]))
            print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
    print("| model | seconds | least | most | cpu seconds | peak RSS |\n|---|---|---|---|---|---|")
    medians = {}
    for name, rounds in measured.items():
        seconds, cpu, memory = map(statistics.median, zip(*rounds))
        medians[name] = cpu
        of_clock = [each[0] for each in rounds]
        print(f"| {name} | {seconds:.2f} | {min(of_clock):.2f} | {max(of_clock):.2f} | {cpu:.2f} | {bytes_text(memory)} |")
    for count in arguments.layers[1:]:
        first = arguments.layers[0]
        print(f"{count} layers take {medians[f'{count} layers'] / medians[f'{first} layers']:.2f} times the processor time "
              f"of {first}")


if __name__ == "__main__":
    main()

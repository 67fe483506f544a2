# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run
# A step gives the same bits where another process holds a worker's processor, and
# where there is one processor for all threads; without a wish, it then has one.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: graphc %S/Inputs/wide.mlir -o model.so
# RUN: %python %s %S/Inputs
import os
import re
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
from training import must, write  # noqa: E402

allowed = sorted(os.sched_getaffinity(0))
data = [write("x.npy", "<f4", "64,128"), write("y.npy", "<i8", "64")]


def train(*options):
    must("graph-run", "model.so", "--train=step", "--data=" + ",".join(data), "--epochs=200", "--save-state=state", *options)
    with open("state", "rb") as file:
        return file.read()


def threads(**environment):
    done = subprocess.run(["graph-run", "model.so"], check=True, capture_output=True, text=True, env={**os.environ, **environment})
    return int(re.search(r"threads (\d+) of", done.stdout).group(1))


def seconds_of(process):
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


alone = train("--threads=1")
assert train("--threads=2") == alone

# The first worker stays on the second processor that is allowed.
cpu = allowed[1 % len(allowed)]
spin = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])}); print(flush=True)\nwhile True: pass"
neighbour = subprocess.Popen([sys.executable, "-c", spin, str(cpu)], stdout=subprocess.PIPE)
try:
    neighbour.stdout.readline()
    before = seconds_of(neighbour)
    for _ in range(3):
        assert train("--threads=2") == alone, "a neighbour changes bits"
    # It did take a part of that processor meanwhile.
    assert seconds_of(neighbour) - before >= 0.02, "the neighbour did nothing"
finally:
    neighbour.kill()
    neighbour.wait()

assert 1 <= threads() <= len(allowed), threads()
os.sched_setaffinity(0, {allowed[-1]})
assert threads() == 1, threads()
for options in ([], ["--threads=2"], ["--threads=4"]):
    assert train(*options) == alone, f"one processor, {options}: other bits"
# Of more threads than the machine gives, if the environment says so.
assert threads(GRAPHC_NUM_THREADS="3") == 3
os.environ["GRAPHC_NUM_THREADS"] = "3"
assert train() == alone
assert train("--threads=2") == alone
os.environ["GRAPHC_NUM_THREADS"] = "three"
wrong = subprocess.run(["graph-run", "model.so"], capture_output=True, text=True)
assert wrong.returncode != 0 and "GRAPHC_NUM_THREADS expects a number from 1 to 4096, but got 'three'" in wrong.stderr, wrong
print("ok")

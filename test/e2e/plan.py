# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run, graph-interpret
# Outputs that are inputs, constants or one another, state that is read after its
# update, and loops: a compiled model gives the interpreter's bits, in outputs and
# in state, over two calls. A call that fails changes no state.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: graphc %S/Inputs/hazards.mlir -o hazards.so
# RUN: %python %s %S/Inputs %source_root/test/tools/graph-run/Inputs/npy.py
import os
import subprocess
import sys

inputs, npy = sys.argv[1:]
model = os.path.join(inputs, "hazards.mlir")


def run(*command):
    print("+", *command)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    print(done.stdout, end="")
    return done.returncode, done.stdout


def must(*command):
    code, _ = run(*command)
    if code != 0:
        sys.exit(1)


def write(name, descr, shape, *values):
    must(sys.executable, npy, "write", name, descr, shape, *map(str, values))
    return name


def same_state(a, b):
    return run(sys.executable, os.path.join(inputs, "compare_state.py"), a, b)[0] == 0


x = write("x.npy", "<f4", "4", 0.5, -1.5, 2.25, -3)
two = write("two.npy", "<f4", "2", 1, 2)
empty = write("e.npy", "<f4", "0,3")
small = write("b.npy", "|i1", "4", -3, 7, 100, -128)
functions = {
    "outputs": ([two, x, empty], 7),
    "update": ([x], 4),
    "cross": ([], 1),
    "exchange": ([], 0),
    "loop": ([x], 4),
    "bytes": ([small], 2),
}
must("graph-run", "hazards.so", "--save-state=start")
for name, (arguments, count) in functions.items():
    state = "start"
    for call in "12":
        given = [f"--input={path}" for path in arguments]
        want = f"{name}.{call}"
        must("graph-interpret", model, f"--function={name}", *given, f"--state-in={state}",
             f"--output={want}", f"--state-out={want}.state")
        expect = [f"--expect={want}/{k}.npy" for k in range(count)]
        must("graph-run", "hazards.so", f"--function={name}", *given, f"--load-state={state}", *expect,
             *(["--rtol=0", "--atol=0"] if count else []), f"--save-state={want}.got")
        assert same_state(f"{want}.state", f"{want}.got"), name
        # The comparison compares something.
        changes = name not in ("outputs", "bytes")
        assert same_state(state, f"{want}.got") != changes, name
        state = f"{want}.state"

logits = write("logits.npy", "<f4", "4,3", *range(12))
good = write("good.npy", "<i8", "4", 0, 1, 2, 0)
bad = write("bad.npy", "<i8", "4", 0, 1, 3, 0)
arguments = ["graph-run", "hazards.so", "--function=failing", f"--input={logits}"]
must(*arguments, f"--input={good}", "--save-state=good.got")
assert not same_state("start", "good.got")
code, text = run(*arguments, f"--input={bad}", "--save-state=bad.got")
assert code != 0 and "hazards.mlir:" in text and "graph.cross_entropy" in text, text

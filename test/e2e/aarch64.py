# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run, graph-interpret, qemu-aarch64, aarch64-linux-gnu-g++
# UNSUPPORTED: sanitize-address, sanitize-thread
# A model compiled for aarch64 trains there, in an emulator: the state after three
# steps is the interpreter's, and bit for bit that of x86-64, at every level and
# number of threads. The runtime is built for aarch64 first, by its compiler.
#
# RUN: mkdir -p %t && cd %t
# RUN: %python %s %source_root %S/Inputs
import os
import subprocess
import sys

source, inputs = sys.argv[1:]
sys.path.insert(0, inputs)
from training import NPY, must, write  # noqa: E402

ROOT = "/usr/aarch64-linux-gnu"


def read(name):
    with open(name, "rb") as file:
        return file.read()


# What is there from the last time is built no more.
must("cmake", "-G", "Ninja", "-S", source, "-B", "runtime", "-DGRAPHC_BUILD_COMPILER=OFF", "-DGRAPHC_BUILD_TESTS=OFF",
     "-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64", "-DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc",
     "-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1")  # fmt: skip
must("ninja", "-C", "runtime", "graph-run")


def arm(cpu):
    return ["qemu-aarch64", "-L", ROOT, "-cpu", cpu, "runtime/bin/graph-run"]


must("graphc", os.path.join(inputs, "mlp.mlir"), "-o", "x86.so", "--target-triple=x86_64-linux-gnu")
refused = subprocess.run([*arm("max"), "x86.so"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
if refused.returncode != 1 or "is compiled for x86_64, but this machine is aarch64" not in refused.stdout:
    sys.exit(f"a model for x86-64 is not refused: {refused.stdout}")

models = {
    "mlp": [write("mx.npy", "<f4", "4,2"), write("my.npy", "<i8", "4")],
    "convnet": [write("cx.npy", "<f4", "4,3,12,12"), write("cy.npy", "<i8", "4")],
    "block": [write("bx.npy", "<f4", "4,32,64"), write("by.npy", "<f4", "4,32,64")],
}
for model, data in models.items():
    path = os.path.join(inputs, model + ".mlir")
    must("graphc", path, "--emit=mlir", "--stop-after=autodiff", "-o", "autodiff.mlir")
    must("graph-interpret", "autodiff.mlir", "--function=step", *("--input=" + name for name in data), "--steps=3",
         "--state-out=expected.safetensors")  # fmt: skip

    def train(name, command, *options):
        must(*command, *options, "--train=step", "--data=" + ",".join(data), "--epochs=3", "--save-state=" + name)
        return read(name)

    must("graphc", path, "-o", "x86.so")
    here = train("x86.safetensors", ["graph-run", "x86.so"])
    must("graphc", path, "-o", "arm.so", "--target-triple=aarch64-linux-gnu", "--cpu=generic,neoverse-n1")
    states = {}
    # An older processor, and the best.
    for cpu, level in (("cortex-a53", "generic"), ("neoverse-n1", "neoverse-n1")):
        listed = must(*arm(cpu), "arm.so")
        if f"target cpu {level}," not in listed:
            sys.exit(f"{cpu}: another level: {listed}")
        for threads in ("1", "3"):
            states[cpu, threads] = train("arm.safetensors", [*arm(cpu), "arm.so"], "--threads=" + threads)
    print(model, must(sys.executable, os.path.join(inputs, "compare_state.py"), "expected.safetensors", "arm.safetensors", "1e-4"))
    for key, state in states.items():
        if state != here:
            sys.exit(f"{model}: {key} is not x86-64's state")

# f16, bf16, f64 and saturating conversions.
write("x.npy", "<f4", "37,19")
results = {}
for triple, command in (("x86_64-linux-gnu", ["graph-run"]), ("aarch64-linux-gnu", arm("cortex-a53"))):
    must("graphc", os.path.join(inputs, "small_floats.mlir"), "-o", "halves.so", "--target-triple=" + triple)
    names = [f"{k}.npy" for k in range(4)]
    must(*command, "halves.so", "--function=halves", "--input=x.npy", *("--output=" + name for name in names))
    results[triple] = [read(name) for name in names]
    if len(results[triple][0]) < 37 * 19 * 2:
        sys.exit("halves has no elements")
if results["x86_64-linux-gnu"] != results["aarch64-linux-gnu"]:
    sys.exit("f16 and bf16 are not x86-64's")

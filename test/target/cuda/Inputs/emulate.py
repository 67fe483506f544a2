# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""emulate.py FOLDER CXX ROOT [--all] FAMILY...: families of test/conformance with
the printed kernels on the emulator, held to the reference interpreter and, bit
for bit, to the CPU's kernels and to another order of threads, also with outputs
in the memory of inputs."""
import os
import shutil
import subprocess
import sys

root = sys.argv[3]
sys.path.insert(0, os.path.join(root, "test/conformance/Inputs"))
sys.path.insert(0, os.path.join(root, "test/target/cuda/Inputs"))
import conformance
from harness import Harness, parse_type, read_npy, write_npy
from tile import lower, run

# Fewer than the CPU's list, as compiling the text takes its time.
conformance.SIZES = [1, 8, 65, 4097]
if "--all" in sys.argv:
    sys.argv.remove("--all")
    conformance.SIZES = [0, 1, 3, 8, 17, 64, 65, 129, 1025, 4097]


def with_text(functions):
    """Without the ops that have no CUDA form yet: products, and what checks
    indices."""
    missing = ("graph.cross_entropy ", "graph.linear ")
    for f in functions:
        dropped = [line.split(" = ")[0].strip() for line in f.lines if any(op in line for op in missing)]
        f.lines = [line for line in f.lines if line.split(" = ")[0].strip() not in dropped]
        f.results = [result for result in f.results if result[0] not in dropped]
        if f.results:
            yield f


class Emulated(Harness):
    cxx = sys.argv[2]

    def check(self, functions):
        model, tile, program = self.path("model.mlir"), self.path("tile.mlir"), self.path("program")
        with open(model, "w") as file:
            file.write("\n".join(f.text() for f in functions))
        lower(model, tile)
        tool = os.path.join(os.path.dirname(shutil.which("graphc")), "test", "cuda-kernels")
        report = run([tool, tile, f"--program={program}.cpp"])
        run([self.cxx, "-std=c++17", "-O1", "-ffp-contract=off", "-w", f"-I{root}/lib/Target/Cuda",
             f"-I{root}/test/target/cuda/Inputs", program + ".cpp", "-o", program])  # fmt: skip
        library = self.path("cpu.so")
        run(["graphc", model, "--cpu=x86-64-v3", "-o", library])
        runs = {line.split()[1] for line in report.splitlines() if line.startswith("runs: ")}
        for line in report.splitlines():
            if line.startswith("not run: "):
                print(line)
        for number, function in enumerate(functions):
            if function.name in runs:
                self.check_emulated(model, program, library, number, function)
        print(f"{len(runs)} of {len(functions)} functions, {self.compared} elements, {self.failures} failures")
        return self.failures

    def check_emulated(self, model, program, library, number, function):
        inputs = self.write_inputs(number, function)
        paths = [text.removeprefix("--input=") for text in inputs]
        raw = [self.path(f"in{k}.raw") for k in range(len(paths))]
        for path, to in zip(paths, raw):
            with open(path, "rb") as file, open(to, "wb") as out:
                content = file.read()
                out.write(content[10 + int.from_bytes(content[8:10], "little"):])
        types = [parse_type(r[1]) for r in function.results]
        outputs = [self.path(f"out{k}.raw") for k in range(len(types))]

        def emulated(*options):
            run([program, *options, function.name, *raw, *outputs])
            values = []
            for k, (shape, dtype) in enumerate(types):
                with open(outputs[k], "rb") as file:
                    write_npy(self.path(f"out{k}.npy"), shape, dtype, file.read())
                values.append(read_npy(self.path(f"out{k}.npy"), dtype))
            return values

        # Any NaN is any other, and prints the same.
        first = emulated()
        for options in (["--reverse"], ["--in-place"], ["--in-place", "--reverse"]):
            if repr(emulated(*options)) != repr(first):
                self.fail(function, f"{' '.join(options)} gives other bits")
        cpu = [self.path(f"cpu{k}.npy") for k in range(len(types))]
        run(["graph-run", library, f"--function={function.name}"] + inputs + ["--output=" + o for o in cpu])
        for k, (shape, dtype) in enumerate(types):
            want = read_npy(cpu[k], dtype)
            wrong = [i for i in range(len(want)) if repr(want[i]) != repr(first[k][i])]
            if wrong:
                i = wrong[0]
                name = function.results[k][0]
                line = next((t for t in function.lines if t.startswith(f"  {name} =")), name)
                self.fail(function, f"element {i}: {first[k][i]!r}, but the CPU has {want[i]!r}:{line}")
        self.compare(model, function, inputs)


def main():
    failures = 0
    for family in sys.argv[4:]:
        print(family + ":", flush=True)
        folder = os.path.join(sys.argv[1], family)
        failures += Emulated(folder).check(list(with_text(conformance.FAMILIES[family]())))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

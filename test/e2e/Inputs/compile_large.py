# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one kind of training step in three sizes, each twice the one before.

  compile_large.py <graphc> <large.py> <kind> <largest count> <folder>

Prints `linear` if the second doubling takes at most 3 times the memory that the
first did: twice if memory is linear in the ops, 4 times if it is quadratic.
Leaves the largest model as <folder>/<kind>.mlir and .so.
"""

import os
import resource
import subprocess
import sys

graphc, large, kind, largest, folder = sys.argv[1:]
STACK_BYTES = 8 << 20
SECONDS = 120  # for a busy machine; 4 on an idle one
NOISE_KIB = 8192


def peak_kib(count):
    model = os.path.join(folder, kind)
    with open(model + ".mlir", "w") as file:
        subprocess.run([sys.executable, large, kind, str(count)], stdout=file, check=True)
    process = subprocess.Popen(
        [graphc, model + ".mlir", "-o", model + ".so"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, STACK_BYTES)),
    )
    try:
        process.wait(timeout=SECONDS)
    finally:
        process.kill()
    if process.returncode != 0:
        sys.exit(f"{kind} of {count} ops: graphc failed with {process.returncode}")
    # Of all children so far, so the sizes have to grow.
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


peaks = [peak_kib(int(largest) * share // 4) for share in (1, 2, 4)]
first, second = peaks[1] - peaks[0], peaks[2] - peaks[1]
linear = second <= 3 * first + NOISE_KIB
print(f"{kind}: {'linear' if linear else 'NOT LINEAR'}, peaks of {peaks} KiB")

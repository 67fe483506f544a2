# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests that train a compiled model share."""

import os
import subprocess
import sys

NPY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/graph-run/Inputs/npy.py")


def must(*command):
    """The output of `command`; the test ends with it if that fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    if done.returncode:
        print("+", *command)
        sys.exit(done.stdout)
    return done.stdout


def write(name, descr, shape):
    """Writes an .npy file of fixed values: within [-1, 1], or labels 0 and 1."""
    count = 1
    for size in shape.split(","):
        count *= int(size)
    values = [i * 7919 % 2003 / 1001.5 - 1 for i in range(count)] if descr == "<f4" else [i * 7 % 2 for i in range(count)]
    must(sys.executable, NPY, "write", name, descr, shape, *map(str, values))
    return name

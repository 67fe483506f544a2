# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles damaged copies of models and holds each run to graphc's promise:
it compiles, or it says where the error is; it never dies or hangs.

  flip.py <graphc> <runs> <seed> <folder> <model.mlir>...

A copy has a bit flipped, a byte replaced, removed or doubled, or a span of it
moved. Prints how many compiled and how many were refused; exits with 1 if a run
broke the promise, after printing its text.
"""

import os
import random
import re
import subprocess
import sys

graphc, runs, seed, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
texts = [open(path, "rb").read() for path in sys.argv[5:]]
draw = random.Random(seed)
SECONDS = 60


def damage(text):
    at = draw.randrange(len(text))
    kind = draw.randrange(5)
    if kind == 0:
        return text[:at] + bytes([text[at] ^ 1 << draw.randrange(8)]) + text[at + 1 :]
    if kind == 1:
        return text[:at] + bytes([draw.randrange(256)]) + text[at + 1 :]
    if kind == 2:
        return text[:at] + text[at + 1 :]
    if kind == 3:
        return text[: at + 1] + text[at:]
    span, to = text[at : at + draw.randrange(1, 40)], draw.randrange(len(text))
    return text[:to] + span + text[to:]


compiled = refused = 0
model, output = os.path.join(folder, "damaged.mlir"), os.path.join(folder, "damaged.so")
located = re.compile(rb"^" + re.escape(model.encode()) + rb":\d+:\d+: error: ", re.MULTILINE)
for _ in range(runs):
    text = damage(draw.choice(texts))
    with open(model, "wb") as file:
        file.write(text)
    try:
        run = subprocess.run([graphc, model, "-o", output, "-O0"], capture_output=True, timeout=SECONDS)
        code, said = run.returncode, run.stderr
    except subprocess.TimeoutExpired:
        code, said = "no end", b""
    if code == 0:
        compiled += 1
        os.remove(output)
    elif code == 1 and located.search(said) and not os.path.exists(output):
        refused += 1
    else:
        sys.stdout.buffer.write(b"graphc ended with %s and said\n%s\non\n%s\n" % (str(code).encode(), said, text))
        sys.exit(1)
print(f"{compiled} compiled, {refused} refused")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two safetensors files.

compare_state.py EXPECTED GOT [TOLERANCE]

Prints one line per tensor and exits with 1 if a name, type or shape differs, or
a float by more than TOLERANCE (0) times the largest magnitude in its tensor.
"""
import json
import struct
import sys

FORMATS = {"F64": "d", "F32": "f", "I64": "q", "I32": "i", "U8": "B", "I8": "b", "BOOL": "B"}


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, info in header.items():
        begin, end = info["data_offsets"]
        code = FORMATS[info["dtype"]]
        values = struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}",
                               data[8 + size + begin : 8 + size + end])
        tensors[name] = (info["dtype"], info["shape"], values)
    return tensors


if __name__ == "__main__":
    expected, got = read(sys.argv[1]), read(sys.argv[2])
    tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    wrong = sorted(set(expected) ^ set(got))
    for name in wrong:
        print(f"{name}: only in {sys.argv[1] if name in expected else sys.argv[2]}")
    for name in sorted(set(expected) & set(got)):
        if expected[name][:2] != got[name][:2]:
            print(f"{name}: {expected[name][:2]} is not {got[name][:2]}")
            wrong.append(name)
            continue
        a, b = expected[name][2], got[name][2]
        scale = max((abs(x) for x in a), default=0)
        error = max((abs(x - y) for x, y in zip(a, b)), default=0)
        ok = error <= tolerance * scale
        print(f"{name}: {'equal' if ok else 'DIFFERS'}: {len(a)} elements, max error {error:.3g}, largest {scale:.3g}")
        if not ok:
            wrong.append(name)
    sys.exit(1 if wrong else 0)

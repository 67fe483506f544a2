# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes small npy files without NumPy, and reads them back.

npy.py write FILE DESCR SHAPE VALUE...   npy.py write x.npy '<f4' 2,2 0 1 2 3
npy.py range FILE DESCR SHAPE            the values 0, 1, 2, ...
npy.py show FILE                         prints descr, shape and values
"""
import ast
import struct
import sys

FORMATS = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "|i1": "b", "|b1": "?"}


def write(path, descr, shape, values):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape})
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    data = struct.pack("<%d%s" % (len(values), FORMATS[descr]), *values)
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def show(path):
    with open(path, "rb") as file:
        content = file.read()
    (size,) = struct.unpack_from("<H", content, 8)
    header = ast.literal_eval(content[10 : 10 + size].decode())
    count = 1
    for dim in header["shape"]:
        count *= dim
    values = struct.unpack_from("<%d%s" % (count, FORMATS[header["descr"]]), content, 10 + size)
    print(header["descr"], header["shape"], *values)


command, path, *rest = sys.argv[1:]
if command == "show":
    show(path)
else:
    descr, dims, *texts = rest
    shape = tuple(int(dim) for dim in dims.split(",") if dim)
    count = 1
    for dim in shape:
        count *= dim
    number = float if FORMATS[descr] in "fd" else int
    values = [number(text) for text in texts] if command == "write" else range(count)
    write(path, descr, shape, list(values))

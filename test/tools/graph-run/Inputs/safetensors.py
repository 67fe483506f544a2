# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the f32 tensors of a safetensors file, without the package."""
import json
import struct
import sys

with open(sys.argv[1], "rb") as file:
    content = file.read()
(size,) = struct.unpack_from("<Q", content)
header = json.loads(content[8 : 8 + size])
for name, entry in sorted(header.items()):
    begin, end = entry["data_offsets"]
    values = struct.unpack_from("<%df" % ((end - begin) // 4), content, 8 + size + begin)
    print(name, entry["dtype"], entry["shape"], *("%.4f" % value for value in values))

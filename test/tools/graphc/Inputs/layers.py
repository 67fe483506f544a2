# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""layers.py <folder> <n>...: the reports <n>.json, of models of n equal layers,
have the same kernels, whose calls grow with n."""
import collections
import json
import os
import sys

folder, counts = sys.argv[1], [int(word) for word in sys.argv[2:]]


def read(count):
    with open(os.path.join(folder, f"{count}.json"), encoding="utf-8") as file:
        kernels = json.load(file)["kernels"]
    return collections.Counter(kernel["op"] for kernel in kernels), sum(sum(k["launches"].values()) for k in kernels)


(first, launches), *others = (read(count) for count in counts)
per_layer = (others[0][1] - launches) / (counts[1] - counts[0])
assert per_layer > 10, per_layer
for count, (kernels, calls) in zip(counts[1:], others):
    assert kernels == first, f"{count} layers: {kernels - first} more, {first - kernels} fewer than {counts[0]}"
    assert calls == launches + per_layer * (count - counts[0]), (count, calls, launches, per_layer)
print(f"{', '.join(map(str, counts[:-1]))} and {counts[-1]} layers: the same {sum(first.values())} kernels")

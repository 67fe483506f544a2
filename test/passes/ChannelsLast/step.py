# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, bench-worker
# In a training step of a ResNet nothing is transposed for its own sake: a kernel
# with a transpose has a convolution, which reads or stores through it, or reads
# what is one value a channel.
#
# RUN: %build_root/bin/bench-workload-resnet %t.mlir
# RUN: graphc %t.mlir --emit=mlir --stop-after=fuse -o %t.fused
# RUN: %python %s %t.fused
import re
import sys

with open(sys.argv[1]) as file:
    text = file.read()
step = text[text.index("@step"):]
around = wrong = 0
for region in re.findall(r"graph\.fused\(.*?\n    }", step, re.S):
    ops = re.findall(r"graph\.(\w+)", region)[1:]
    turned = re.findall(r"(%\d+) = graph\.transpose (%\w+) .*: (tensor<\S+>)", region)
    if any(op.startswith("conv") for op in ops):
        around += len(turned)
        continue
    for name, source, type_text in turned:
        # Through reshapes back to what is repeated.
        while made := re.search(rf"{source} = graph\.reshape (%\w+) ", region):
            source = made.group(1)
        if not re.search(rf"{source} = graph\.broadcast ", region):
            wrong += 1
            print(f"{name} : {type_text} of {source}, beside {ops}")
print(f"{around} transposes around convolutions, {wrong} others")
sys.exit(around < 50 or wrong != 0)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run
# UNSUPPORTED: sanitize-address, sanitize-thread
# Loading a model makes no pages for variables that start as zeros, such as an
# optimizer's moments; writing to one does.

# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s > m.mlir
# RUN: graphc m.mlir -o m.so
# RUN: %python %s 0 200 graph-run m.so
# RUN: %python %s 500 1200 graph-run m.so --function=double
import resource
import subprocess
import sys

if len(sys.argv) == 1:
    print("""
graph.variable @moment : tensor<128x1024x1024xf32> = #graph.zeros
func.func @double() {
  %m = graph.get @moment : tensor<128x1024x1024xf32>
  %d = graph.add %m, %m : tensor<128x1024x1024xf32>
  graph.set @moment, %d : tensor<128x1024x1024xf32>
  return
}""")
    sys.exit()

least, most = float(sys.argv[1]), float(sys.argv[2])
print(subprocess.run(sys.argv[3:], check=True, capture_output=True, text=True).stdout)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"peak RSS {peak:.0f} MiB, expects {least:g} to {most:g}")
sys.exit(not least <= peak <= most)

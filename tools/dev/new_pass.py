#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the room of a new pass: definition, header, source, README and a test.

  tools/dev/new_pass.py FoldTwice      passes/FoldTwice, graph-opt --fold-twice

What it makes builds and passes its test: a pass that does nothing. Then write
the README's paragraph, the test and the pass, in this order.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

FILES = {
    "passes/{name}/CMakeLists.txt": """# {licence}
add_graphc_pass({name}
  LINK_LIBS
  GraphcGraphDialect
  MLIRFuncDialect)
""",
    "passes/{name}/{name}.td": """// {licence}
#ifndef GRAPHC_PASSES_{upper}_TD
#define GRAPHC_PASSES_{upper}_TD

include "mlir/Pass/PassBase.td"

def {name} : Pass<"{flag}", "::mlir::ModuleOp"> {{
  let summary = "Does nothing yet";
  let description = [{{
    What it does, in a few sentences.

    - Expects: what it needs.
    - Ensures: what it leaves.
    - Preserves: what it never changes.

    @example test/passes/{name}/example.mlir
  }}];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
}}

#endif // GRAPHC_PASSES_{upper}_TD
""",
    "passes/{name}/{name}.h": """// {licence}
#ifndef GRAPHC_PASSES_{upper}_{upper}_H
#define GRAPHC_PASSES_{upper}_{upper}_H

#include "mlir/Pass/Pass.h"

namespace graphc {{
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/{name}/{name}.h.inc"
}} // namespace graphc

#endif // GRAPHC_PASSES_{upper}_{upper}_H
""",
    "passes/{name}/{name}.cpp": """// {licence}
#include "passes/{name}/{name}.h"
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;

namespace graphc {{
#define GEN_PASS_DEF_{upper}
#include "passes/{name}/{name}.h.inc"

namespace {{

struct {name}Pass : impl::{name}Base<{name}Pass> {{
  void runOnOperation() override {{}}
}};

}} // namespace
}} // namespace graphc
""",
    "passes/{name}/README.md": """# {name}

**Problem.** What is hard, in one sentence.

**Choice.** What the pass does about it.

**Limits.** What it leaves.
""",
    "test/passes/{name}/example.mlir": """// RUN: graph-opt --{flag} %s | FileCheck %s

// What must hold, in one sentence.

// CHECK-LABEL: func.func @example
func.func @example(%x: tensor<4xf32>) -> tensor<4xf32> {{
  // CHECK: graph.neg
  %y = graph.neg %x : tensor<4xf32>
  return %y : tensor<4xf32>
}}
""",
}


def main():
    if len(sys.argv) != 2 or not re.fullmatch(r"[A-Z][a-z0-9]+([A-Z][a-z0-9]+)*", sys.argv[1]):
        sys.exit(__doc__)
    name = sys.argv[1]
    if os.path.exists(os.path.join(ROOT, "passes", name)):
        sys.exit(f"new_pass.py: passes/{name} is there already")
    flag = re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower()
    for path, text in FILES.items():
        path = path.format(name=name)
        os.makedirs(os.path.dirname(os.path.join(ROOT, path)), exist_ok=True)
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
            file.write(text.format(name=name, upper=name.upper(), flag=flag, licence=LICENCE))
        print(path)
    print(f"now: cmake --preset default && ninja -C build graph-opt && tools/dev/gen_passes_doc.py\n"
          f"     build/bin/lit -v test/passes/{name}")


if __name__ == "__main__":
    main()

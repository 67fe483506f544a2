#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks every #include in the rooms against the layering table.

  check_layering.py [--root <dir>]

An include path is the file path: a file of the project is named from the root
of the tree, a public header as "graphc/...". Prints one line per violation and
exits with 1 if there is any.
"""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tree import project_files

# What each room may include, besides itself and the C and C++ standard headers.
# A name with a slash or of a room folder is a path prefix; MLIR, LLD, CUDA
# and SYSTEM stand for the header families below.
# The rule with the longest matching folder holds.
RULES = {
    "include/graphc": ["graphc/"],
    "runtime": ["graphc/", "runtime/", "SYSTEM"],
    "runtime/cuda": ["graphc/", "runtime/", "CUDA", "SYSTEM"],
    "dialects/Graph": ["MLIR"],
    "dialects/Plan": ["MLIR", "dialects/Graph/"],
    "passes": ["MLIR", "dialects/", "lib/Support/", "lib/Analysis/", "lib/Algorithms/"],
    "lib/Algorithms": [],
    "lib/Support": ["MLIR", "SYSTEM", "graphc/dtype.h"],
    "lib/Analysis": ["MLIR", "dialects/", "lib/Support/", "lib/Algorithms/"],
    "lib/Interpreter": ["MLIR", "dialects/", "lib/Support/"],
    "lib/Trace": ["MLIR", "dialects/", "lib/Support/", "graphc/"],
    "lib/Import": ["MLIR", "dialects/", "lib/Support/", "graphc/"],
    "lib/Target": ["MLIR", "dialects/", "lib/Support/", "lib/Analysis/", "graphc/abi/", "SYSTEM"],
    "lib/Package": ["MLIR", "LLD", "lib/Support/", "graphc/abi/", "SYSTEM"],
    "lib/Pipelines": ["MLIR", "passes/", "lib/Support/", "lib/Analysis/"],
    "lib/Driver": ["MLIR", "SYSTEM", "dialects/", "graphc/", "passes/AllPasses.h"]
    + ["lib/" + lib + "/" for lib in ("Import", "Pipelines", "Target", "Package", "Analysis", "Support")],
    # Not in the design's table: lib/Check/README.md.
    "lib/Check": ["MLIR", "dialects/", "graphc/", "lib/Driver/", "lib/Interpreter/", "lib/Support/"],
    "lib/CAPI": ["MLIR", "lib/Driver/", "lib/Support/", "lib/Trace/", "graphc/"],
    "tools": ["MLIR", "SYSTEM", "dialects/", "graphc/", "lib/Driver/", "lib/Pipelines/", "lib/Support/"],
    "tools/graph-opt": ["MLIR", "dialects/", "graphc/", "lib/Driver/", "lib/Pipelines/",
                        "lib/Support/", "passes/"],
    "tools/graph-run": ["graphc/", "SYSTEM"],
    "examples": ["graphc/", "SYSTEM"],
}
for tool in ("graph-interpret", "graph-random", "graph-reduce", "graphc"):
    RULES["tools/" + tool] = RULES["tools"] + ["lib/Check/", "lib/Interpreter/"]

# Folders whose every subfolder is a room of its own; the files beside the
# subfolders are shared by them.
ROOM_PARENTS = ["passes", "lib/Import", "lib/Target", "tools"]

FAMILIES = [
    ("MLIR", re.compile(r"(mlir|mlir-c|llvm|llvm-c)/")),
    ("LLD", re.compile(r"lld/")),
    ("CUDA", re.compile(r"(cuda|nvrtc|nccl|cublas|cublasLt|cudnn|nvToolsExt)\w*\.h$|cuda/|nvtx3/")),
    ("SYSTEM", re.compile(r"(sys|arpa|netinet|net|linux|asm)/\w+(\.\w+)?\.h$"
                          r"|(unistd|fcntl|dlfcn|pthread|sched|poll|dirent|netdb|spawn|link|elf"
                          r"|execinfo|ucontext|cpuid|immintrin|x86intrin|strings|semaphore)\.h$")),
    # What is left without a folder is the C or C++ standard library.
    ("STANDARD", re.compile(r"[a-z0-9_]+(\.h)?$")),
]

INCLUDE = re.compile(r'^\s*#?\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SUFFIXES = (".h", ".hpp", ".c", ".cc", ".cpp", ".cu", ".cuh", ".td")


def room_of(path):
    """The folder of the room that holds `path`, or None outside the rooms."""
    folder = os.path.dirname(path)
    for parent in ROOM_PARENTS:
        if folder.startswith(parent + "/"):
            return "/".join(folder.split("/")[: parent.count("/") + 2])
    rules = [r for r in RULES if folder == r or folder.startswith(r + "/")]
    if rules:
        return max(rules, key=len)
    # An unlisted room of a listed kind, so that it is noticed.
    parts = folder.split("/")
    if parts[0] in ("lib", "dialects") and len(parts) > 1:
        return "/".join(parts[:2])
    return None


def rule_of(room):
    rules = [r for r in RULES if room == r or room.startswith(r + "/")]
    return max(rules, key=len) if rules else None


def allowed(room, rule, target):
    """Whether `room` may include `target`, a path or the name of a family."""
    if target == "STANDARD":
        return True
    if room == "include/graphc":
        return target.startswith("graphc/")
    if target.startswith(room + "/"):
        return True
    parent = os.path.dirname(room)
    if parent in ROOM_PARENTS and os.path.dirname(target) == parent:
        return True
    return any(target == p or (p.endswith("/") and target.startswith(p)) for p in RULES[rule])


def classify(root, include):
    """Returns the project path or the family that `include` names, or None."""
    if include.startswith("graphc/"):
        return include
    top = include.split("/")[0]
    if "/" in include and top in ("dialects", "passes", "lib", "runtime", "tools", "test", "examples", "bench"):
        return include
    if os.path.isfile(os.path.join(root, include)):
        return include
    for family, pattern in FAMILIES:
        if pattern.match(include):
            return family
    return None


def check(root):
    violations = []
    for path in project_files(root):
        if not path.endswith(SUFFIXES) or path.startswith("tools/dev/"):
            continue
        room = room_of(path)
        if room is None:
            continue
        rule = rule_of(room)
        if rule is None:
            violations.append(f"{path}: room '{room}' is not in the layering table")
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            if not line.lstrip().startswith("#") and not path.endswith(".td"):
                continue
            quoted, angled = match.groups()
            include = quoted or angled
            where = f"{path}:{number}: "
            target = classify(root, include)
            beside = os.path.join(root, os.path.dirname(path), include)
            if quoted and target in (None, "STANDARD", "SYSTEM"):
                full = os.path.normpath(os.path.join(os.path.dirname(path), include))
                hint = f' (write "{full}")' if os.path.isfile(beside) else ""
                violations.append(f'{where}"{include}" is not a path from the root of the tree{hint}')
            elif target is None:
                violations.append(f"{where}<{include}> is a header of no known family")
            elif not allowed(room, rule, target):
                violations.append(f"{where}'{room}' may not include {include}")
    return violations


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--root", default=default)
    violations = check(parser.parse_args().root)
    for violation in violations:
        print(violation)
    print(f"layering: {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())

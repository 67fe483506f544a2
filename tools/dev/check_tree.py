#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what every file of the tree must keep.

  check_tree.py [--root <dir>]

Source files name the licence in their first three lines, and no file holds a
path of one machine. Prints one line per violation and exits with 1 if there is
any.
"""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tree import project_files

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCES = (".h", ".hpp", ".c", ".cc", ".cpp", ".cu", ".cuh", ".td", ".py", ".py.in", ".cpp.in", ".sh",
           ".cmake", "CMakeLists.txt")
# Folders that differ from machine to machine; system ones such as /usr do not.
MACHINE_PATH = re.compile(r"(?<![\w.~}/])/(?:home|root|work|farm|mnt|Users|workspace|var/tmp)/\w")


def check(root):
    violations = []
    for path in project_files(root):
        with open(os.path.join(root, path), "rb") as file:
            data = file.read()
        try:
            lines = data.decode("utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        is_source = path.endswith(SOURCES) or (lines and lines[0].startswith("#!"))
        if is_source and not any(LICENCE in line for line in lines[:3]):
            violations.append(f"{path}:1: expects '{LICENCE}' in the first three lines")
        for number, line in enumerate(lines, 1):
            match = MACHINE_PATH.search(line)
            if match:
                violations.append(f"{path}:{number}: path of one machine: {match.group(0)}...")
    return violations


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--root", default=default)
    violations = check(parser.parse_args().root)
    for violation in violations:
        print(violation)
    print(f"tree: {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the reference interpreter's objects stand on their own.

  check_oracle.py [--nm=<nm>] <archive or object>...

An object that names a folder, a decomposition, a derivative rule or an
optimizer update could agree with them by construction. Prints each such symbol
and exits with 1 if there is any.
"""

import argparse
import re
import subprocess
import sys

# The last part of a function's name, before its parameters.
BANNED = re.compile(r"(?:^|::)(\w*(?:[Ff]old|[Dd]ecompose|vjp|emitUpdate)\w*)(?:<[^()]*>)?(?:\(|$)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    listing = subprocess.run([arguments.nm, "-C", *arguments.files], check=True,
                             capture_output=True, text=True).stdout
    symbols, found = 0, set()
    for line in listing.splitlines():
        match = re.match(r"[0-9a-f ]{16} [a-zA-Z] (.*)$", line)
        if not match:
            continue
        symbols += 1
        if BANNED.search(match.group(1)):
            found.add(match.group(1))
    if not symbols:
        print("expects symbols in " + ", ".join(arguments.files))
        return 1
    for symbol in sorted(found):
        print(f"the reference interpreter must not refer to '{symbol}'")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

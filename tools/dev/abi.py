#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the C functions of libgraphc.so with those in the baseline.

  abi.py <libgraphc.so> --baseline <file.xml> [--headers include/graphc] [--update]

abidiff (Debian: abigail-tools) reads types from debug information, which a
release build has not, and the C++ inside would bury them. So the headers'
functions are defined once more, in C and with no body: their types are those that
the library was compiled with, as it includes the same headers, and its symbols
must be the same. Exits with 1 and abidiff's report if anything differs from the
baseline, additions included: see that programs do not rely on what changed, then
renew the baseline by --update.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
DECLARATION = re.compile(r"^(\w[\w \n*]*\bgraphc_\w+\([^;{}]*\));", re.M)


def stubs(headers):
    """C text that defines what the headers declare."""
    text = ""
    declarations = []
    for path in sorted(glob.glob(os.path.join(headers, "*.h"))):
        text += f'#include "graphc/{os.path.basename(path)}"\n'
        with open(path, encoding="utf-8") as file:
            code = COMMENT.sub("", file.read())
        declarations += [match for match in DECLARATION.findall(code) if not match.startswith("typedef")]
    return text + "".join(f"{declaration} {{ for (;;) ; }}\n" for declaration in declarations)


def functions(library):
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True)
    return {line.split()[-1] for line in symbols.stdout.splitlines() if " T " in line}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--baseline", required=True)
    parser.add_argument("--headers", default=os.path.join(ROOT, "include/graphc"))
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as work:
        library = os.path.join(work, "libgraphc.so")
        with open(os.path.join(work, "abi.c"), "w", encoding="utf-8") as file:
            file.write(stubs(arguments.headers))
        include = os.path.dirname(os.path.abspath(arguments.headers))
        subprocess.run([arguments.cc, "-g", "-O0", "-shared", "-fPIC", "-Wl,-soname,libgraphc.so.0", "-I", include,
                        "abi.c", "-o", library], check=True, cwd=work)
        missed = functions(library) ^ functions(arguments.library)
        if missed:
            sys.exit(f"abi: error: only in the headers or only in the library: {' '.join(sorted(missed))}")
        if arguments.update:
            subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--type-id-style",
                            "hash", "--out-file", arguments.baseline, library], check=True)
        return 1 if subprocess.run(["abidiff", "--no-show-locs", arguments.baseline, library]).returncode else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page of documentation.

  run_commands.py <page.md> <folder> <folder of programs> [--section <words> --with <program>]

A block of any other language than sh, which a line beginning with a file's name
in backquotes announces, is written to that file in <folder>. Each line of an sh
block is run there and has to succeed, or to exit with N if it ends in
"# exits with N". A block of text after it is what its commands print, or a part
of it, line for line; "..." stands for any characters of a line. A block "sh
needs=<program>" is run with --with <program> only. --section runs only the
commands under headings that hold the words.
"""
import argparse
import os
import re
import subprocess
import sys


def shows(printed, block):
    """Whether the lines of `block` are some of `printed`, one after the other."""
    patterns = [re.compile(".*".join(re.escape(part.rstrip() if k else part) for k, part in enumerate(line.split("..."))) + r"\s*")
                for line in block]  # fmt: skip
    printed = printed.splitlines()
    return any(all(pattern.fullmatch(line) for pattern, line in zip(patterns, printed[at:]))
               for at in range(len(printed) - len(block) + 1))  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    for argument in ("page", "folder", "programs"):
        parser.add_argument(argument)
    parser.add_argument("--section", default="")
    parser.add_argument("--with", dest="program")
    arguments = parser.parse_args()
    page, folder, programs = arguments.page, arguments.folder, arguments.programs
    os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
    os.makedirs(folder, exist_ok=True)
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    announced, printed, commands, at, heading = None, None, 0, 0, ""
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.startswith("```"):
            if line.startswith("#"):
                heading = line
            if match := re.match(r"`([\w.-]+)`,", line):
                announced = match.group(1)
            continue
        first, language, block = at, line[3:], []
        while lines[at] != "```":
            block.append(lines[at])
            at += 1
        at += 1
        language, _, needs = language.partition(" needs=")
        is_skipped = arguments.section not in heading or (needs and needs != arguments.program)
        if language == "sh" and is_skipped:
            continue
        if language == "sh":
            printed = ""
            for command in block:
                commands += 1
                expected = re.search(r"# exits with (\d+)$", command)
                done = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)  # fmt: skip
                printed += done.stdout
                print(f"$ {command}\n{done.stdout}", end="")
                if done.returncode != (int(expected.group(1)) if expected else 0):
                    sys.exit(f"{page}: exit status {done.returncode} of: {command}")
        elif language == "text" and not arguments.section:
            if printed is None:
                sys.exit(f"{page}:{first}: a block of text stands after the commands that print it")
            if not block or not shows(printed, block):
                sys.exit(f"{page}:{first}: not what is printed")
        elif announced:
            with open(os.path.join(folder, announced), "w", encoding="utf-8") as file:
                file.write("\n".join(block) + "\n")
            announced = None
    if commands == 0:
        sys.exit(f"{page}: no command")
    print(f"{commands} commands")


main()

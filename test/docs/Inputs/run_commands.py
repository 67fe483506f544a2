# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page of documentation.

  run_commands.py <page.md> <folder> <folder of programs> [--section <words> --with <program>]

A block of any other language than sh, which a line beginning with a file's name
in backquotes announces, is written to that file in <folder>. Each line of an sh block is run there
and has to succeed, or to exit with 1 if it ends in "# exits with 1". A block "sh needs=<program>" is
run with --with <program> only. --section runs only the commands under headings that hold the words.
"""
import argparse
import os
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
for argument in ("page", "folder", "programs"):
    parser.add_argument(argument)
parser.add_argument("--section", default="")
parser.add_argument("--with", dest="program")
args = parser.parse_args()
page, folder, programs = args.page, args.folder, args.programs
os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
os.makedirs(folder, exist_ok=True)
lines = open(page, encoding="utf-8").read().splitlines()
announced = None
commands = 0
heading = ""
at = 0
while at < len(lines):
    line = lines[at]
    at += 1
    if not line.startswith("```"):
        if line.startswith("#"):
            heading = line
        if match := re.match(r"`([\w.-]+)`,", line):
            announced = match.group(1)
        continue
    language = line[3:]
    block = []
    while lines[at] != "```":
        block.append(lines[at])
        at += 1
    at += 1
    language, _, needs = language.partition(" needs=")
    if language == "sh":
        if args.section not in heading or needs and needs != args.program:
            continue
        for command in block:
            commands += 1
            expected = 1 if command.endswith("# exits with 1") else 0
            done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True)
            print(f"$ {command}\n{done.stdout}{done.stderr}", end="")
            if done.returncode != expected:
                sys.exit(f"{page}: exit status {done.returncode} of: {command}")
    elif announced:
        with open(os.path.join(folder, announced), "w", encoding="utf-8") as file:
            file.write("\n".join(block) + "\n")
        announced = None
if commands == 0:
    sys.exit(f"{page}: no command")

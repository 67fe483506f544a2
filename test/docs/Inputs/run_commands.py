# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page of documentation.

  run_commands.py <page.md> <folder> <folder of programs> [--section <words> --with <program>]

A block of any other language than sh, which a line beginning with a file's name
in backquotes announces, is written to that file in <folder>. Each line of an sh
block is run there and has to succeed, every part of a pipe too, or to exit with
N if it ends in "# exits with N". A block of text after it is what its commands
print, or a part of it, line for line; "..." stands for any characters of a line.
A block "sh needs=<program>" is run with --with <program> only. --section runs
only the commands under headings that hold the words.

Commands that are not run here say why: "sh test=<path>" or "console test=<path>"
names the test that runs them, "console why=<words>" says that none can.
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


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")


def check_elsewhere(block, marker):
    """What is wrong with a block of commands that `marker` keeps from running."""
    kind, _, value = marker.partition("=")
    if kind == "why" and len(value.split()) > 2:
        return ""
    if kind != "test":
        return "expects test=<path> or why=<words> of commands that do not run"
    try:
        with open(os.path.join(ROOT, value), encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return f"there is no {value}"
    for command in block:
        # The program, or the variable that is set.
        word = re.match(r"(?:[$#] )?(?:export )?([^\s=]+)", command).group(1)
        if os.path.basename(word) not in text:
            return f"{value} does not run: {command}"
    return ""


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
    announced, printed, commands, elsewhere, at, heading = None, None, 0, 0, 0, ""
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
        language, _, marker = language.partition(" ")
        needs = marker.removeprefix("needs=") if marker.startswith("needs=") else ""
        if language == "console" or (language == "sh" and marker and not needs):
            if wrong := check_elsewhere(block, marker):
                sys.exit(f"{page}:{first}: {wrong}")
            elsewhere += 1
            continue
        is_skipped = arguments.section not in heading or (needs and needs != arguments.program)
        if language == "sh" and is_skipped:
            continue
        if language == "sh":
            printed = ""
            for command in block:
                commands += 1
                expected = re.search(r"# exits with (\d+)$", command)
                done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, stdout=subprocess.PIPE,
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
    if commands + elsewhere == 0:
        sys.exit(f"{page}: no command")
    print(f"{commands} commands, {elsewhere} blocks that do not run here")


main()

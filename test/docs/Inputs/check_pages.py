# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_pages.py ROOT: each page with commands has a test in test/docs that runs
them and says how many they are."""
import glob
import os
import re
import sys

root = sys.argv[1]
tests = {}
for path in glob.glob(os.path.join(root, "test/docs/*.test")):
    with open(path, encoding="utf-8") as file:
        tests[os.path.basename(path)] = file.read()
pages = failures = 0
for path in sorted(glob.glob(os.path.join(root, "docs/*.md"))) + [os.path.join(root, "README.md")]:
    page = os.path.relpath(path, root)
    with open(path, encoding="utf-8") as file:
        if not re.search(r"^```(sh|console)\b", file.read(), re.M):
            continue
    pages += 1
    runs = [text for text in tests.values() if f"run_commands.py %source_root/{page} " in text]
    counts = [text for text in runs if re.search(r"^# [A-Z]+(-NEXT)?: \d+ commands, \d+ blocks", text, re.M)]
    if not runs or counts != runs:
        failures += 1
        print(f"{page}: {'a test without the number of commands' if runs else 'no test runs its commands'}")
print(f"{pages} pages with commands, {failures} without a test")
sys.exit(1 if failures else 0)

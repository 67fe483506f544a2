# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""copy_tree.py FROM TO: copies the project's files."""
import os
import shutil
import sys

source, target = sys.argv[1:]
sys.path.insert(0, os.path.join(source, "tools", "dev"))
from tree import project_files  # noqa: E402

for path in project_files(source):
    to = os.path.join(target, path)
    os.makedirs(os.path.dirname(to), exist_ok=True)
    shutil.copy(os.path.join(source, path), to)

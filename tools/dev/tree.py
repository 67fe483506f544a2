# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the project's files for the checks of the tree."""

import os
import subprocess


def project_files(root):
    """Paths relative to `root`, sorted: what git tracks or would track, or all
    files where `root` is no git checkout of its own."""
    if os.path.exists(os.path.join(root, ".git")):
        # Someone else's checkout, as in a container, is fine to list.
        git = ["git", "-c", "safe.directory=*", "-C", root]
        command = git + ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        paths = [path for path in listed.split("\0") if path]
        return sorted(path for path in set(paths) if os.path.isfile(os.path.join(root, path)))
    paths = []
    for folder, _, names in os.walk(root):
        for name in names:
            paths.append(os.path.relpath(os.path.join(folder, name), root))
    return sorted(paths)

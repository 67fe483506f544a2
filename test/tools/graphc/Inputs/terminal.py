# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command on a terminal of its own and prints what it writes there."""
import os
import pty
import sys

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # The last program has left the terminal.
        break
    if not part:
        break
    text += part
_, status = os.waitpid(child, 0)
sys.stdout.write(text.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(status))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command, prints its standard error, and fails unless its status is 2."""
import subprocess
import sys

result = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
sys.stdout.write(result.stderr.decode())
sys.exit(0 if result.returncode == 2 and not result.stdout else 1)

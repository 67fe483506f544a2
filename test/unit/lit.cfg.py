# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

# lit sends the format to its workers by name, so the class lives in a module.
sys.path.insert(0, os.path.dirname(__file__))
from unit_format import UnitTest

config.name = "graphc-unit"
config.suffixes = []
config.test_source_root = config.test_exec_root = os.path.join(config.graphc_obj_root, "bin", "unit")
os.makedirs(config.test_source_root, exist_ok=True)
config.test_format = UnitTest(config.unit_programs)
# As in test/lit.cfg.py, though leaks count here.
config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0:detect_container_overflow=0:use_sigaltstack=0"
for name in ("HOME", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

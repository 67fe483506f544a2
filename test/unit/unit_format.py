# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats
import lit.Test
import lit.util


class UnitTest(lit.formats.GoogleTest):
    """GoogleTest programs (*Tests), and plain ones (*CTest) that exit with 0, or 77 to skip."""

    def __init__(self, programs):
        super().__init__(".", "Tests")
        # Only these: a program of a test since removed may still lie there.
        self.programs = programs

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        for test in super().getTestsInDirectory(suite, path_in_suite, lit_config, local_config):
            if os.path.basename(test.file_path) in self.programs:
                yield test
        for name in self.programs:
            if name.endswith("CTest"):
                yield lit.Test.Test(suite, path_in_suite + (name,), local_config)

    def execute(self, test, lit_config):
        if test.gtest_json_file is not None:
            return super().execute(test, lit_config)
        out, err, code = lit.util.executeCommand(
            [test.getSourcePath()], env=test.config.environment,
            timeout=lit_config.maxIndividualTestTime,
        )
        status = {0: lit.Test.PASS, 77: lit.Test.SKIPPED}.get(code, lit.Test.FAIL)
        return status, f"{out}{err}exit status {code}\n"

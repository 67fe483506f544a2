# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import lit.formats
import lit.Test
import lit.util


class UnitTest(lit.formats.GoogleTest):
    """GoogleTest programs (*Tests), and plain ones (*CTest) that exit with 0, or 77 to skip."""

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        yield from super().getTestsInDirectory(suite, path_in_suite, lit_config, local_config)
        directory = suite.getSourcePath(path_in_suite)
        for name in sorted(lit.util.listdir_files(directory, suffixes={"CTest"})):
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

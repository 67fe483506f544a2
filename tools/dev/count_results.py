#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds up test results and prints them as one closing line.

  count_results.py <results>...

<results> are lit's JSON output (--output) or ctest's JUnit output
(--output-junit). Names failed tests and the reasons of skipped ones first. A
file that is missing counts as one failure: its tests never ran. Exits with 1 if
anything failed or nothing passed.
"""

import argparse
import collections
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

LIT = {"PASS": "passed", "XFAIL": "passed", "FLAKYPASS": "passed",
       "UNSUPPORTED": "skipped", "SKIPPED": "skipped", "EXCLUDED": None}
JUNIT = {"run": "passed", "fail": "failed", "notrun": "skipped", "disabled": "skipped"}


def lit_results(path):
    """Yields (name, outcome, reason) for each test of a lit run."""
    with open(path, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    for test in tests:
        outcome = LIT.get(test["code"], "failed")
        if outcome:
            match = re.search(r"unavailable features: (.*)", test["output"])
            reason = "needs " + match.group(1) if match else "the test chose to skip"
            yield test["name"], outcome, reason


def junit_results(path):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        outcome = JUNIT.get(case.get("status"), "failed")
        skipped = case.find("skipped")
        reason = skipped.get("message", "") if skipped is not None else ""
        yield case.get("name"), outcome, reason or "the test chose to skip"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="*")
    arguments = parser.parse_args()

    counts = collections.Counter()
    reasons = collections.Counter()
    for path in arguments.results:
        read = junit_results if path.endswith(".xml") else lit_results
        try:
            results = list(read(path))
        except (OSError, ValueError, KeyError, ElementTree.ParseError) as error:
            print(f"no results: {error}")
            counts["failed"] += 1
            continue
        for name, outcome, reason in results:
            counts[outcome] += 1
            if outcome == "failed":
                print(f"failed: {name}")
            elif outcome == "skipped":
                reasons[reason] += 1
    for reason, number in sorted(reasons.items()):
        print(f"skipped {number}: {reason}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 0 if counts["passed"] and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())

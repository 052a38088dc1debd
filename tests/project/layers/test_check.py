#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does check.py find each kind of mistake? Every case is a tree of a few files with one mistake in it, and the words
that have to be in the complaint; or a tree without one, which must not be complained about.

    test_check.py CC       CC compiles the trees whose calls are looked at

Exit code: 0 all as expected, 1 not."""
import sys

import cases_calls  # noqa: F401, registers its cases in sample.CASES
import cases_includes  # noqa: F401
import cases_names  # noqa: F401
from sample import CASES, Sample, run


def failure(name, part, words, function, compiler):
    sample = Sample()
    function(sample)
    result = run(part, sample, compiler)
    output = result.stdout + result.stderr
    if words is None:
        return None if result.returncode == 0 else f"{name}: nothing is wrong, but {part} complains: {output}"
    if result.returncode != 1:
        return f"{name}: {part} found nothing: {output}"
    return None if words in output else f"{name}: expected `{words}` in: {output}"


def main():
    failures = [text for one in CASES if (text := failure(*one, sys.argv[1]))]
    print(*failures, f"{len(CASES)} cases, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

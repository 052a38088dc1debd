#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What mpiskel says, and leaves as it was, when its input is bad.

    bad_input.py MPISKEL CASE

Runs the function case_CASE of one of the files cases_*.py: its name is the claim. It gets a Session
(support.py) with an empty directory. Exit codes of mpiskel: 1 failed, 2 the result is there but
misses the asked quality, 64 usage."""
import os
import sys
import tempfile

import cases_bundle
import cases_generate
import cases_hints
import cases_run
from support import Failure, Session


def main():
    mpiskel, name = os.path.abspath(sys.argv[1]), "case_" + sys.argv[2]
    case = next(getattr(module, name) for module in (cases_generate, cases_hints, cases_bundle, cases_run)
                if hasattr(module, name))
    with tempfile.TemporaryDirectory(prefix="bad-input-") as directory:
        try:
            case(Session(mpiskel, os.path.realpath(directory)))
        except Failure as failure:
            sys.exit(f"{sys.argv[2]}: {failure}")
    print(f"{sys.argv[2]}: fine")


main()

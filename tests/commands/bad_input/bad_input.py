#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What mpiskel says, and leaves as it was, when its input is bad.

    bad_input.py MPISKEL CASE

Runs the function case_CASE of one of the files cases_*.py: its name is the claim. It gets a Session
(support.py) with an empty directory. Exit codes of mpiskel: 1 failed, 2 the result is there but
misses the asked quality, 64 usage."""
import glob
import importlib
import os

from support import run_case

HERE = os.path.dirname(os.path.abspath(__file__))


def find(name):
    """In the file that has it, so that others are not even read."""
    for path in sorted(glob.glob(os.path.join(HERE, "cases_*.py"))):
        with open(path, encoding="utf-8") as file:
            if f"\ndef {name}(" in file.read():
                return getattr(importlib.import_module(os.path.basename(path)[:-len(".py")]), name)
    raise LookupError(name)


run_case(find, "bad-input-")

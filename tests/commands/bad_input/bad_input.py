#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What mpiskel says, and leaves as it was, when its input is bad.

    bad_input.py MPISKEL CASE

Runs the function case_CASE of one of the files cases_*.py: its name is the claim. It gets a Session
(support.py) with an empty directory. Exit codes of mpiskel: 1 failed, 2 the result is there but
misses the asked quality, 64 usage."""
import cases_bundle
import cases_constructs
import cases_generate
import cases_hints
import cases_outcome
import cases_project
import cases_run
import cases_validate
from support import run_case


def find(name):
    return next(getattr(module, name) for module in (cases_generate, cases_hints, cases_bundle,
                                                     cases_constructs, cases_outcome, cases_project,
                                                     cases_run, cases_validate)
                if hasattr(module, name))


run_case(find, "bad-input-")

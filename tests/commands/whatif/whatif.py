#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What-if options of `mpiskel run`, and `mpiskel whatif`, on phases.c, whose times are known.

    whatif.py MPISKEL CASE

Runs the function case_CASE of one of the files cases_*.py: its name is the claim."""
import cases_whatif
import cases_changes
import cases_findings
import cases_noise
from phases import run_case


def find(name):
    return next(getattr(module, name) for module in (cases_changes, cases_findings, cases_noise, cases_whatif)
                if hasattr(module, name))


run_case(find, "mpiskel-whatif-")

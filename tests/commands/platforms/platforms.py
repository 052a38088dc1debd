#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`mpiskel platform`, and the networks of `mpiskel run`:  platforms.py MPISKEL CASE"""
import os
import sys
import tempfile

import cases_crossing
import cases_files
import cases_links
import cases_runs
from support import HERE


def main():
    """Runs the case in a directory of its own."""
    mpiskel, name = os.path.abspath(sys.argv[1]), f"case_{sys.argv[2]}"
    found = [getattr(file, name) for file in (cases_crossing, cases_files, cases_links, cases_runs)
             if hasattr(file, name)]
    if len(found) != 1:
        sys.exit(f"{len(found)} cases are called {name}")
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        found[0](mpiskel)
        os.chdir(HERE)


if __name__ == "__main__":
    main()

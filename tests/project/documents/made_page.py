#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is a page what its script makes of the tool today?

    made_page.py MPISKEL TREE docs/reference/PAGE.md scripts/SCRIPT

With BLESS=1 in the environment the page is written anew, as the build's target `documents` does."""
import difflib
import os
import pathlib
import subprocess
import sys

def main():
    mpiskel, tree, name, script = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    made = subprocess.run([sys.executable, "-B", tree / script, mpiskel],
                          stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True).stdout
    page = tree / name
    there = page.read_text(encoding="utf-8") if page.exists() else ""
    if there == made:
        return 0
    if os.environ.get("BLESS") == "1":
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(made, encoding="utf-8")
        print(f"{name}: written")
        return 0
    print(f"{name}:1: error: not what {script} makes: make it anew with `cmake --build BUILD --target "
          "documents` or BLESS=1")
    sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), made.splitlines(True),
                                               "the page", "made anew"))
    return 1


if __name__ == "__main__":
    sys.exit(main())

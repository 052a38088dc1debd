#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is docs/reference/commands.md what the tool's --help says today?

    commands_page.py MPISKEL TREE

With BLESS=1 in the environment the page is written anew, as the build's target `documents` does."""
import difflib
import os
import pathlib
import subprocess
import sys

PAGE = "docs/reference/commands.md"


def main():
    mpiskel, tree = sys.argv[1], pathlib.Path(sys.argv[2])
    made = subprocess.run([sys.executable, "-B", tree / "scripts/commands-page", mpiskel],
                          stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True).stdout
    page = tree / PAGE
    there = page.read_text(encoding="utf-8") if page.exists() else ""
    if there == made:
        return 0
    if os.environ.get("BLESS") == "1":
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(made, encoding="utf-8")
        print(f"{PAGE}: written")
        return 0
    print(f"{PAGE}:1: error: not what --help says: make it anew with `cmake --build BUILD --target "
          "documents` or BLESS=1")
    sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), made.splitlines(True),
                                               "the page", "made of --help"))
    return 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do README.md, CONTRIBUTING.md and docs/**/*.md keep to the rules for documentation?

    check.py --mpiskel BIN TREE [PAGE.md...]

Links and anchors resolve, commands and options exist, paragraphs are short, a page of docs/ begins
with two sentences, README is short, and dates, commits, names of source files and paths of this
machine are left out. Each complaint is one line `file:line: error: what, and what to do`.
Exit code: 0 no complaints, 1 some."""
import argparse
import os
import pathlib
import sys

sys.dont_write_bytecode = True    # nothing is left in the source tree
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))
import prose  # noqa: E402
from command_lines import CommandCheck  # noqa: E402
from links import LinkCheck  # noqa: E402
from markdown import read_page  # noqa: E402
from tool_help import Tool  # noqa: E402


def page_files(tree):
    roots = [tree / name for name in ("README.md", "CONTRIBUTING.md") if (tree / name).exists()]
    return roots + sorted((tree / "docs").rglob("*.md"))


class Check:
    def __init__(self, tree, tool):
        self.links = LinkCheck(tree)
        self.commands = CommandCheck(tool)
        self.sources = prose.SourceNames(tree)
        self.paths = prose.MachinePaths(tree, pathlib.Path.home())

    def complaints(self, page):
        """Sorted (line, text)."""
        found = set()
        for rule in self.rules(page):
            found.update(rule(page))
        return sorted(found)

    def rules(self, page):
        yield from (self.links.complaints, self.commands.complaints, self.paths.complaints,
                    prose.long_paragraphs, prose.long_lines, prose.languages)
        if page.path.startswith("docs/"):
            yield prose.first_paragraph
        if page.path == "README.md":
            yield prose.readme_length
        if not prose.in_folder(page, "results"):
            yield from (prose.dates, prose.commits)
        if not prose.in_folder(page, "results", "explanation") and page.path != "CONTRIBUTING.md":
            yield self.sources.complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mpiskel", required=True, help="the built tool")
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="only these (default: all)")
    options = parser.parse_args()
    tree = options.tree.resolve()
    check = Check(tree, Tool(options.mpiskel))
    files = [page.resolve() for page in options.pages] or page_files(tree)
    count = 0
    for file in files:
        page = read_page(file, os.path.relpath(file, tree))
        for line, text in check.complaints(page):
            print(f"{page.path}:{line}: error: {text}")
            count += 1
    print(f"{len(files)} pages, {count} complaints")
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()

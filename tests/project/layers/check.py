#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a source tree keep to its layers.txt?

    check.py includes TREE              includes point to folders that layers.txt allows, foreign libraries are wrapped
    check.py calls TREE BUILD           so do calls, and each external symbol is defined once
    check.py circles TREE BUILD [--why] circles of files are small and inside one folder
    check.py names TREE [--readmes]     tags and file names stand for one thing, folders and files are not too large

--why shows all circles with the includes and calls that make them; --readmes asks for a README.md in each folder;
Exit code: 0 all well, 1 something to complain about, 2 usage."""
import argparse
import os
import sys

import calls
import circles
import includes
import names
from objects import Objects
from tree import Tree


def check_includes(tree, _):
    return includes.check(tree)


def check_calls(tree, arguments):
    return calls.check(tree, Objects(tree, arguments.build))


def check_circles(tree, arguments):
    objects = Objects(tree, arguments.build)
    graph = circles.arrows(tree, objects)
    found = circles.circles(graph)
    print(*(circles.explain(graph, found) if arguments.why else circles.summary(found)), sep="\n")
    return [*objects.complaints, *circles.check(tree.layers, found)]


def check_names(tree, arguments):
    return names.check(tree, arguments.readmes)


CHECKS = {"includes": check_includes, "calls": check_calls, "circles": check_circles, "names": check_names}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True, dest="part")
    for name in CHECKS:
        part = parts.add_parser(name)
        part.add_argument("tree")
        if name in ("calls", "circles"):
            part.add_argument("build")
        if name == "circles":
            part.add_argument("--why", action="store_true")
        if name == "names":
            part.add_argument("--readmes", action="store_true")
    return parser, parser.parse_args()


def main():
    parser, arguments = parse_arguments()
    if not os.path.isfile(os.path.join(arguments.tree, "layers.txt")):
        parser.error(f"{arguments.tree} has no layers.txt")
    tree = Tree(arguments.tree)
    complaints = list(CHECKS[arguments.part](tree, arguments))
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Files that need each other: the circles of includes and calls.

A .c file and the .h beside it are one node, named by their path without the suffix. An arrow goes from a node
to each whose header it includes or whose symbol it uses. A circle is a strongly connected component of more
than one node; what lies in one can only be understood, tested and changed as a whole."""
import posixpath
from collections import defaultdict

from tree import Complaint

# Recursion that is honest (an expression's value, what is written to it, under which condition) takes some ten
# files, and 12 is the most that are to be: beyond that nobody holds a circle in the head at once.
LARGEST = 12


def node(path):
    return posixpath.splitext(path)[0]


def arrows(tree, objects):
    """node -> node -> the reasons, as texts."""
    result = defaultdict(lambda: defaultdict(list))
    known = set(tree.sources)
    for include in tree.includes():
        if include.target in known:
            result[node(include.file)][node(include.target)].append(f"includes {include.target}")
    for call in objects.calls():
        result[node(call.source)][node(call.target)].append(f"uses {call.symbol}")
    return result


def reached(graph, start):
    seen, waiting = set(), [start]
    while waiting:
        fresh = graph.get(waiting.pop(), {}).keys() - seen
        seen |= fresh
        waiting += fresh
    return seen


def circles(graph):
    """The circles, each a sorted list of nodes, the largest first."""
    reach = {start: reached(graph, start) for start in graph}
    found = {frozenset(other for other in reach[one] if one in reach.get(other, ())) for one in graph}
    return sorted((sorted(circle) for circle in found if len(circle) > 1), key=lambda circle: (-len(circle), circle))


def summary(found):
    yield f"circles of files: {len(found)}, the largest has {len(found[0]) if found else 0} files"


def explain(graph, found):
    """Each circle with its arrows and their reasons."""
    yield from summary(found)
    for circle in found:
        yield f"\n{len(circle)} files: {' '.join(circle)}"
        for source in circle:
            for target in circle:
                if source != target and target in graph[source]:
                    yield f"    {source} -> {target}: {', '.join(graph[source][target])}"


def check(layers, found):
    for circle in found:
        folders = sorted({layers.folder(one) or "" for one in circle})
        if len(circle) > LARGEST:
            yield Complaint(circle[0], f"in a circle of {len(circle)} files, at most {LARGEST} may be: "
                                       f"{' '.join(circle)}")
        elif len(folders) > 1:
            yield Complaint(circle[0], f"in a circle across {' and '.join(folders)}: {' '.join(circle)}")

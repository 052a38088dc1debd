# SPDX-License-Identifier: Apache-2.0
"""The objects of a build, and the external symbols that each defines and refers to.

compile_commands.json says which source an object was made of; sources that the build wrote stand for the
folder at the same place in the tree. Objects of tests, examples and the like are not looked at.

What is linked together is a program: the tool with all its libraries is one, the engine is one, and each library
of runtime/ is one, for these are linked into other people's programs. A weak definition counts where there is no
other. A reference goes to the definition in the same
program, else to the tool's; what neither defines is the C library's, MPI's or the application's.

A symbol that code finds in one file here and in another there (bsim__lighten in original and skeleton) is an
interface: who refers to it depends on its declaration, not on a file that happens to be linked."""
import json
import os
import re
import shlex
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field

from tree import NO_SOURCE, Complaint

TOOL = "the tool"
ENGINE = "engine"  # the program that stands in for smpimain
WEAK = "WV"  # definitions that give way to others
SANITIZERS = re.compile(r"__(odr_)?(asan|ubsan|lsan)[._]")
REFERENCES = "Uwv"  # nm's letters for what an object does not define itself


@dataclass
class Object:
    path: str
    source: str
    program: str
    defined: set = field(default_factory=set)
    weak: set = field(default_factory=set)
    referred: set = field(default_factory=set)


@dataclass(frozen=True, order=True)
class Call:
    """Code of `source` refers to `symbol`, which `target` defines."""
    source: str
    symbol: str
    target: str


class Objects:
    def __init__(self, tree, build):
        self.complaints = []
        self.objects = [found for entry in read_commands(build) if (found := read_entry(tree, build, entry))]
        if not self.objects:
            self.complaints.append(Complaint(f"{build}/compile_commands.json", "no source of the tree is compiled"))
        missing = [one for one in self.objects if not os.path.exists(one.path)]
        self.complaints += [Complaint(one.source, f"{one.path} is missing; build first") for one in missing]
        self.objects = [one for one in self.objects if one not in missing]
        read_symbols(self.objects)

    def definitions(self):
        """program -> symbol -> the sources that define it."""
        result = defaultdict(lambda: defaultdict(set))
        for one in self.objects:
            for symbol in one.defined:
                result[one.program][symbol].add(one.source)
        strong = {program: set(symbols) for program, symbols in result.items()}
        for one in self.objects:
            for symbol in one.weak - strong.get(one.program, set()):
                result[one.program][symbol].add(one.source)
        return result

    def calls(self):
        definitions = self.definitions()
        targets = defaultdict(set)
        for one in self.objects:
            for symbol in one.referred:
                targets[one.source, symbol] |= definitions[one.program][symbol] or definitions[TOOL][symbol]
        return sorted(Call(source, symbol, *found) for (source, symbol), found in targets.items() if len(found) == 1)


def read_commands(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return json.load(file)


def read_entry(tree, build, entry):
    source = source_path(tree.root, build, entry["file"])
    if source is None or source.split("/")[0] in NO_SOURCE:
        return None
    output = entry.get("output") or output_of(entry["command"])
    return Object(os.path.join(entry["directory"], output), source, program_of(output))


def source_path(root, build, file):
    for place in (build, root):
        path = os.path.relpath(os.path.realpath(file), os.path.realpath(place))
        if not path.startswith(".."):
            return path
    return None


def output_of(command):
    words = shlex.split(command)
    return words[words.index("-o") + 1]


def program_of(output):
    """CMake puts the objects of a target into FOLDER/CMakeFiles/TARGET.dir."""
    folder, _, rest = output.partition("/CMakeFiles/")
    target = rest.partition(".dir/")[0]
    return target if folder == "runtime" or target == ENGINE else TOOL


def read_symbols(objects):
    by_path = {one.path: one for one in objects}
    if not by_path:
        return
    listing = subprocess.run(["nm", "-A", "-P", "-g", *by_path], check=True, capture_output=True, text=True)
    for line in listing.stdout.splitlines():
        path, _, rest = line.partition(": ")
        symbol, kind = rest.split()[:2]
        if not SANITIZERS.match(symbol):
            one = by_path[path]
            (one.referred if kind in REFERENCES else one.weak if kind in WEAK else one.defined).add(symbol)

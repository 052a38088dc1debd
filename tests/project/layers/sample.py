# SPDX-License-Identifier: Apache-2.0
"""Small source trees for test_check.py: a tree without mistakes, to which each case adds its own, and its build."""
import json
import os
import subprocess
import sys
import tempfile

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check.py")
CASES = []


class Sample:
    """A tree to be, free of mistakes; a case adds its own."""

    def __init__(self):
        self.options = []
        self.unbuilt = set()
        self.files = {
            "layers.txt": "base: # the ground\nmodel/eval:\nmodel: base\ncli: base model/eval\nruntime: model/eval\n",
            "base/a.h": "#include <stdio.h>\nint a(void);\n",
            "base/a.c": '#include "base/a.h"\nint a(void) { return 1; }\n',
            "model/eval/eval.h": "int eval(void);\n",
            "model/m.c": '#include "base/a.h"\nint m(void);\nint m(void) { return a(); }\n',
            "cli/c.c": '#include "model/eval/eval.h"\n#include "cli/x.h"\nint main(void) { return 0; }\n',
            "cli/x.h": "struct x { int y; };\n",
            "runtime/r.h": "int r(void);\n",
        }

    def add(self, path, text):
        self.files[path] = self.files.get(path, "") + text

    def write(self, root):
        for path, text in self.files.items():
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def case(part, words=None):
    """Of a function that makes the mistake: the part of the check that must find it, in these words; None: must not."""
    def register(function):
        CASES.append((function.__name__.replace("_", " "), part, words, function))
        return function
    return register


def outputs_of(source):
    """Where CMake puts the objects. runtime/one and runtime/two are libraries, each with all of runtime/shared."""
    top, *rest = source.split("/")
    libraries = [top]
    if top == "runtime":
        libraries = ["one", "two"] if rest[0] == "shared" else [rest[0]]
    return [f"{top}/CMakeFiles/{library}.dir/{'/'.join(rest)}.o" for library in libraries]


def build(sample, root, compiler):
    """Compiles the tree as CMake would, into root/build."""
    commands = []
    directory = os.path.join(root, "build")
    sources = sorted(path for path in sample.files if path.endswith(".c"))
    for source, output in ((source, output) for source in sources
                           for output in outputs_of(source.removeprefix("build/"))):
        command = [compiler, "-I", root, "-o", output, "-c", os.path.join(root, source)]
        commands.append({"directory": directory, "command": " ".join(command), "file": command[-1]})
        if source not in sample.unbuilt:
            os.makedirs(os.path.dirname(os.path.join(directory, output)), exist_ok=True)
            subprocess.run(command, cwd=directory, check=True)
    with open(os.path.join(directory, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(commands, file)


def run(part, sample, compiler):
    with tempfile.TemporaryDirectory() as root:
        sample.write(root)
        command = [sys.executable, "-B", CHECK, part, root, *sample.options]
        if part in ("calls", "circles"):
            os.makedirs(os.path.join(root, "build"), exist_ok=True)
            build(sample, root, compiler)
            command.append(os.path.join(root, "build"))
        return subprocess.run(command, capture_output=True, text=True, check=False)

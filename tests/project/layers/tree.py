# SPDX-License-Identifier: Apache-2.0
"""A source tree: its C files, what they include, and what its layers.txt allows.

Paths are relative to the tree, with slashes. A folder is one that layers.txt lists; a file belongs to the
longest listed folder that its path begins with. What is not C source is not looked at, nor are the folders
of NO_SOURCE, whose sources are programs of their own."""
import os
import posixpath
import re
from dataclasses import dataclass

NO_SOURCE = ("bench", "examples", "tests", "docs", "cmake", "scripts")
SUFFIXES = (".c", ".h", ".def")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
LAYER = re.compile(r"([a-z_/]+):((?:\s+[a-z_/]+)*)\s*$")


@dataclass(frozen=True)
class Complaint:
    """`where` is a file, a file with a line, or a folder."""
    where: str
    text: str

    def __str__(self):
        return f"{self.where}: error: {self.text}"


@dataclass(frozen=True)
class Include:
    file: str
    line: int
    header: str  # as written
    target: str  # its path, should it be one of the tree

    @property
    def where(self):
        return f"{self.file}:{self.line}"


class Layers:
    """layers.txt: `folder: the folders that it may include`, each of them listed above it."""

    def __init__(self, text):
        self.allowed = {}
        self.complaints = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.partition("#")[0].strip()
            if line:
                self._read(f"layers.txt:{number}", line)

    def _read(self, where, line):
        match = LAYER.match(line)
        if match is None:
            self.complaints.append(Complaint(where, "not of the form `folder: folder folder`"))
            return
        folder, targets = match[1], match[2].split()
        if folder in self.allowed:
            self.complaints.append(Complaint(where, f"{folder} is listed twice"))
        self.complaints += [Complaint(where, f"{folder} may include {target}, which is not above it")
                            for target in targets if target not in self.allowed or target == folder]
        self.allowed[folder] = {folder, *targets}

    def folder(self, path):
        """The folder that a file belongs to, or None."""
        while path := posixpath.dirname(path):
            if path in self.allowed:
                return path
        return None

    def allows(self, source, target):
        return target in self.allowed[source]


class Tree:
    def __init__(self, root):
        self.root = root
        self.layers = Layers(self.read("layers.txt"))
        self.sources = sorted(self._walk(self._tops()))

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def exists(self, path):
        return os.path.exists(os.path.join(self.root, path))

    def _tops(self):
        return [entry.name for entry in os.scandir(self.root) if entry.is_dir() and entry.name not in NO_SOURCE
                and not entry.name.startswith((".", "build"))]

    def _walk(self, tops):
        for top in tops:
            for folder, _, names in os.walk(os.path.join(self.root, top)):
                place = os.path.relpath(folder, self.root).replace(os.sep, "/")
                yield from (f"{place}/{name}" for name in names if name.endswith(SUFFIXES))

    def sources_in(self, top):
        return sorted(self._walk([top]))

    def includes(self):
        for file in self.sources:
            for number, line in enumerate(self.read(file).splitlines(), 1):
                if match := INCLUDE.match(line):
                    yield Include(file, number, match[2], self._target(file, match[1], match[2]))

    def _target(self, file, quote, header):
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), header))
        return beside if quote == '"' and self.exists(beside) else posixpath.normpath(header)

# SPDX-License-Identifier: Apache-2.0
"""One name for one thing, and folders and files of a size that can be surveyed."""
import posixpath
import re
from collections import Counter, defaultdict

from tree import Complaint

SOURCE_FOLDERS = ("base", "mpi", "frontend", "model", "skeletonizer", "runtime", "simulator", "cli", "engine",
                  "analysis", "synthesis", "bench")
MOST_FILES = 40  # about what a reader takes in from a listing, and what a README of 40 lines can order
MOST_LINES = 500

# struct, union and enum tags that are defined in these files, and why.
TAGS_TWICE = {
    ("bsim__values", "runtime/original/values_write.c", "runtime/skeleton/values_read.c"):
        "opaque in runtime/smpi; what is kept for a rank is the library's own",
}
# Files of the same name (paths without suffix), and why both are called so.
FILES_TWICE = {
    ("bench/fit", "model/fit"): "bench/fit.c measures model/fit.c",
    ("bench/stub", "runtime/skeleton/stub"): "bench/stub.c measures runtime/skeleton/stub.c",
}
# Files that may be longer, and why.
LONG_FILES = {"mpi/externs.def": "data: a line for each function of the C library"}

NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
TAG = re.compile(r"\b(struct|union|enum)\s+(\w+)\s*\{")


def check(tree, readmes):
    sources = [file for folder in SOURCE_FOLDERS for file in tree.sources_in(folder)]
    yield from check_tags(tree, sources)
    yield from check_file_names(sources)
    yield from check_folders(tree, sources, readmes)
    if readmes:
        yield from check_lists(tree, [file for file in sources if not file.startswith("bench/")])
    yield from check_lengths(tree, sources)


def check_tags(tree, sources):
    """struct, union and enum share their tags, as in C."""
    places = defaultdict(list)
    for file in sources:
        code = NO_CODE.sub(lambda match: "\n" * match[0].count("\n") or " ", tree.read(file))
        for match in TAG.finditer(code):
            places[match[2]].append((file, code.count("\n", 0, match.start()) + 1, match[1]))
    for tag, found in sorted(places.items()):
        files = sorted({file for file, _, _ in found})
        if len(files) > 1 and (tag, *files) not in TAGS_TWICE:
            (file, line, kind), *others = found
            yield Complaint(f"{file}:{line}", f"{kind} {tag} is defined in "
                            f"{' and '.join(one for one, *_ in others)} as well")


def check_file_names(sources):
    places = defaultdict(set)
    for file in sources:
        path = posixpath.splitext(file)[0]
        places[posixpath.basename(path)].add(path)
    for name, found in sorted(places.items()):
        first, *others = sorted(found)
        if others and (first, *others) not in FILES_TWICE:
            yield Complaint(first, f"there is {' and '.join(others)} as well")


def check_folders(tree, sources, readmes):
    for folder, count in sorted(Counter(posixpath.dirname(file) for file in sources).items()):
        if count > MOST_FILES:
            yield Complaint(folder, f"holds {count} sources, at most {MOST_FILES} are easily surveyed")
        if readmes and not tree.exists(f"{folder}/README.md"):
            yield Complaint(folder, "has no README.md: what comes in, what goes out, in which order to read it")


def check_lists(tree, sources):
    """The table of files in a folder's README has all files of the folder, and no others."""
    for folder in sorted({posixpath.dirname(file) for file in sources}):
        readme = f"{folder}/README.md"
        if not tree.exists(readme):
            continue
        text = tree.read(readme)
        stems = {posixpath.splitext(posixpath.basename(file))[0]
                 for file in sources if posixpath.dirname(file) == folder}
        named = set(re.findall(r"`([\w.*]+)`", text))
        patterns = [re.compile(re.sub(r"NAME|\\\*", r"\\w+", re.escape(posixpath.splitext(name)[0]))) for name in named]
        for stem in sorted(stems):
            if not any(pattern.fullmatch(stem) for pattern in patterns):
                yield Complaint(readme, f"does not say what {stem} is")
        for name in sorted(listed(text)):
            if posixpath.splitext(name)[0] not in stems and not tree.exists(f"{folder}/{name}"):
                yield Complaint(readme, f"lists {name}, which is not there")


def listed(text):
    """Names with a suffix of a source in the first cells of tables of files."""
    is_of_files = in_table = False
    for line in text.split("\n"):
        first = line.split("|")[1] if line.startswith("| ") else ""
        if first and not in_table:
            is_of_files = "file" in first
        in_table = line.startswith("|")
        if is_of_files:
            yield from re.findall(r"`(\w+\.(?:c|h|def))`", first)


def check_lengths(tree, sources):
    for file in sources:
        count = tree.read(file).count("\n")
        if count > MOST_LINES and file not in LONG_FILES:
            yield Complaint(file, f"has {count} lines, at most {MOST_LINES} may be")

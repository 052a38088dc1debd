# SPDX-License-Identifier: Apache-2.0
"""Do the #include lines keep to layers.txt, and foreign libraries to the files that wrap them?"""
import posixpath
from fnmatch import fnmatchcase

from tree import Complaint

# Headers of a foreign library, and the files that may include them. A star stands for any characters.
WRAPPERS = (
    ("clang-c/*", ("frontend/clang/*",)),
    ("gsl/*", ("model/solve/nnls.c", "model/solve/curve.c")),
    ("sqlite3.h", ("model/store/store.c",)),
    ("jansson.h", ("base/json.*",)),
    ("uthash.h", ("base/hash_table.c",)),
    ("xgboost/*", ("model/solve/trees.c",)),
    ("expat.h", ("simulator/network/hosts.c", "simulator/network/scaled_platform.c",
                 "engine/network/platform_reader.c")),
    ("zlib.h", ("analysis/report/packed.c", "analysis/convert/to_chrome.c")),
    ("zstd.h", ("analysis/writer/trace_file.c", "analysis/writer/trace_unpack.c")),
    ("otf2/", ("analysis/convert/to_otf2.c", "analysis/convert/from_otf2.c")),
    ("simgrid/*", ("runtime/*", "engine/mpi/*")),
)


def check(tree):
    yield from tree.layers.complaints
    yield from check_folders(tree)
    for include in tree.includes():
        yield from check_wrapper(include)
        yield from check_layer(tree.layers, include)


def check_folders(tree):
    """Each folder with C source is listed, and each that is listed has C source."""
    if not tree.sources:
        yield Complaint("layers.txt", "there is no C source")
    folders = {posixpath.dirname(file) for file in tree.sources}
    for folder in sorted(folders - tree.layers.allowed.keys()):
        yield Complaint(folder, "has C source, but layers.txt does not say what it may include")
    for folder in tree.layers.allowed:
        if folder not in folders:
            yield Complaint("layers.txt", f"{folder} has no C source")


def check_wrapper(include):
    for headers, files in WRAPPERS:
        if fnmatchcase(include.header, headers) and not any(fnmatchcase(include.file, file) for file in files):
            yield Complaint(include.where, f"{include.header} may be included in {' and '.join(files)} only")


def check_layer(layers, include):
    source, target = layers.folder(include.file), layers.folder(include.target)
    if source and target and not layers.allows(source, target):
        yield Complaint(include.where, f"{source} may not include {include.target} (layers.txt)")

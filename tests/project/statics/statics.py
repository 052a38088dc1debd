#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No variable of a runtime library is shared by ranks without anybody's knowing.

    statics.py LIBRARIES CC

Ranks of a simulation are in one process. A writable variable of the library that is neither the thread's nor in a section of
its own (.bsim_common: what all ranks share on purpose) makes the engine copy all variables for each rank, which it cannot: each
program then runs in SMPI without a word. So there are none, but for those that are listed here with a reason."""
import os
import subprocess
import sys
import tempfile

LIBRARIES = ("libbsim_skeleton.a", "libbsim_original.a")
ALLOWED = {
    ("libbsim_original.a", "original.c.o", "known"): "the same for all ranks, and originals run in SMPI",
}


def writable(archive):
    """(object file, variable) of what lies in .data or .bss; what is constant but for relocations does not."""
    table = subprocess.run(["objdump", "-t", archive], check=True, capture_output=True, text=True).stdout
    file = ""
    for line in table.splitlines():
        if "file format" in line:
            file = os.path.basename(line.split(":")[0])
        fields = line.split()
        section = next((field for field in fields if field.startswith((".data", ".bss"))), "")
        if " O " in line and section and not section.startswith(".data.rel.ro"):
            yield file, fields[-1].split(".")[0]


def check(archive):
    name = os.path.basename(archive)
    return [f"{name}: {variable} in {file} is written by all ranks: make it __thread, part of struct bsim__own, or give "
            "it a section of its own and the reason here"
            for file, variable in writable(archive) if (name, file, variable) not in ALLOWED]


def check_can_fail(compiler):
    with tempfile.TemporaryDirectory() as directory:
        source, thing, archive = (os.path.join(directory, name) for name in ("a.c", "a.o", "liba.a"))
        with open(source, "w", encoding="utf-8") as file:
            file.write("static int shared; static __thread int own; static const char *const names[] = {\"a\"};\n"
                       "const char *f(void) { shared++; own++; return names[shared + own]; }\n")
        subprocess.run([compiler, "-fPIC", "-c", source, "-o", thing], check=True)
        subprocess.run(["ar", "qc", archive, thing], check=True)
        return [variable for _, variable in writable(archive)] == ["shared"]


def main():
    directory, compiler = sys.argv[1:]
    found = [text for name in LIBRARIES for text in check(os.path.join(directory, name))]
    if not check_can_fail(compiler):
        found.append("statics.py does not find a variable that is shared")
    for text in found:
        print("error: " + text)
    return 1 if found else 0


sys.exit(main())

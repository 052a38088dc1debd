# SPDX-License-Identifier: Apache-2.0
"""violations.txt: what breaks a rule and is to be mended, one line each, as `check.py PART ... --list` prints it.

The list only gets shorter: a line that no longer holds is complained about itself. Nothing may be added to it, and
once it is empty it goes, with this file and --list."""
from tree import Complaint

FILE = "tests/project/layers/violations.txt"


def read(tree):
    """violation -> number of its line."""
    if not tree.exists(FILE):
        return {}
    lines = enumerate(tree.read(FILE).splitlines(), 1)
    return {text: number for number, line in lines if (text := line.partition("#")[0].strip())}


def of_layers(tree):
    return [text for text in read(tree) if text.split()[0] in ("includes", "calls")]


def without_listed(tree, part, complaints):
    """The complaints without those that are listed, and one for each line of this part that no longer holds."""
    listed = {text: number for text, number in read(tree).items() if text.split()[0] == part}
    seen = set()
    for complaint in complaints:
        seen.add(complaint.known)
        if complaint.known not in listed:
            yield complaint
    for text, number in listed.items():
        if text not in seen:
            yield Complaint(f"{FILE}:{number}", f"`{text}` no longer holds: take the line out")

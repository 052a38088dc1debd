# SPDX-License-Identifier: Apache-2.0
"""The processes of this machine, from /proc: for tests that end some, or look for what is left."""
import os


def processes():
    """(pid, parent, command line) of all that live."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().decode("utf-8", "replace").split("\0")[:-1]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if fields[0] not in "ZX":
            yield int(name), int(fields[1]), words

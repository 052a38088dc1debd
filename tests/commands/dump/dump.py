#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `mpiskel generate --dump` prints of a small program.

    dump.py MPISKEL CASE

Runs the function case_CASE: its name is the claim."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bad_input"))
from support import Failure, run_case  # noqa: E402

STAGES = ("program", "pointsto", "slice", "cut", "plan", "edits")

PROGRAM = r"""#include <mpi.h>
#include <stdlib.h>
static int *chosen, other;
static double sum(const double *x, int n) {
    double total = 0;
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}
static void unused(void) {
    other = 1;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]);
    chosen = &n;
    double *x = calloc(n, sizeof *x), all;
    double mine = sum(x, n);
    MPI_Allreduce(&mine, &all, *chosen, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (argc < 0)
        unused();
    return 0;
}
"""

LINES = {
    "program": (r"function sum app\.c:4:1", r"  \d+ declare app\.c:15:\d+ `int n = atoi\(argv\[1\]\)`; .*writes n"),
    "pointsto": (r"object chosen -> n", r"object sum\.x -> heap of app\.c:17:17"),
    "slice": (r"\d+ call app\.c:19 `MPI_Allreduce\(.*\)`: is an MPI call",
              r"\d+ contents app\.c:15 `the contents of n` for \d+: .+"),
    "plan": (r"function main app\.c:13:1", r"  keeps app\.c:16:5 `chosen = &n`", r"region 0 main-[0-9a-f]+ app\.c:1[78]:\d+ .*"),
    "edits": (r"skeleton app\.c:1[78]:\d+ `.*` becomes `.*BSIM_ADD_TIME.*`.*", r"profile app\.c:1[78]:\d+ .*"),
}


def dump(session, stages):
    session.program(("app.c", PROGRAM))
    session.fine("generate", "--dump=" + stages, "--no-progress")
    return session.out


def case_each_stage_tells_what_it_made(session):
    for stage, patterns in LINES.items():
        text = dump(session, stage)
        for pattern in patterns:
            if not re.search("^" + pattern, text, re.MULTILINE):
                raise Failure(f"--dump={stage} has no line {pattern}:\n{text}")
        if dump(session, stage) != text:
            raise Failure(f"--dump={stage} is not the same the second time")


def case_no_bundle_is_made(session):
    dump(session, ",".join(STAGES))
    if sorted(os.listdir(session.directory)) != ["app.c", "compile_commands.json"]:
        raise Failure("there is more than before: " + " ".join(os.listdir(session.directory)))


def case_a_stage_that_there_is_not_is_refused(session):
    session.program(("app.c", PROGRAM))
    session.run("generate", "--dump=slices")
    if session.code == 0 or "--dump has no stage 'slices'; there are program," not in session.err:
        raise Failure(f"{session.code}: {session.err}")


run_case(globals().__getitem__, "dump-")

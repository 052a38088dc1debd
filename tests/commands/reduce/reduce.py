# SPDX-License-Identifier: Apache-2.0
"""`mpiskel reduce` makes failing programs small. The skeletons of these programs are wrong on purpose, by
BSIM_SKELETON. But for one case the reducer is a stand-in that leaves out single lines: quick, and it asks the same
judge."""
import json
import os
import shutil

from support import ENVIRONMENT, Failure

PROGRAM = """#include <mpi.h>
int main(int argc, char **argv) {
MPI_Init(&argc, &argv);
%s
MPI_Barrier(MPI_COMM_WORLD);
MPI_Finalize();
return 0;
}
"""
DIFFERENT = PROGRAM % "#ifdef BSIM_SKELETON\nMPI_Barrier(MPI_COMM_WORLD);\n#endif"
CRASHES = PROGRAM % "#ifdef BSIM_SKELETON\n__builtin_trap();\n#endif"
HANGS = PROGRAM % ("#ifdef BSIM_SKELETON\nint rank, x = 0;\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                   "MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n#endif")
SPAWNS = PROGRAM % ("MPI_Comm other;\nMPI_Comm_spawn(\"x\", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, "
                    "MPI_ERRCODES_IGNORE);")
REFUSAL = "does not support 'MPI_Comm_spawn'"

STAND_IN = """#!/usr/bin/env python3
import subprocess, sys
assert sys.argv[1] == "--tidy"
judge, name = sys.argv[2:]
lines = open(name).readlines()
for line in list(lines):
    fewer = [other for other in lines if other is not line]
    open(name, "w").writelines(fewer)
    if subprocess.run([judge], stdout=subprocess.DEVNULL).returncode == 0:
        lines = fewer
open(name, "w").writelines(lines)
"""


def with_stand_in(session):
    session.write("tools/cvise", STAND_IN)
    os.chmod(session.path("tools/cvise"), 0o755)
    return dict(ENVIRONMENT, PATH=session.path("tools") + ":" + ENVIRONMENT["PATH"])


def reduced(session, program, kind, *options):
    session.write("app.c", program)
    session.fine("reduce", "--case", kind, *options, "app.c", environment=with_stand_in(session))
    if session.read("app.c") != program:
        raise Failure("the program itself has changed")
    return session.read("reduced/app.c")


def expect(text, stays, goes):
    for word in stays:
        if word not in text:
            raise Failure(f"{word} is gone:\n{text}")
    for word in goes:
        if word in text:
            raise Failure(f"{word} is still there:\n{text}")


def case_other_calls_stay_other_calls(session):
    text = reduced(session, DIFFERENT, "different")
    expect(text, ["MPI_Init", "BSIM_SKELETON", "MPI_Barrier", "MPI_Finalize"], ["return 0"])


def case_a_crash_of_the_skeleton_stays(session):
    expect(reduced(session, CRASHES, "crash"), ["BSIM_SKELETON", "__builtin_trap"], ["MPI_Barrier"])


def case_a_deadlock_of_the_skeleton_stays(session):
    expect(reduced(session, HANGS, "hang"), ["BSIM_SKELETON", "MPI_Recv"], ["MPI_Barrier"])


def case_a_refusal_stays_that_refusal(session):
    expect(reduced(session, SPAWNS, "refusal", "--text", REFUSAL), ["MPI_Comm_spawn"], ["MPI_Barrier", "MPI_Init"])


def case_cvise_itself_makes_a_program_small(session):
    """With its passes that leave out lines only: with all of them it takes minutes."""
    passes = [{"pass": "lines", "arg": "0"}, {"pass": "lines", "arg": "1"}]
    session.write("group.json", json.dumps({"first": [], "main": passes, "last": []}))
    session.write("tools/cvise", f"#!/bin/sh\nexec {shutil.which('cvise')} --pass-group-file "
                                 f"{session.path('group.json')} \"$@\"\n")
    os.chmod(session.path("tools/cvise"), 0o755)
    session.write("app.c", SPAWNS)
    session.fine("reduce", "--case", "refusal", "--text", REFUSAL, "-o", "small", "app.c",
                 environment=dict(ENVIRONMENT, PATH=session.path("tools") + ":" + ENVIRONMENT["PATH"]))
    text = session.read("small/app.c")
    expect(text, ["MPI_Comm_spawn"], ["MPI_Barrier", "MPI_Init", "MPI_Finalize"])
    session.prints("small: ")


def case_a_program_that_is_no_such_case_is_refused(session):
    session.write("app.c", PROGRAM % "")
    session.refused("reduce", "--case", "different", "app.c", environment=with_stand_in(session),
                    says=["is no case of 'different'", "verify ends with exit code 0"])


def case_a_program_that_fails_by_itself_is_no_case(session):
    session.write("app.c", PROGRAM % "MPI_Abort(MPI_COMM_WORLD, 3);")
    session.refused("reduce", "--case", "crash", "app.c", environment=with_stand_in(session),
                    says="the program itself fails")


def case_without_a_reducer_it_says_what_to_install(session):
    session.write("app.c", SPAWNS)
    session.write("none/here", "")
    session.refused("reduce", "--case", "refusal", "--text", "x", "app.c",
                    environment=dict(ENVIRONMENT, PATH=session.path("none")), says="apt install cvise")


def case_what_is_there_stays_as_it_is(session):
    session.write("app.c", PROGRAM % "MPI_Abort(MPI_COMM_WORLD, 3);")
    session.write("kept/app.c", "int kept;\n")
    for output in ("kept", ".", "app.c"):
        session.refused("reduce", "--case", "crash", "app.c", "-o", output, environment=with_stand_in(session),
                        says=f"{output} is there already")
    with open(session.path("kept/app.c"), encoding="utf-8") as file:
        if file.read() != "int kept;\n":
            raise Failure("a file that was there is another one now")


def case_what_is_asked_for_has_to_make_sense(session):
    session.write("app.c", SPAWNS)
    session.refused("reduce", "--case", "refusal", "app.c", code=64, says="which refusal?")
    session.refused("reduce", "app.c", code=64, says="what goes wrong?")
    session.refused("reduce", "--case", "crash", code=64, says="which program?")
    session.refused("reduce", "--case", "crash", "/tmp/app.c", code=64, says="below it")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that mpicc compiles: all three programs of their bundle can be built, and verify finds the
calls that are claimed.

    accepted.py MPISKEL CASE

Runs the function case_CASE: its name is the claim."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "commands", "bad_input"))
from support import Failure, run_case  # noqa: E402


def accepts(session, calls, **sources):
    """sources: NAME=text of NAME.c; calls: of both ranks, without MPI_Init and MPI_Finalize."""
    session.program(*((name + ".c", text) for name, text in sources.items()))
    session.fine("generate", "-o", "app.skel")
    session.fine("verify", "app.skel", "-np", "2")
    session.prints(f"identical: {2 * (2 + calls)} calls on 2 ranks")


# ---- Names of SimGrid's headers ----

KEYWORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline int
long main register return short signed sizeof static struct switch typedef union unsigned void volatile while""".split())


def identifiers(text, *options):
    done = subprocess.run(["gcc", "-E", "-dD", "-x", "c", *options, "-"], input=text, capture_output=True,
                          text=True, check=True)
    text = re.sub(r'^# .*$|"(\\.|[^"])*"', "", done.stdout, flags=re.M)
    return set(re.findall(r"[A-Za-z_]\w*", text))


def names_of_simgrid():
    """All that its mpi.h and smpicc bring and Open MPI's mpi.h does not, but names reserved for MPI, C and SMPI."""
    shown = subprocess.run(["mpicc", "--showme:compile"], capture_output=True, text=True, check=True)
    names = identifiers("#include <smpi/mpi.h>\n#include <smpi/smpi_helpers.h>\n")
    names -= identifiers("#include <mpi.h>\n", *shown.stdout.split()) | KEYWORDS | {"sum", "members"}
    if len(names) < 1000 or not {"write", "sleep", "exit", "SEED", "xbt_malloc", "cancelled"} <= names:
        raise Failure(f"{len(names)} names are not those of SimGrid's headers")
    return sorted(name for name in names if not re.match("_|P?MPI|smpi|SMPI|bsim|BSIM", name))


USES = {  # name of the unit: in front of mpi.h, declared, local, a use that is 1
    "function": ("", "static int {}(int x) {{ return x + 1; }}", "", "{}(0)"),
    "global": ("", "static int {} = 1;", "", "{}"),
    "member": ("", "    int {};", "", "++members.{}"),
    "local": ("", "", "int {} = 1;", "{}"),
    "type": ("", "typedef char {};", "", "sizeof({})"),
    "macro": ("#undef {0}\n#define {0} 1", "", "", "{}"),
}


def unit(kind, names):
    def lines(form, end="\n"):
        return "".join(form.format(name) + end for name in names) if form else ""
    before, declared, local, use = USES[kind]
    begin, end = ("static struct {\n", "} members;\n") if kind == "member" else ("", "")
    return (lines(before) + "#include <mpi.h>\n" + begin + lines(declared) + end +
            f"int count_of_{kind}s(void) {{\n    int sum = 0;\n" + lines(local) +
            lines(f"    sum += {use};") + "    return sum;\n}\n")


def case_names_of_simgrids_headers_are_the_programs(session):
    names = names_of_simgrid()
    counted = "".join(f"    for (int i = count_of_{kind}s() - {len(names) - 1}; i > 0; i--)\n"
                      "        MPI_Barrier(MPI_COMM_WORLD);\n" for kind in USES)
    main = ("#include <mpi.h>\n" + "".join(f"int count_of_{kind}s(void);\n" for kind in USES) +
            "int main(int argc, char **argv) {\n    MPI_Init(&argc, &argv);\n" + counted +
            "    MPI_Finalize();\n    return 0;\n}\n")
    accepts(session, len(USES), main=main, **{kind: unit(kind, names) for kind in USES})


CLOCKS = """#include <mpi.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
struct device { int getpid; void (*sleep)(unsigned); void (*exit)(int); };
static void rest(unsigned n) { usleep(n * 1000000); }
static double now(void) {
    struct timeval time;
    gettimeofday(&time, NULL);
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}
int main(int argc, char **argv) {
    struct device device = {1, rest, exit};
    struct timespec pause = {2, 0}, begin, end;
    int rank, (*reads)(clockid_t, struct timespec *) = clock_gettime;
    double start = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start = now();
    reads(CLOCK_MONOTONIC, &begin);
    device.sleep(3);
    sleep(rank == 0 ? 4 : 1);
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    for (int i = 0; i < (int)(now() - start + 0.5); i++)
        if (rank == 0)
            MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < 9; i++)
        MPI_Recv(&argc, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < (int)(end.tv_sec - begin.tv_sec) - (rank == 0 ? 6 : 3); i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    device.exit(0);
    return 1;
}
"""


def case_functions_of_libc_that_ranks_have_otherwise_are_called(session):
    accepts(session, 9 + 3, main=CLOCKS)


run_case(lambda name: globals()[name], "mpiskel-accepted-")

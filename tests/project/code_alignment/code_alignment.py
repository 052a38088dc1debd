# SPDX-License-Identifier: Apache-2.0
"""What is measured and what it is compared with is the same code at the same place of a cache line."""
import json
import os
import subprocess

from support import ENVIRONMENT, Failure

FUNCTIONS = 8
LINE_BYTES = 64


def source():
    """Each function is longer than the one before."""
    functions = [f"double work{k}(double *x, int n) {{\n"
                 "    double sum = 0;\n    for (int i = 0; i < n; i++)\n"
                 f"        sum += x[i]{''.join(f' * (x[i] + {j + 2})' for j in range(k))};\n"
                 "    return sum;\n}\n" for k in range(FUNCTIONS)]
    calls = "".join(f"    sum += work{k}(x, n);\n    MPI_Barrier(MPI_COMM_WORLD);\n"
                    for k in range(FUNCTIONS))
    return ("#include <mpi.h>\n#include <stdlib.h>\n" + "".join(functions) +
            "int main(int argc, char **argv) {\n    int n = 1000;\n    double sum = 0;\n"
            "    MPI_Init(&argc, &argv);\n    double *x = calloc(n, sizeof *x);\n" + calls +
            "    MPI_Finalize();\n    return sum < 0;\n}\n")


def places(session, *options):
    """Where in a cache line the functions begin, by build."""
    session.write("work.c", source())
    session.write("compile_commands.json", json.dumps(
        [{"directory": session.directory, "file": "work.c", "output": "work.o",
          "arguments": ["mpicc", "-O2", *options, "-c", "work.c"]}]))
    session.fine("generate", "--original", "-o", "work.skel")
    found = {}
    for build in "profile", "original":
        names = subprocess.run(["nm", os.path.join(session.directory, "work.skel", build)],
                               capture_output=True, text=True, check=True).stdout
        lines = [line.split() for line in names.splitlines() if " T work" in line]
        found[build] = {name: int(address, 16) % LINE_BYTES for address, _, name in lines}
        if len(found[build]) != FUNCTIONS:
            raise Failure(f"functions of the {build}: {found[build]}")
    return found


def case_functions_begin_with_a_cache_line_in_both_builds(session):
    found = places(session)
    if any(place != 0 for build in found.values() for place in build.values()):
        raise Failure(f"functions begin at {found}")


def case_the_applications_own_alignment_is_kept(session):
    found = places(session, "-falign-functions=1")
    if all(place == 0 for place in found["profile"].values()):
        raise Failure(f"functions begin at {found}")


SMALLER = """#include <mpi.h>
#include <stdlib.h>
int smaller(int a, int b) { return a < b ? a : b; }
__thread int own;
int main(int argc, char **argv) {
    int n = 1000;
    MPI_Init(&argc, &argv);
    int *x = calloc(n, sizeof *x);
    for (int i = 1; i < n; i++)
        x[i] = smaller(x[i - 1] + 3, x[i]) + own;
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return x[n - 1] < 0;
}
"""


def calls(session, build):
    """How often the program calls smaller()."""
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", session.path("app.skel/" + build)],
                          capture_output=True, text=True, check=True).stdout
    return sum("call" in line and "<smaller" in line for line in code.splitlines())


def case_functions_are_inlined_as_in_the_applications_own_build(session):
    session.write("app.c", SMALLER)
    position = ["-fno-pie", "-no-pie"]
    for compiler, options in ("gcc", []), ("gcc", position), ("gcc", ["-fPIC"]), ("clang", position):
        environment = dict(ENVIRONMENT, OMPI_CC=compiler)
        session.fine("capture", "mpicc", "-O2", *options, "app.c", "-o", "app", environment=environment)
        session.fine("generate", "--original", "-o", "app.skel", environment=environment)
        found = [calls(session, build) for build in ("profile", "original")]
        if found[0] != found[1] or ("-fPIC" not in options and found[0] != 0):
            raise Failure(f"{compiler} {options}: calls in profile and original: {found}")

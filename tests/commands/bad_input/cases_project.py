# SPDX-License-Identifier: Apache-2.0
"""Which files are the project's own, and what is said of bodies that lie elsewhere."""
import os

from support import Failure, expect

HEADER = """struct shape { int rows, level; };
extern struct shape shape;
static inline int cells(void) { return shape.rows * 2 + shape.level; }
"""

MAIN = """#include <mpi.h>
#include "%s"
struct shape shape;
int main(int argc, char **argv) {
    double w[99] = {0};
    MPI_Init(&argc, &argv);
    shape.rows = argc + 3;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 99; k++)
            w[k] += i * w[98 - k];
        shape.level = 5 * i;
        MPI_Bcast(w, cells(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"""


def write_project(session, include="shape.h"):
    """A header two directories above the only source."""
    session.write("include/shape.h", HEADER)
    session.write("apps/mesh/src/a.c", MAIN % include)


def generate(session, *options):
    session.fine("generate", *options, "-o", "x.skel", "--no-compile")
    expect("nothing is known" not in session.err, "the header's function is taken for a library's:\n" + session.err)
    if "shape.level = 5 * i" not in session.read("x.skel/src/apps/mesh/src/a.c"):
        raise Failure("what the header's function reads is gone")


def case_headers_below_the_database_are_the_programs_own(session):
    write_project(session)
    session.fine("capture", "--", "sh", "-c", "cd apps/mesh/src && mpicc -I%s/include -c a.c && "
                 "mpicc a.o -o a" % session.directory)
    session.fine("generate", "-o", "x.skel")
    session.fine("verify", "x.skel", "-np", "2")


def case_headers_at_relative_paths_are_the_programs_own(session):
    for include, option in [("shape.h", "-I ../../../include"),
                            ("../../../include/shape.h", ""),
                            ("shape.h", "-iquote../../../include"),
                            ("mpi.h", "-include ../../../include/shape.h")]:
        write_project(session, include)
        session.fine("capture", "-o", "apps/mesh/src/compile_commands.json", "--", "sh", "-c",
                     f"cd apps/mesh/src && mpicc {option} -c a.c && mpicc a.o -o a")
        generate(session, "-p", "apps/mesh/src")


def case_headers_of_a_checkout_or_of_cmakes_project_are_the_programs_own(session):
    write_project(session)
    os.mkdir(session.path("built"))
    command = f"cd apps/mesh/src && mpicc -I{session.path('include')} -c a.c && mpicc a.o -o a"
    session.fine("capture", "-o", "built/compile_commands.json", "--", "sh", "-c", command)
    session.refused("generate", "-p", "built", "-o", "x.skel",
                    says=["apps/mesh/src/a.c:12:22: error: the body of 'cells' works on variables",
                          "lies outside", "a relative -I"])
    os.mkdir(session.path(".git"))
    generate(session, "-p", "built")
    os.rmdir(session.path(".git"))
    session.write("built/CMakeCache.txt",
                  f"# cache\nCMAKE_HOME_DIRECTORY:INTERNAL={session.directory}\n")
    generate(session, "-p", "built")


def case_bodies_of_libraries_that_have_no_state_are_functions_without_source(session):
    write_project(session)
    session.write("include/shape.h", "struct shape { int rows, level; };\n"
                  "static const int two = 2;\n"
                  "static inline int of(int n) { return n * two; }\n"
                  "static inline int cells(void) { return of(3); }\n")
    os.mkdir(session.path("built"))
    command = f"cd apps/mesh/src && mpicc -I{session.path('include')} -c a.c && mpicc a.o -o a"
    session.fine("capture", "-o", "built/compile_commands.json", "--", "sh", "-c", command)
    session.fine("generate", "-p", "built", "-o", "x.skel", "--no-compile")
    expect("nothing is known about 'cells'" in session.err, session.told("nothing is said of the function"))

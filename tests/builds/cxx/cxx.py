#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds of C and C++, and builds without either.

    cxx.py MPISKEL CASE

Runs the function case_CASE: its name is the claim."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "commands", "bad_input"))
from support import ENVIRONMENT, Failure, run_case  # noqa: E402

MAIN = """#include <mpi.h>
int count_of(int n);
int main(int argc, char **argv) {
    static double x[100];
    MPI_Init(&argc, &argv);
    MPI_Bcast(x, count_of(argc), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
TEMPLATE = """#include <vector>
template <class T> struct Box { T t; T get() const { return t; } };
"""
COUNT = TEMPLATE + """extern "C" int count_of(int n) {
    std::vector<int> v(n);
    Box<int> b{n};
    v.push_back(b.get());
    return (int)v.size();
}
"""
BUILD = "mpicc -c main.c\nmpicxx -c count.cpp\n"


def capture(session, count, script, main=MAIN):
    session.write("main.c", main)
    session.write("count.cpp", count)
    session.write("build.sh", script)
    session.fine("capture", "--", "sh", "-e", "build.sh")


def case_units_of_cxx_that_make_no_call_stay_whole(session):
    """However they come into the link, and out of the cache as well."""
    for link in ["mpicxx main.o count.o -o app\n", "ar cr libs.a count.o\nmpicxx main.o libs.a -o app\n",
                 "mpicc main.o count.o -lstdc++ -o app\n", "mpicxx main.o count.cpp -o app\n"]:
        capture(session, COUNT, BUILD + link)
        for _ in range(2):
            session.fine("generate", "-o", "app.skel")
            if "count.cpp is C++ that mpiskel does not read; it makes no MPI call" not in session.err:
                raise Failure(session.told(link))
        session.prints("app.skel: 2 units")
        session.fine("verify", "app.skel", "-np", "2", "--no-real")
        session.prints("identical: 6 calls on 2 ranks")


def case_units_that_other_units_meet_do_not_stay_whole(session):
    """They call MPI, call back, share a variable, or keep one for themselves."""
    for what in ["#include <mpi.h>\nextern \"C\" int count_of(int n) { Box<int> b{n}; MPI_Barrier(MPI_COMM_WORLD);"
                 " return b.get(); }",
                 "extern \"C\" int steps(int);\nextern \"C\" int count_of(int n) { Box<int> b{n}; return steps(b.get()); }",
                 "extern \"C\" int shared;\nextern \"C\" int count_of(int n) { Box<int> b{n}; return b.get() + shared; }",
                 "static int calls;\nextern \"C\" int count_of(int n) { Box<int> b{n}; return b.get() + calls++; }",
                 "extern \"C\" int count_of(int n) { static int calls; Box<int> b{n}; return b.get() + calls++; }",
                 "#include <mpi.h>\ntemplate <class T> void meet(T c) { MPI_Barrier(c); }\n"
                 "extern \"C\" int count_of(int n) { Box<int> b{n}; meet(MPI_COMM_WORLD); return b.get(); }"]:
        main = MAIN + "int shared = 1;\nint steps(int n) { MPI_Barrier(MPI_COMM_WORLD); return n; }\n"
        capture(session, TEMPLATE + what, BUILD + "mpicxx main.o count.o -o app\n", main)
        session.generate_refuses("count.cpp:", "is C++ that mpiskel does not read",
                                 "`mpiskel record` and `mpiskel synthesize`")


def case_fortran_is_sent_to_record(session):
    session.write("tools/gfortran", "#!/bin/sh\nexit 0\n")
    os.chmod(session.path("tools/gfortran"), 0o755)
    session.write("main.f90", "end\n")
    environment = dict(ENVIRONMENT, PATH=session.path("tools") + ":" + ENVIRONMENT["PATH"])
    session.refused("capture", "--", "gfortran", "-c", "main.f90", environment=environment,
                    says=["1 Fortran file (main.f90)", "`mpiskel record` and `mpiskel synthesize`"])


run_case(lambda name: globals()[name], "mpiskel-cxx-")

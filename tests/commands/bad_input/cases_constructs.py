# SPDX-License-Identifier: Apache-2.0
"""Attributes and library calls that cannot be followed, and what is said of them."""
from cases_generate import frame


def case_functions_that_a_resolver_chooses_are_refused(session):
    session.program(("a.c", frame(
        "    pick(argc);",
        "static void one(int n) { MPI_Barrier(n ? MPI_COMM_WORLD : MPI_COMM_SELF); } "
        "static void *choose(void) { return one; } "
        "void pick(int n) __attribute__((ifunc(\"choose\")));")))
    session.generate_refuses("a.c:2:119: error: which function 'pick' is, 'choose' decides",
                             "set a pointer to a function in main")


def case_destructors_that_communicate_are_refused(session):
    session.program(("a.c", frame(
        "    MPI_Barrier(MPI_COMM_WORLD);",
        "#define LAST __attribute__((destructor))\n"
        "static void tell(void) { MPI_Barrier(MPI_COMM_WORLD); }\n"
        "LAST static void last(void) { tell(); }")))
    session.generate_refuses("a.c:4:18: error: 'last' runs when all ranks have ended (destructor)",
                             "call it at the end of main")
    quiet = "static int n; __attribute__((__destructor__)) static void last(void) { n++; }"
    session.program(("a.c", frame("    MPI_Barrier(MPI_COMM_WORLD);", quiet)))
    session.fine("generate", "-o", "x.skel", "--no-compile")


def case_functions_in_the_linkers_own_sections_are_refused(session):
    session.program(("a.c", frame(
        "    MPI_Barrier(MPI_COMM_WORLD);",
        "static void f(void) { } "
        "__attribute__((used, section(\".init_array\"))) static void (*first)(void) = f;")))
    session.generate_refuses("a.c:2:85: error: what is called from section '.init_array' is not",
                             "use the attribute constructor")


def case_streams_of_own_functions_are_refused(session):
    session.program(("a.c", frame(
        "    FILE *f = fopencookie(0, \"w\", (cookie_io_functions_t){.write = put});\n"
        "    fputs(\"x\", f);\n    fclose(f);",
        "static ssize_t put(void *c, const char *b, size_t n) "
        "{ MPI_Barrier(MPI_COMM_WORLD); return n; }").replace(
            "#include <mpi.h>", "#include <stdio.h>\n#include <mpi.h>")))
    session.generate_refuses("a.c:6:15: error: what the functions of a 'fopencookie' stream do",
                             "use open_memstream")

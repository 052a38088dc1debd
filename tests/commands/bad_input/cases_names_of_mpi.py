# SPDX-License-Identifier: Apache-2.0
"""What generate refuses since it would reach functions of MPI by names that the simulation does not
see."""
from cases_generate import frame

LAYER = "int counted(MPI_Comm comm) { return PMPI_Barrier(comm); }\n"
RENAMED = "'MPI_Barrier' is another name of a function here"


def refuse(session, text, *says):
    session.program(("a.c", text))
    session.generate_refuses(*says)


def case_functions_of_mpi_that_dlsym_finds_are_refused(session):
    head = '#include <dlfcn.h>\nvoid *(*find)(void *, const char *) = dlsym;'
    found = "calls of functions of MPI that 'dlsym' finds by their names are not seen"
    refuse(session, frame('    int (*all)(MPI_Comm) = dlsym(0, "MPI_Barrier");\n'
                          "    all(MPI_COMM_WORLD);", head), "a.c:6:28: error: " + found, "PMPI_")
    refuse(session, frame("    int (*all)(MPI_Comm) = dlsym(0, names[argc]);\n"
                          "    all(MPI_COMM_WORLD);",
                          head + '\nstatic const char *names[] = {"x", "PMPI_Barrier"};'),
           "a.c:7:28: error: " + found)


def case_functions_of_mpi_under_other_names_are_refused(session):
    weak = LAYER + "#pragma weak MPI_Barrier = counted"
    refuse(session, frame("", weak), "a.c:3:14: error: " + RENAMED)
    refuse(session, frame("    MPI_Barrier(MPI_COMM_WORLD);", weak), "a.c:3:14: error: " + RENAMED)
    alias = 'int MPI_Barrier(MPI_Comm comm) __attribute__((alias("counted")));'
    refuse(session, frame("", LAYER + alias), "a.c:3:5: error: " + RENAMED)
    wrap = "int __wrap_MPI_Barrier(MPI_Comm comm) { return PMPI_Barrier(comm); }"
    refuse(session, frame("    MPI_Barrier(MPI_COMM_WORLD);", wrap),
           "a.c:2:1: error: the linker's --wrap leads calls of 'MPI_Barrier' here",
           "define MPI_Barrier itself")


def case_functions_through_pointers_that_simgrid_lacks_are_told_where_they_are_named(session):
    refuse(session, frame("    MPI_Comm other;\n    join(argc, &other);",
                          "static int (*join)(int, MPI_Comm *) =\n    MPI_Comm_join;"),
           "a.c:3:5: error: SimGrid 3.32 does not support 'MPI_Comm_join'")


def case_members_that_have_names_of_mpi_are_not_called(session):
    taken = "so nothing else may have the name MPI_Barrier, which MPI reserves"
    table = ("static struct { int (*MPI_Barrier)(MPI_Comm); } table = {PMPI_Barrier}, "
             "*all = &table;")
    refuse(session, frame("    table.MPI_Barrier(MPI_COMM_WORLD);", table),
           "a.c:5:5: error: names of MPI's functions are macros", taken)
    refuse(session, frame("    all->MPI_Barrier (MPI_COMM_WORLD);", table), "a.c:5:5: error", taken)
    session.program(("a.c", frame("    (table.MPI_Barrier)(MPI_COMM_WORLD);", table)))
    session.fine("generate", "-o", "x.skel", "--no-compile")

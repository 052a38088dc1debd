# SPDX-License-Identifier: Apache-2.0
"""What needs no analysis is refused before one begins, which may take minutes: so nothing is told of
what only an analysis finds (here a thread that is started behind a pointer)."""
import os
import re

from support import APPLICATION, ENVIRONMENT, Failure, expect

# `hidden` is reached through a pointer only.
BEHIND_A_POINTER = """#include <mpi.h>
#include <pthread.h>
#include <unistd.h>
static void *work(void *x) { return x; }
static void hidden(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
}
static void helper(void) {
%s
}
int main(int argc, char **argv) {
    void (*step)(void) = hidden;
    MPI_Init(&argc, &argv);
    helper();
    step();
    MPI_Finalize();
    return 0;
}
"""


def program(session, inside=";"):
    """`inside` is line 10."""
    session.program(("a.c", BEHIND_A_POINTER % inside))
    session.links(app=["a.c"])


def refused_alone(session, says, *options):
    before = set(os.listdir(session.directory))
    session.refused("generate", "-o", "x.skel", *options, says=says)
    if "pthread_create" in session.err or len(re.findall("error: ", session.err)) != 1:
        raise Failure(session.told("an analysis came first"))
    session.expect_files(before)


def case_calls_that_are_reached_by_name_are_refused_before_pointers_are_followed(session):
    program(session)
    session.refused("generate", "-o", "x.skel", says="a.c:7:5: error: 'pthread_create' starts a thread")
    for call, message in (("fork();", "'fork' starts a thread or process"),
                          ("MPI_Teleport();", "'MPI_Teleport' is not a function of MPI 3.1"),
                          ("MPI_Comm_join(0, 0);", "SimGrid 3.32 does not support 'MPI_Comm_join'")):
        program(session, call)
        refused_alone(session, ["a.c:10:1: error: ", message])


def case_functions_that_a_call_chooses_by_name_are_looked_at_before_pointers_are_followed(session):
    text = (BEHIND_A_POINTER % "fork();").replace("    helper();", "    (argc > 1 ? main_part : &helper)();")
    session.program(("a.c", text.replace("int main", "static void main_part(void) { }\nint main")))
    refused_alone(session, "a.c:10:1: error: 'fork' starts a thread or process")


def case_a_call_in_a_function_that_is_never_called_is_not_refused(session):
    session.program(("a.c", APPLICATION + "\nint unused(void) { return fork(); }\n"))
    session.fine("generate", "--no-compile", "-o", "x.skel")


def case_hints_that_fit_no_text_are_refused_before_pointers_are_followed(session):
    program(session)
    for hint, message in (("keep b.c:3", "1:6: error: no file of the program is 'b.c'"),
                          ("keep a.c:11", "1:6: error: no statement begins on line 11"),
                          ("cut b.c:3", "1:5: error: no file of the program is 'b.c'"),
                          ("extern main(v v) value", "1:8: error: the source of 'main' is in")):
        session.write("app.hints", hint)
        refused_alone(session, "app.hints:" + message)


def case_an_output_that_is_no_bundle_is_told_before_sources_are_read(session):
    session.program(("a.c", "this is no C"))
    session.write("work/notes.txt", "mine")
    session.write("file", "mine, too")
    for name, message in (("work", "work is there and is no bundle"), ("file", "file is a file")):
        session.refused("generate", "-o", name, says=message)
        expect("a.c" not in session.err, session.told("sources came first"))


def case_a_missing_compiler_that_counts_is_told_before_sources_are_read(session):
    session.program(("a.c", "this is no C"))
    without = dict(ENVIRONMENT, PATH=session.directory)
    session.refused("generate", "--counted", "-o", "x.skel", environment=without,
                    says="counted by clang, which is not installed; install it with")
    expect("a.c" not in session.err, session.told("sources came first"))

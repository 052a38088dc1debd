# SPDX-License-Identifier: Apache-2.0
"""What generate and capture refuse, and that nothing is left behind."""
import json
import os
import re
import shutil
import signal
import subprocess

from support import APPLICATION, ENVIRONMENT, Failure, expect

FRAME = """#include <mpi.h>
%s
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
%s
    MPI_Finalize();
    return 0;
}
"""


def frame(inside, before=""):
    """`inside` begins at line 5, `before` is line 2."""
    return FRAME % (before, inside)


def case_no_compile_database_is_told(session):
    session.refused("generate", says=["no compile database", "compile_commands.json",
                                      "mpiskel capture -- make"])
    session.refused("generate", "-p", "elsewhere", says="elsewhere")


def case_broken_compile_databases_are_refused(session):
    database = "compile_commands.json"
    good = json.dumps([{"directory": session.directory, "file": "a.c", "arguments": ["cc", "a.c"]}])
    rows = [("", "compile_commands.json:1:"), (good[:-20], "compile_commands.json:1:"),
            ("{}", "a list was expected"), ("[]", "no C or C++ file in it"), ("[17]", "entry 1"),
            ('[{"directory": "/"}]', "entry 1"),
            ('[{"directory": "/", "file": "a.c"}]', 'entry 1 (a.c) has no "arguments"'),
            ("[" * 100000, "compile_commands.json:1:"), ("\0\xff" * 50, "compile_commands.json:1:")]
    for text, message in rows:
        session.write(database, text)
        session.refused("generate", "-o", "x.skel", says=message)


def case_missing_source_is_told(session):
    session.program(("a.c", APPLICATION))
    os.remove(session.path("a.c"))
    session.refused("generate", "-o", "x.skel", says="a.c")


def case_missing_header_is_told_with_its_place(session):
    session.program(("a.c", frame("", '#include "nowhere.h"')))
    session.generate_refuses("a.c:2:10: ", "error: 'nowhere.h' file not found")


def case_calls_before_a_declaration_are_told_as_such(session):
    session.program(("a.c", frame("    later(argc);") + "void later(int n) {\n}\n"))
    session.generate_refuses("a.c:9:6: error: conflicting types for 'later'",
                             "it is called before it is declared", "-include")


def case_a_communicator_that_cannot_be_initialised_statically_is_told(session):
    session.program(("a.c", frame("", "static MPI_Comm own = MPI_COMM_SELF;")))
    session.generate_refuses("a.c:2:23: error: initializer element is not a compile-time constant",
                             "knows it at run time only: assign it in main")
    world = "is initialised by MPI_COMM_WORLD, a variable in SimGrid"
    session.program(("a.c", frame("", "static const MPI_Comm all = MPI_COMM_WORLD;")))
    session.generate_refuses(f"a.c:2:1: error: 'all' {world}", "since it is constant")
    session.program(("a.c", frame("", "#define COMM(n) static MPI_Comm n = MPI_COMM_WORLD\n"
                                      "COMM(all);")))
    session.generate_refuses(f"a.c:3:1: error: 'all' {world}", "since it comes out of a macro")


def case_syntax_errors_of_all_files_are_told(session):
    session.program(("a.c", frame("    int x = ;")), ("b.c", "int f(void) {\n    return y;\n}\n"))
    session.generate_refuses("a.c:5:13: error: expected expression", "    int x = ;",
                             "b.c:2:12: error: use of undeclared identifier 'y'")


def case_two_executables_need_link(session):
    session.program(("one.c", APPLICATION), ("two.c", APPLICATION))
    session.links(one=["one.c"], two=["two.c"])
    session.refused("generate", says=["several executables (one, two)", "--link"])
    session.refused("generate", "--link", "three", says=["'three'", "one, two"])
    session.fine("generate", "--link", "two", "-o", "two.skel", "--no-compile")
    expect(os.listdir(session.path("two.skel/src")) == ["two.c"], "--link two did not choose two.c")


def case_two_mains_without_link_commands_are_told(session):
    session.program(("one.c", frame("")), ("two.c", frame("")))
    session.generate_refuses("two.c:3:", "error: ", "'main'", "one.c:3")


def case_function_defined_twice_is_told(session):
    session.program(("a.c", frame("", "int f(void) { return 1; }")),
                    ("b.c", "\n\nint f(void) {\n    return 2;\n}\n"))
    session.generate_refuses("b.c:3:", "error: ", "'f'", "a.c:2")


def case_program_without_main_is_told(session):
    session.program(("a.c", "#include <mpi.h>\nvoid f(void) {\n    MPI_Barrier(MPI_COMM_WORLD);\n}\n"))
    session.refused("generate", "-o", "x.skel", says=["error: ", "main"])


def case_function_that_simgrid_lacks_is_told(session):
    session.program(("a.c", frame("    MPI_Comm x;\n    MPI_Comm_join(0, &x);")))
    session.generate_refuses("a.c:6:5: error: ", "SimGrid 3.32 does not support 'MPI_Comm_join'",
                             "BSIM_SKELETON")


def case_code_for_one_mpi_and_variables_of_launchers_are_told(session):
    """They differ between where the program runs and the simulation."""
    body = ("    const char *rank = getenv(\"OMPI_MCA_btl\");\n"
            "    if (rank != NULL && *rank == '1')\n        MPI_Barrier(MPI_COMM_WORLD);\n"
            "#if defined(OPEN_MPI)\n    MPI_Barrier(MPI_COMM_WORLD);\n#endif\n"
            "#ifdef MPICH\n    MPI_Barrier(MPI_COMM_WORLD);\n#endif\n")
    session.program(("a.c", "#include <stdlib.h>\n" + frame(body)))
    session.fine("generate", "-o", "x.skel", "--no-compile")
    session.expect(0, ["a.c:9:1: warning: this depends on which MPI compiles it",
                       "SimGrid's mpi.h, which has no OPEN_MPI: where", "(likewise at 1 other place)",
                       "a.c:6:24: warning: 'OMPI_MCA_btl' is set by a launcher"])
    session.program(("a.c", "#include <stdlib.h>\n" + frame(
        "    if (getenv(\"SLURM_LOCALID\"))\n        MPI_Barrier(MPI_COMM_WORLD);\n")))
    session.fine("generate", "-o", "z.skel", "--no-compile")
    session.expect(0, ["a.c:6:9: note: 'SLURM_LOCALID' is set by a launcher; simulations give it"])
    session.program(("a.c", "#include <stdlib.h>\n/* for OPEN_MPI */\n" +
                     frame("    if (getenv(\"HOME\"))\n        MPI_Barrier(MPI_COMM_WORLD);\n")))
    session.fine("generate", "-o", "y.skel", "--no-compile")
    expect("warning" not in session.err, session.told("nothing differs there"))


def case_unknown_mpi_function_is_told(session):
    session.program(("a.c", frame("    MPI_Teleport(1);", "void MPI_Teleport(int where);")))
    session.generate_refuses("a.c:5:5: error: ", "'MPI_Teleport'", "MPI 3.1")


def case_setjmp_is_refused(session):
    session.program(("a.c", frame("    jmp_buf there;\n    if (setjmp(there) == 0)\n"
                                  "        longjmp(there, 1);", "#include <setjmp.h>")))
    session.generate_refuses("a.c:6:9: error: ", "setjmp", "a.c:7:9: error: ")


def case_thread_is_refused(session):
    session.program(("a.c", frame("    pthread_t thread;\n    pthread_create(&thread, 0, work, 0);",
                                  "#include <pthread.h>\nstatic void *work(void *x) { return x; }")))
    session.generate_refuses("a.c:7:5: error: ", "'pthread_create' starts a thread")


def case_computation_in_a_text_of_two_functions_with_two_heads_is_refused(session):
    session.write("step.h", """#ifdef OLD
static void STEP(x, n) ITEM *x; int n;
#else
static void STEP(ITEM *x, int n)
#endif
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 2 + 1;
    MPI_Barrier(MPI_COMM_WORLD);
}
""")
    includes = "".join('#define STEP step_%s\n#define ITEM %s\n#include "step.h"\n#undef STEP\n'
                       "#undef ITEM\n" % (item, item) for item in ("int", "double"))
    session.program(("a.c", frame("    int k[9] = {0};\n    double x[9] = {0};\n"
                                  "    step_int(k, 9);\n    step_double(x, 9);", includes)))
    session.generate_refuses("step.h:4:1: error: ", "has the same text as 'step_double'",
                             "a copy of the file")


def case_header_with_two_heads_that_computes_other_things_in_another_unit_is_refused(session):
    session.write("step.h", """#ifdef OLD
static void step(x, n) double *x; int n;
#else
static void step(double *x, int n)
#endif
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 2 + ADDED;
    MPI_Barrier(MPI_COMM_WORLD);
}
""")
    begin = '#include <mpi.h>\n#define ADDED %s\n#include "step.h"\nvoid other(double *x);\n'
    session.program(("b.c", begin % "n" + "void other(double *x) { step(x, 9); }\n"),
                    ("a.c", frame("    double x[9] = {0};\n    step(x, 9);\n    other(x);",
                                  begin % "i")))
    session.generate_refuses("step.h:4:1: error: ", "something else of 'step' in ", "b.c than in ",
                             "a copy of the file")


def case_inline_function_that_is_another_one_in_another_unit_is_refused(session):
    session.write("more.h", "inline int more(int n) {\n    return n + ADDED;\n}\n")
    session.program(("b.c", '#define ADDED n\n#include "more.h"\nextern int more(int n);\n'),
                    ("a.c", frame("    return more(0);", '#define ADDED 1\n#include "more.h"')))
    session.generate_refuses("more.h:1:1: error: ", "something else of 'more' in ", "a.c than in ",
                             "declare it static")


def case_communication_at_exit_is_refused(session):
    finish = "static void finish(void) { MPI_Finalize(); }"
    session.program(("a.c", frame("    atexit(finish);", "#include <stdlib.h>\n" + finish)))
    session.generate_refuses("a.c:6:5: error: ", "'atexit'", "end of main")
    session.program(("a.c", frame("    atexit(finish);", "#include <stdlib.h>\n" +
                                  finish.replace("MPI_Finalize()", "rand()"))))
    session.fine("generate", "-o", "x.skel", "--no-compile")


def case_computed_goto_is_refused(session):
    session.program(("a.c", frame("    void *to = &&end;\n    goto *to;\nend:;")))
    session.generate_refuses("a.c:6:5: error: ", "computed goto")


def case_typedef_of_variable_length_with_another_type_is_refused(session):
    session.program(("a.c", frame("    typedef int row[argc], number;\n    row counts;\n    counts[0] = 1;\n"
                                  "    MPI_Bcast(counts, argc, MPI_INT, 0, MPI_COMM_WORLD);")))
    session.generate_refuses("a.c:5:5: error: ", "typedef of variable length", "declaration of its own")


def case_inline_assembly_that_may_do_more_than_it_tells_is_refused(session):
    rows = ['goto("call f" : : : : end)', '("call f" : : : "memory")', '("" : "=r"(p) : "r"(&n))',
            '("" : : "r"(&p) : "memory")', '("" : : "r"(&pair) : "memory")', '("" : "=r"(n) : "r"(main))']
    for row in rows:
        session.program(("a.c", frame(f"    __asm__ volatile {row};\n"
                                      "    MPI_Bcast(p, n, MPI_INT, 0, MPI_COMM_WORLD);\nend:;",
                                      "int n, *p; struct { int *a; } pair;")))
        session.generate_refuses("a.c:5:5: error: ", "this inline assembly")


def case_output_that_is_no_bundle_is_left_alone(session):
    session.program(("a.c", APPLICATION))
    session.write("work/notes.txt", "mine")
    session.write("file", "mine, too")
    before = set(os.listdir(session.directory))
    session.refused("generate", "-o", "work", says=["work is there and is no bundle", "-o"])
    session.refused("generate", "-o", "file", says=["file is a file", "-o"])
    session.expect_files(before)
    if session.read("work/notes.txt") != "mine" or session.read("file") != "mine, too":
        raise Failure("what was there was changed")


def case_failed_generate_leaves_an_older_bundle(session):
    session.bundle()
    before, files = session.contents("app.skel"), set(os.listdir(session.directory))
    session.write("app.c", APPLICATION + "this is no C;\n")
    session.refused("generate", "-o", "app.skel", says="app.c:")
    session.expect_contents("app.skel", before)
    session.write("app.c", APPLICATION.replace("work(x, n);", "work(x, n); nowhere();", 1)
                  .replace("static double work", "void nowhere(void);\nstatic double work"))
    session.refused("generate", "-o", "app.skel", says=["nowhere", "cannot build"])
    session.expect_contents("app.skel", before)
    session.expect_files(files)


def case_what_takes_too_much_memory_is_refused_by_name(session):
    session.bundle()
    before, files = session.contents("app.skel"), set(os.listdir(session.directory))
    for budget, told in (("1MiB", "1 MiB"), ("2.5e3kB", None), ("2048 kB", None), ("0", None),
                         ("half", None), ("1B", "0 MiB")):
        if told is None:
            session.refused("generate", "-o", "app.skel", "--memory", budget, code=64,
                            says=f"--memory wants a size such as 2GiB, not '{budget}'")
        else:
            session.refused("generate", "-o", "app.skel", "--memory", budget,
                            says=["mpiskel: error: parsing (units: 1) took ",
                                  f"MiB of memory, and its budget is {told}; ", "--memory SIZE"])
        session.expect_contents("app.skel", before)
        session.expect_files(files)
    session.fine("generate", "-o", "app.skel", "--no-compile", "--memory", "16GiB")


def interrupt(session, number, to_group):
    environment = session.slow_compiler()
    files, before = set(os.listdir(session.directory)), session.contents("app.skel")
    process = session.start(session.mpiskel, "generate", "-o", "app.skel", environment=environment)
    session.wait_for(lambda: set(os.listdir(session.directory)) != files)
    (os.killpg if to_group else os.kill)(process.pid, number)
    session.finish(process)
    session.expect(128 + number, "interrupted")
    session.expect_contents("app.skel", before)
    session.expect_files(files)


def case_interrupted_generate_leaves_no_half_bundle(session):
    session.program(("a.c", APPLICATION))
    session.slow_compiler()
    interrupt(session, signal.SIGINT, True)


def case_interrupted_generate_leaves_an_older_bundle(session):
    session.bundle()
    session.slow_compiler()
    interrupt(session, signal.SIGINT, True)
    interrupt(session, signal.SIGTERM, False)
    session.fine("verify", "app.skel", "-np", "2")


def case_interrupted_analysis_ends_at_once(session):
    """A header that takes forever to read: nobody ever writes into the pipe."""
    session.program(("a.c", '#include "pipe.h"\n' + APPLICATION))
    os.mkfifo(session.path("pipe.h"))
    files = set(os.listdir(session.directory))
    process = session.start(session.mpiskel, "generate", "-o", "x.skel")
    pipe = []

    def is_read():
        try:
            pipe.append(os.open(session.path("pipe.h"), os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True

    session.wait_for(is_read)
    os.kill(process.pid, signal.SIGTERM)
    session.finish(process)
    os.close(pipe[0])
    session.expect(143, "mpiskel: error: interrupted")
    session.expect_files(files)


def capture_with_unseen_ar(session, options):
    """As CMake does it: the compiler is found on the PATH, ar is called by an absolute path. One
    unit of the archive is for other programs: the linker leaves it out, or it would not link."""
    session.write("main.c", "#include <mpi.h>\nvoid work(int n);\nint main(int argc, char **argv) {\n"
                            "    MPI_Init(&argc, &argv);\n    work(argc);\n    MPI_Finalize();\n"
                            "    return 0;\n}\n")
    session.write("work.c", "#include <mpi.h>\nvoid work(int n) {\n    double x[4] = {n};\n"
                            "    MPI_Bcast(x, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);\n}\n")
    session.write("other.c", "int missing(void);\nint other(void) {\n    return missing();\n}\n")
    ar = shutil.which("ar")
    session.write("Makefile", "main: main.c work.c other.c\n\tmkdir -p lib obj\n"
                              "\tmpicc -c work.c -o obj/work.c.o\n\tmpicc -c other.c -o obj/other.c.o\n"
                              f"\t{ar} {options} lib/libwork.a obj/work.c.o obj/other.c.o\n"
                              "\tmpicc -c main.c -o obj/main.o\n"
                              "\tmpicc obj/main.o lib/libwork.a -o main\n")
    session.fine("capture", "--", "make")


def case_archives_that_an_unseen_ar_made_are_looked_into(session):
    for options in ("qc", "rcT"):
        for name in ("obj", "lib", "app.skel"):
            shutil.rmtree(session.path(name), ignore_errors=True)
        session.write("main", "")
        os.unlink(session.path("main"))
        capture_with_unseen_ar(session, options)
        session.fine("generate", "-o", "app.skel")
        expect("app.skel: 2 units" in session.out, session.told("the unit of the archive is known that is linked"))
        session.fine("verify", "app.skel", "-np", "2")


def case_archives_are_taken_whole_where_the_linker_cannot_be_asked(session):
    capture_with_unseen_ar(session, "qc")
    os.remove(session.path("obj/main.o"))
    session.fine("generate", "-o", "app.skel")
    expect("app.skel: 3 units" in session.out, session.told("all units of the archive are taken"))
    session.fine("verify", "app.skel", "-np", "2")


def case_objects_that_were_up_to_date_are_told(session):
    session.program(("a.c", APPLICATION), ("b.c", "int b;\n"), ("c.c", "int c;\n"))
    session.write("Makefile", "app: a.o b.o c.o\n\tmpicc a.o b.o c.o -o app\n"
                              "%.o: %.c\n\tmpicc -c $< -o $@\n")
    session.fine("capture", "--", "make", "a.o", "b.o")
    session.fine("capture", "--", "make")
    session.expect(0, "warning: 2 of the 3 objects that were linked were not compiled in this build (a.o, ...)")
    session.fine("capture", "--", "make", "-B")
    expect("warning" not in session.err, session.told("all was compiled, and there is a warning"))


def unseen_library(session, text):
    """Made before, its source is gone."""
    session.write("lib/lib.c", text)
    subprocess.run(["gcc", "-c", "lib.c", "-o", "lib.o"], cwd=session.path("lib"), check=True)
    subprocess.run(["ar", "rc", "liblib.a", "lib.o"], cwd=session.path("lib"), check=True)
    os.remove(session.path("lib/lib.c"))


def case_functions_in_records_are_given_to_unknown_libraries(session):
    """A library without source, in no build that was captured, calls what a record has a pointer to,
    and writes where another pointer in it points to."""
    ops = "struct ops { int size; void (*call)(int *); int *to; };\nvoid lib_run(struct ops ops);\n"
    unseen_library(session, ops + "void lib_run(struct ops ops) {\n    ops.call(ops.to);\n"
                                  "    *ops.to += 2;\n}\n")
    session.write("a.c", frame("    struct ops ops = {1, change, &n};\n    lib_run(ops);\n"
                               "    MPI_Bcast(work, n, MPI_INT, 0, MPI_COMM_WORLD);\n"
                               "    MPI_Bcast(work, m, MPI_INT, 0, MPI_COMM_WORLD);",
                               ops + "static int n = 3, m = 4, work[100];\n"
                                     "static void change(int *to) {\n    m = 2 * *to;\n}\n"))
    session.fine("capture", "--", "mpicc", "a.c", "lib/liblib.a", "-o", "a")
    session.fine("generate", "-o", "x.skel")
    session.fine("verify", "x.skel", "-np", "2")
    session.prints("identical: 8 calls on 2 ranks")


def case_what_unknown_libraries_know_is_kept_for_them(session):
    """They read variables of their own that the program sets, call the function that one of them
    points to, and go by what an earlier call was given the address of."""
    unseen_library(session, "int lib_size;\nvoid (*lib_hook)(void);\nstatic int *given;\n"
                            "void lib_give(int *to) {\n    given = to;\n}\n"
                            "int lib_run(void) {\n    lib_hook();\n    return lib_size + *given;\n}\n")
    session.write("a.c", frame("    lib_give(&k);\n    k = 5;\n    lib_size = 9;\n    lib_hook = change;\n"
                               "    n = lib_run();\n"
                               "    MPI_Bcast(work, n, MPI_INT, 0, MPI_COMM_WORLD);\n"
                               "    MPI_Bcast(work, m, MPI_INT, 0, MPI_COMM_WORLD);",
                               "extern int lib_size;\nextern void (*lib_hook)(void);\n"
                               "void lib_give(int *to);\nint lib_run(void);\n"
                               "static int k, n = 3, m = 4, work[100];\n"
                               "static void change(void) {\n    m = 8;\n}\n"))
    session.fine("capture", "--", "mpicc", "a.c", "lib/liblib.a", "-o", "a")
    session.fine("generate", "-o", "x.skel")
    session.fine("verify", "x.skel", "-np", "2")
    session.prints("identical: 8 calls on 2 ranks")


def case_damaged_archives_hold_nothing(session):
    capture_with_unseen_ar(session, "qc")
    with open(session.path("lib/libwork.a"), "rb") as file:
        good = file.read()
    header = good[8:68]
    spoilt = [b"", good[:7], good[:40], good[:-9], b"!<thin>\n" + good[8:],
              good[:8] + header[:48] + b"9999999999" + header[58:] + good[68:],
              good[:8] + header[:48] + b"-1        " + header[58:] + good[68:], bytes(200)]
    for text in spoilt:
        with open(session.path("spoilt.a"), "wb") as file:
            file.write(text)
        session.write("Makefile", "all:\n\tmpicc -c other.c -o obj/other.c.o\n"
                                  "\t-gcc main.c spoilt.a -o nothing 2>/dev/null\n")
        session.fine("capture", "--", "make")


def case_objects_that_the_build_moves_are_found(session):
    """By their names: one is moved into a directory, archived and removed, one is copied there. One
    with the name of another that is there as well is not the same."""
    session.write("count.c", "int count(int n) {\n    return n + 1;\n}\n")
    session.write("twice.c", "int twice(int n) {\n    return 2 * n;\n}\n")
    session.write("main.c", frame("    for (int i = 0; i < count(twice(2)); i++)\n"
                                  "        MPI_Barrier(MPI_COMM_WORLD);",
                                  "int count(int n);\nint twice(int n);"))
    session.write("Makefile", "app:\n\tmkdir -p lib\n\tmpicc -c count.c\n\tmpicc -c twice.c\n"
                  "\tmv count.o lib\n\tcp twice.o lib\n\tar rc lib/libcount.a lib/count.o\n"
                  "\trm lib/count.o\n\tmpicc main.c lib/twice.o -Llib -lcount -o app\n")
    session.fine("capture", "--", "make")
    expect("were not compiled" not in session.err, f"objects that were moved are said to be old: {session.err}")
    session.fine("generate", "-o", "x.skel")
    session.fine("verify", "x.skel", "-np", "2")
    session.prints("identical: 14 calls on 2 ranks")
    session.write("lib/count.c", "int count(int n) {\n    return 3 * n;\n}\n")
    subprocess.run(["cc", "-c", "count.c"], cwd=session.path("lib"), check=True)
    session.write("Makefile", "app:\n\tmpicc -c count.c\n\tmpicc -c twice.c\n"
                  "\tmpicc main.c twice.o lib/count.o -o app\n")
    session.fine("capture", "--", "make", "-B")
    session.expect(0, "warning: 1 of the 2 objects that were linked were not compiled in this build (lib/count.o)")


def case_capture_passes_on_the_builds_failure(session):
    session.write("Makefile", "all:\n\tfalse\n")
    session.refused("capture", "--", "make", code=2, says="the build ended with exit code 2")
    session.refused("capture", "--", "no-such-program", says="no-such-program")
    session.refused("capture", "--", "true", says=["compiled no C or C++ file", "clean it first", "make -B TARGET"])
    session.expect_files({"Makefile"})


def case_sources_that_the_build_removes_are_put_back(session):
    """make removes what it made on the way; a test program of a configure script goes for good."""
    count = "int count(int n) {\n    return n + 1;\n}\n"
    session.write("count.in", count)
    session.write("a.c", frame("    for (int i = 0; i < count(3); i++)\n"
                               "        MPI_Barrier(MPI_COMM_WORLD);", "int count(int n);"))
    session.write("Makefile", "app: a.o made/count.o\n\tmpicc a.o made/count.o -o app\n"
                  "made/%.c: %.in\n\tmkdir -p made && cp $< $@\n"
                  "%.o: %.c\n\tmpicc -c $< -o $@\n"
                  "a.o: configured\n"
                  "configured:\n\techo 'int f;' > conftest.c && mpicc -c conftest.c\n"
                  "\trm -f conftest.*\n\ttouch configured\n")
    session.fine("capture", "--", "make")
    if "put back %s" % session.path("made/count.c") not in session.err:
        raise Failure("capture does not tell that it put a source back")
    with open(session.path("made/count.c")) as file:
        expect(file.read() == count, "what was put back is another source")
    with open(session.path("compile_commands.json")) as file:
        sources = [entry["file"] for entry in json.load(file)]
    if sorted(sources) != ["a.c", "made/count.c"]:
        raise Failure("the commands compile %s" % sources)
    session.fine("generate", "-o", "x.skel", "--no-compile")


def check_headers_beside(session, include, option):
    os.makedirs(session.path("src"))
    os.makedirs(session.path("include"))
    session.write("include/work.h", """#include <mpi.h>
static inline double settle(double x, int n) {
    for (int i = 0; i < n; i++)
        x = x * 0.5 + i;
    return x;
}
static inline void spread(void *p, int n) {
    MPI_Bcast(p, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
""")
    session.write("src/a.c", frame("    double x[4] = {1};\n    x[0] = settle(x[1], 100);\n"
                                   "    spread(x, 4);", f'#include "{include}"'))
    session.fine("capture", "-o", "src/compile_commands.json", "--",
                 "sh", "-c", f"cd src && mpicc {option} -c a.c && mpicc a.o -o a")
    session.fine("generate", "-p", "src", "-o", "x.skel")
    expect("nothing is known" not in session.err, "the header's functions are taken for a library's:\n" + session.err)
    if "x * 0.5" in session.read("x.skel/src/include/work.h"):
        raise Failure("what the header's function computes is in the skeleton")
    session.fine("verify", "x.skel", "-np", "2")


def case_headers_beside_the_sources_are_the_programs_own(session):
    """src/ and include/: what an inline function there computes goes, and it hands scratch on."""
    check_headers_beside(session, "work.h", "-I../include")


def case_headers_included_by_a_path_are_the_programs_own(session):
    check_headers_beside(session, "../include/work.h", "")


def case_missing_simgrid_is_told(session):
    session.program(("a.c", APPLICATION))
    os.mkdir(session.path("bin"))
    for tool in ("gcc", "cc", "mpicc", "as", "ld", "sh", "env"):
        os.symlink(os.path.join("/usr/bin", tool), session.path("bin/" + tool))
    environment = dict(ENVIRONMENT, PATH=session.path("bin"))
    session.refused("generate", "-o", "x.skel", says="smpicc", environment=environment)


USAGE = [
    [], ["no-such-command"], ["generate", "--nonsense"], ["generate", "a.c"], ["generate", "-j", "0"],
    ["generate", "--assume=nonsense"], ["generate", "--format=xml"], ["generate", "-o"],
    ["capture"], ["capture", "--nonsense"], ["explain"], ["verify"], ["verify", "a", "b"],
    ["verify", "a", "--format=csv"], ["run"], ["run", "a", "b"], ["run", "a", "--format=xml"],
    ["run", "a", "--host-speed=1Gf"], ["run", "a", "--top=none"], ["fit"], ["fit", "a", "b"],
    ["fit", "a", "--max-error=much"], ["fit", "a", "--machine=a b"], ["fit", "a", "--format=xml"],
    ["doctor", "--nonsense"],
]


def case_wrong_usage_exits_with_64(session):
    for arguments in USAGE:
        session.refused(*arguments, code=64, says="mpiskel")
        expect(not session.out, session.told(f"{arguments}: a usage error belongs on stderr"))
    session.expect_files(set())


def crowd(objects, members, numbers):
    """All members of all records may point to all numbers; which one, and so how long the message
    is, only a run can tell."""
    def listed(form, count, between=", "):
        return between.join(form % i for i in range(count))
    return f"""#include <mpi.h>
#include <stdlib.h>
struct wide {{ int {listed("*m%d", members)}; }};
static struct wide {listed("w%d", objects)};
static int {listed("g%d", numbers)};
static struct wide *table[] = {{{listed("&w%d", objects)}}};
static int *all[] = {{{listed("&g%d", numbers)}}};
static double work[100];
static void spread(struct wide *w, int k) {{
    {listed("w->m%d = all[k];", members, " ")}
}}
int main(int argc, char **argv) {{
    MPI_Init(&argc, &argv);
    spread(table[argc], argc + 2);
    *table[argc]->m1 = 40;
    for (int i = 0; i < 100; i++)
        work[i] += 0.5 * i;
    MPI_Bcast(work, g3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}}
"""


def case_sets_of_pointers_are_bounded(session):
    for objects, bounded in ((60, True), (2, False)):
        session.program(("a.c", crowd(objects, 60, 2500)))
        session.fine("generate", "-o", "x.skel")
        expect(("members of" in session.err) == bounded, session.told("members are told apart or not, wrongly"))
        session.fine("verify", "x.skel", "-np", "2")
        session.prints("identical: 6 calls on 2 ranks")
        expect("work[i] +=" not in session.read("x.skel/src/a.c"), "the work is in the skeleton")


INCLUDES = """#include <mpi.h>
int main(int argc, char **argv) {
    static double x[1000];
    MPI_Init(&argc, &argv);
#include "body.h"
    MPI_Bcast(x, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_what_is_included_into_functions_is_told(session):
    """It stays, however much it computes."""
    session.program(("a.c", INCLUDES))
    session.write("body.h", "for (int i = 0; i < 1000; i++)\n    x[i] = x[i] * 0.5 + i;\n")
    session.fine("generate", "-o", "x.skel")
    if not re.search(r"note: \d+ statements stay whatever they do.*body\.h", session.err):
        raise Failure(session.told("nothing is said of what is included"))
    session.fine("verify", "x.skel", "-np", "2")
    session.prints("identical: 6 calls on 2 ranks")

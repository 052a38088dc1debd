# SPDX-License-Identifier: Apache-2.0
"""Programs of which the linker makes something that their sources alone do not tell.

Each program calls MPI_Abort where another definition is linked than its build takes, which fails the
comparison of its calls."""
import os
import subprocess

from support import Failure, expect

# Each member of a library that is taken says 1, each that is left out says 1000.
TAKEN = {
    "main.c": r"""#include <mpi.h>
        int own(void), behind(void), asked_for(void), needed(void), round_trip(void), twins(void);
        int strong(void), first_weak(void), by_pragma(void), absent(void);
        extern int is_there(void) __attribute__((weak)), stays_away(void) __attribute__((weak));
        extern int level, (*way)(void);
        extern int knob __attribute__((weak)), no_knob __attribute__((weak));
        int main(int argc, char **argv) {
            static double data[2000];
            int sum;
            MPI_Init(&argc, &argv);
            sum = own() + behind() + needed() + round_trip() + twins() + strong() + first_weak() +
                  by_pragma() + level + way();
            if (is_there)
                sum += is_there();
            if (stays_away)
                sum += stays_away();
            if (&knob)
                sum += knob;
            if (&no_knob)
                sum += no_knob;
            if (sum != 12)
                MPI_Abort(MPI_COMM_WORLD, sum);
            MPI_Bcast(data, sum, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            MPI_Finalize();
            return 0;
        }""",
    "mine.c": "int own(void) { return 1; }\nint knob = 1;",
    "own.c": "int own(void) { return 1000; }",
    "tool.c": "int own(void);\nint main(void) { return own(); }",
    "front.c": "int behind(void) { return 1; }",
    "back.c": "int behind(void) { return 1000; }",
    "asked.c": "int needed(void) { return 1; }\nint asked_for(void) { return 0; }",
    "other.c": "int needed(void) { return 1000; }",
    "there.c": "int deep(void);\nint round_trip(void) { return deep(); }\nint deepest(void) { return 1; }",
    "again.c": "int deepest(void);\nint deep(void) { return deepest(); }",
    "x/part.c": "int twin(void);\nint twins(void) { return twin(); }",
    "y/part.c": "int twin(void) { return 1; }",
    "away.c": "int stays_away(void) { return 1000; }",
    "weak.c": r"""int strong(void) __attribute__((weak));
        int strong(void) { return 1000; }
        __attribute__((__weak__)) int first_weak(void) { return 1; }
        int level __attribute__((weak)) = 1000;
        static int long_way(void) { return 1000; }
        int (*way)(void) __attribute__((weak)) = long_way;
        int is_there(void) { return 1; }""",
    "a_weak.c": r"""int by_pragma(void) { return 1000; }
        #pragma weak by_pragma
        int first_weak(void) __attribute__((weak));
        int first_weak(void) { return 1000; }""",
    "strong.c": r"""int strong(void) { return 1; }
        int by_pragma(void) { return 1; }
        int level = 1;
        static int short_way(void) { return 1; }
        int (*way)(void) = short_way;""",
}
BUILD = r"""set -e
for f in a_weak main mine own tool front back asked other there again away weak strong x/part y/part
do mpicc -c $f.c -o $f.o; done
ar rcs libtools.a own.o tool.o away.o
ar rcs libfront.a front.o
ar rcs libback.a back.o
ar rcs libother.a other.o
ar rcsT libasked.a asked.o
ar rcs libthere.a there.o
ar rcs libagain.a again.o
ar qcs libparts.a x/part.o y/part.o
mpicc -o prog main.o mine.o weak.o a_weak.o strong.o libtools.a -Wl,-Map=prog.map -L. -lfront -lback \
    -Wl,-u,asked_for -l:libasked.a libother.a -Wl,--start-group libthere.a libagain.a \
    -Wl,--end-group -Wl,--whole-archive libparts.a -Wl,--no-whole-archive
"""


def write_all(session, sources, build):
    for name, text in sources.items():
        session.write(name, text + "\n")
    session.write("build.sh", build)


def capture(session, sources, build):
    write_all(session, sources, build)
    session.fine("capture", "--", "bash", "build.sh")


def is_identical(session, *generate):
    session.fine("generate", "-o", "prog.skel", *generate)
    said = session.err
    session.fine("verify", "prog.skel", "-np", "2", "--")
    session.prints("identical:")
    return said


def case_definitions_are_those_that_the_linker_takes(session):
    capture(session, TAKEN, BUILD)
    session.write("prog.map", "")
    is_identical(session)
    expect(not session.read("prog.map"), "asking the linker has written its map where the build has it")


# Linked by cc, which knows no MPI: all of it is in libraries of the project. Compiled with two
# sanitizers, and with a default visibility in which SMPI would not find main.
OWN_LIBRARIES = {
    "main.c": r"""void start(int *argc, char ***argv);
        double total(double x);
        void stop(void);
        int main(int argc, char **argv) {
            start(&argc, &argv);
            int wrong = total(argc) < argc;
            stop();
            return wrong;
        }""",
    "middle.c": "double add(double x);\n#define SEEN __attribute__((visibility(\"default\")))\n"
                "SEEN double total(double x) { return add(x); }",
    "talk.c": r"""#include <mpi.h>
        #include <math.h>
        #define SEEN __attribute__((visibility("default")))
        SEEN void start(int *argc, char ***argv) { MPI_Init(argc, argv); }
        SEEN double add(double x) {
            double sum;
            MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            return cbrt(sum * sum * sum);
        }
        SEEN void stop(void) { MPI_Finalize(); }""",
    "talk.map": "{ global: start; add; stop; local: *; };",
}
BUILD_OWN_LIBRARIES = r"""set -e
FLAGS="-fvisibility=hidden -fsanitize=undefined,address -fno-sanitize-recover=undefined"
mpicc $FLAGS -fPIC -c talk.c
cc $FLAGS -fPIC -c middle.c
cc $FLAGS -c main.c
mpicc $FLAGS -shared -Wl,--version-script=talk.map -Wl,-soname,libtalk.so.1 -o libtalk.so.1.0 talk.o -lm
ln -sf libtalk.so.1.0 libtalk.so
cc $FLAGS -shared -o libmiddle.so middle.o -L. -ltalk
cc $FLAGS -pie -o prog main.o libmiddle.so -Wl,-rpath,$PWD -Wl,-rpath-link,. libtalk.so.1.0
"""


def case_mpi_may_be_in_libraries_of_the_project_only(session):
    """And sanitizers are left out, which is told."""
    capture(session, OWN_LIBRARIES, BUILD_OWN_LIBRARIES)
    said = is_identical(session)
    expect("note: -fsanitize=undefined,address is left out" in said, f"nothing is told of sanitizers: {said}")


# Of the library only the first member is taken.
USER = r"""#include <mpi.h>
int chunk(int i);
int main(int argc, char **argv) {
    static char data[100];
    MPI_Init(&argc, &argv);
    MPI_Bcast(data, chunk(argc), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
TAKEN_MEMBER = "int other = 3, row[4];\nint chunk(int i) { %s; return other + row[i & 3] + i; }\n"
LEFT_MEMBER = "#include <mpi.h>\nint unused(void) { return MPI_Barrier(MPI_COMM_WORLD); }\n"


def make_library(session, options, text):
    """It is there before the build, and no source of it is known."""
    session.write("other/first.c", text)
    session.write("other/second.c", LEFT_MEMBER)
    for name in ("first", "second"):
        subprocess.run(["mpicc", *options, "-c", name + ".c"], cwd=session.path("other"), check=True)
    subprocess.run(["ar", "rc", "libother.a", "first.o", "second.o"], cwd=session.path("other"),
                   check=True)
    session.fine("capture", "--", "mpicc", "main.c", "-no-pie", "-o", "prog", "-Lother", "-lother")


def refuses_library(session, options, text, *says):
    make_library(session, options, text)
    session.refused("generate", "-o", "prog.skel", says=says)
    if "the command was" in session.err or os.path.exists(session.path("prog.skel")):
        raise Failure(session.told("it is found out by compiling"))


def case_libraries_that_cannot_be_simulated_are_named_before_compiling(session):
    session.write("main.c", USER)
    refuses_library(session, ["-fno-pic"], TAKEN_MEMBER % "",
                    "other/libother.a(first.o) is not position-independent", "-fPIC")
    refuses_library(session, ["-fPIE"], "#include <stdio.h>\n" + TAKEN_MEMBER % 'fputs("x", stderr)',
                    "other/libother.a(first.o) is not position-independent")
    refuses_library(session, ["-fPIC"],
                    "#include <mpi.h>\n" + TAKEN_MEMBER % "MPI_Barrier(MPI_COMM_WORLD)",
                    "other/libother.a(first.o) calls 'MPI_Barrier'")
    make_library(session, ["-fPIE"], "int other = 3;\nint chunk(int i) { return other + i; }\n")
    is_identical(session)  # its own variables are found as in an executable


def case_programs_are_built_at_once_only_where_files_of_the_application_are_linked(session):
    """A library of analysed units is none of them, whichever directory it is looked for in."""
    session.write("main.c", USER)
    session.write("lib/part.c", "int chunk(int i) { return i; }\n")
    session.fine("capture", "--", "sh", "-c", "mpicc -c lib/part.c -o lib/part.o && ar rc lib/libother.a lib/part.o && "
                 "mpicc main.c -o prog -Llib -lother")
    session.fine("generate", "-o", "prog.skel")
    expect(not os.path.exists(session.path("prog.skel/original")), "the original is built before it is needed")
    make_library(session, ["-fPIE"], "int chunk(int i) { return i; }\n")
    session.fine("generate", "-o", "prog.skel")
    expect(os.path.exists(session.path("prog.skel/original")), "the original is left for when the library may be another")


def case_verify_repeats_which_library_may_crash_in_simulations(session):
    """Compiled for the system's MPI, whose handles are no handles of SimGrid's."""
    session.write("main.c", USER)
    session.write("other.c", "#include <mpi.h>\nint chunk(int i) { int most;\n"
                             "MPI_Allreduce(&i, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); return most; }\n")
    subprocess.run(["mpicc", "-shared", "-fPIC", "-o", "libother.so", "other.c"], cwd=session.directory,
                   check=True)
    session.fine("capture", "--", "mpicc", "main.c", "-o", "prog", "-L.", "-lother",
                 "-Wl,-rpath," + session.directory)
    session.fine("generate", "-o", "prog.skel")
    told = f"{session.path('libother.so')}, which calls 'MPI_Allreduce'"
    session.expect(0, f"warning: 'chunk' is of {told}")
    session.refused("verify", "prog.skel", "-np", "2",
                    says=[f"warning: the program has {told}", f"the likely cause is {told}"])
    expect("before it is set" not in session.err, session.told("memory is named as the cause"))


# Of an assembler, and data that a linker or objcopy makes an object of.
ASSEMBLED = ".globl chunk\n.text\nchunk:\n    lea 3(%rdi), %eax\n    ret\n.section .note.GNU-stack\n"
FORTRAN = """integer(c_int) function chunk(i) bind(c)
  use iso_c_binding
  integer(c_int), value :: i
  if (i > 100) print *, i
  chunk = i + 3
end function
"""
DATA = USER.replace("int chunk(int i);", "extern char _binary_n_txt_start[];\n"
                    "static int chunk(int i) { return i + _binary_n_txt_start[0] - '0'; }")
WAYS_OF_DATA = ["ld -r -b binary -o n.o n.txt", "gcc -r -nostdlib -Wl,--format=binary -o n.o n.txt",
                "objcopy -I binary -O elf64-x86-64 -B i386:x86-64 n.txt n.o"]


def case_objects_of_other_languages_and_of_data_are_linked_as_they_are(session):
    build = "as -o chunk.o chunk.s && mpicc -c main.c && mpicc main.o chunk.o -o prog"
    capture(session, {"main.c": USER, "chunk.s": ASSEMBLED}, build)
    is_identical(session)
    for compiler, linker, libraries in (("gfortran", "mpicc", "-lgfortran"), ("gfortran", "gfortran", "-lmpi"),
                                        ("mpif90", "mpif90", "")):
        capture(session, {"main.c": USER, "chunk.f90": FORTRAN},
                f"{compiler} -c chunk.f90 && mpicc -c main.c && {linker} main.o chunk.o {libraries} -o prog")
        is_identical(session)
    for way in WAYS_OF_DATA:
        capture(session, {"main.c": DATA, "n.txt": "5"}, way + " && mpicc -c main.c && mpicc main.o n.o -o prog")
        is_identical(session)
        if "n.o" not in session.read("build.sh") or os.path.getsize(session.path("n.o")) == 0:
            raise Failure("the application's own object is gone")
    joined = "as -o asm.o chunk.s && mpicc -c main.c && ld -r -o all.o main.o asm.o && mpicc all.o -o prog"
    capture(session, {"main.c": USER, "chunk.s": ASSEMBLED}, joined)
    is_identical(session)


def case_objects_that_the_analysis_would_have_to_see_into_are_refused(session):
    """As compiled before, of C, for what a compiler of another language makes."""
    def refuses(user, text, *says, parts="part/chunk.o", options=("-fPIC",)):
        session.write("part/chunk.c", text)
        subprocess.run(["mpicc", *options, "-c", "chunk.c"], cwd=session.path("part"), check=True)
        capture(session, {"main.c": user}, f"mpicc main.c {parts} -o prog")
        session.refused("generate", "-o", "prog.skel", says=["error: part/chunk.o " + says[0], *says[1:]])

    own = "int level = 1;\nint deepen(int i) { return i; }\n"
    refuses(USER, "#include <mpi.h>\nint chunk(int i) { MPI_Barrier(MPI_COMM_WORLD); return i; }",
            "calls 'MPI_Barrier' and was not compiled from C in the recorded build")
    refuses(USER, "void mpi_barrier_(void);\nint chunk(int i) { mpi_barrier_(); return i; }", "calls 'mpi_barrier_'",
            parts="part/chunk.o -lmpi_mpifh")
    refuses(USER + own, "extern int level;\nint chunk(int i) { return i + level; }", "uses the program's 'level'")
    refuses(USER + own, "int deepen(int i);\nint chunk(int i) { return deepen(i); }", "uses the program's 'deepen'")
    refuses(USER + "__attribute__((weak)) int deepen(int i) { return i; }",
            "int deepen(int i) { return 2 * i; }\nint chunk(int i) { return i; }",
            "defines, as the program does, 'deepen'")
    refuses("extern int level;\n" + USER.replace("chunk(argc)", "chunk(level)"),
            "int level = 3;\nint chunk(int i) { return level += i; }",
            "has functions and the program's variable 'level'")
    refuses(USER, "#include <stdio.h>\nint chunk(int i) { fputs(\"x\", stderr); return i; }",
            "is not position-independent", options=["-fno-pic"], parts="-no-pie part/chunk.o")
    capture(session, {"main.c": USER, "chunk.s": ASSEMBLED}, "mpicc -c main.c && mpicc main.o chunk.s -o prog")
    session.refused("generate", "-o", "prog.skel", says="chunk.s is no C and is compiled and linked in one command")
    capture(session, {"main.c": USER}, "mpicc main.c part/chunk.o -no-pie -o prog")
    session.write("part/chunk.o", "another format")
    session.refused("generate", "-o", "prog.skel", says="and `nm` tells nothing of what it calls")


def case_libraries_that_are_loaded_may_not_communicate(session):
    parts = {"main.c": "#include <dlfcn.h>\n" + USER.replace(
                 "    MPI_Bcast", '    void *plugin = dlopen("./plugin.so", RTLD_NOW);\n    MPI_Bcast'),
             "chunk.c": "int chunk(int i) { return i; }",
             "plugin.c": "#include <mpi.h>\nvoid step(void) { MPI_Barrier(MPI_COMM_WORLD); }",
             "other.c": "int other(void) { return 1; }"}
    build = "cc -shared -fPIC other.c -o other.so && mpicc main.c chunk.c -ldl -o prog"
    capture(session, parts, build)
    is_identical(session)
    capture(session, parts, "mpicc -shared -fPIC plugin.c -o plugin.so && " + build)
    session.generate_refuses("main.c:7:20: error: the build makes plugin.so, which calls 'MPI_Barrier'")


def case_functions_that_the_linker_renames_are_refused(session):
    parts = {"main.c": USER, "part.c": "int __real_chunk(int i);\nint part(int i) { return i; }\n"
                                       "int __wrap_chunk(int i) { return __real_chunk(i) + 1; }",
             "chunk.c": "int chunk(int i) { return i; }"}
    capture(session, parts, "mpicc main.c part.c chunk.c -Wl,--wrap=chunk -o prog")
    session.generate_refuses("part.c:3:5: error: the linker lets calls of 'chunk' come here")
    capture(session, parts, "mpicc main.c chunk.c part.c -D__wrap_chunk=other "
                            "-Wl,--defsym,__real_chunk=part -o prog")
    session.generate_refuses("part.c:2:5: error: the linker lets calls of '__real_chunk' come here")

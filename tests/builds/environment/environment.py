# SPDX-License-Identifier: Apache-2.0
"""What a build's compilers took from its environment is in the bundle, and what the environment of
generate says is not. The program is of two units: the second says how many times STEP all ranks meet,
so that one that is compiled otherwise shows; the build's own program says the same under mpirun."""
import os
import shutil
import subprocess

from support import ENVIRONMENT, Failure, expect

HERE = os.path.dirname(os.path.abspath(__file__))

MAIN = """#include <mpi.h>
#include <stdio.h>
int steps(int n);
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < steps(2); i++)
        MPI_Barrier(MPI_COMM_WORLD);
    printf("%d steps\\n", steps(2));
    MPI_Finalize();
    return 0;
}
"""
STEPS = """#ifdef HEADER
#include HEADER
#endif
#ifndef STEP
#define STEP 1
#endif
int steps(int n) {
    return n * STEP;
}
"""
LINK = "mpicc -c main.c\nmpicc main.o steps.o -o app\n"
OTHER = dict(ENVIRONMENT, CPATH="/other", C_INCLUDE_PATH="wrong", OMPI_CPPFLAGS="-DSTEP=9",
             OMPI_CFLAGS="-nostdinc", OMPI_CC="false", MPICH_CC="false", COMPILER_PATH="/wrong")


def check(session, step, script, run="mpirun --oversubscribe -np 2 ./app"):
    """The real program, and original and skeleton; generate runs in another environment."""
    session.write("main.c", MAIN)
    session.write("steps.c", STEPS)
    session.write("build.sh", script)
    session.fine("capture", "--", "sh", "-e", "build.sh")
    done = subprocess.run(run.split(), cwd=session.directory, env=ENVIRONMENT, capture_output=True,
                          text=True, timeout=600)
    expect(f"{2 * step} steps" in done.stdout, f"the build's own program: {done.stdout}{done.stderr}")
    shutil.rmtree(session.path("app.skel"), ignore_errors=True)
    session.fine("generate", "--link", "app", "-o", "app.skel", environment=OTHER)
    session.prints("app.skel: 2 units")
    session.fine("verify", "app.skel", "-np", "2")
    session.prints(f"identical: {2 * (2 + 2 * step)} calls on 2 ranks")


def tool(session, name, text):
    session.write(name, "#!/bin/sh\n" + text + "\n")
    os.chmod(session.path(name), 0o755)


def said_by_gcc(*words):
    return subprocess.run(["gcc", *words], check=True, capture_output=True, text=True).stdout.strip()


def mpi_includes():
    shown = subprocess.run(["mpicc", "-show"], check=True, capture_output=True, text=True).stdout.split()
    return " ".join(word for word in shown if word.startswith("-I"))


def case_options_of_the_wrapper_stand_where_it_puts_them(session):
    check(session, 4, "OMPI_CPPFLAGS=-DSTEP=4 mpicc -w -DSTEP=7 '-DTEXT=\"a b\"' -c steps.c\n" + LINK)
    check(session, 3, f"export OMPI_CFLAGS='-DSTEP=3 {mpi_includes()}'\nmpicc -c steps.c\n" + LINK)


def case_libraries_of_the_wrapper_and_of_the_path_are_linked(session):
    archive = "mpicc -DSTEP=5 -c steps.c\nmkdir -p l\nar rc l/libs.a steps.o\nrm steps.o\nmpicc -c main.c\n"
    shown = subprocess.run(["mpicc", "-show"], check=True, capture_output=True, text=True).stdout.split()
    libraries = " ".join(word for word in shown if word.startswith("-l"))
    check(session, 5, archive + "LIBRARY_PATH=/none:$PWD/l mpicc main.o -ls -o app\n")
    check(session, 5, archive + f"OMPI_LIBS='-ls {libraries}' mpicc -Ll main.o -o app\n")


def case_each_unit_is_compiled_by_its_own_compiler(session):
    session.write("step.h", "#ifdef __clang__\n#define STEP 4\n#endif\n")
    header = "-DHEADER='\"step.h\"'"
    check(session, 4, f"OMPI_CC=clang mpicc {header} -c steps.c\n" + LINK)
    check(session, 4, f"OMPI_CC='ccache clang' CCACHE_DISABLE=1 mpicc {header} -c steps.c\n" + LINK)
    check(session, 4, f"MPICH_CC=clang mpicc.mpich {header} -c steps.c\n" + LINK.replace("mpicc", "mpicc.mpich"),
          "mpirun.mpich -np 2 ./app")


def case_compilers_are_those_of_the_path_of_each_command(session):
    mpicc = shutil.which("mpicc")
    tool(session, "one/gcc", f'exec {shutil.which("gcc")} -DSTEP=3 "$@"')
    tool(session, "two/mpicc", f'exec {mpicc} -DSTEP=4 "$@"')
    tool(session, "three/mpicc", f'exec {mpicc} -DSTEP=5 "$@"')
    check(session, 3, "PATH=$PWD/one:$PATH mpicc -c steps.c\n" + LINK)
    check(session, 4, "PATH=$PWD/two:$PATH mpicc -c steps.c\n" + LINK)
    check(session, 5, "three/mpicc -c steps.c\n" + LINK)


def case_programs_of_the_compiler_are_those_of_its_environment(session):
    """GCC_EXEC_PREFIX and COMPILER_PATH, for one unit."""
    cc1, version = said_by_gcc("-print-prog-name=cc1"), said_by_gcc("-dumpversion")
    folder = f"prefix/{said_by_gcc('-dumpmachine')}/{version}"
    tool(session, "tools/cc1", f'exec {cc1} -DSTEP=3 "$@"')
    tool(session, folder + "/cc1", f'exec {cc1} -DSTEP=4 "$@"')
    for name in os.listdir(os.path.dirname(cc1)):
        if name != "cc1":
            os.symlink(os.path.join(os.path.dirname(cc1), name), session.path(f"{folder}/{name}"))
    check(session, 3, "COMPILER_PATH=$PWD/tools mpicc -c steps.c\n" + LINK)
    check(session, 4, "GCC_EXEC_PREFIX=$PWD/prefix/ mpicc -c steps.c\n" + LINK)


def check_together(session, units):
    """As `check`, of (step, command that compiles a unit): one program of all of them, which aborts where one is
    compiled otherwise."""
    declared = "".join(f"int steps{k}(int n);\n" for k in range(len(units)))
    tried = "".join(f"    if (steps{k}(2) != {2 * step})\n        MPI_Abort(MPI_COMM_WORLD, {k + 1});\n"
                    for k, (step, _) in enumerate(units))
    main = MAIN.replace("int steps(int n);\n", declared).replace("    for (", tried + "    for (")
    total = " + ".join(f"steps{k}(2)" for k in range(len(units)))
    session.write("main.c", main.replace("steps(2)", total))
    for k in range(len(units)):
        session.write(f"steps{k}.c", STEPS.replace("steps(", f"steps{k}("))
    objects = " ".join(f"steps{k}.o" for k in range(len(units)))
    session.write("build.sh", "".join(f"{command} -c steps{k}.c\n" for k, (_, command) in enumerate(units))
                  + f"mpicc -c main.c\nmpicc main.o {objects} -o app\n")
    session.fine("capture", "--", "sh", "-e", "build.sh")
    steps = 2 * sum(step for step, _ in units)
    told = subprocess.run(["mpirun", "--oversubscribe", "-np", "2", "./app"], cwd=session.directory, env=ENVIRONMENT,
                          capture_output=True, text=True, timeout=600)
    expect(f"{steps} steps" in told.stdout, f"the build's own program: {told.stdout}{told.stderr}")
    session.fine("generate", "--link", "app", "-o", "app.skel", environment=OTHER)
    session.prints(f"app.skel: {len(units) + 1} units")
    session.fine("verify", "app.skel", "-np", "2")
    session.prints(f"identical: {2 * (2 + steps)} calls on 2 ranks")


def case_headers_are_found_in_the_compilers_order(session):
    """A header in each of two places: the number is that of the place that the compiler takes."""
    for k, folder in enumerate(("near", "quote", "plain", "system", "c", "after"), 2):
        session.write(f"{folder}/step.h", f"#define STEP {k}\n")
    quoted, angled = "-DHEADER='\"step.h\"'", "-DHEADER='<step.h>'"
    session.write("steps.c", STEPS)
    units = []
    for words in (f"{quoted} -Iplain -iquote quote", f"{angled} -iquote quote -isystem system -Iplain",
                  f"{quoted} -idirafter after -isystem system", f"{angled} -idirafter after -isystem system",
                  f"{quoted} -isystemsystem -iquotequote -idirafterafter", f"{angled} -Iplain -isystem plain -isystem system"):
        built = subprocess.run(["sh", "-c", f"gcc {words} -dM -E steps.c | grep 'STEP '"], capture_output=True,
                               text=True, cwd=session.directory, check=True)
        units.append((int(built.stdout.split()[-1]), f"mpicc {words}"))
    units += [(4, f"CPATH=plain C_INCLUDE_PATH=c mpicc {angled} -isystem system"),
              (5, f"C_INCLUDE_PATH=c mpicc {angled} -idirafter after -isystem system"),
              (6, f"C_INCLUDE_PATH=c mpicc {angled} -idirafter after"),
              (4, f"CPATH=after mpicc {quoted} -Iplain")]
    check_together(session, units)


WORK = """#include <mpi.h>
static inline double work(int n) {
    double sum = 0, all;
    for (int i = 0; i < n * 1000; i++)
        sum += i * 0.5;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
"""
WORKS = """#include <mpi.h>
#include <stdio.h>
#include HEADER
int main(int argc, char **argv) {
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 5; i++)
        sum += work(i);
    printf("%g\\n", sum);
    MPI_Finalize();
    return 0;
}
"""


def case_headers_of_the_project_are_rewritten_whichever_option_finds_them(session):
    """The loop in a header is a region, which the profiling build measures."""
    session.write("inc/work.h", WORK)
    session.write("main.c", WORKS)
    quoted, angled = "-DHEADER='\"work.h\"'", "-DHEADER='<work.h>'"
    for words in (f"mpicc {quoted} -iquote inc", f"mpicc {angled} -isystem inc", f"mpicc {angled} -idirafterinc",
                  f"CPATH=inc mpicc {angled}", f"C_INCLUDE_PATH=inc mpicc {angled}"):
        session.write("build.sh", f"{words} main.c -o app\n")
        shutil.rmtree(session.path("app.skel"), ignore_errors=True)
        session.fine("capture", "--", "sh", "-e", "build.sh")
        session.fine("generate", "-o", "app.skel", environment=OTHER)
        session.profile("app.skel")
        (name,) = os.listdir(session.path("app.skel/samples"))
        count = session.read(f"app.skel/samples/{name}").count('{"region":0')
        expect(count == 10, session.told(f"{words}: region 0 has {count} samples"))
        session.fine("verify", "app.skel", "-np", "2")
        session.prints("identical: 14 calls on 2 ranks")


def case_temporary_folders_may_have_any_name(session):
    """All commands of the way from a build to a prediction; none leaves anything there."""
    session.write("main.c", WORKS)
    session.write("work.h", WORK)
    for name in ("a b", "a:b", "a,b", 'a"b', "a'b", "a\\b", "a;b$(c)"):
        os.mkdir(session.path(name))
        environment = dict(ENVIRONMENT, TMPDIR=session.path(name))
        commands = [["capture", "--", "mpicc", "-DHEADER=\"work.h\"", "main.c", "-o", "app"],
                    ["generate", "-o", "app.skel"], ["fit", "app.skel"], ["run", "app.skel", "-np", "2"],
                    ["run", "--original", "app.skel", "-np", "2"], ["verify", "app.skel", "-np", "2"]]
        shutil.rmtree(session.path("app.skel"), ignore_errors=True)
        for command in commands if name in ("a b", "a,b") else commands[:2] + commands[-1:]:
            if command[0] == "fit":
                session.profile("app.skel")
            session.fine(*command, environment=environment)
        if os.listdir(session.path(name)):
            raise Failure(f"{name}: {os.listdir(session.path(name))} is left")

# SPDX-License-Identifier: Apache-2.0
"""Ways of ordinary builds between sources and a program. The program is of two units: the second says
how many times STEP all ranks meet, so that one that is missing, or of other options, shows."""
import json
import os
import shutil
import subprocess

from support import ENVIRONMENT, expect

HERE = os.path.dirname(os.path.abspath(__file__))

MAIN = """#include <mpi.h>
int steps(int n);
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < steps(2); i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
STEPS = """#ifdef HEADER
#include "step.h"
#endif
#ifndef STEP
#define STEP 1
#endif
int steps(int n) {
    return n * STEP;
}
"""
COMPILED = "mpicc -c main.c\nmpicc -DSTEP=3 -c steps.c\n"


def calls_on_two_ranks(step):
    return f"identical: {2 * (2 + 2 * step)} calls on 2 ranks"


def write(session, script, folder="."):
    session.write(os.path.join(folder, "main.c"), MAIN)
    session.write(os.path.join(folder, "steps.c"), STEPS)
    session.write(os.path.join(folder, "build.sh"), script)


def capture(session, script):
    write(session, script)
    session.fine("capture", "--", "sh", "-e", "build.sh")


def mpi_directories():
    done = subprocess.run(["mpicc", "--showme:compile"], capture_output=True, text=True, check=True)
    return " ".join(word for word in done.stdout.split() if word.startswith("-I"))


def check(session, step, link="app", *options):
    session.fine("generate", *options, "--link", link, "-o", "app.skel")
    session.prints("app.skel: 2 units")
    session.fine("verify", "app.skel", "-np", "2")
    session.prints(calls_on_two_ranks(step))


def check_units(session, scripts):
    """Of each build both units are known, without a warning, and the second by its options."""
    for script in scripts:
        names = os.listdir(session.directory)
        capture(session, script)
        expect("warning" not in session.err, session.told(script))
        session.fine("generate", "--link", "app", "--no-compile", "-o", "app.skel")
        expect("app.skel: 2 units" in session.out, session.told(script))
        for name in set(os.listdir(session.directory)) - set(names):
            path = session.path(name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)


def case_objects_are_known_under_other_names_and_without_debugging_information(session):
    check_units(session, [
        "mpicc -c main.c -o main.tmp\nmpicc -c steps.c -o steps.tmp\nmv main.tmp main.o\nmv steps.tmp s.o\n"
        "mpicc main.o s.o -o app\n",
        COMPILED + "mkdir o\ncp main.o o/a.o\ninstall -m 644 steps.o o/b.o\nrm *.o\nmpicc o/*.o -o app\n",
        COMPILED + "objcopy -g -R .comment steps.o s.o\nstrip -g main.o\nmpicc main.o s.o -o app\n",
        "mpicc -S steps.c\nmpicc -c main.c\nmpicc -c steps.s\nmpicc main.o steps.o -o app\n",
        "mpicc -MMD -MF d -MT main.o -c main.c\nmpicc -c steps.c -MD -o steps.o\nmpicc *.o -o app\n"])


def case_archives_are_known_however_they_are_made(session):
    check_units(session, [
        COMPILED + "mkdir l\nmv steps.o l\nar rcT l/libs.a l/steps.o\nmpicc main.o l/libs.a -o app\n",
        COMPILED + "mkdir l\nmv steps.o l\nar rcT l/i.a l/steps.o\nar rcT libs.a l/i.a\nmpicc main.o -L. -ls -o app\n",
        COMPILED + "printf 'create i.a\\naddmod steps.o\\nsave\\nend\\n' | ar -M\n"
                   "printf 'create libs.a\\naddlib i.a\\nsave\\nend\\n' | ar -M\nrm steps.o i.a\n"
                   "mpicc main.o -L. -l:libs.a -o app\n",
        COMPILED + "ar cr libs.a steps.o\nmpicc main.o -L . -l s -o app\n",
        COMPILED + "ar cr libs.a steps.o\nstrip -g libs.a\nmv libs.a libt.a\nranlib libt.a\n"
                   "mpicc main.o -Wl,--whole-archive,libt.a,--no-whole-archive -o app\n"])


def case_objects_that_are_joined_are_known(session):
    check_units(session, [
        COMPILED + "ld -r -o all.o main.o steps.o\nrm main.o steps.o\nmpicc all.o -o app\n",
        COMPILED + "gcc -r -nostdlib -o part.obj steps.o\nmpicc main.o part.obj -o app\n",
        "mpicc -c main.c\nmpicc -fPIC -c steps.c\nmpicc -shared -o libs.so.1 steps.o\nln -s libs.so.1 libs.so\n"
        "rm steps.o\nmpicc main.o -L. -ls -o app\n"])


def case_response_files_are_read_while_they_are_there(session):
    capture(session, "echo '-DSTEP=2 -c' > c\nmpicc @c main.c\nmpicc @c steps.c\n"
                     "echo main.o @b > a\necho \"'steps.o'  -lm\" > b\nmpicc -o app @a\nrm a b c\n")
    check(session, 2)


def case_objects_of_one_name_and_programs_of_one_source_are_told_apart(session):
    """First the same path twice, then sources that are compiled and linked at once; one program is
    renamed, stripped and installed."""
    capture(session, COMPILED + "mpicc main.o steps.o -o app\nmpicc -DSTEP=5 -c steps.c\n"
                                "mpicc main.o steps.o -o other\n")
    check(session, 3)
    capture(session, "mpicc -DSTEP=2 main.c steps.c -o new\nmpicc -DSTEP=3 main.c steps.c -o other\n"
                     "strip new\nmv new app\ninstall -s other third\n")
    check(session, 2)
    session.fine("generate", "--link", "third", "--no-compile", "-o", "app.skel")
    capture(session, "mpicc -DSTEP=2 main.c steps.c -o app.o\n")
    session.fine("generate", "--link", "app.o", "--no-compile", "-o", "app.skel")
    capture(session, "mpicc -DSTEP=2 main.c steps.c -o new\nmpicc -DSTEP=3 main.c steps.c -o other\n"
                     "strip new\nmv new app\ninstall -s other third\n")
    session.refused("generate", "--link", "build.sh", says="no executable 'build.sh'")


def case_headers_that_the_build_removes_are_put_back(session):
    capture(session, "mkdir made\necho '#define STEP 4' > made/step.h\n"
                     "mpicc -DHEADER -Imade -c main.c steps.c\nmpicc main.o steps.o -o app\nrm -r made\n")
    session.expect(0, "put back " + session.path("made/step.h"))
    check(session, 4)


def case_files_that_the_build_replaces_are_told(session):
    make = "echo '#define STEP {0}' > step.h\nmpicc -DHEADER -c steps.c -o s{0}.o\nmpicc main.o s{0}.o -o app{0}\n"
    capture(session, "mpicc -c main.c\n" + make.format(2) + make.format(3))
    session.refused("generate", "--link", "app2", "-o", "app.skel",
                    says=["steps.c:1:1: error: the build replaced " + session.path("step.h")])
    check(session, 3, "app3")
    capture(session, "mpicc -c main.c\n" + make.format(2) + "echo '#define STEP 3' > step.h\n")
    session.expect(0, "step.h is another file now than the one that the build compiled")


def case_names_that_objcopy_changes_are_refused(session):
    capture(session, "mpicc -Dsteps=inner -c steps.c\nmpicc -c main.c\n"
                     "objcopy --redefine-sym inner=steps steps.o s.o\nmpicc main.o s.o -o app\n")
    session.refused("generate", "--link", "app", "-o", "app.skel",
                    says=["s.o:1:1: error: 'objcopy --redefine-sym inner=steps steps.o s.o' changes what"])


def case_compilers_are_seen_by_any_path_and_behind_caches(session):
    """A cache that has all objects calls no compiler."""
    mpicc, gcc = shutil.which("mpicc"), shutil.which("gcc")
    write(session, "")
    subprocess.run([gcc, "-DSTEP=3", "-c", "steps.c", "-o", "cached"], cwd=session.directory, check=True)
    check_units(session, [
        f"env -i PATH=/usr/bin:/bin {mpicc} -c main.c\n{gcc} -c steps.c\n{mpicc} main.o steps.o -o app\n",
        "mkdir empty\nPATH=$PWD/empty:$PATH\n" + COMPILED + "sh -c 'exec mpicc main.o steps.o -o app'\n",
        "mkdir bin\nprintf '#!/bin/sh\\ncp cached $6\\n' > bin/ccache\nchmod +x bin/ccache\n"
        "PATH=$PWD/bin:$PATH\nmpicc -c main.c\nccache gcc -DSTEP=3 -c steps.c -o steps.o\n"
        "mpicc main.o steps.o -o app\n"])


def case_a_database_of_others_is_moved_and_a_failure_leaves_none(session):
    session.write("compile_commands.json", "[]\n")
    capture(session, COMPILED + "mpicc main.o steps.o -o app\n")
    session.expect(0, "compile_commands.json.before")
    expect(session.read("compile_commands.json.before") == "[]\n", "the database of others is lost")
    write(session, "mpicc -c main.c\nfalse\n")
    session.refused("capture", "--", "sh", "-e", "build.sh", says="nothing was written")
    for name in ("compile_commands.json", "link_commands.json"):
        expect(not os.path.exists(session.path(name)), f"{name} is of the build before")


def mpi_options(*prefixes):
    shown = subprocess.run(["mpicc", "-show"], check=True, capture_output=True, text=True).stdout.split()
    return [word for word in shown if word.startswith(prefixes)]


def case_a_database_that_tells_no_link_is_linked_with_mpi_and_openmp(session):
    """As Bear writes it; an entry that makes a precompiled header is none of a unit."""
    write(session, "")
    session.write("main.c", MAIN.replace("#include <mpi.h>", "#include <mpi.h>\n#include <omp.h>")
                  .replace("    MPI_Finalize", "    omp_get_max_threads();\n    MPI_Finalize"))
    session.write("pre.h.c", "")
    options = mpi_options("-I")

    def entry(name, *more):
        return {"directory": session.directory, "file": name,
                "arguments": ["gcc", *more, *options, "-c", name]}

    def database(*more):
        session.write("compile_commands.json", json.dumps(
            [entry("pre.h.c", "-x", "c-header", "-o", "pre.h.gch"), entry("main.c", "-fopenmp", *more),
             entry("steps.c", "-DSTEP=2")]))

    database()
    session.fine("generate", "-o", "app.skel")
    session.prints("app.skel: 2 units")
    session.fine("verify", "app.skel", "-np", "2")
    session.prints(calls_on_two_ranks(2))
    session.write("mpi/mpi.h", "#include <stddef.h>\n")
    options[:] = ["-Impi"]
    database()
    session.refused("generate", "-o", "app.skel", says=["compile_commands.json:1:1: error: it does not tell how"])


CMAKE = """cmake_minimum_required(VERSION 3.20)
project(demo C)
add_subdirectory(inner)
add_executable(app main.c)
target_link_libraries(app PRIVATE steps)
find_package(mpiskel)
mpiskel_add_skeleton(app)
"""
INNER = """find_package(MPI REQUIRED)
find_package(OpenMP REQUIRED)
find_package(Threads REQUIRED)
add_library(steps STATIC ../steps.c ../threads.c)
set_target_properties(steps PROPERTIES UNITY_BUILD ON)
target_precompile_headers(steps PRIVATE <stdlib.h>)
target_compile_definitions(steps PRIVATE STEP=3)
target_link_libraries(steps PUBLIC MPI::MPI_C OpenMP::OpenMP_C Threads::Threads)
"""


def run(session, *words):
    done = subprocess.run(words, cwd=session.path("my project"), env=ENVIRONMENT, capture_output=True, text=True)
    expect(done.returncode == 0, f"{words}: {done.stdout}{done.stderr}")


def check_bundle(session, name, step=3):
    session.fine("verify", name, "-np", "2")
    session.prints(calls_on_two_ranks(step))


def case_cmake_libraries_of_the_objects_of_another_target(session):
    """By the database alone; the shared library has no sources of its own."""
    write(session, "", "my project")
    session.write("my project/CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(demo C)\n"
                  "find_package(MPI REQUIRED)\nadd_library(parts OBJECT steps.c)\n"
                  "target_compile_definitions(parts PRIVATE STEP=3)\ntarget_link_libraries(parts PRIVATE MPI::MPI_C)\n"
                  "set_target_properties(parts PROPERTIES POSITION_INDEPENDENT_CODE ON)\n"
                  "add_library(steps SHARED $<TARGET_OBJECTS:parts>)\ntarget_link_libraries(steps PUBLIC MPI::MPI_C)\n"
                  "add_executable(app main.c)\ntarget_link_libraries(app steps)\n")
    run(session, "cmake", "-B", "made", "-DCMAKE_C_COMPILER=mpicc", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    run(session, "cmake", "--build", "made")
    session.fine("generate", "-p", "my project/made", "--link", "app", "-o", "app.skel")
    session.prints("app.skel: 2 units")
    check_bundle(session, "app.skel")


def case_cmake_projects_with_imported_targets_of_subdirectories(session):
    """By the lines of README, both ways; and by CMake's database alone. All of it in a directory with a
    blank, with any compiler, a unity build and precompiled headers."""
    write(session, "", "my project")
    session.write("my project/threads.c", "#include <omp.h>\nint threads(void) { return omp_get_max_threads(); }\n")
    session.write("my project/CMakeLists.txt", CMAKE)
    session.write("my project/inner/CMakeLists.txt", INNER)
    package = os.path.join(os.path.dirname(session.mpiskel), "../lib/cmake/mpiskel")
    run(session, "cmake", "-G", "Ninja", "-B", "build", "-Dmpiskel_DIR=" + os.path.realpath(package))
    run(session, "cmake", "--build", "build", "--target", "skeleton")
    check_bundle(session, "my project/build/app.skel")
    session.fine("generate", "-p", "my project/build", "--link", "app", "--no-compile", "-o", "other.skel")
    session.prints("other.skel: 2 units")
    run(session, "cmake", "-B", "made", "-Dmpiskel_DIR=" + os.path.realpath(package))
    run(session, session.mpiskel, "capture", "--", "cmake", "--build", "made")
    session.fine("generate", "-p", "my project", "--link", "app", "-o", "app.skel")
    check_bundle(session, "app.skel")


def case_make_projects_where_names_of_directories_have_blanks(session):
    """The project's, and that where mpiskel is installed."""
    prefix = session.path("in stalled")
    for part in ("bin/mpiskel", "lib/mpiskel"):
        source = os.path.join(os.path.dirname(session.mpiskel), "..", part)
        copy = shutil.copytree if os.path.isdir(source) else shutil.copy
        os.makedirs(os.path.dirname(os.path.join(prefix, part)), exist_ok=True)
        copy(source, os.path.join(prefix, part))
    write(session, "", "my project")
    session.write("my project/Makefile", "CC = mpicc\nCFLAGS = -DSTEP=3\napp: main.o steps.o\n\t$(CC) -o $@ $^\n"
                  f"-include $(shell '{prefix}/bin/mpiskel' --makefile)\n")
    run(session, "make", "skeleton")
    check_bundle(session, "my project/app.skel")


def case_autotools_projects_with_any_compiler(session):
    write(session, "", "my project")
    session.write("my project/configure.ac", "AC_INIT([demo], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\n"
                  "AC_PROG_RANLIB\nAC_CHECK_FUNCS([nowhere])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n")
    session.write("my project/Makefile.am", "noinst_LIBRARIES = libsteps.a\nlibsteps_a_SOURCES = steps.c\n"
                  "bin_PROGRAMS = app\napp_SOURCES = main.c\napp_LDADD = libsteps.a\nAM_CPPFLAGS = -DSTEP=3\n")
    run(session, "autoreconf", "-i")
    run(session, "./configure", "CC=" + shutil.which("gcc"), "CPPFLAGS=" + " ".join(mpi_options("-I")),
        "LIBS=" + " ".join(mpi_options("-L", "-l")))
    run(session, session.mpiskel, "capture", "--", "make", "-j2")
    session.fine("generate", "-p", "my project", "--link", "app", "-o", "app.skel")
    check_bundle(session, "app.skel")


def case_what_the_environment_says_to_the_compiler_is_recorded(session):
    session.write("outside/step.h", "#define STEP (FOUR + OTHER)\n")
    session.write("inside/other.h", "#define OTHER 1\n")
    session.write("last/other.h", "#define OTHER 7\n#define FOUR 4\n")
    session.write("last/four.h", "#define FOUR 4\n")
    script = ('export CPATH="$PWD/outside:inside" C_INCLUDE_PATH=last\n'
              "OMPI_CPPFLAGS='-include other.h -DHEADER' OMPI_CFLAGS='-include four.h' mpicc -I. -c steps.c\n"
              "mpicc -c main.c\nmpicc main.o steps.o -o app\n")
    script = script.replace("OMPI_CPPFLAGS='", "OMPI_CPPFLAGS='" + mpi_directories() + " ")
    capture(session, script)
    check(session, 5)


def case_two_configurations_in_one_database_are_named(session):
    write(session, "")
    for command in ("mpicc {0} -c {1} -o {2}/{3}.o", "mpicc {0} -c {1} -o{2}/{3}.o", "mpicc {0} -c ../{1}"):
        entries = [{"directory": session.path(folder) if "../" in command else session.directory,
                    "file": session.path(name), "command": command.format(options, name, folder, name[:-2])}
                   for folder, options in (("debug", "-g -DSTEP=2"), ("release", "-O2 -DSTEP=3"))
                   for name in ("main.c", "steps.c")]
        session.write("compile_commands.json", json.dumps(entries))
        session.refused("generate", "-o", "app.skel",
                        says=["steps.c has several entries in the compile database", "'steps'"])


def case_configurations_of_one_build_are_told_apart_by_what_is_linked(session):
    def make(folder, step):
        return (f"mkdir {folder}\nmpicc -DSTEP={step} -o{folder}/main.o -c main.c\ncd {folder}\n"
                f"mpicc -DSTEP={step} -c ../steps.c\nmpicc main.o steps.o -oapp\ncd ..\n")

    capture(session, make("debug", 2) + make("release", 3))
    check(session, 2, "debug/app")
    shutil.rmtree(session.path("app.skel"))
    check(session, 3, "release/app")

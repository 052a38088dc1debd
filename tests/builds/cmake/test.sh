#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# test.sh CMAKE LIBRARY_DIRECTORY: mpiskel_add_skeleton() in a small project of others, with Ninja and
# with Makefiles: static, shared and object libraries that call MPI, an interface library, a
# generated header, an option with a macro; linked before and after the call. Checks that the
# bundles are there, that each has all sources that are linked into it, agrees with its original,
# and that its profiling build runs.
set -euo pipefail
cmake=$1
library_directory=$2
mpiskel=$(realpath "$library_directory/../../../bin/mpiskel")
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
cd "$project"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

mkdir inner
cat > CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(other LANGUAGES C)
find_package(MPI REQUIRED COMPONENTS C)
add_executable(app main.c)
find_package(mpiskel REQUIRED)
mpiskel_add_skeleton(app)
add_custom_command(OUTPUT steps.h COMMAND ${CMAKE_COMMAND} -E echo "\#define STEPS 3" > steps.h VERBATIM)
add_library(options INTERFACE)
target_compile_definitions(options INTERFACE "GREETING=\"hello world\"")
target_link_libraries(options INTERFACE m)
add_subdirectory(inner)
add_library(objects OBJECT shift.c)
target_link_libraries(objects PRIVATE MPI::MPI_C)
target_sources(app PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/steps.h)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
target_link_libraries(app PRIVATE ring objects options MPI::MPI_C)
add_executable(plain plain.c $<TARGET_OBJECTS:objects>)
target_link_libraries(plain $<$<BOOL:ON>:MPI::MPI_C> $<$<CONFIG:None>:-lnowhere>)
mpiskel_add_skeleton(plain OUTPUT made/plain.skel OPTIONS --assume none)
add_executable(unrelated unrelated.c)
END
cat > inner/CMakeLists.txt <<'END'
add_library(ring STATIC ring.c)
target_include_directories(ring PUBLIC .)
target_link_libraries(ring PRIVATE MPI::MPI_C total)
add_library(total SHARED total.c)
target_link_libraries(total PUBLIC MPI::MPI_C)
END
cat > inner/ring.h <<'END'
double ring_pass(int n);
double total(double part);
double shift(double value);
END
cat > inner/ring.c <<'END'
#include "ring.h"
#include <mpi.h>
#include <stdlib.h>

double ring_pass(int n) {
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *field = malloc(n * sizeof *field), sum = 0;
    for (int i = 0; i < n; i++)
        field[i] = rank + 0.5 * i;
    MPI_Sendrecv_replace(field, n, MPI_DOUBLE, (rank + 1) % size, 7, (rank + size - 1) % size, 7,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        sum += field[i];
    free(field);
    return total(sum);
}
END
cat > inner/total.c <<'END'
#include "ring.h"
#include <mpi.h>

double total(double part) {
    double sum;
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
END
cat > shift.c <<'END'
#include <mpi.h>

double shift(double value) {
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return value;
}
END
cat > main.c <<'END'
#include "ring.h"
#include "steps.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int step = 0; step < STEPS; step++)
        printf("%s %g\n", GREETING, sqrt(shift(ring_pass(100))));
    MPI_Finalize();
    return 0;
}
END
cat > plain.c <<'END'
#include <mpi.h>
double shift(double value);

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    shift(argc);
    MPI_Finalize();
    return 0;
}
END
echo 'int main(void) { return 0; }' > unrelated.c

check_bundle() { # BUNDLE CALLS SOURCE...
    local bundle=$1 calls=$2 source verdict
    shift 2
    [ -x "$bundle/profile" ] || fail "$bundle/profile is missing"
    for source in "$@"; do
        [ -e "$bundle/src/$source" ] || fail "$bundle/src/$source is missing"
    done
    [ ! -e "$bundle/src/unrelated.c" ] || fail "$bundle holds what is not linked into it"
    verdict=$("$mpiskel" verify "$bundle" -np 4)
    [[ $verdict == "identical: $calls calls on 4 ranks"* ]] || fail "verify $bundle: $verdict"
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        mpirun --oversubscribe -np 2 "$bundle/profile" > profile.log ||
        fail "the profiling build: $(cat profile.log)"
}

for generator in Ninja "Unix Makefiles"; do
    build="build $generator"
    "$cmake" -S . -B "$build" -G "$generator" -DCMAKE_PREFIX_PATH="$library_directory" > configure.log
    "$cmake" --build "$build" > build.log
    [ ! -e "$build/app.skel" ] || fail "$generator: the skeleton is part of the plain build"
    "$cmake" --build "$build" --target skeleton -j 2 > skeleton.log 2>&1 || fail "$(cat skeleton.log)"
    # on each of four ranks Init, Finalize, and three times Sendrecv_replace, Allreduce and Bcast
    check_bundle "$build/app.skel" 44 main.c shift.c inner/ring.c inner/total.c
    check_bundle "$build/made/plain.skel" 12 plain.c shift.c
    assumptions=$(grep "^Assumptions in force" "$build/made/plain.skel/README")
    [[ $assumptions != *type-classes* ]] || fail "$generator: OPTIONS are lost: $assumptions"
done

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""original.py MPISKEL CASE: what an original finds under SMPI is what it finds in a real run.

Runs the function case_CASE: its name is the claim."""
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bad_input"))
from support import ENVIRONMENT, Failure, run_case  # noqa: E402

# Which blocks are mapped by themselves (glibc notes it in the word before a block): at first, and
# behind frees of larger ones, on rank 1 only, by realloc and by free.
BLOCKS = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

static void *block(size_t kib) {
    size_t *volatile words = malloc(kib << 10);
    printf("rank %d: %zu KiB %s\n", rank, kib, words[-1] & 2 ? "mapped" : "of the heap");
    return words;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    free(block(100));
    void *large = block(1000), *other = block(200);
    MPI_Barrier(MPI_COMM_WORLD);
    void (*give_back)(void *) = free;
    if (rank == 1)
        give_back(large);
    MPI_Barrier(MPI_COMM_WORLD);
    free(block(900));
    free(block(1100));
    MPI_Barrier(MPI_COMM_WORLD);
    free(block(1050));
    free(other);
    free(block(150));
    MPI_Barrier(MPI_COMM_WORLD);
    free(block(40000));
    free(block(2000));
    MPI_Finalize();
    return 0;
}
"""


def lines(session, command, environment):
    done = subprocess.run(command, cwd=session.directory, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{command} failed: {done.stdout}{done.stderr}")
    return sorted(line for line in done.stdout.splitlines() if line.startswith("rank "))


def blocks(session, **variables):
    """In a real run, and in the original."""
    environment = dict(ENVIRONMENT, **variables)
    return [lines(session, command, environment) for command in
            (["mpirun", "--oversubscribe", "-np", "2", "app.skel/profile"],
             [session.mpiskel, "run", "--original", "app.skel", "-np", "2"])]


def case_malloc_maps_the_blocks_that_it_maps_on_a_real_rank(session):
    session.program(("app.c", BLOCKS))
    session.fine("generate", "-o", "app.skel")
    real, simulated = blocks(session)
    if real != simulated or "rank 0: 900 KiB mapped" not in real or "rank 1: 900 KiB of the heap" not in real:
        raise Failure(f"a real run: {real}\nthe original: {simulated}")
    for variables in {"MALLOC_MMAP_THRESHOLD_": "500000"}, {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=500000"}:
        real, simulated = blocks(session, **variables)
        if real != simulated or "rank 0: 200 KiB of the heap" not in real:
            raise Failure(f"{variables}: a real run: {real}\nthe original: {simulated}")


run_case(lambda name: globals()[name], "mpiskel-original-")

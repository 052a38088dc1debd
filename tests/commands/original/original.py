# SPDX-License-Identifier: Apache-2.0
"""What an original finds under SMPI is what it finds in a real run."""
import subprocess

from support import ENVIRONMENT, Failure, expect

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
    expect(done.returncode == 0, f"{command} failed: {done.stdout}{done.stderr}")
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


# All ranks but one ask for a message, each in three ways, that is sent 5 ms and 10 s later.
POLLS = r"""
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int poll(int how, MPI_Request *request, int *found) {
    int index;
    if (how == 0)
        return MPI_Iprobe(0, 0, MPI_COMM_WORLD, found, MPI_STATUS_IGNORE);
    if (how == 1)
        return MPI_Test(request, found, MPI_STATUS_IGNORE);
    return MPI_Testany(1, request, &index, found, MPI_STATUS_IGNORE);
}

static void wait(int rank, int how, int milliseconds) {
    int found = 0, polls = 0;
    double sent_s;
    MPI_Request request;
    if (how > 0)
        MPI_Irecv(&sent_s, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
    while (!found) {
        polls++;
        poll(how, &request, &found);
    }
    double now_s = MPI_Wtime();
    if (how == 0)
        MPI_Recv(&sent_s, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d %d %d %d %g\n", rank, how, milliseconds, polls, now_s - sent_s);
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int milliseconds = 5; milliseconds < 20000; milliseconds *= 2000)
        for (int how = 0; how < 3; how++) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank > 0)
                wait(rank, how, milliseconds);
            else
                usleep(1000 * milliseconds);
            double now_s = MPI_Wtime();
            for (int i = 1; rank == 0 && i < size; i++)
                MPI_Send(&now_s, 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
        }
    MPI_Finalize();
    return 0;
}
"""


def case_polls_do_not_grow_dearer_with_those_of_others(session):
    session.program(("app.c", POLLS))
    session.fine("generate", "-o", "app.skel")
    rows = [line.split()[2:] for line in lines(session, [session.mpiskel, "run", "--original", "app.skel", "-np", "8"],
                                               ENVIRONMENT)]
    expect(len(rows) == 7 * 3 * 2, f"polls: {rows}")
    for how, milliseconds, polls, late_s in rows:
        least = 300 if milliseconds == "5" else 1000
        if not least <= int(polls) <= 10000 or float(late_s) > 0.02e-3 * int(milliseconds) + 1e-3:
            raise Failure(f"{polls} polls of kind {how} in {milliseconds} ms, late by {late_s} s")


# Each rank but the last sends to all others, in several ways, and never waits for it. The last one is late.
SENDS = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { OVERWRITTEN, FREED, SYNCHRONOUS, SYNCHRONOUS_FREED, PERSISTENT, PERSISTENT_FREED, SMALL_FREED, WAYS };

static MPI_Request request;

static void send(double *x, int n, int to, int way) {
    if (way == PERSISTENT || way == PERSISTENT_FREED) {
        MPI_Send_init(x, n, MPI_DOUBLE, to, way, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
    } else if (way == SYNCHRONOUS || way == SYNCHRONOUS_FREED)
        MPI_Issend(x, n, MPI_DOUBLE, to, way, MPI_COMM_WORLD, &request);
    else
        MPI_Isend(x, way == SMALL_FREED ? 1 : n, MPI_DOUBLE, to, way, MPI_COMM_WORLD, &request);
    if (way == FREED || way == SYNCHRONOUS_FREED || way == PERSISTENT_FREED || way == SMALL_FREED)
        MPI_Request_free(&request);
}

int main(int argc, char **argv) {
    int rank, size, n = 20000, count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    x[0] = x[n - 1] = rank + 1;
    for (int to = 0; to < size && rank < size - 1; to++)
        for (int way = 0; way < WAYS && to != rank; way++)
            send(x, n, to, way);
    if (rank == size - 1)
        usleep(100000);
    for (int from = 0; from < size - 1; from++)
        for (int way = 0; way < WAYS && from != rank; way++) {
            MPI_Status status;
            MPI_Recv(y, n, MPI_DOUBLE, from, way, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_DOUBLE, &count);
            printf("rank %d %d %d %g\n", rank, from, way, y[count - 1]);
        }
    MPI_Finalize();
    return 0;
}
"""


def case_messages_that_nobody_waits_for_arrive(session):
    session.program(("app.c", SENDS))
    session.fine("generate", "-o", "app.skel")
    for ranks in 2, 3, 5:
        received = lines(session, [session.mpiskel, "run", "--original", "app.skel", "-np", str(ranks)], ENVIRONMENT)
        expected = sorted(f"rank {to} {one} {way} {one + 1}" for to in range(ranks) for one in range(ranks - 1)
                          for way in range(7) if to != one)
        expect(received == expected, f"received on {ranks} ranks: {received}")
    session.fine("verify", "app.skel", "-np", "4")


def case_a_rank_that_leaves_early_is_told_from_a_deadlock(session):
    session.program(("app.c", SENDS.replace("    MPI_Finalize();", """    if (rank == size - 1)
        exit(0);
    MPI_Finalize();""")))
    session.fine("generate", "-o", "app.skel")
    session.refused("run", "--original", "app.skel", "-np", "3",
                    says=["not every rank reached MPI_Finalize", "rank 2 left before MPI_Finalize"])


# An own operation that does not commute, on elements of a derived datatype and of a predefined one. Rank 0 comes
# late, so that the ranks leave a reduction soon one after the other.
OWN = r"""
#include <mpi.h>
#include <stdio.h>

static volatile int sum;

/* Of how many ranks, and the number of the last one. */
static void joined(int *in, int *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < 2 * *length; i += 2)
        inout[i] += in[i];
}

static int reductions(int rank, MPI_Datatype type, MPI_Op operation, int last) {
    int wrong = 0;
    for (int i = 0; i < 100; i++) {
        int mine[2] = {1, rank}, all[2] = {0, 0};
        for (int k = 0; k < 50000 && rank == 0; k++)
            sum += k;
        MPI_Allreduce(mine, all, type == MPI_INT ? 2 : 1, type, operation, MPI_COMM_WORLD);
        wrong += all[0] != 4 || all[1] != last;
    }
    return wrong;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Datatype pair;
    MPI_Op ordered;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create((MPI_User_function *)joined, 0, &ordered);
    double begin_s = MPI_Wtime();
    int wrong = reductions(rank, MPI_INT, MPI_SUM, 6);
    double middle_s = MPI_Wtime();
    wrong += reductions(rank, pair, ordered, 3) + reductions(rank, MPI_2INT, ordered, 3);
    double part = (MPI_Wtime() - middle_s) / 2 / (middle_s - begin_s);
    printf("rank %d: %d wrong, in %.2f of the time\n", rank, wrong, part);
    MPI_Finalize();
    return 0;
}
"""


def case_reductions_by_own_operations_are_right_and_take_as_long_as_others(session):
    session.program(("app.c", OWN))
    session.fine("generate", "-o", "app.skel")
    printed = lines(session, [session.mpiskel, "run", "--original", "app.skel", "-np", "4"], ENVIRONMENT)
    if len(printed) != 4 or any(line.split()[2:4] != ["0", "wrong,"] or not 0.5 <= float(line.split()[5]) <= 2
                                for line in printed):
        raise Failure(f"{printed}")

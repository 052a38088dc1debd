/* SPDX-License-Identifier: Apache-2.0
 *
 * A message that a matched probe found is received by MPI_Mrecv or MPI_Imrecv only, also behind
 * others of its tag, in packed or derived form; and what statuses tell of elements is exact. Wrong
 * values leave by exit, which is no identical run.
 *
 * kept: MPI_Mrecv(few, 100, MPI_INT, &first
 * kept: MPI_Get_elements_x(&status, pair
 * gone: work += i * 0.5
 */
#include <mpi.h>
#include <stdlib.h>

#define MANY 30000

static int rank, size, next, previous;

static void expect(int good) {
    if (!good)
        exit(3);
}

static void probes(void) {
    static int many[MANY], few[100], wide[2 * MANY];
    int count, flag = 0;
    MPI_Request sends[3], request;
    MPI_Message first, second;
    MPI_Status status;
    MPI_Datatype every_other;
    for (int i = 0; i < MANY; i++)
        many[i] = rank + i;
    MPI_Type_vector(MANY, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Isend(many, rank + 3, MPI_INT, next, 5, MPI_COMM_WORLD, &sends[0]);
    MPI_Isend(many, MANY, MPI_INT, next, 5, MPI_COMM_WORLD, &sends[1]);
    MPI_Isend(many + 7, 1, MPI_INT, next, 6, MPI_COMM_WORLD, &sends[2]);
    MPI_Mprobe(previous, 5, MPI_COMM_WORLD, &first, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == previous + 3 && status.MPI_SOURCE == previous && status.MPI_TAG == 5);
    while (!flag)
        MPI_Improbe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, &second, &status);
    MPI_Imrecv(wide, 1, every_other, &second, &request);
    MPI_Mrecv(few, 100, MPI_INT, &first, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == previous + 3 && first == MPI_MESSAGE_NULL);
    for (int i = 0; i < count; i++)
        expect(few[i] == previous + i);
    for (flag = 0; !flag;)
        MPI_Test(&request, &flag, &status);
    MPI_Get_elements(&status, every_other, &count);
    expect(count == MANY && status.MPI_TAG == 5 && wide[2 * MANY - 2] == previous + MANY - 1);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    MPI_Mrecv(few, 1, MPI_INT, &first, MPI_STATUS_IGNORE);
    expect(few[0] == previous + 7);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    MPI_Mrecv(few, 1, MPI_INT, &first, &status);
    expect(status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
    MPI_Type_free(&every_other);
}

struct pair {
    double x;
    int n[3];
};

static void elements(void) {
    struct pair in[2] = {{0}}, out[2] = {{0}};
    int lengths[2] = {1, 3}, count;
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, pair, pairs;
    MPI_Count many, lower;
    MPI_Status status;
    MPI_Type_create_struct(2, lengths, places, types, &pair);
    MPI_Type_contiguous(2, pair, &pairs);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&pairs);
    MPI_Sendrecv(&out[0].x, 1, MPI_DOUBLE, next, 1, in, 1, pair, previous, 1, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, pair, &count);
    MPI_Get_elements_x(&status, pair, &many);
    expect(count == MPI_UNDEFINED && many == 1);
    MPI_Sendrecv(out, 2, pair, next, 1, in, 1, pairs, previous, 1, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, pairs, &count);
    expect(count == 8);
    MPI_Get_elements(&status, MPI_INT, &count);
    expect(count == 10);
    MPI_Type_size_x(pair, &many);
    expect(many == 20);
    MPI_Type_get_extent_x(pair, &lower, &many);
    expect(lower == 0 && many == 24);
    MPI_Status_set_elements(&status, MPI_INT, 3);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == 3);
    MPI_Status_set_elements_x(&status, MPI_DOUBLE, 7);
    MPI_Get_elements_x(&status, MPI_DOUBLE, &many);
    expect(many == 7);
    MPI_Type_free(&pairs);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv) {
    double work = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int i = 0; i < 3000; i++)
        work += i * 0.5;
    MPI_Bcast(&work, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    probes();
    elements();
    MPI_Finalize();
    return 0;
}

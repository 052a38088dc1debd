/* SPDX-License-Identifier: Apache-2.0
 *
 * Records are broadcast by a datatype that has its elements at the same places on all ranks: each
 * byte arrives where it was sent from, so that the numbers beside the size are not needed. The
 * places are constants, or differences of addresses. Where they go by the rank, in what is assigned
 * or by a condition, what one member holds may arrive in another one, and stays.
 *
 * args: 60
 * ranks: 2 3
 * gone: constant.x[i] = i * 0.5;
 * gone: told.x[i] = i * 0.25;
 * gone: apart.x[i] = i * 0.125;
 * kept: shifted.x[i] = i + 7;
 * kept: chosen.x[i] = i + 6;
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

struct world {
    double x[100];
    int count;
};

struct numbers {
    int x[100], count, other;
};

static struct world constant, told, apart;
static struct numbers shifted, chosen;

static void broadcast_constant(void) {
    int lengths[2] = {100, 1};
    MPI_Aint places[2] = {0, offsetof(struct world, count)};
    MPI_Datatype type, types[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&constant, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

static void broadcast_told(void) {
    int lengths[2];
    MPI_Aint places[2], begin;
    MPI_Datatype type = MPI_DATATYPE_NULL, whole, types[2] = {MPI_DOUBLE, MPI_INT};
    for (int i = 0; i < 2; i++)
        lengths[i] = 1;
    lengths[0] = 100;
    MPI_Get_address(&told, &begin);
    MPI_Get_address(&told.x, &places[0]);
    MPI_Get_address(&told.count, &places[1]);
    places[0] -= begin;
    places[1] = places[1] - begin;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_create_resized(type, 0, sizeof told, &whole);
    MPI_Type_commit(&whole);
    MPI_Bcast(&told, 1, whole, 0, MPI_COMM_WORLD);
}

static void broadcast_apart(void) {
    int lengths[2] = {100, 1};
    MPI_Aint places[2];
    MPI_Datatype type, types[2] = {MPI_DOUBLE, MPI_INT};
    places[0] = 0;
    places[1] = (char *)&apart.count - (char *)&apart;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&apart, 1, type, 0, MPI_COMM_WORLD);
}

static void broadcast_shifted(int rank) {
    int lengths[1] = {1};
    MPI_Aint places[1] = {rank == 0 ? 10 * sizeof(int) : offsetof(struct numbers, count)};
    MPI_Datatype type, types[1] = {MPI_INT};
    MPI_Type_create_struct(1, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&shifted, 1, type, 0, MPI_COMM_WORLD);
}

static void broadcast_chosen(int rank) {
    int lengths[1] = {1};
    MPI_Aint places[1] = {offsetof(struct numbers, count)};
    MPI_Datatype type, types[1] = {MPI_INT};
    if (rank == 0)
        places[0] = 11 * sizeof(int);
    MPI_Type_create_struct(1, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&chosen, 1, type, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank;
    char message[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        constant.count = told.count = apart.count = atoi(argv[1]);
        shifted.count = 17;
        for (int i = 0; i < constant.count; i++)
            constant.x[i] = i * 0.5;
        for (int i = 0; i < constant.count; i++)
            told.x[i] = i * 0.25;
        for (int i = 0; i < constant.count; i++)
            apart.x[i] = i * 0.125;
        for (int i = 0; i < constant.count; i++)
            shifted.x[i] = i + 7;
        for (int i = 0; i < constant.count; i++)
            chosen.x[i] = i + 6;
        chosen.count = 17;
    }
    broadcast_constant();
    broadcast_told();
    broadcast_apart();
    broadcast_shifted(rank);
    broadcast_chosen(rank);
    MPI_Bcast(message, constant.count, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(message, told.count, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(message, apart.count, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(message, 17, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < shifted.count; i++)
        MPI_Bcast(message, i + 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < chosen.count; i++)
        MPI_Bcast(message, i + 2, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

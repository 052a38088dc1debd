/* SPDX-License-Identifier: Apache-2.0
 *
 * What MPI calls back communicates and makes communicators: functions of attributes of
 * communicators and datatypes, a handler of errors, the end of a generalized request, attributes of
 * MPI_COMM_SELF in MPI_Finalize.
 *
 * kept: MPI_Comm_split(from, 0, 0, twin)
 * kept: MPI_Barrier(*spare)
 * kept: MPI_Bcast(&noted, 1, MPI_INT, 0, MPI_COMM_SELF)
 * kept: MPI_Allreduce(extra, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF)
 * kept: MPI_Type_free(&again)
 * made: MPI_Allgather(BSIM_SCRATCH, 1, MPI_INT, BSIM_SCRATCH, 1, MPI_INT, *(MPI_Comm *)value)
 * gone: x[i] = 3 * i
 * engine: not compared, since ranks would have copies of its variables
 */
#include <mpi.h>
#include <stdlib.h>

static int noted;

static int copy(MPI_Comm from, int key, void *extra, void *in, void *out, int *flag) {
    MPI_Comm *twin = malloc(sizeof *twin);
    MPI_Comm_split(from, 0, 0, twin);
    *(MPI_Comm **)out = twin;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm from, int key, void *value, void *extra) {
    MPI_Comm *spare = value;
    MPI_Barrier(*spare);
    MPI_Comm_free(spare);
    free(spare);
    return MPI_SUCCESS;
}

static int forget(MPI_Datatype type, int key, void *value, void *extra) {
    noted++;
    MPI_Bcast(&noted, 1, MPI_INT, 0, MPI_COMM_SELF);
    return MPI_SUCCESS;
}

static int copy_of_type(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag) {
    noted++;
    MPI_Barrier(MPI_COMM_SELF);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...) {
    noted += 2;
    MPI_Bcast(&noted, 1, MPI_INT, 0, MPI_COMM_SELF);
}

static int query(void *extra, MPI_Status *status) {
    int all;
    MPI_Allreduce(extra, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Status_set_elements(status, MPI_INT, all);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *extra) {
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
    return MPI_SUCCESS;
}

static int end(MPI_Comm comm, int key, void *value, void *extra) {
    int all[64];
    MPI_Allgather(&noted, 1, MPI_INT, all, 1, MPI_INT, *(MPI_Comm *)value);
    return MPI_Comm_free(value);
}

int main(int argc, char **argv) {
    static MPI_Comm ours;
    int of_comm, of_type, of_end, extra = 3, count;
    double x[40];
    MPI_Comm row, twin, *carried = malloc(sizeof *carried);
    MPI_Datatype pair, again;
    MPI_Errhandler handler;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &ours);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &of_end, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, of_end, &ours);
    MPI_Comm_dup(MPI_COMM_WORLD, &row);
    MPI_Comm_dup(MPI_COMM_WORLD, carried);
    MPI_Comm_create_keyval(copy, delete, &of_comm, NULL);
    MPI_Comm_set_attr(row, of_comm, carried);
    MPI_Comm_dup(row, &twin);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    MPI_Bcast(x, 40, MPI_DOUBLE, 0, twin);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&row);

    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_create_keyval(copy_of_type, forget, &of_type, NULL);
    MPI_Type_set_attr(pair, of_type, x);
    MPI_Type_dup(pair, &again);
    MPI_Type_delete_attr(pair, of_type);
    MPI_Type_free(&again);
    MPI_Type_free(&pair);

    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Bcast(x, -1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);

    MPI_Grequest_start(query, release, cancel, &extra, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    for (int k = 0; k < count + noted; k++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

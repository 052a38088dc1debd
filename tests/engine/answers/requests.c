/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdlib.h>
#include <string.h>

static void tell_status(const struct rank *rank, const char *what, const MPI_Status *status) {
    int count = -1, flag = -1;
    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &flag);
    tell(rank, what, status->MPI_SOURCE, status->MPI_TAG, 10 * count + flag);
}

/* Of no requests, and of such that are none. */
static void of_none(const struct rank *rank) {
    MPI_Request none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[2], status;
    int flag = -1, index = -7, count = -7, indices[2] = {0};
    memset(statuses, 0x55, sizeof statuses);
    memset(&status, 0x55, sizeof status);
    MPI_Wait(&none[0], &status);
    tell_status(rank, "Wait", &status);
    MPI_Test(&none[0], &flag, &status);
    tell_status(rank, "Test", &status);
    tell(rank, "Test", flag, 0, 0);
    MPI_Waitall(2, none, statuses);
    tell_status(rank, "Waitall", &statuses[1]);
    MPI_Testall(2, none, &flag, statuses);
    tell(rank, "Testall", flag, 0, 0);
    MPI_Waitany(2, none, &index, &status);
    tell(rank, "Waitany", index == MPI_UNDEFINED, 0, 0);
    MPI_Testany(2, none, &index, &flag, &status);
    tell(rank, "Testany", index == MPI_UNDEFINED, flag, 0);
    MPI_Waitsome(2, none, &count, indices, statuses);
    tell(rank, "Waitsome", count == MPI_UNDEFINED, 0, 0);
    MPI_Testsome(2, none, &count, indices, statuses);
    tell(rank, "Testsome", count == MPI_UNDEFINED, 0, 0);
    MPI_Request_get_status(none[0], &flag, &status);
    tell(rank, "Request_get_status", flag, 0, 0);
}

/* Nobody is there. */
static void with_nobody(const struct rank *rank) {
    int cells[4] = {0}, flag = 0;
    MPI_Status status;
    MPI_Request request;
    MPI_Recv(cells, 4, MPI_INT, MPI_PROC_NULL, 3, WORLD, &status);
    tell_status(rank, "Recv", &status);
    MPI_Irecv(cells, 4, MPI_INT, MPI_PROC_NULL, 3, WORLD, &request);
    MPI_Wait(&request, &status);
    tell_status(rank, "Irecv", &status);
    MPI_Isend(cells, 4, MPI_INT, MPI_PROC_NULL, 3, WORLD, &request);
    MPI_Test(&request, &flag, &status);
    tell(rank, "Isend", flag, request == MPI_REQUEST_NULL, 0);
    MPI_Probe(MPI_PROC_NULL, 3, WORLD, &status);
    tell_status(rank, "Probe", &status);
    MPI_Iprobe(MPI_PROC_NULL, 3, WORLD, &flag, &status);
    tell_status(rank, "Iprobe", &status);
    MPI_Sendrecv(cells, 4, MPI_INT, rank->next, 1, cells, 4, MPI_INT, MPI_PROC_NULL, 1, WORLD,
                 &status);
    tell_status(rank, "Sendrecv", &status);
    MPI_Recv(cells, 4, MPI_INT, rank->last, 1, WORLD, MPI_STATUS_IGNORE);
}

/* More arrives than is asked for. */
static void truncated(const struct rank *rank) {
    int *cells = ints_from(5, 8), others[8] = {0};
    MPI_Status status;
    MPI_Request request;
    MPI_Isend(cells, 8, MPI_INT, rank->next, 2, WORLD, &request);
    int code = MPI_Recv(others, 3, MPI_INT, rank->last, 2, WORLD, &status);
    tell(rank, "truncated", code, 0, 0);
    tell(rank, "truncated", status.MPI_SOURCE, status.MPI_TAG, sum(others, 8));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(cells);
}

static void kept(const struct rank *rank) {
    int *cells = ints_from(rank->rank, 4), others[4] = {0}, flag = 0;
    MPI_Request both[2];
    MPI_Status statuses[2];
    MPI_Send_init(cells, 4, MPI_INT, rank->next, 4, WORLD, &both[0]);
    MPI_Recv_init(others, 4, MPI_INT, rank->last, 4, WORLD, &both[1]);
    MPI_Test(&both[1], &flag, &statuses[1]);
    tell(rank, "prepared", flag, 0, 0);
    for (int i = 0; i < 2; i++) {
        cells[0] = 100 * i;
        MPI_Startall(2, both);
        MPI_Waitall(2, both, statuses);
        tell_status(rank, "kept", &statuses[1]);
        tell(rank, "kept", sum(others, 4), both[0] != MPI_REQUEST_NULL, 0);
    }
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    free(cells);
}

/* A send that nobody has matched, and one that is freed while it is under way. */
static void given_up(const struct rank *rank) {
    int *cells = ints_from(7, 400), *others = calloc(400, sizeof *others), flag = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(others, 4, MPI_INT, rank->last, 9, WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    tell(rank, "cancelled", flag, request == MPI_REQUEST_NULL, 0);
    MPI_Isend(cells, 400, MPI_INT, rank->next, 10, WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(others, 400, MPI_INT, rank->last, 10, WORLD, &status);
    tell_status(rank, "freed", &status);
    tell(rank, "freed", sum(others, 400), 0, 0);
    MPI_Barrier(WORLD);
    free(cells);
    free(others);
}

static void statuses(const struct rank *rank) {
    MPI_Status status;
    int count = 0;
    memset(&status, 0, sizeof status);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Test_cancelled(&status, &count);
    tell(rank, "Status_set_cancelled", count, 0, 0);
}

void requests(const struct rank *rank) {
    of_none(rank);
    with_nobody(rank);
    truncated(rank);
    kept(rank);
    given_up(rank);
    statuses(rank);
}

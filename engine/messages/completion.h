/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for requests, testing them, and probing, as SMPI 3.32 does: in the same order, and with
 * the same time for each.
 *
 * Handles of requests that have ended become MPI_REQUEST_NULL, unless they are persistent. Statuses
 * may be MPI_STATUS(ES)_IGNORE. `call` is what a rank that never goes on is said to wait in.
 */
#pragma once

#include "engine/messages/request.h"

int wait_one(struct SMPI_Request **request, MPI_Status *status, const char *call);
/* The index; MPI_UNDEFINED: there is none that could be waited for. */
int wait_any(int count, struct SMPI_Request **requests, MPI_Status *status, const char *call);
int wait_all(int count, struct SMPI_Request **requests, MPI_Status *statuses, const char *call);
/* How many have ended, with their indices; MPI_UNDEFINED likewise. */
int wait_some(int count, struct SMPI_Request **requests, int *indices, MPI_Status *statuses,
              const char *call);

/* The two halves of waiting for a send and a receive that take no time of their rank
 * (messages_take_no_time); false: all have ended, and there is nothing to wait for. */
bool wait_all_begin(int count, struct SMPI_Request **requests, const char *call);
void wait_all_end(int count, struct SMPI_Request **requests);

int test_one(int *flag, struct SMPI_Request **request, MPI_Status *status);
int test_any(int *flag, int *index, int count, struct SMPI_Request **requests, MPI_Status *status);
int test_all(int *flag, int count, struct SMPI_Request **requests, MPI_Status *statuses);
int test_some(int *out, int count, struct SMPI_Request **requests, int *indices,
              MPI_Status *statuses);

void probe_now(int *flag, int source, int tag, struct SMPI_Comm *comm, MPI_Status *status);
void probe_until(int source, int tag, struct SMPI_Comm *comm, MPI_Status *status);

/* A request that stands for several, which are started with it. Takes over `parts` (malloc's). When
 * all have ended, what receives among them have got is reduced into `buffer` by `op`, in order. */
struct SMPI_Request *request_of_parts(struct SMPI_Request **parts, int count, void *buffer,
                                      int elements, struct SMPI_Datatype *type, struct SMPI_Op *op,
                                      struct SMPI_Comm *comm);

/* MPI_Grequest_start and MPI_Grequest_complete. */
struct SMPI_Request *generalized_new(MPI_Grequest_query_function *query,
                                     MPI_Grequest_free_function *forget,
                                     MPI_Grequest_cancel_function *cancel, void *extra);
void generalized_complete(struct SMPI_Request *request);

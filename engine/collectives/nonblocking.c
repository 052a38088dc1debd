/* SPDX-License-Identifier: Apache-2.0
 *
 * See nonblocking.h. The order in which messages are posted is SMPI's, since it decides how they
 * share links.
 */
#include "engine/collectives/nonblocking.h"

#include "base/vec.h"
#include "engine/core/simulation.h"

#include <string.h>

struct part_list {
    VEC(struct SMPI_Request *) of;
    struct SMPI_Comm *comm;
    int tag;
};

static void add_send(struct part_list *parts, const void *buffer, int count,
                     struct SMPI_Datatype *type, int to) {
    vec_push(&parts->of, request_send(REQUEST_NONBLOCKING | REQUEST_PERSISTENT | REQUEST_PREPARED,
                                      buffer, count, type, to, parts->tag, parts->comm));
}

static void add_receive(struct part_list *parts, void *buffer, int count,
                        struct SMPI_Datatype *type, int from) {
    vec_push(&parts->of, request_receive(REQUEST_PERSISTENT | REQUEST_PREPARED, buffer, count, type,
                                         from, parts->tag, parts->comm));
}

static struct SMPI_Request *start(struct part_list *parts) {
    return request_of_parts(parts->of.items, (int)parts->of.count, NULL, 0, MPI_BYTE, MPI_OP_NULL,
                            parts->comm);
}

/* What is received is reduced into `received` at the end. */
static struct SMPI_Request *start_reduction(struct part_list *parts, void *received, int count,
                                            struct SMPI_Datatype *type, struct SMPI_Op *op) {
    return request_of_parts(parts->of.items, (int)parts->of.count, received, count, type, op,
                            parts->comm);
}

static const char *piece(const void *buffer, int64_t elements, const struct SMPI_Datatype *type) {
    return buffer != NULL ? (const char *)buffer + elements * datatype_extent(type) : NULL;
}

static char *place(void *buffer, int64_t elements, const struct SMPI_Datatype *type) {
    return (char *)(uintptr_t)piece(buffer, elements, type);
}

struct SMPI_Request *nonblocking_barrier(struct SMPI_Comm *comm, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    if (communicator_rank(comm) > 0) {
        add_send(&parts, NULL, 0, MPI_BYTE, 0);
        add_receive(&parts, NULL, 0, MPI_BYTE, 0);
    } else {
        for (int i = 1; i < comm->group->size; i++) {
            add_receive(&parts, NULL, 0, MPI_BYTE, MPI_ANY_SOURCE);
            add_send(&parts, NULL, 0, MPI_BYTE, i);
        }
    }
    return start(&parts);
}

struct SMPI_Request *nonblocking_bcast(void *buffer, int count, struct SMPI_Datatype *type,
                                       int root, struct SMPI_Comm *comm, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    if (communicator_rank(comm) != root)
        add_receive(&parts, buffer, count, type, root);
    for (int i = 0; i < comm->group->size && communicator_rank(comm) == root; i++)
        if (i != root)
            add_send(&parts, buffer, count, type, i);
    return start(&parts);
}

struct SMPI_Request *nonblocking_gather(GATHER_PARAMETERS, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    if (communicator_rank(comm) != root) {
        add_send(&parts, sent, send_count, send_type, root);
        return start(&parts);
    }
    if (sent != MPI_IN_PLACE)
        datatype_copy(place(received, (int64_t)root * receive_count, receive_type), receive_count,
                      receive_type, sent, send_count, send_type);
    for (int i = 0; i < comm->group->size; i++)
        if (i != root)
            add_receive(&parts, place(received, (int64_t)i * receive_count, receive_type),
                        receive_count, receive_type, i);
    return start(&parts);
}

struct SMPI_Request *nonblocking_scatter(GATHER_PARAMETERS, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    if (communicator_rank(comm) != root) {
        add_receive(&parts, received, receive_count, receive_type, root);
        return start(&parts);
    }
    if (received != MPI_IN_PLACE)
        datatype_copy(received, receive_count, receive_type,
                      piece(sent, (int64_t)root * send_count, send_type), send_count, send_type);
    for (int i = 0; i < comm->group->size; i++)
        if (i != root)
            add_send(&parts, piece(sent, (int64_t)i * send_count, send_type), send_count, send_type,
                     i);
    return start(&parts);
}

struct SMPI_Request *nonblocking_allgather(ALLGATHER_PARAMETERS, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    int rank = communicator_rank(comm);
    datatype_copy(place(received, (int64_t)rank * receive_count, receive_type), receive_count,
                  receive_type, sent, send_count, send_type);
    for (int i = 0; i < comm->group->size; i++) {
        if (i == rank)
            continue;
        add_send(&parts, sent, send_count, send_type, i);
        add_receive(&parts, place(received, (int64_t)i * receive_count, receive_type),
                    receive_count, receive_type, i);
    }
    return start(&parts);
}

struct SMPI_Request *nonblocking_alltoall(ALLGATHER_PARAMETERS, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    int rank = communicator_rank(comm), size = comm->group->size;
    datatype_copy(place(received, (int64_t)rank * receive_count, receive_type), receive_count,
                  receive_type, piece(sent, (int64_t)rank * send_count, send_type), send_count,
                  send_type);
    for (int i = (rank + 1) % size; i != rank; i = (i + 1) % size)
        add_receive(&parts, place(received, (int64_t)i * receive_count, receive_type),
                    receive_count, receive_type, i);
    for (int i = (rank + size - 1) % size; i != rank; i = (i + size - 1) % size)
        add_send(&parts, piece(sent, (int64_t)i * send_count, send_type), send_count, send_type, i);
    return start(&parts);
}

/* ---- By rank ---- */

static struct SMPI_Datatype *type_of(const struct spread_buffer *spread, int rank) {
    return spread->type != NULL ? spread->type : spread->types[rank];
}

static char *place_of(const struct spread_buffer *spread, int rank) {
    if (spread->type == NULL)
        return spread->buffer + spread->offsets[rank];
    return place(spread->buffer, spread->offsets[rank], spread->type);
}

static void copy_into(const struct spread_buffer *spread, int rank, const void *from, int count,
                      const struct SMPI_Datatype *type) {
    datatype_copy(place_of(spread, rank), spread->counts[rank], type_of(spread, rank), from, count,
                  type);
}

static void add_receive_of(struct part_list *parts, const struct spread_buffer *spread, int rank) {
    add_receive(parts, place_of(spread, rank), spread->counts[rank], type_of(spread, rank), rank);
}

static void add_send_of(struct part_list *parts, const struct spread_buffer *spread, int rank) {
    add_send(parts, place_of(spread, rank), spread->counts[rank], type_of(spread, rank), rank);
}

struct SMPI_Request *nonblocking_gatherv(const void *sent, int count, struct SMPI_Datatype *type,
                                         const struct spread_buffer *received, int root,
                                         struct SMPI_Comm *comm, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    if (communicator_rank(comm) != root) {
        add_send(&parts, sent, count, type, root);
        return start(&parts);
    }
    if (sent != MPI_IN_PLACE)
        copy_into(received, root, sent, count, type);
    for (int i = 0; i < comm->group->size; i++)
        if (i != root)
            add_receive_of(&parts, received, i);
    return start(&parts);
}

struct SMPI_Request *nonblocking_scatterv(const struct spread_buffer *sent, void *received,
                                          int count, struct SMPI_Datatype *type, int root,
                                          struct SMPI_Comm *comm, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    if (communicator_rank(comm) != root) {
        add_receive(&parts, received, count, type, root);
        return start(&parts);
    }
    if (received != MPI_IN_PLACE)
        datatype_copy(received, count, type, place_of(sent, root), sent->counts[root],
                      type_of(sent, root));
    for (int i = 0; i < comm->group->size; i++)
        if (i != root)
            add_send_of(&parts, sent, i);
    return start(&parts);
}

struct SMPI_Request *nonblocking_allgatherv(const void *sent, int count, struct SMPI_Datatype *type,
                                            const struct spread_buffer *received,
                                            struct SMPI_Comm *comm, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    int rank = communicator_rank(comm);
    copy_into(received, rank, sent, count, type);
    for (int i = 0; i < comm->group->size; i++) {
        if (i == rank)
            continue;
        add_send(&parts, sent, count, type, i);
        add_receive_of(&parts, received, i);
    }
    return start(&parts);
}

struct SMPI_Request *nonblocking_alltoallv(const struct spread_buffer *sent,
                                           const struct spread_buffer *received,
                                           struct SMPI_Comm *comm, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    int rank = communicator_rank(comm);
    copy_into(received, rank, place_of(sent, rank), sent->counts[rank], type_of(sent, rank));
    for (int i = 0; i < comm->group->size; i++)
        if (i != rank)
            add_receive_of(&parts, received, i);
    for (int i = 0; i < comm->group->size; i++)
        if (i != rank)
            add_send_of(&parts, sent, i);
    return start(&parts);
}

/* ---- Reductions ---- */

static void add_contribution(struct part_list *parts, const void *like, int count,
                             struct SMPI_Datatype *type, int from) {
    add_receive(parts, temporary_new(count, type, like), count, type, from);
}

struct SMPI_Request *nonblocking_reduce(REDUCE_PARAMETERS, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    const void *own = sent == MPI_IN_PLACE ? received : sent;
    if (communicator_rank(comm) != root) {
        add_send(&parts, own, count, type, root);
        return start(&parts);
    }
    datatype_copy(received, count, type, own, count, type);
    for (int i = 0; i < comm->group->size; i++)
        if (i != root)
            add_contribution(&parts, received, count, type, i);
    return start_reduction(&parts, received, count, type, op);
}

struct SMPI_Request *nonblocking_allreduce(ALLREDUCE_PARAMETERS, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    int rank = communicator_rank(comm);
    datatype_copy(received, count, type, sent, count, type);
    for (int i = 0; i < comm->group->size; i++) {
        if (i == rank)
            continue;
        add_send(&parts, sent, count, type, i);
        add_contribution(&parts, received, count, type, i);
    }
    return start_reduction(&parts, received, count, type, op);
}

struct SMPI_Request *nonblocking_scan(ALLREDUCE_PARAMETERS, bool is_exclusive, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    int rank = communicator_rank(comm);
    if (!is_exclusive)
        datatype_copy(received, count, type, sent, count, type);
    else if (rank > 0)
        memset(received, 0, (size_t)count * (size_t)datatype_extent(type));
    for (int i = 0; i < rank; i++)
        add_contribution(&parts, received, count, type, i);
    for (int i = rank + 1; i < comm->group->size; i++)
        add_send(&parts, sent, count, type, i);
    return start_reduction(&parts, received, count, type, op);
}

struct SMPI_Request *nonblocking_reduce_scatter(const void *sent, void *received, const int *counts,
                                                struct SMPI_Datatype *type, struct SMPI_Op *op,
                                                struct SMPI_Comm *comm, int tag) {
    struct part_list parts = {.comm = comm, .tag = tag};
    int rank = communicator_rank(comm), count = counts[rank];
    int64_t offset = 0;
    for (int i = 0; i < comm->group->size; offset += counts[i++]) {
        if (i == rank) {
            datatype_copy(received, count, type, piece(sent, offset, type), count, type);
            continue;
        }
        add_send(&parts, piece(sent, offset, type), counts[i], type, i);
        add_contribution(&parts, received, count, type, i);
    }
    return start_reduction(&parts, received, count, type, op);
}

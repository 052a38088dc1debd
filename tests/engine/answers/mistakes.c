/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdlib.h>

#define TELL(call, ...) tell(rank, #call, MPI_##call(__VA_ARGS__), 0, 0)

/* One argument is wrong. */
struct arguments {
    int count;
    MPI_Datatype type;
    int peer, tag;
    MPI_Comm comm;
};

#define MESSAGE wrong->count, wrong->type, wrong->peer, wrong->tag, wrong->comm

static void in_message(const struct rank *rank, const struct arguments *wrong) {
    int cells[4] = {0}, others[4] = {0}, flag = 0;
    MPI_Status status;
    MPI_Request request;
    TELL(Send, cells, MESSAGE);
    TELL(Ssend, cells, MESSAGE);
    TELL(Rsend, cells, MESSAGE);
    TELL(Recv, cells, MESSAGE, &status);
    TELL(Isend, cells, MESSAGE, &request);
    TELL(Issend, cells, MESSAGE, &request);
    TELL(Irsend, cells, MESSAGE, &request);
    TELL(Irecv, cells, MESSAGE, &request);
    TELL(Send_init, cells, MESSAGE, &request);
    TELL(Ssend_init, cells, MESSAGE, &request);
    TELL(Recv_init, cells, MESSAGE, &request);
    TELL(Sendrecv, cells, wrong->count, wrong->type, wrong->peer, wrong->tag, others, 1, MPI_INT, 0,
         1, wrong->comm, &status);
    TELL(Sendrecv, cells, 1, MPI_INT, 0, 1, others, MESSAGE, &status);
    TELL(Sendrecv_replace, cells, wrong->count, wrong->type, wrong->peer, wrong->tag, rank->next, 1,
         wrong->comm, &status);
    if (wrong->count == 1 && wrong->type != MPI_DATATYPE_NULL) {
        TELL(Probe, wrong->peer, wrong->tag, wrong->comm, &status);
        TELL(Iprobe, wrong->peer, wrong->tag, wrong->comm, &flag, &status);
    }
}

/* As rank 0 is not there, or a rank that is none. */
static void in_messages(const struct rank *rank) {
    const struct arguments all_wrong[] = {
        {-1, MPI_INT, 0, 1, WORLD},         {1, MPI_DATATYPE_NULL, 0, 1, WORLD},
        {1, MPI_INT, rank->size, 1, WORLD}, {1, MPI_INT, -9, 1, WORLD},
        {1, MPI_INT, 0, -7, WORLD},         {1, MPI_INT, 0, 1, MPI_COMM_NULL},
    };
    for (size_t i = 0; i < sizeof all_wrong / sizeof *all_wrong; i++)
        in_message(rank, &all_wrong[i]);
}

/* MPI_Bsend and its kin without a buffer, with one that is too small, and with one. */
static void in_buffers(const struct rank *rank) {
    int bytes = 4 * (int)sizeof(int) + MPI_BSEND_OVERHEAD, cells[4] = {0}, others[4] = {0};
    for (int room = 0; room < 3; room++) {
        void *buffer = malloc((size_t)bytes);
        int size = room == 1 ? bytes - 1 : bytes, peer = room < 2 ? MPI_PROC_NULL : rank->next;
        MPI_Request request = MPI_REQUEST_NULL;
        if (room > 0)
            TELL(Buffer_attach, buffer, size);
        TELL(Bsend, cells, 4, MPI_INT, peer, 1, WORLD);
        TELL(Ibsend, cells, 4, MPI_INT, peer, 2, WORLD, &request);
        if (room == 2)
            TELL(Wait, &request, MPI_STATUS_IGNORE);
        TELL(Bsend_init, cells, 4, MPI_INT, peer, 3, WORLD, &request);
        if (room == 2) {
            TELL(Start, &request);
            TELL(Wait, &request, MPI_STATUS_IGNORE);
            TELL(Request_free, &request);
            for (int tag = 1; tag < 4; tag++)
                TELL(Recv, others, 4, MPI_INT, rank->last, tag, WORLD, MPI_STATUS_IGNORE);
        }
        if (room > 0) {
            void *detached = NULL;
            MPI_Buffer_detach(&detached, &size);
            tell(rank, "Buffer_detach", detached == buffer, size, 0);
        }
        free(buffer);
    }
    TELL(Buffer_attach, NULL, 10);
    TELL(Buffer_attach, cells, -1);
}

#define BLOCK wrong->count, wrong->type

static void in_collective(const struct rank *rank, const struct arguments *wrong) {
    int *cells = ints_from(0, 4 * rank->size), *others = ints_from(0, 4 * rank->size);
    TELL(Bcast, cells, BLOCK, wrong->peer, wrong->comm);
    TELL(Reduce, cells, others, BLOCK, MPI_SUM, wrong->peer, wrong->comm);
    if (wrong->peer != 0 || wrong->comm == MPI_COMM_NULL) {
        TELL(Gather, cells, BLOCK, others, BLOCK, wrong->peer, wrong->comm);
        TELL(Scatter, cells, BLOCK, others, BLOCK, wrong->peer, wrong->comm);
    }
    if (wrong->peer == 0) {
        TELL(Allreduce, cells, others, BLOCK, MPI_SUM, wrong->comm);
        TELL(Scan, cells, others, BLOCK, MPI_SUM, wrong->comm);
        TELL(Exscan, cells, others, BLOCK, MPI_SUM, wrong->comm);
        TELL(Allgather, cells, BLOCK, others, BLOCK, wrong->comm);
        TELL(Alltoall, cells, BLOCK, others, BLOCK, wrong->comm);
        TELL(Reduce_scatter_block, cells, others, BLOCK, MPI_SUM, wrong->comm);
    }
    if (wrong->comm == MPI_COMM_NULL)
        TELL(Barrier, wrong->comm);
    free(cells);
    free(others);
}

static void in_collectives(const struct rank *rank) {
    const struct arguments all_wrong[] = {{-1, MPI_INT, 0, 0, WORLD},
                                          {1, MPI_DATATYPE_NULL, 0, 0, WORLD},
                                          {1, MPI_INT, -1, 0, WORLD},
                                          {1, MPI_INT, rank->size, 0, WORLD},
                                          {1, MPI_INT, 0, 0, MPI_COMM_NULL}};
    for (size_t i = 0; i < sizeof all_wrong / sizeof *all_wrong; i++)
        in_collective(rank, &all_wrong[i]);
}

static void in_communicators(const struct rank *rank) {
    MPI_Comm null = MPI_COMM_NULL, out = MPI_COMM_NULL;
    MPI_Group group = MPI_GROUP_NULL, world;
    int answer = -1, outside[] = {0, rank->size}, below[] = {-1}, sizes[2] = {rank->size, 2},
        none = 0;
    TELL(Comm_rank, null, &answer);
    TELL(Comm_size, null, &answer);
    TELL(Comm_group, null, &group);
    TELL(Comm_compare, null, WORLD, &answer);
    TELL(Comm_dup, null, &out);
    TELL(Comm_split, null, 0, 0, &out);
    TELL(Comm_split, WORLD, -3, 0, &out);
    TELL(Comm_free, &null);
    TELL(Group_size, MPI_GROUP_NULL, &answer);
    TELL(Group_rank, MPI_GROUP_NULL, &answer);
    TELL(Group_free, &group);
    MPI_Comm_group(WORLD, &world);
    TELL(Group_incl, world, 2, outside, &group);
    TELL(Group_incl, world, 1, below, &group);
    TELL(Group_translate_ranks, world, 1, outside + 1, world, &answer);
    TELL(Group_compare, world, MPI_GROUP_NULL, &answer);
    MPI_Group_free(&world);
    TELL(Cart_create, null, 1, sizes, &none, 0, &out);
    TELL(Cart_coords, WORLD, 0, 1, &answer);
    TELL(Cart_rank, WORLD, &none, &answer);
    TELL(Cart_shift, WORLD, 0, 1, &answer, &none);
    TELL(Cartdim_get, null, &answer);
    TELL(Attr_delete, WORLD, 9999);
    TELL(Attr_put, WORLD, 9999, &answer);
}

static void in_types(const struct rank *rank) {
    MPI_Datatype null = MPI_DATATYPE_NULL, out = MPI_DATATYPE_NULL, own = MPI_INT;
    int answer = -1, lengths[] = {1, -1}, offsets[] = {0, 1};
    MPI_Aint places[] = {0, 4}, at;
    MPI_Datatype parts[] = {MPI_INT, MPI_DATATYPE_NULL};
    TELL(Type_size, null, &answer);
    TELL(Type_get_extent, null, &at, &at);
    TELL(Type_commit, &null);
    TELL(Type_free, &null);
    TELL(Type_free, &own);
    TELL(Type_contiguous, -1, MPI_INT, &out);
    TELL(Type_contiguous, 1, null, &out);
    TELL(Type_vector, -1, 1, 1, MPI_INT, &out);
    TELL(Type_vector, 1, -1, 1, MPI_INT, &out);
    TELL(Type_vector, 1, 1, 1, null, &out);
    TELL(Type_create_hvector, 1, -1, 4, MPI_INT, &out);
    TELL(Type_create_hvector, 1, 1, 4, null, &out);
    TELL(Type_indexed, -1, lengths, offsets, MPI_INT, &out);
    TELL(Type_indexed, 1, lengths, offsets, null, &out);
    TELL(Type_create_struct, -1, lengths, places, parts, &out);
    TELL(Type_dup, null, &out);
}

/* No mistakes: of none, or in an empty block. */
static void in_empty_types(const struct rank *rank) {
    int size, none = 0;
    MPI_Aint at = 0;
    MPI_Datatype out;
#define EMPTY(call, ...)                                                                           \
    TELL(call, __VA_ARGS__, &out);                                                                 \
    TELL(Type_size, out, &size);                                                                   \
    tell(rank, "empty", size, 0, 0);                                                               \
    TELL(Type_free, &out)
    EMPTY(Type_contiguous, 0, MPI_INT);
    EMPTY(Type_vector, 0, 1, 1, MPI_INT);
    EMPTY(Type_vector, 1, 0, 1, MPI_INT);
    EMPTY(Type_create_hvector, 0, 1, 4, MPI_INT);
    EMPTY(Type_create_hvector, 1, 0, 4, MPI_INT);
    EMPTY(Type_indexed, 1, &none, &none, MPI_INT);
    EMPTY(Type_create_hindexed, 1, &none, &at, MPI_INT);
}

static void in_requests(const struct rank *rank) {
    MPI_Request null = MPI_REQUEST_NULL;
    MPI_Op none = MPI_OP_NULL, predefined = MPI_SUM;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    TELL(Request_free, &null);
    TELL(Op_free, &none);
    TELL(Op_free, &predefined);
    TELL(Errhandler_free, &handler);
    TELL(Error_string, -1, text, &length);
}

void mistakes(const struct rank *rank) {
    in_messages(rank);
    in_buffers(rank);
    in_collectives(rank);
    in_communicators(rank);
    in_types(rank);
    in_empty_types(rank);
    in_requests(rank);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See group.h. Messages have a reserved tag, so that nothing of the program's can match them; those
 * of two collectives match in their order.
 */
#include "runtime/openmpi/group.h"

#include "runtime/simgrid/reserved_tags.h"

#include <stdlib.h>

int bsim__group_power(const struct group *group) {
    int power = 1;
    while (2 * power <= group->size)
        power *= 2;
    return power;
}

size_t bsim__block_bytes(const struct payload_block *block) {
    int size = 0;
    MPI_Type_size(block->type, &size);
    return (size_t)size * (size_t)block->count;
}

static MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower, extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    return extent;
}

struct payload_block bsim__block_part(const struct payload_block *block, int first, int count) {
    char *at = block->at;
    return (struct payload_block){at + (MPI_Aint)first * extent_of(block->type), count,
                                  block->type};
}

/* Its first element's lower bound may be below its address. */
struct payload_block bsim__block_new(const struct group *group, const struct payload_block *like,
                                     int count) {
    MPI_Aint lower, extent;
    if (group->is_scratch(like->at))
        return (struct payload_block){like->at, count, like->type};
    MPI_Type_get_true_extent(like->type, &lower, &extent);
    size_t span = count > 0 ? (size_t)(extent + (count - 1) * extent_of(like->type)) : 0;
    char *memory = malloc(span > 0 ? span : 1);
    if (memory == NULL)
        MPI_Abort(group->comm, MPI_ERR_NO_MEM);
    return (struct payload_block){memory - lower, count, like->type};
}

void bsim__block_release(const struct group *group, struct payload_block *block) {
    MPI_Aint lower, extent;
    MPI_Type_get_true_extent(block->type, &lower, &extent);
    if (!group->is_scratch(block->at))
        free((char *)block->at + lower);
    block->at = NULL;
}

void bsim__block_copy(const struct group *group, const struct payload_block *to,
                      const struct payload_block *from) {
    int bytes = (int)bsim__block_bytes(from), at = 0;
    if (bytes == 0 || to->at == from->at || group->is_scratch(from->at) ||
        group->is_scratch(to->at))
        return;
    char *packed = malloc((size_t)bytes);
    if (packed == NULL)
        MPI_Abort(group->comm, MPI_ERR_NO_MEM);
    MPI_Pack(from->at, from->count, from->type, packed, bytes, &at, group->comm);
    at = 0;
    MPI_Unpack(packed, bytes, &at, to->at, to->count, to->type, group->comm);
    free(packed);
}

void bsim__block_reduce(const struct group *group, const struct payload_block *in,
                        const struct payload_block *from, MPI_Op op) {
    if (in->count > 0 && !group->is_scratch(in->at) && !group->is_scratch(from->at))
        MPI_Reduce_local(from->at, in->at, in->count, in->type, op);
}

MPI_Request bsim__group_isend(const struct group *group, const struct payload_block *block,
                              int to) {
    return reserved_tags_isend(block->at, block->count, block->type, to, RESERVED_TAG_COLLECTIVES,
                               group->comm);
}

MPI_Request bsim__group_irecv(const struct group *group, const struct payload_block *block,
                              int from) {
    return reserved_tags_irecv(block->at, block->count, block->type, from, RESERVED_TAG_COLLECTIVES,
                               group->comm);
}

void bsim__group_wait(int count, MPI_Request *requests) {
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

void bsim__group_send(const struct group *group, const struct payload_block *block, int to) {
    MPI_Request request = bsim__group_isend(group, block, to);
    bsim__group_wait(1, &request);
}

void bsim__group_receive(const struct group *group, const struct payload_block *block, int from) {
    MPI_Request request = bsim__group_irecv(group, block, from);
    bsim__group_wait(1, &request);
}

void bsim__group_exchange(const struct group *group, const struct payload_block *out, int to,
                          const struct payload_block *in, int from) {
    MPI_Request requests[] = {bsim__group_irecv(group, in, from),
                              bsim__group_isend(group, out, to)};
    bsim__group_wait(2, requests);
}

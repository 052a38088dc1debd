/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks of one collective, and its messages: sends, receives, blocks of memory.
 *
 * Blocks that nobody looks at (the scratch buffer of skeletons) stay so: what is computed with them
 * or put together of them is not done, and other blocks beside them are taken from the same buffer.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct group {
    MPI_Comm comm;
    int rank, size;
    bool (*is_scratch)(const void *buffer);
};

/* The largest power of two that is not more than its ranks. */
int bsim__group_power(const struct group *group);

/* Elements of one datatype; `at` NULL where there are none. */
struct payload_block {
    void *at;
    int count;
    MPI_Datatype type;
};

size_t bsim__block_bytes(const struct payload_block *block);
/* The part that begins behind so many elements. */
struct payload_block bsim__block_part(const struct payload_block *block, int first, int count);
/* Of `count` elements, for this group's own use; block_release frees it. */
struct payload_block bsim__block_new(const struct group *group, const struct payload_block *like,
                                     int count);
void bsim__block_release(const struct group *group, struct payload_block *block);
/* As elements of *to, whatever the datatypes; as many bytes on both sides. */
void bsim__block_copy(const struct group *group, const struct payload_block *to,
                      const struct payload_block *from);
/* in[i] = in[i] op from[i] */
void bsim__block_reduce(const struct group *group, const struct payload_block *in,
                        const struct payload_block *from, MPI_Op op);

MPI_Request bsim__group_isend(const struct group *group, const struct payload_block *block, int to);
MPI_Request bsim__group_irecv(const struct group *group, const struct payload_block *block,
                              int from);
void bsim__group_send(const struct group *group, const struct payload_block *block, int to);
void bsim__group_receive(const struct group *group, const struct payload_block *block, int from);
/* Both at once. */
void bsim__group_exchange(const struct group *group, const struct payload_block *out, int to,
                          const struct payload_block *in, int from);
void bsim__group_wait(int count, MPI_Request *requests);

/* Without content. */
#define NO_BLOCK (&(const struct payload_block){NULL, 0, MPI_BYTE})

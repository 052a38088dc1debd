/* SPDX-License-Identifier: Apache-2.0
 *
 * The requests of a rank: by number what they were made as, and those that are outstanding, in the
 * order in which they began.
 */
#pragma once

#include "synthesis/recorded/recorded_runs.h"

struct request_made {
    size_t call;            /* the rank's call that began it last; SIZE_MAX: none did */
    bool sends, is_nobodys; /* nobody's: from or to MPI_PROC_NULL, which is never outstanding */
    struct recorded_call persistent; /* of MPI_Send_init and its kin: the call that a start makes */
};

struct request_list {
    struct hash_table made; /* by number */
    VEC(uint64_t) outstanding;
};

/* Of zeroes, but with no call; an older one with this number is gone. */
struct request_made *request_list_make(struct request_list *list, uint64_t number);
struct request_made *request_list_find(struct request_list *list, uint64_t number); /* or NULL */
void request_list_begin(struct request_list *list, uint64_t number);
int request_list_position(const struct request_list *list, uint64_t number); /* -1: not there */
/* Outstanding no longer; NULL: it was not. */
struct request_made *request_list_end(struct request_list *list, uint64_t number);
void request_list_dispose(struct request_list *list);

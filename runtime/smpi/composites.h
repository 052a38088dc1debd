/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests of the program that stand for several of MPI's (or for none), such as those of a
 * nonblocking neighbourhood collective. The handle that the program gets is the address of a struct
 * composite, which SimGrid never sees.
 */
#pragma once

#include "runtime/smpi/runtime.h"

struct composite {
    int part_count;
    bool is_polled; /* a collective of SimGrid's, for which MPI_Waitany does not wait beside others
                     */
    MPI_Status status; /* what the program is told when it is complete */
    /* What is to be done then, before it is told, or NULL. */
    int (*finish)(struct composite *composite);
    void *data;          /* for finish, which frees it */
    MPI_Request parts[]; /* those that are complete are MPI_REQUEST_NULL */
};

/* With room for so many parts, all MPI_REQUEST_NULL. It belongs to the current rank until a call of
 * the program completes it; composites_wait does so (status: MPI_STATUS_IGNORE or an output). */
struct composite *composites_new(int part_count);
MPI_Request composites_request(struct composite *composite);
int composites_wait(MPI_Status *out, struct composite *composite);

/* After a call: a request of a nonblocking collective becomes a composite of its own. */
void bsim__composites_note(struct bsim__call *call);

/* True if a call that completes requests has been made here, since composites are among them. */
bool bsim__composites_complete(struct bsim__call *call);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which communicators a handle may stand for.
 */
#pragma once

#include "skeletonizer/pointsto/pointsto.h"

/* Before points-to is solved: each call that makes a communicator gives it an object of its own,
 * and so does each call that opens a file of MPI. */
void communicator_handles_connect(struct points_to *points_to);

/* The object is a communicator of which it is known where it comes from: its `call` made it, or it
 * is MPI_COMM_WORLD or MPI_COMM_SELF (`call` NULL). */
bool communicator_handles_is_communicator(const struct object *object);

/* The call that opened the file that the object stands for; NULL: it is none. */
const struct call *communicator_handles_opened_by(const struct object *object);

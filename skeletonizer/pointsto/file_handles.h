/* SPDX-License-Identifier: Apache-2.0
 *
 * Which files a handle of MPI or a stream may stand for, and whether two of them may be one.
 */
#pragma once

#include "base/vec.h"
#include "skeletonizer/pointsto/pointsto.h"

/* A call that opens a file, and which of its arguments is the name. */
struct file_opening {
    const struct call *call;
    int name;
};

/* Empty: nothing is known. Who asks disposes of it. */
typedef VEC(struct file_opening) file_opening_list;

/* Of a points-to variable; of the handle that a call of MPI is given. */
void file_handles_openings(file_opening_list *out, const struct points_to *points_to, int handle);
void file_handles_openings_of_call(file_opening_list *out, const struct points_to *points_to,
                                   const struct call *call);

/* The call that opened the stream; NULL: the object is none, or comes from elsewhere. */
const struct call *file_handles_stream_opened_by(const struct object *object);

/* `names_tell`: not those whose names are different constants, or come from different places
 * (different objects, different elements of one array such as argv[1] and argv[2]). */
bool file_handles_may_be_one(const struct points_to *points_to, const file_opening_list *one,
                             const file_opening_list *other, bool names_tell);

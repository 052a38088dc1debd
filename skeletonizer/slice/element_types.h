/* SPDX-License-Identifier: Apache-2.0
 *
 * What elements messages consist of.
 */
#pragma once

#include "skeletonizer/slice/events.h"

typedef VEC(const char *) datatype_names; /* the caller's; none: not known */

/* The predefined datatypes, such as "MPI_DOUBLE", of the elements of what argument `index` of an
 * MPI call names: itself, or those that the program made it of. */
void datatypes_elements(datatype_names *out, const struct slice *slice, const struct call *call,
                        int index);

/* Likewise of an array of predefined datatypes, as MPI_Type_create_struct is given. */
void datatypes_of_array(datatype_names *out, const struct slice *slice, const struct call *call,
                        int index);

/* `MPI_Datatype type;`, `MPI_Datatype type = {0};`: the variable has no datatype yet. */
bool datatypes_is_none_yet(const struct event *event);

/* The variable that the argument is, or that is passed on to it; NULL: it is none, or one of
 * several instances of a function. */
const struct object *datatypes_variable(const struct slice *slice, const struct call *call,
                                        int index);

/* SPDX-License-Identifier: Apache-2.0
 *
 * What elements messages consist of.
 */
#ifndef SKELETONIZER_DATATYPES_H
#define SKELETONIZER_DATATYPES_H

#include "skeletonizer/slice.h"

#define DATATYPES_MAX 8

struct datatypes {
    int count; /* 0: not known, or too many */
    const char *names[DATATYPES_MAX];
};

/* The predefined datatypes, such as "MPI_DOUBLE", of the elements of what argument `index` of an
 * MPI call names: itself, or those that the program made it of. */
void datatypes_elements(struct datatypes *out, const struct slice *slice, const struct call *call,
                        int index);

#endif

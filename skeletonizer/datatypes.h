/* SPDX-License-Identifier: Apache-2.0
 *
 * What elements messages consist of.
 */
#ifndef SKELETONIZER_DATATYPES_H
#define SKELETONIZER_DATATYPES_H

#include "skeletonizer/slice.h"

/* The predefined datatype of all elements of what argument `index` of an MPI call names, such as
 * "MPI_DOUBLE": itself, or what the program made out of it. NULL: not known, or of several. */
const char *datatypes_elements(const struct slice *slice, const struct call *call, int index);

#endif

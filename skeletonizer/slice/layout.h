/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the elements of a derived datatype lie.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* The datatype that argument `index` of an MPI call names has its elements at the same places of a
 * buffer on all ranks: a predefined one, or made of constants, of places of members, and of other
 * such datatypes. False: it may be made of numbers that differ. */
bool layout_is_same_everywhere(const struct slice *slice, const struct call *call, int index);

/* Datatypes may have attributes, with functions of the program. */
bool layout_has_attributes(const struct program *program);

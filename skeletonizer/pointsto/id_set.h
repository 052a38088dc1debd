/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of ids as ascending lists.
 */
#pragma once

#include "base/vec.h"

#include <stdbool.h>

typedef VEC(int) int_list;

/* True if it was not there. */
bool int_list_insert(int_list *list, int item);

/* Adds all of the other list, which may be the same one; true if something was not there. */
bool int_list_merge(int_list *list, const int_list *from);

/* A new list, in place of an empty one, of what is in both; false, and none is made, if that is
 * what is in the first. */
bool int_list_join(int_list *out, const int_list *one, const int_list *other);

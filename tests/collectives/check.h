/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rows of the table share; see collectives.c.
 */
#pragma once

#include "layouts.h"

#include <stdbool.h>
#include <stddef.h>

#define MOST_RANKS 32

/* Of the communicator that rows run on. */
struct ranks {
    MPI_Comm comm;
    int rank, size;
    bool has_nonblocking; /* these are checked, too */
    const char *only;     /* one collective; NULL: all */
};

/* Memory with margins around what is used; a pattern wherever nothing was put. */
char *memory_new(const struct layout *layout, int items);

/* Compares all bytes, and frees both; a line on standard output where they differ. */
void check_memory(char *found, char *expected, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void check(bool is_right, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* MPI_Wait, or tests until it is complete, in turn. */
void complete(MPI_Request *request);

/* Number `i` of what rank `from` has for rank `to`. */
unsigned value_of(int from, int to, int i);

/* Is the collective of that name to be checked? */
bool is_asked_for(const struct ranks *ranks, const char *name);

/* Every collective that moves data, between two layouts. */
void moves_check(const struct ranks *ranks, const struct layout *send, const struct layout *receive,
                 int items, int root);

/* Every reduction, with predefined operations, and with own ones on elements of that layout. */
void reductions_check(const struct ranks *ranks, const struct layout *layout, int items, int root);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The predicted time between two places of the program: those of which it works out the difference
 * itself, and those that the user names. The predicted time is that from MPI_Init to MPI_Finalize,
 * so that it cannot be held against what the program prints.
 */
#pragma once

#include <stddef.h>

struct own_time {
    const char *begin, *end; /* FILE:LINE */
    const char *text;        /* what the program works out; NULL: the user named the places */
    double executions;       /* on all ranks */
    double least_s, mean_s, most_s; /* of a rank, in sum */
};

/* The longest first. */
struct own_times {
    const struct own_time *items;
    size_t count;
};

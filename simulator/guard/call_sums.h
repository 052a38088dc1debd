/* SPDX-License-Identifier: Apache-2.0
 *
 * What all ranks of a run communicate, as sums that a profiled run and a simulation of its skeleton
 * have in common. Polls (MPI_Test, MPI_Iprobe and their kin, MPI_Waitsome) do not count, since how
 * often a program asks depends on time; calls that only this process sees (MPI_Comm_rank) neither.
 */
#ifndef SIMULATOR_GUARD_CALL_SUMS_H
#define SIMULATOR_GUARD_CALL_SUMS_H

#include <stdbool.h>

enum call_sum {
    SUM_CALLS,
    SUM_MESSAGES, /* calls that send to one receiver, and their bytes */
    SUM_MESSAGE_BYTES,
    SUM_COLLECTIVES,
    SUM_COLLECTIVE_BYTES,
    SUM_ACCESSES, /* to windows and files */
    SUM_ACCESS_BYTES,
    CALL_SUMS
};

struct call_sums {
    double of[CALL_SUMS];
    bool polls;
};

/* Adds so many calls of a function; the bytes are those of all of them. */
void call_sums_add(struct call_sums *out, const char *name, double count, double bytes);

/* The largest difference of `is` from `was`, in percent of that; *out_what: of which sum, "": none
 * differs. Never more than VERDICT_PERCENT_MAX, which is also what stands for something of nothing.
 */
double call_sums_percent(const char **out_what, const struct call_sums *is,
                         const struct call_sums *was);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two recordings are the same run to who learns from them: on each rank the same calls from
 * the same places, in the same order, with the same arguments. Times do not count, nor what is
 * chance (run_recording.h): polls, who sent what any source could have, which request came first;
 * nor extents, which are those between addresses where a datatype is made of such.
 */
#ifndef ANALYSIS_RECORDING_RECORDING_DIFFERENCE_H
#define ANALYSIS_RECORDING_RECORDING_DIFFERENCE_H

#include "analysis/trace/trace_reader.h"

#include <stdbool.h>

struct recording_difference {
    uint64_t events; /* compared; without polls */
    bool differs;
    int32_t rank; /* the first with a difference, and there: */
    uint64_t at;  /* how many events were the same before */
    char text[512];
};

/* Two traces with details. -1: one of them is damaged. */
int recording_compare(struct recording_difference *out, const struct trace *one,
                      const struct trace *other, struct error *error);

#endif

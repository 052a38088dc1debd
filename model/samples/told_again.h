/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of a counted clock told again for another processor. What executions did was counted
 * beside their time: basic blocks, accesses, nanoseconds in the math library, and the lines that
 * each cache but the first, and memory, served, not announced and announced by a stream. So all
 * that does not change which cache serves a line can be told without profiling again.
 *
 * What lies within a sample (its shortest execution, its contexts) takes the factor of the whole
 * sample; time in kept code, of which nothing is counted, that of all samples without what caches
 * and memory take; if these take none, that of blocks and accesses where both have the same.
 */
#pragma once

#include "model/processor/processor.h"
#include "model/samples/sample.h"

/* Parts of a counted time: blocks, accesses, the math library, each cache but the first, memory. */
#define COUNTED_PARTS (3 + PROCESSOR_LEVELS)

/* Whether these can be the counts of a sample; none at all can. */
bool counts_are_valid(const double *numbers, size_t count);

/* The processor whose clock the runs read. -1: they were not counted. */
int samples_processor(struct processor *out, const struct samples *samples, struct error *error);

/* Times become those of the other processor; the runs say so. -1: profiling runs are needed, and
 * nothing was changed. `what` names the processor in errors. */
int samples_tell_again(struct samples *samples, const struct processor *other, const char *what,
                       struct error *error);

/* What parts of the time take: "blocks", "accesses", "math library", "64 KiB cache", "memory". */
struct counted_part {
    const char *name;
    double seconds;
};

struct counted_parts {
    struct counted_part *items;
    size_t count; /* 0: not known */
};

/* Of all executions of the region, or (-1) of all regions; they are in the arena. */
void samples_parts(struct counted_parts *out, struct arena *arena, const struct samples *samples,
                   int region);

/* Its name; NULL: there are fewer parts. */
const char *processor_part_name(struct arena *arena, const struct processor *processor, int part);

/* Makes one of the counts of all executions what a fit sees as their time, so that it becomes a
 * function of features; samples without counts are as if they had not been timed. */
void samples_take_count(struct samples *samples, int which);

/* "blocks", "accesses", "ns in the math library", "lines from the 64 KiB cache", "announced lines
 * from memory"; NULL: there are fewer counts. */
const char *processor_count_name(struct arena *arena, const struct processor *processor, int which);

/* Divides what the part takes by `factor`. False: samples cannot be told again for that. */
bool processor_speed_up(struct processor *processor, int part, double factor);

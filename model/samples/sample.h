/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples: what profiling runs measured. Reads `samples/RUN.samples` (docs/reference/samples.md),
 * one run a file; the store gives the samples of many runs in the same form.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "model/samples/call_counts.h"
#include "model/samples/region.h"

#include <stdbool.h>

/* No number of a sample is larger than this, so that sums and products stay finite. */
#define SAMPLE_NUMBER_MAX 1e100

struct run {
    const char *id;
    const char *host, *cpu;
    const char *arguments; /* a JSON array of texts */
    int ranks;
    double timer_overhead_s;
    double elapsed_s;   /* from MPI_Init to MPI_Finalize; 0: not told */
    double reference_s; /* of the profiling runtime's own loop (disturbed.h); 0: not told */
    const char *clock,
        *cache; /* "cpu", "wall", "counted: PROCESSOR", "as is" or "cold"; "": not told */
    const char *directory;    /* where it ran; "": not told */
    struct call_counts calls; /* none in older files */
    struct kept_time kept;    /* of runs from the store */
    bool complete;            /* false: MPI_Abort ended it; its samples are good all the same */
};

/* Whether both had the same arguments in the same directory, where a program may read its input. */
bool run_has_input_of(const struct run *run, const char *arguments, const char *directory);

/* The same number so many times in a row; at least once. */
struct repeat {
    double number, times;
};

/* A context in a samples file: how many numbers, which of them is the region before, and what that
 * is if the region is not in the bundle any more. */
#define CONTEXT_NUMBERS 5
#define CONTEXT_BEFORE 2
#define CONTEXT_LOST (-2)

/* Timed executions of a sample that happened in the same context (model/eval/context.h). */
struct sample_context {
    int execution, unchanged; /* buckets */
    int before;               /* region, -1: none, or CONTEXT_LOST */
    double timed, seconds;
};

/* All executions of one region on one rank with the same features. */
struct sample {
    int region, rank;
    int run;                /* position in struct samples' runs */
    const double *features; /* as many as the region has; finite */
    int feature_count;
    double count, timed; /* executions, and how many of them were timed; 0 <= timed <= count */
    double seconds, squares, min, max; /* of the timed ones; see docs/reference/samples.md */
    double waited; /* of these seconds, for caches and memory; with a counted clock, else 0 */
    const double *counted;         /* what the timed executions did (told_again.h) */
    size_t counted_count;          /* 0: not told */
    const struct repeat *sequence; /* of a value: its first numbers, in order */
    size_t repeat_count;
    const struct sample_context *contexts; /* of a latency; none in older files */
    size_t context_count;
    int called_by; /* where samples of several regions are pooled (kernel.h): the region */
    double ratio;  /* mean over its executions, as learned (ratio.h); 0: none was, as good as 1 */
};

/* What is modelled of a latency that was measured several times, on several ranks and in runs that
 * repeat each other: the median or the least of the ranks' mean latencies, or the mean of all
 * executions. */
enum statistic { STATISTIC_MEDIAN, STATISTIC_MINIMUM, STATISTIC_MEAN, STATISTIC_COUNT };

enum fit_stage { FIT_DESIGN, FIT_CHOICE, FIT_VALUES };

struct samples {
    struct arena arena; /* owns everything below */
    bool without_ratio; /* executions are to be modelled as if all took equally long */
    struct run *runs;
    int run_count;
    struct sample *items;
    size_t count;
    enum statistic statistic; /* for points.h; readers leave the median */
    unsigned dumps;           /* bits: what fitting prints (model/fit_dump.h) */
};

/* "median", "minimum", "mean"; false: there is no such statistic. */
const char *statistic_name(enum statistic statistic);
bool statistic_parse(enum statistic *out, const char *name);

/* What glob(3) wants for a bundle's files of samples; characters of its path mean themselves. */
char *samples_pattern(struct arena *arena, const char *bundle);

/* Reads one file, which has to belong to the bundle of `regions`; 0 or -1. After -1 there is
 * nothing to dispose. */
int samples_read(struct samples *out, const char *path, const struct regions *regions,
                 struct error *error);

/* Numbers and times in turn, `count` numbers in all, as the repeats of a sequence; -1 if they are
 * none. */
int repeats_make(const struct repeat **out, size_t *out_count, struct arena *arena,
                 const double *numbers, size_t count);

/* Five numbers for each context, as in a samples file; -1 if they are none. */
int contexts_make(const struct sample_context **out, size_t *out_count, struct arena *arena,
                  const double *numbers, size_t count);

/* Of a timed sample the mean time of an execution; not below 0, as times can be slightly once the
 * timer's overhead was subtracted. */
double sample_latency_s(const struct sample *sample);

/* What its executions took more than is modelled of them, as learned; 1 where nothing was. */
double sample_ratio(const struct sample *sample);

void samples_dispose(struct samples *samples);

/* The times were counted (runtime/counted): all runs of a configuration have the same ones. */
bool run_is_counted(const struct run *run);
bool samples_are_counted(const struct samples *samples);

/* Whether times go by what is in a cache: not where a processor without caches counts. */
bool samples_have_caches(const struct samples *samples);

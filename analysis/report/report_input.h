/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report is made of: a bundle, and any number of runs and of other reports. Chapters read
 * it; who reads the files is report_load.h.
 *
 * JSON comes from files that users hand over, so that any member may be missing or of another type:
 * chapters ask with json_get_*, which then say NULL or NaN, and leave out what is not there.
 */
#pragma once

#include "analysis/views/run_view.h"
#include "base/json.h"
#include "base/vec.h"
#include "model/latency/latency.h"
#include "model/samples/sample.h"

#include <stdbool.h>

/* A prediction, a trace, or both of one run. */
struct report_run {
    const char *name;     /* for people, unique in the report */
    json_t *prediction;   /* what `mpiskel run --format=json` printed; NULL: there is none */
    struct run_view view; /* of its trace */
    bool has_view;
};

struct report_input {
    struct arena arena;
    const char *bundle; /* the directory, as it was given; NULL: there is none */
    struct regions regions;
    json_t *described; /* regions.json as it is, for what struct regions leaves out */
    json_t *reasons;   /* reasons.json; NULL: there is none */
    struct models models;
    struct samples samples;
    bool has_models; /* with the samples that they were fitted to */
    VEC(struct report_run) runs;
    json_t *scaling, *whatif, *validation; /* reports of these commands; NULL: not given */
};

/* A number, or NaN. */
double input_number(const json_t *object, const char *member);

/* A text, or "". */
const char *input_text(const json_t *object, const char *member);

/* "main.c:48"; "" where the object has no `file`. From the arena. */
const char *input_place(struct arena *arena, const json_t *object);

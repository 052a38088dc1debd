/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicted times between two places of the program, from the trace of a simulation.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "cli/run/run_options.h"
#include "model/samples/region.h"
#include "simulator/prediction/own_time.h"

/* FILE:LINE..FILE:LINE, as `--region` has it. */
struct named_region {
    const char *text; /* as it was given; NULL: the program measures it */
    const char *own;  /* what the program works out; NULL: the user named it */
    const char *begin_file, *end_file;
    int begin_line, end_line;
};

typedef VEC(struct named_region) named_regions;

int own_times_parse(struct named_region *out, const char *text, struct arena *arena,
                    struct error *error);

/* What the options ask for; where they ask for nothing, what the program measures itself, if that
 * costs little and people read it. */
int own_times_ask(named_regions *out, const struct run_options *options,
                  const struct regions *regions, struct arena *arena, struct error *error);

/* A named place at which the run had no event is an error that says where events are. */
int own_times_read(struct own_times *out, const char *trace, const struct regions *regions,
                   const named_regions *named, struct arena *arena, struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * What `mpiskel generate` is asked for.
 */
#pragma once

#include "skeletonizer/compiler/counting.h"
#include "skeletonizer/slice/slice.h"

/* Of which --dump prints what they have made. */
enum generate_stage {
    STAGE_PROGRAM,
    STAGE_POINTSTO,
    STAGE_SLICE,
    STAGE_CUT,
    STAGE_PLAN,
    STAGE_EDITS,
    STAGE_COUNT
};

struct generate_options {
    const char *database;   /* compile_commands.json or its directory */
    const char *executable; /* --link; NULL: the only one */
    const char *hints;      /* NULL: EXE.hints beside the sources, if it is there */
    const char *output;     /* APP.skel */
    const char *scout;      /* a command that runs {} to count executions; NULL: none */
    const char *libraries;  /* the directory of bsim.h and the runtimes */
    double cut_time_s;      /* processor time of the search for values */
    double max_kept;        /* the share of executions that may stay; negative: not asked for */
    double memory_bytes;    /* that stages may take; 0: half of what is available */
    struct assumptions assumptions;
    enum counting counting;            /* by the clocks of profiling build and original */
    bool compile;                      /* false: only sources and regions.json */
    bool with_skeleton, with_original; /* built at once, not when something first needs them */
    bool fresh;                        /* nothing of an older bundle's cache is taken */
    unsigned dumps;                    /* bits: of which stages; not 0: no bundle is made */
    int jobs;
};

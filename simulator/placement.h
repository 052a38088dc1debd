/* SPDX-License-Identifier: Apache-2.0
 *
 * Which ranks run on which hosts of which platform: the options that `run` and `verify` share.
 *
 * In: the command line (placement_argp is an argp child; its input is a struct placement_options).
 * Out: a platform file and a hostfile in the work directory, ready for launch_run, and the SimGrid
 * settings that were asked for. Without --platform the default platform is written, one rank per
 * host; with it the file is used as it is.
 */
#ifndef SIMULATOR_PLACEMENT_H
#define SIMULATOR_PLACEMENT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "simulator/launch.h"

#include <argp.h>

struct placement_options {
    size_t ranks; /* 0: not given */
    size_t ranks_per_host;
    const char *platform, *hostfile; /* NULL: not given */
    double bandwidth_bytes_per_s;    /* 0: not given */
    double latency_s;                /* negative: not given */
    const char *collectives;
    VEC(const char *) settings; /* "key:value" */
};

struct placement {
    const char *platform_file, *host_file;
    size_t host_count; /* of the platform, or of the user's hostfile; 0: not known */
};

extern const struct argp placement_argp;

struct placement_options placement_options_default(void);
void placement_options_dispose(struct placement_options *options);

/* Splits a command line at its first `--`: *argc shrinks to what comes before, the rest is the
 * application's. `-np N` becomes `-n N`, which argp understands. */
void placement_split(int *argc, char **argv, char ***out_arguments, size_t *out_count);

/* Writes both files into `directory`. */
int placement_prepare(struct placement *out, const struct placement_options *options,
                      const char *directory, struct arena *arena, struct error *error);

/* Fills in the members of *launch that the placement and its options decide. */
void placement_apply(struct launch *launch, const struct placement *placement,
                     const struct placement_options *options);

#endif

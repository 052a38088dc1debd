/* SPDX-License-Identifier: Apache-2.0
 *
 * Which ranks run on which hosts of which network.
 *
 * In: the options that `run`, `verify` and `validate` share (cli/common/placement_options.h). Out:
 * a platform file and a hostfile in the work directory, ready for launch_run, the SimGrid settings
 * that were asked for, and in words what network that is. The network is a SimGrid platform
 * (--platform, used as it is, or with other numbers for its links), a description, preset or
 * calibrated machine (--network), or the default: one host per node behind one switch.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "simulator/run/launch.h"
#include "simulator/run/scenario.h"

#include <stdbool.h>
#include <stddef.h>

/* One value that is given as it is ("1us"), relative to what the network has ("0.5x"), or both:
 * what is relative multiplies what was given before. */
struct placement_change {
    const char *text;        /* of the value; NULL: not given */
    const char *factor_text; /* likewise, of the factor that was given last */
    double value;            /* negative: not given */
    double factor;           /* 1: not relative */
};

struct placement_options {
    size_t ranks;                              /* 0: not given */
    size_t ranks_per_host;                     /* 0: not given */
    const char *platform, *network, *hostfile; /* NULL: not given */
    const char *bundle;    /* whose store has the machines of --network machine:NAME; NULL: none */
    const char *placement; /* block, cyclic or a file; NULL: not given */
    struct placement_change bandwidth, latency, overheads;
    const char *collectives;
    VEC(const char *) settings; /* "key:value" */
};

struct placement {
    const char *platform_file, *host_file;
    const char *host_factors;  /* a file (host_speeds.h); NULL: hosts are alike */
    const char *network;       /* what it is, in words */
    struct network *described; /* complete; NULL: a platform of the user's */
    size_t host_count;         /* of the platform, or of the user's hostfile; 0: not known */
    size_t ranks_per_host;     /* 0: as a file says */
    double network_error;      /* deviation of messages' times (network.h); 0: not known */
    bool has_overheads;        /* the network's description has some */
    bool orders_connections;   /* which SMPI does not simulate */
};

struct placement_options placement_options_default(void);
void placement_options_dispose(struct placement_options *options);

/* Does a file say which rank is where? */
bool placement_is_file(const struct placement_options *options);

/* Writes both files into `directory`. */
int placement_prepare(struct placement *out, const struct placement_options *options,
                      const char *directory, struct arena *arena, struct error *error);

/* Fills in the members of *launch that the placement and its options decide. */
void placement_apply(struct launch *launch, const struct placement *placement,
                     const struct placement_options *options);

/* Adds what was asked for to the changes that a report names. */
void placement_tell(struct scenario *out, const struct placement *placement,
                    const struct placement_options *options);

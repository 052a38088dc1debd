/* SPDX-License-Identifier: Apache-2.0
 *
 * What `validate` does for one configuration: its simulations.
 */
#pragma once

#include "base/error.h"
#include "cli/verify/validate_options.h"
#include "simulator/prediction/validation.h"
#include "simulator/run/bundle.h"
#include "simulator/run/launch.h"
#include "simulator/run/placement.h"
#include "simulator/run/stats.h"

/* What is being done for which configuration. */
struct validate_step {
    const struct validate_options *options;
    const struct bundle *bundle;        /* with the model that predicts */
    struct arena *arena;                /* for texts that live as long as the command */
    struct placement_options placement; /* with this configuration's ranks */
    const struct argument_set *arguments;
    const char *directory; /* temporary: there when it is needed */
    const char *network;   /* of the last simulation, in words */
};

/* A line on a terminal's stderr. */
void validate_tell(const struct validate_step *step, const char *what);

/* `bursts`: of an original; NULL: the skeleton is simulated. */
int validate_simulate(struct run_stats *out, struct validate_step *step,
                      const struct launch_bursts *bursts, struct error *error);

/* Simulates the original as often as the options say, and sets what `out` has of it. */
int validate_original(struct validated *out, struct validate_step *step, struct error *error);

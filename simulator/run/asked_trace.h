/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace of a run, as it is asked for: where it goes, and what of the run goes into it.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "simulator/run/launch.h"

/* Texts as options have them; NULL: not given. */
struct asked_trace {
    const char *file, *window, *ranks, *every;
};

/* Some events are left out. */
bool asked_trace_is_partial(const struct asked_trace *recording);

/* Whether the texts say what they may; for `--trace-window` and its kin. */
int asked_trace_check(const struct asked_trace *recording, struct error *error);

/* Has the launch record: an old trace is gone then. The header tells of the run, with the names and
 * lines of the application's regions and calls as `regions_file` has them. */
int asked_trace_prepare(struct launch *launch, const struct asked_trace *recording,
                        const char *regions_file, const char *network, struct arena *arena,
                        struct error *error);

/* Also the time on an ideal network; before the launch, which reads the header. */
int recording_tell_ideal(const struct launch *launch, double ideal_s, struct error *error);

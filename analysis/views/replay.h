/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the run would take if some activity took less: its events once more, each as long after
 * what it depends on as it was.
 *
 * An event begins as long after the one before it on its rank as it did. A region takes its time
 * times its factor. A call ends as long after its own begin and those of all that it depends on
 * (call_dependencies.h) as it did after the last of them. So what others wait for comes earlier,
 * and what gains nothing, since something else takes as long, gains nothing here either. Not
 * handled: messages that no longer meet others on a link, and programs that take another way.
 */
#pragma once

#include "analysis/views/run_view.h"

/* The end of the last event with the activities of `site` (VIEW_NONE: none) taking `factor` of
 * their time; -1 in *out and false: the trace has circles (or ends that depend on each other), so
 * that nobody knows. */
bool replay_end_ns(int64_t *out, const struct run_view *view, uint32_t site, double factor);

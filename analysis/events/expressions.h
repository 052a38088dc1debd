/* SPDX-License-Identifier: Apache-2.0
 *
 * Event expressions: a program over the events of a source.
 *
 * Legal order: expressions_load, expressions_run, then the variables have their values (result.h);
 * expressions_dispose.
 */
#pragma once

#include "analysis/events/events_program.h"

/* Parses, checks and compiles the script's text for this source. `settings`: constants
 * "NAME=VALUE". -1: script->messages say why. To be disposed of in any case. */
int expressions_load(struct events_program *out, struct arena *arena, struct script *script,
                     struct event_source *source, const char *const *settings,
                     size_t setting_count);

/* All events of the source, START before and END behind them. *out_count: how many the source had
 * that are of interest. Indices outside of arrays become warnings of the script. */
int expressions_run(size_t *out_count, struct events_program *program, struct event_source *source,
                    struct error *error);

void expressions_dispose(struct events_program *program);

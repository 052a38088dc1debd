/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace as a source of events (analysis/source/event_source.h), in the order of cause and effect:
 * sends, begins of collectives and iterations come when they begin; receives, ends of collectives,
 * calls and regions when they end. Messages are matched: a receive knows when its send began, a
 * member of a collective when the last one came. docs/reference/events.md lists kinds and fields.
 */
#pragma once

#include "analysis/source/event_source.h"

/* *out is the caller's (event_source_close). Of a truncated trace a warning is told on stderr. */
int trace_source_open(struct event_source **out, const char *path, struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace of a part of another one's events.
 */
#pragma once

#include "analysis/trace/trace_pass.h"

/* Writes what the settings ask for; of a damaged trace what comes before, which is told on stderr.
 * `written`: how many events. */
int trace_cut(uint64_t *written, const char *path, const struct trace *trace,
              const struct trace_settings *settings, struct error *error);

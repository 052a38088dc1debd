/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and frames of a writer, or of a trace: each once, numbered in the order in which they
 * came (frames from 1), and those that are not yet in the file.
 */
#ifndef ANALYSIS_WRITER_TRACE_CALL_PATHS_H
#define ANALYSIS_WRITER_TRACE_CALL_PATHS_H

#include "analysis/writer/trace_bytes.h"
#include "analysis/writer/trace_event.h"
#include "analysis/writer/trace_format.h"
#include "analysis/writer/trace_numbers.h"

struct trace_call_paths {
    struct trace_module *modules;
    uint32_t module_count, module_capacity, modules_taken;
    struct trace_frame *frames; /* that with number 1 is the first */
    uint32_t frame_count, frame_capacity, frames_taken;
    struct trace_numbers by_module, by_frame;
};

/* The number; the same for equal ones. Texts are copied. UINT32_MAX and 0: out of memory. */
uint32_t trace_call_paths_module(struct trace_call_paths *of, const struct trace_module *module);
uint32_t trace_call_paths_frame(struct trace_call_paths *of, const struct trace_frame *frame);

/* A record of what was not taken yet, and its payload, in place of what was there; false: there is
 * nothing. */
bool trace_call_paths_take(struct trace_record *out, struct trace_bytes *payload,
                           struct trace_call_paths *of);

void trace_call_paths_dispose(struct trace_call_paths *of);

#endif

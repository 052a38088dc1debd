/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and frames of call paths: those of all processes that wrote the trace, each once.
 */
#include "analysis/trace/trace_parts.h"
#include "analysis/writer/varint.h"

#include <stdlib.h>

static int get_module(uint32_t *out, struct trace *trace, struct varint_input *in) {
    char *name = trace_get_text(in), *build_id = name != NULL ? trace_get_text(in) : NULL;
    *out = build_id != NULL
               ? trace_call_paths_module(&trace->call_paths, &(struct trace_module){name, build_id})
               : UINT32_MAX;
    free(name);
    free(build_id);
    return *out != UINT32_MAX ? 0 : -1;
}

static int add_modules(struct trace *trace, struct trace_scope *scope, uint32_t count,
                       struct varint_input *in) {
    scope->modules =
        xrealloc(scope->modules, ((size_t)scope->module_count + count) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++, scope->module_count++)
        if (get_module(&scope->modules[scope->module_count], trace, in) != 0)
            return -1;
    return 0;
}

/* Its parent has a smaller number, so that paths have an end. */
static int get_frame(uint32_t *out, struct trace *trace, const struct trace_scope *scope,
                     struct varint_input *in) {
    uint64_t parent = varint_get(in), module = varint_get(in), offset = varint_get(in);
    char *function = trace_get_text(in);
    *out = 0;
    if (function != NULL && parent <= scope->frame_count && module < scope->module_count) {
        struct trace_frame frame = {.parent = parent > 0 ? scope->frames[parent - 1] : 0,
                                    .module = scope->modules[module],
                                    .offset = offset,
                                    .function = function};
        *out = trace_call_paths_frame(&trace->call_paths, &frame);
    }
    free(function);
    return *out != 0 ? 0 : -1;
}

static int add_frames(struct trace *trace, struct trace_scope *scope, uint32_t count,
                      struct varint_input *in) {
    scope->frames =
        xrealloc(scope->frames, ((size_t)scope->frame_count + count) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++, scope->frame_count++)
        if (get_frame(&scope->frames[scope->frame_count], trace, scope, in) != 0)
            return -1;
    return 0;
}

int trace_paths_add(struct trace *trace, struct trace_scope *scope,
                    const struct trace_record *record, struct varint_input *in) {
    if (record->type == TRACE_RECORD_MODULES)
        return record->t0 == scope->module_count ? add_modules(trace, scope, record->count, in)
                                                 : -1;
    return record->t0 == scope->frame_count ? add_frames(trace, scope, record->count, in) : -1;
}

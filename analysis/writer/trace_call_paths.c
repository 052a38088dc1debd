/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_call_paths.h. Paths are a tree of frames (a calling context tree: Ammons, Ball, Larus,
 * "Exploiting hardware performance counters with flow and context sensitive profiling", PLDI 1997),
 * so that what calls have in common is there once. A module is written as two texts; a frame as
 * parent, module, offset and a text.
 */
#include "analysis/writer/trace_call_paths.h"

#include "analysis/writer/trace_id.h"

#include <stdlib.h>
#include <string.h>

uint32_t trace_call_paths_module(struct trace_call_paths *of, const struct trace_module *module) {
    uint64_t hash = trace_text_hash(trace_text_hash(1, module->name), module->build_id);
    uint32_t number = trace_numbers_find(&of->by_module, hash);
    if (number != UINT32_MAX)
        return number;
    struct trace_module copy = {strdup(module->name), strdup(module->build_id)};
    if (copy.name == NULL || copy.build_id == NULL ||
        !trace_array_reserve((void **)&of->modules, &of->module_capacity, of->module_count,
                             sizeof copy) ||
        !trace_numbers_insert(&of->by_module, hash, of->module_count)) {
        free((char *)copy.name);
        free((char *)copy.build_id);
        return UINT32_MAX;
    }
    of->modules[of->module_count] = copy;
    return of->module_count++;
}

uint32_t trace_call_paths_frame(struct trace_call_paths *of, const struct trace_frame *frame) {
    uint64_t pair = (uint64_t)frame->parent << 32 | frame->module;
    uint64_t hash = trace_mix(trace_mix(2, pair), frame->offset);
    uint32_t number = trace_numbers_find(&of->by_frame, hash);
    if (number != UINT32_MAX)
        return number + 1;
    struct trace_frame copy = *frame;
    copy.function = strdup(frame->function);
    if (copy.function == NULL ||
        !trace_array_reserve((void **)&of->frames, &of->frame_capacity, of->frame_count,
                             sizeof copy) ||
        !trace_numbers_insert(&of->by_frame, hash, of->frame_count)) {
        free((char *)copy.function);
        return 0;
    }
    of->frames[of->frame_count] = copy;
    return ++of->frame_count;
}

/* ---- Records ---- */

static bool put_module(struct trace_bytes *out, const struct trace_module *module) {
    return trace_bytes_put_text(out, module->name) && trace_bytes_put_text(out, module->build_id);
}

static bool put_frame(struct trace_bytes *out, const struct trace_frame *frame) {
    return trace_bytes_put(out, frame->parent) && trace_bytes_put(out, frame->module) &&
           trace_bytes_put(out, frame->offset) && trace_bytes_put_text(out, frame->function);
}

static bool take_modules(struct trace_record *out, struct trace_bytes *payload,
                         struct trace_call_paths *of) {
    *out = (struct trace_record){.type = TRACE_RECORD_MODULES,
                                 .count = of->module_count - of->modules_taken,
                                 .t0 = of->modules_taken};
    bool fine = true;
    for (; fine && of->modules_taken < of->module_count; of->modules_taken++)
        fine = put_module(payload, &of->modules[of->modules_taken]);
    return fine;
}

static bool take_frames(struct trace_record *out, struct trace_bytes *payload,
                        struct trace_call_paths *of) {
    *out = (struct trace_record){.type = TRACE_RECORD_FRAMES,
                                 .count = of->frame_count - of->frames_taken,
                                 .t0 = of->frames_taken};
    bool fine = true;
    for (; fine && of->frames_taken < of->frame_count; of->frames_taken++)
        fine = put_frame(payload, &of->frames[of->frames_taken]);
    return fine;
}

bool trace_call_paths_take(struct trace_record *out, struct trace_bytes *payload,
                           struct trace_call_paths *of) {
    payload->length = 0;
    if (of->modules_taken < of->module_count)
        return take_modules(out, payload, of);
    if (of->frames_taken < of->frame_count)
        return take_frames(out, payload, of);
    return false;
}

void trace_call_paths_dispose(struct trace_call_paths *of) {
    for (uint32_t i = 0; i < of->module_count; i++) {
        free((char *)of->modules[i].name);
        free((char *)of->modules[i].build_id);
    }
    for (uint32_t i = 0; i < of->frame_count; i++)
        free((char *)of->frames[i].function);
    free(of->modules);
    free(of->frames);
    trace_numbers_dispose(&of->by_module);
    trace_numbers_dispose(&of->by_frame);
    *of = (struct trace_call_paths){0};
}

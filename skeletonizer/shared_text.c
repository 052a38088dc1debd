/* SPDX-License-Identifier: Apache-2.0
 *
 * See shared_text.h. Instances that the slice makes of a function are no functions of their own
 * here (variants.h has texts for them).
 *
 * Not handled: texts that overlap without beginning at the same place.
 */
#include "skeletonizer/shared_text.h"

#include <string.h>

/* Another one with the text of this function, as written, that is kept; NULL: there is none. */
static const struct function *find_kept(const struct slice *slice,
                                        const struct function *function) {
    const struct function *other = function->same_text;
    while (other != NULL && other != function && !plan_keeps_definition(slice, other))
        other = other->same_text;
    return other != function ? other : NULL;
}

bool shared_text_is_kept_twice(const struct slice *slice, const struct function *function) {
    function = program_origin(function);
    return plan_keeps_definition(slice, function) && find_kept(slice, function) != NULL;
}

bool shared_text_stays(const struct slice *slice, const struct function *function) {
    function = program_origin(function);
    return !plan_keeps_definition(slice, function) && find_kept(slice, function) != NULL;
}

static bool has_edits(const struct edits *edits, struct range range) {
    for (size_t i = 0; i < edits->items.count; i++) {
        struct range edit = edits->items.items[i].range;
        if (edit.file == range.file && edit.begin >= range.begin && edit.end <= range.end)
            return true;
    }
    return false;
}

static void report(struct program *program, const struct function *function,
                   const struct function *other) {
    if (strcmp(function->name, other->name) != 0) {
        program_report(program, function->range, "error",
                       "'%s' has the same text as '%s', and computes between messages, which "
                       "cannot be timed for each of them; include it from a copy of the file",
                       function->name, other->name);
        return;
    }
    program_report(program, function->range, "error",
                   "macros make something else of '%s' in %s than in %s, and it computes between "
                   "messages, which cannot be timed for each of them; include it from a copy of "
                   "the file",
                   function->name, program->units.items[function->unit]->path,
                   program->units.items[other->unit]->path);
}

int shared_text_check(const struct slice *slice, const struct edits *edits) {
    struct program *program = slice->program;
    int result = 0;
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        if (function->origin != NULL || !shared_text_is_kept_twice(slice, function) ||
            !has_edits(edits, function->range))
            continue;
        report(program, function, find_kept(slice, function));
        result = -1;
    }
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See shared_text.h. Instances that the slice makes of a function are no functions of their own
 * here (variants.h has texts for them).
 *
 * Not handled: versions of texts that overlap without beginning at the same place.
 */
#include "skeletonizer/plan/shared_text.h"

#include "skeletonizer/slice/instances.h"
#include "skeletonizer/slice/kept.h"

#include <string.h>

typedef VEC(const struct function *) function_refs;

/* Another one with the text of this function, as written, that is kept; NULL: there is none. */
static const struct function *find_kept(const struct slice *slice,
                                        const struct function *function) {
    const struct function *other = function->same_text;
    while (other != NULL && other != function && !kept_definition(slice, other))
        other = other->same_text;
    return other != function ? other : NULL;
}

bool shared_text_is_kept_twice(const struct slice *slice, const struct function *function) {
    function = program_origin(function);
    return kept_definition(slice, function) && find_kept(slice, function) != NULL &&
           !shared_text_is_apart(slice->program, function);
}

bool shared_text_stays(const struct slice *slice, const struct function *function) {
    function = program_origin(function);
    return !kept_definition(slice, function) && find_kept(slice, function) != NULL;
}

struct range shared_text_whole(const struct function *function) {
    struct range range = function->range;
    const struct function *other = function->same_text;
    for (; other != NULL && other != function; other = other->same_text) {
        range.begin = other->range.begin < range.begin ? other->range.begin : range.begin;
        range.end = other->range.end > range.end ? other->range.end : range.end;
    }
    return range;
}

/* ---- Apart ---- */

static bool can_stand_apart(struct program *program, const struct function *function,
                            struct range range) {
    const struct ast *body = function->body;
    return !function->definition->is_instance && function->range.file == range.file &&
           function->range.begin == range.begin && function->range.end == range.end &&
           body->range.file == range.file && body->range.begin > range.begin &&
           body->range.end == range.end && !body->from_macro &&
           program->files.items[range.file]->in_project &&
           instances_before_copy(program, function)[0] == '\0';
}

/* The ring of those with its text, itself first; false: another one begins it. */
static bool find_members(function_refs *out, const struct function *function) {
    bool is_first = true;
    vec_push(out, function);
    for (const struct function *other = function->same_text; other != function;
         other = other->same_text) {
        is_first = is_first && other->id > function->id;
        vec_push(out, other);
    }
    return is_first;
}

bool shared_text_is_apart(struct program *program, const struct function *function) {
    function = program_origin(function);
    if (function->same_text == NULL)
        return false;
    for (const struct function *other = function->same_text;; other = other->same_text) {
        if (!can_stand_apart(program, other, function->range))
            return false;
        if (other == function)
            return true;
    }
}

bool shared_text_is_used(struct program *program) {
    for (size_t i = 0; i < program->functions.count; i++)
        if (shared_text_is_apart(program, program->functions.items[i]))
            return true;
    return false;
}

void shared_text_begin(struct edits *out, struct program *program) {
    if (shared_text_is_used(program))
        out->apart = ARENA_ARRAY(&program->arena, struct edits, program->functions.count);
    for (size_t i = 0; out->apart != NULL && i < program->functions.count; i++)
        out->apart[i] = (struct edits){0};
}

struct edits *shared_text_edits(struct edits *out, struct program *program,
                                const struct function *function) {
    function = program_origin(function);
    bool apart = out->apart != NULL && shared_text_is_apart(program, function);
    return apart ? &out->apart[function->id] : out;
}

/* Of which functions one unit has the text, in their order. */
static void find_in_unit(function_refs *out, const struct program *program, const struct unit *unit,
                         struct range range) {
    for (int i = 0; i < unit->definition_count; i++) {
        const struct definition *definition = &unit->definitions[i];
        if (definition->body == NULL || definition->range.file != range.file ||
            definition->range.begin != range.begin)
            continue;
        const struct function *function = program_function(program, definition->declaration->key);
        if (function != NULL)
            vec_push(out, function);
    }
}

/* When a unit that has the text several times has this one: after the one before it, and once. */
static void add_turn(struct str *out, const function_refs *in_unit, size_t i) {
    if (i > 0)
        str_printf(out, " && defined BSIM_TEXT_%d", in_unit->items[i - 1]->id);
    if (i + 1 < in_unit->count)
        str_printf(out, " && !defined BSIM_TEXT_%d", in_unit->items[i]->id);
}

/* "(BSIM_UNIT == 3 && !defined BSIM_TEXT_12) || (BSIM_UNIT == 4)" */
static const char *condition(struct program *program, const struct function *function) {
    struct str text = {0};
    for (size_t u = 0; u < program->units.count; u++) {
        function_refs in_unit = {0};
        find_in_unit(&in_unit, program, program->units.items[u], function->range);
        for (size_t i = 0; i < in_unit.count; i++) {
            if (in_unit.items[i] != function)
                continue;
            str_printf(&text, "%s(BSIM_UNIT == %zu", text.length > 0 ? " || " : "", u);
            add_turn(&text, &in_unit, i);
            str_addc(&text, ')');
        }
        vec_dispose(&in_unit);
    }
    const char *copy = arena_strdup(&program->arena, text.length > 0 ? text.text : "0");
    str_dispose(&text);
    return copy;
}

/* What was added in front of the function belongs to its version; what was added elsewhere, to the
 * program. */
static const char *take_around(struct edits *out, struct edits *own, struct program *program,
                               struct range range) {
    struct str before = {0};
    for (size_t i = 0; i < own->items.count; i++) {
        struct edit *edit = &own->items.items[i];
        bool inserts = edit->range.begin == edit->range.end;
        if (edit->range.file == range.file && inserts && edit->range.begin < range.begin)
            str_add(&before, edit->text);
        else if (edit->range.file != range.file || edit->range.begin < range.begin ||
                 edit->range.end > range.end)
            edits_add(out, edit->range, edit->text);
    }
    return str_into(&program->arena, &before);
}

static bool is_wanted(const struct slice *slice, const struct edits *out,
                      const struct function *function) {
    return slice != NULL ? kept_definition(slice, function)
                         : out->apart[function->id].items.count > 0;
}

static void join(struct edits *out, struct program *program, const struct slice *slice,
                 const function_refs *members) {
    struct range range = members->items[0]->range;
    struct edits_version *versions =
        ARENA_ARRAY(&program->arena, struct edits_version, members->count);
    bool wanted = false;
    for (size_t i = 0; i < members->count; i++) {
        const struct function *member = members->items[i];
        struct edits *own = &out->apart[member->id];
        const char *around = take_around(out, own, program, range);
        versions[i].before =
            arena_printf(&program->arena, "\n#%s %s\n#define BSIM_TEXT_%d\n%s",
                         i == 0 ? "if" : "elif", condition(program, member), member->id, around);
        versions[i].own = slice == NULL || kept_definition(slice, member) ? own : NULL;
        wanted = wanted || is_wanted(slice, out, member);
    }
    if (wanted)
        edits_add_versions(out, program, range, versions, members->count, "\n#endif\n");
    for (size_t i = 0; i < members->count; i++)
        edits_dispose(&out->apart[members->items[i]->id]);
}

void shared_text_join(struct edits *out, struct program *program, const struct slice *slice) {
    for (size_t i = 0; out->apart != NULL && i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        function_refs all = {0};
        if (function->origin != NULL || !shared_text_is_apart(program, function))
            continue;
        if (find_members(&all, function))
            join(out, program, slice, &all);
        vec_dispose(&all);
    }
    out->apart = NULL;
}

/* ---- What cannot ---- */

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

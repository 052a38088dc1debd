/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiling build: BSIM_BEGIN before the first statement of each region, BSIM_END behind its
 * last and in front of every jump that leaves it. Of features that are known only as it ends the
 * latter has them.
 */
#include "skeletonizer/rewrite/rewrite.h"

#include "skeletonizer/plan/given_values.h"
#include "skeletonizer/plan/shared_text.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/rewrite/rewrite_plain.h"
#include "skeletonizer/rewrite/static_worlds.h"
#include "skeletonizer/text/directives.h"
#include "skeletonizer/text/scan.h"

static void print_features(struct str *out, const struct code_region *region) {
    for (size_t i = 0; i < region->features.count; i++)
        str_printf(out, ", %s", region->features.items[i].expression);
}

/* `separator` stands between the timers and the statements: a line of their own, where there is
 * one. */
static const char *begin_text(struct program *program, const struct code_region *region,
                              const char *separator) {
    struct str text = {0};
    str_printf(&text, "%sBSIM_BEGIN%s(%d", region->is_body ? "{ " : "",
               region->is_late ? "_LATE" : "", region->index);
    if (!region->is_late)
        print_features(&text, region);
    str_printf(&text, ");%s", separator);
    char *copy = arena_strdup(&program->arena, text.text);
    str_dispose(&text);
    return copy;
}

static const char *end_text(struct program *program, const struct code_region *region) {
    struct str text = {0};
    str_printf(&text, "BSIM_END%s(%d", region->is_late ? "_LATE" : "", region->index);
    if (region->is_late)
        print_features(&text, region);
    str_add(&text, ");");
    char *copy = arena_strdup(&program->arena, text.text);
    str_dispose(&text);
    return copy;
}

static void insert(struct edits *out, struct range range, unsigned at, const char *text) {
    range.begin = range.end = at;
    edits_add(out, range, text);
}

static const char *separator(struct program *program, const struct source_file *file,
                             unsigned begin) {
    struct str text = {0};
    if (scan_is_line_start(file, begin)) {
        str_addc(&text, '\n');
        scan_indent(&text, file, begin);
    } else {
        str_addc(&text, ' ');
    }
    char *copy = arena_strdup(&program->arena, text.text);
    str_dispose(&text);
    return copy;
}

/* The argument of a macro that brings the semicolon along, `SAFE(step(x))`, has none. */
static const char *separate(const struct source_file *file, unsigned end) {
    char last = file->text[end > 0 ? end - 1 : 0];
    return last == ';' || last == '}' ? "" : ";";
}

void rewrite_timer(struct edits *out, struct program *program, const struct slice *slice,
                   const struct code_region *region) {
    struct arena *arena = &program->arena;
    const struct source_file *file = program->files.items[region->range.file];
    unsigned begin = directives_before(file, region->range.begin);
    const char *between = separator(program, file, region->range.begin);
    bool moved = begin != region->range.begin;
    const char *text = begin_text(program, region, moved ? "\n" : between);
    if (scan_is_behind_word(file, begin))
        text = arena_printf(arena, " %s", text);
    insert(out, region->range, begin, text);
    for (size_t i = 0; i < region->exits.count; i++) {
        const struct tree *jump = region->exits.items[i];
        if (slice != NULL && !slice_keeps_jump(slice, jump->nodes.items[0]))
            continue;
        insert(out, jump->ast->range, jump->ast->range.begin,
               arena_printf(arena, "{ %s ", end_text(program, region)));
        unsigned end = scan_statement_end(program, jump);
        insert(out, jump->ast->range, end, arena_printf(arena, "%s }", separate(file, end)));
    }
    insert(out, region->range, region->range.end,
           arena_printf(arena, "%s%s%s%s", separate(file, region->range.end), between,
                        end_text(program, region), region->is_body ? " }" : ""));
}

/* Inside a macro nothing can be written around it. */
static bool sleeps(const struct call *call) {
    return call->library != NULL && call->targets.count == 0 && !call->ast->from_macro &&
           extern_sleeps_in_simulation(call->library);
}

static void wrap_sleep(struct edits *out, const struct call *call) {
    insert(out, call->ast->range, call->ast->range.begin, "BSIM_SLEEP(");
    insert(out, call->ast->range, call->ast->range.end, ")");
}

static void rename_calls(struct edits *out, const struct plan *plan,
                         const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++) {
            const struct call *call = function->nodes.items[i]->calls.items[k];
            if (!slice_keeps_call(plan->slice, call))
                continue;
            rewrite_callee(out, plan, call);
            if (sleeps(call))
                wrap_sleep(out, call);
        }
}

void rewrite_profile(struct edits *out, const struct plan *plan) {
    const struct slice *s = plan->slice;
    struct edits own = {0};
    struct plain *plain = rewrite_plain_begin(plan);
    shared_text_begin(out, s->program);
    for (size_t f = 0; f < s->program->functions.count; f++) {
        const struct function *function = s->program->functions.items[f];
        if (variants_text(plan, function) == NULL && program_origin(function) == function)
            worlds_wrap_within(out, s->program, function->tree->ast); /* what is not called */
        if (variants_text(plan, function) != function)
            continue;
        for (size_t i = 0; i < plan->regions.count; i++)
            if (plan->regions.items[i]->function == function &&
                plan->regions.items[i]->value == NULL)
                rewrite_timer(&own, s->program, NULL, plan->regions.items[i]);
        rename_calls(&own, plan, function);
        rewrite_plain_calls(&own, out, plain, function);
        values_record(&own, plan, function);
        worlds_wrap_within(&own, s->program, function->tree->ast);
        rewrite_function_text(out, &own, plan, function);
    }
    edits_dispose(&own);
    rewrite_plain_end(out, plain);
    rewrite_copy_declarations(out, plan);
    shared_text_join(out, s->program, NULL);
    worlds_wrap_file_scope(out, s->program);
}

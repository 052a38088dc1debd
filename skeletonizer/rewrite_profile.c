/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiling build: BSIM_BEGIN before the first statement of each region, BSIM_END behind its
 * last and in front of every jump that leaves it.
 */
#include "skeletonizer/rewrite.h"

#include "skeletonizer/scan.h"

static const char *begin_text(struct program *program, const struct plan_region *region) {
    struct str text = {0};
    str_printf(&text, "%sBSIM_BEGIN(%d", region->is_body ? "{ " : "", region->index);
    for (size_t i = 0; i < region->features.count; i++)
        str_printf(&text, ", %s", region->features.items[i].expression);
    str_add(&text, "); ");
    char *copy = arena_strdup(&program->arena, text.text);
    str_dispose(&text);
    return copy;
}

static void insert(struct edits *out, struct range range, unsigned at, const char *text) {
    range.begin = range.end = at;
    edits_add(out, range, text);
}

static void time_region(struct edits *out, struct program *program,
                        const struct plan_region *region) {
    const struct source_file *file = program->files.items[region->range.file];
    unsigned begin = scan_before_pragmas(file, region->range.begin);
    bool moved = begin != region->range.begin;
    insert(out, region->range, begin,
           moved ? arena_printf(&program->arena, "%s\n", begin_text(program, region))
                 : begin_text(program, region));
    for (size_t i = 0; i < region->exits.count; i++) {
        const struct tree *jump = region->exits.items[i];
        insert(out, jump->ast->range, jump->ast->range.begin,
               arena_printf(&program->arena, "{ BSIM_END(%d); ", region->index));
        insert(out, jump->ast->range, scan_statement_end(program, jump), " }");
    }
    insert(out, region->range, region->range.end,
           arena_printf(&program->arena, " BSIM_END(%d);%s", region->index,
                        region->is_body ? " }" : ""));
}

void rewrite_profile(struct edits *out, const struct plan *plan) {
    for (size_t i = 0; i < plan->regions.count; i++)
        time_region(out, plan->slice->program, plan->regions.items[i]);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Values are told of by their place, each place once; shares are of executions where they were
 * counted, else of work by estimate.
 */
#include "skeletonizer/generate_notes.h"

#include "base/numbers.h"
#include "base/str.h"
#include "skeletonizer/plan/frees.h"
#include "skeletonizer/plan/text_demands.h"

#include <string.h>

#define MOST 0.5 /* of the executions, which stay though they may be cut */

static double percent_that_stays(const struct generation *g) {
    const struct generate_summary *s = &g->summary;
    return g->counts.known ? 100 * s->executions_kept / (s->executions > 0 ? s->executions : 1)
                           : 100 * s->work_kept / (s->work > 0 ? s->work : 1);
}

static const char *name_of_share(const struct generation *g) {
    return g->counts.known ? "executions" : "work, by estimate,";
}

static void tell_of_nothing_found(const struct generation *g) {
    note("note: %.3g %% of the %s stay: communication depends on what is computed there, of which "
         "no few numbers were found that models could give instead (whole arrays, for instance, "
         "are none); `mpiskel explain %s` tells what stays, and explain FILE:LINE why",
         percent_that_stays(g), name_of_share(g), g->options->output);
}

/* Values are chosen by an estimate of what they would leave, before the skeleton is planned. */
static void tell_of_too_much(const struct generation *g) {
    bool expected = g->cut.executions_left <=
                    g->options->max_kept * hotness_of_program(&g->hotness, &g->program);
    double percent = percent_that_stays(g);
    note("note: %.*g %% of the %s stay, more than --max-kept asks for: %s",
         numbers_percent_digits(percent), percent, name_of_share(g),
         expected ? "less was expected when the values were chosen; a smaller --max-kept may find "
                    "others"
                  : "no values were found that would save them");
}

void generate_notes_of_share(const struct generation *g) {
    double percent = percent_that_stays(g);
    if (g->finds_no_values && percent > 100 * MOST)
        tell_of_nothing_found(g);
    if (g->assumptions.cuts && g->options->max_kept >= 0 && percent > 100 * g->options->max_kept)
        tell_of_too_much(g);
}

/* Instances of a function have the same statements. */
void generate_notes_of_included(struct generation *g) {
    const struct node *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < g->slice.demands.count; i++) {
        const struct demand *demand = &g->slice.demands.items[i];
        if (demand->kind != DEMAND_NODE || demand->why == NULL ||
            strcmp(demand->why, TEXT_DEMANDS_INCLUDED) != 0)
            continue;
        const struct node *node = g->program.nodes.items[demand->subject];
        first = first != NULL ? first : node;
        count += node->function == program_origin(node->function);
    }
    if (first != NULL)
        note("note: %zu statement%s stay%s whatever they do, since they come from files that are "
             "included into functions, such as %s",
             count, text_plural(count), count == 1 ? "s" : "",
             program_relative(&g->program, g->program.files.items[first->range.file]->path));
}

static const char *place_text(struct generation *g, const struct node *node) {
    const char *path = g->program.files.items[node->range.file]->path;
    return arena_printf(&g->arena, "%s:%d", program_relative(&g->program, path), node->line);
}

void generate_notes_of_memory(struct generation *g) {
    const struct call *allocation;
    size_t count;
    const struct call *left_out = frees_left_out(&allocation, &count, &g->slice);
    if (left_out == NULL)
        return;
    const char *place = place_text(g, left_out->node);
    const char *others = arena_printf(&g->arena, " (likewise of %zu other allocation%s)", count - 1,
                                      count == 2 ? "" : "s");
    note("note: what %s allocates is given back at %s, which depends on a computation that the "
         "skeleton leaves out: its memory grows each time%s; `keep %s` in the hints keeps it",
         place_text(g, allocation->node), place, count > 1 ? others : "", place);
}

void generate_notes_of_untimed(struct generation *g) {
    for (size_t i = 0; i < g->plan.untimed.count; i++)
        program_report(&g->program, g->plan.untimed.items[i]->ast->range, "warning",
                       "this loop takes no time in the skeleton: the macro that begins or ends it "
                       "brings other statements along, or leaves it, so that nothing can be "
                       "written around it; give the loop a macro of its own");
}

/* The place of the list's node; NULL: that of the one before, since instances of a function have
 * the same lines. */
static const char *place_of(struct generation *g, struct node *const *nodes, size_t i) {
    const struct node *node = nodes[i], *last = i > 0 ? nodes[i - 1] : NULL;
    if (last != NULL && last->range.file == node->range.file && last->line == node->line)
        return NULL;
    return place_text(g, node);
}

static void tell_of_budget(struct generation *g) {
    if (g->cut.is_stopped)
        note("note: the search for values was ended by its budget of time and memory: the best of "
             "what was found until then is taken; --cut-time gives it longer, and hints that name "
             "values leave less to search");
}

/* All in one, so that other notes are seen. */
static void tell_of_untold(struct generation *g) {
    struct str places = {0};
    int count = 0;
    for (size_t i = 0; i < g->computed.count; i++) {
        const char *place = place_of(g, g->computed.items, i);
        if (place != NULL)
            str_printf(&places, "%s%s", count++ > 0 ? ", " : "", place);
    }
    if (count > 0)
        note("note: computed, as models did not tell %s: %s (%s/%s; remove that file to have %s "
             "given again)",
             count > 1 ? "them" : "it", str_text(&places), g->options->output, UNTOLD_FILE,
             count > 1 ? "them" : "it");
    str_dispose(&places);
}

void generate_notes_of_cut(struct generation *g) {
    tell_of_budget(g);
    tell_of_untold(g);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What `generate` says of values that are computed though a cut would save them, or given though
 * nobody can tell them.
 */
#include "skeletonizer/generate.h"

#include "base/str.h"

/* The place of the list's node; NULL: that of the one before, since instances of a function have
 * the same lines. */
static const char *place_of(struct generation *g, struct node *const *nodes, size_t i) {
    const struct node *node = nodes[i], *last = i > 0 ? nodes[i - 1] : NULL;
    if (last != NULL && last->range.file == node->range.file && last->line == node->line)
        return NULL;
    const char *path = g->program.files.items[node->range.file]->path;
    return arena_printf(&g->arena, "%s:%d", generate_relative(g, path), node->line);
}

static void tell_of_mixed(struct generation *g) {
    for (size_t i = 0; i < g->cut.mixed.count; i++) {
        const char *place = place_of(g, g->cut.mixed.items, i);
        if (place != NULL)
            note("note: %s is computed: it mixes bits, as hashes and random numbers do, so that no "
                 "model tells it; a cut hint or --max-kept gives another such number instead",
                 place);
    }
}

static void tell_of_ranks(struct generation *g) {
    double percent =
        100 * g->cut.executions_without_ranks / hotness_of_program(&g->hotness, &g->program);
    for (size_t i = 0; i < g->cut.ranks.count; i++) {
        const char *place = place_of(g, g->cut.ranks.items, i);
        if (place != NULL && g->cut.gives_ranks)
            note(
                "warning: %s names the rank that a message goes to or comes from, and is given, as "
                "%.3g %% of the %s would stay otherwise: where a model tells another one than the "
                "program, the skeleton may wait for ever (docs/explanation/cuts.md: keep, value)",
                place, percent, generate_name_of_share(g));
        else if (place != NULL)
            note("note: %s is computed: it names the rank that a message goes to or comes from, "
                 "which no model may guess; a cut hint or %s--max-kept gives it instead",
                 place, g->options->max_kept >= 0 ? "a smaller " : "");
    }
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

void generate_tell_of_cut(struct generation *g) {
    tell_of_untold(g);
    tell_of_mixed(g);
    tell_of_ranks(g);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the loops and conditions around a statement. Out: their product as text. Where a trip count
 * depends on an outer loop's variable, the product is a sum over that loop's iterations
 * (features.c).
 */
#include "skeletonizer/features/feature_product.h"

#include "skeletonizer/features/feature_walk.h"
#include "skeletonizer/features/trip_counts.h"

#include <string.h>

#define MAX_FEATURE_TEXT 2400 /* beyond it, a stub would cost more than it is worth */

static bool print_factor(struct str *out, const struct level *level) {
    if (level->loop != NULL)
        return trip_counts_print(out, level->frame, level->loop);
    str_add(out, level->negated ? "(!" : "(");
    if (!expression_print(out, level->frame, level->guard, level->condition))
        return false;
    str_add(out, FEATURE_GUARD);
    return true;
}

/* The levels from the outermost one on, so many of them, around what is inside all of them. */
static bool print_levels(struct str *out, const struct product *p,
                         const struct level *const *levels, size_t count) {
    if (count == 0 && p->kernel != NULL)
        return kernel_cost_print(out, p->kernel, p->face);
    if (count == 0)
        return true;
    const struct level *level = levels[0];
    struct str inner = {0};
    if (level->choice != NULL)
        level->choice->touched = false;
    bool known = print_levels(&inner, p, levels + 1, count - 1);
    bool sums = level->choice != NULL && level->choice->touched;
    if (known && sums) {
        str_printf(out, "%s(%s, ",
                   trip_counts_sum_name(level->loop, level->choice->name, str_text(&inner)),
                   level->choice->name);
        known = trip_counts_print_range(out, level->frame, level->loop);
    } else if (known) {
        str_add(out, inner.length > 0 ? "BSIM_TIMES(" : "");
        known = print_factor(out, level);
    }
    if (known && inner.length > 0)
        str_printf(out, ", %s)", str_text(&inner));
    str_dispose(&inner);
    return known;
}

const char *product_print(const struct slice *slice, const struct product *p) {
    const struct level *levels[PRODUCT_LEVELS_MAX];
    size_t count = 0;
    struct str text = {0};
    for (const struct level *level = p->level; level != NULL; level = level->outer)
        count++;
    if (count > PRODUCT_LEVELS_MAX)
        return NULL;
    size_t at = count;
    for (const struct level *level = p->level; level != NULL; level = level->outer)
        levels[--at] = level;
    struct arena *arena = &slice->program->arena;
    bool known = print_levels(&text, p, levels, count) &&
                 strlen(features_plain(arena, str_text(&text))) <= MAX_FEATURE_TEXT;
    const char *copy = known ? arena_strdup(arena, str_text(&text)) : NULL;
    str_dispose(&text);
    return copy;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See plan_checks.h. A size is told by the product of the numbers that vary. New ones are made of
 * the largest size by a common factor on these numbers.
 */
#include "cli/plan/plan_checks.h"

#include "simulator/guard/guard.h"

#include <math.h>
#include <stdlib.h>

/* What more ranks change shows at any size, and two tell it from chance. */
#define SIZES_ON_MORE_RANKS 2
#define STEPS 24 /* that are tried */
#define BELOW                                                                                      \
    8 /* the least number is the largest size's divided by that, where there is only one */

struct sizes_search {
    struct arena *arena;
    const struct words *sizes;
    size_t count;
    struct words base; /* the largest */
    struct bsim_argument *numbers;
    size_t number_count;
    unsigned long long varied;
};

static double number_at(const struct words *words, int position) {
    double number = (size_t)position < words->count ? atof(words->items[position]) : 0;
    return number > 0 ? number : 1;
}

static double size_of(const struct sizes_search *search, const struct words *words) {
    double product = 1;
    for (size_t i = 0; i < search->number_count; i++)
        if ((search->varied & 1ULL << i) != 0)
            product *= number_at(words, search->numbers[i].word);
    return product;
}

static void find_varied(struct sizes_search *search, struct words target) {
    search->number_count = vary_find(&search->numbers, search->arena, search->base);
    for (size_t i = 0; i < search->number_count && i < 64; i++) {
        double own = number_at(&search->base, search->numbers[i].word);
        bool differs = search->count == 1 && number_at(&target, search->numbers[i].word) != own;
        for (size_t k = 0; k < search->count; k++)
            differs = differs || number_at(&search->sizes[k], search->numbers[i].word) != own;
        if (differs)
            search->varied |= 1ULL << i;
    }
    if (search->varied == 0 && search->number_count > 0)
        search->varied = 1;
}

static void take_largest(struct sizes_search *search) {
    search->base = search->sizes[0];
    for (size_t k = 1; k < search->count; k++)
        if (size_of(search, &search->sizes[k]) > size_of(search, &search->base))
            search->base = search->sizes[k];
}

/* How far, as a logarithm, the nearest of all sizes is. */
static double distance(const struct sizes_search *search, const struct words *size,
                       const struct words *made, size_t made_count) {
    double nearest = INFINITY, own = log(size_of(search, size));
    for (size_t k = 0; k < search->count; k++)
        nearest = fmin(nearest, fabs(log(size_of(search, &search->sizes[k])) - own));
    for (size_t k = 0; k < made_count; k++)
        nearest = fmin(nearest, fabs(log(size_of(search, &made[k])) - own));
    return nearest;
}

static double least_factor(const struct sizes_search *search) {
    double least = 1, largest = size_of(search, &search->base);
    int bits = __builtin_popcountll(search->varied);
    for (size_t k = 0; k < search->count; k++)
        least = fmin(least, pow(size_of(search, &search->sizes[k]) / largest, 1.0 / bits));
    return least < 1 ? least : 1.0 / BELOW;
}

static bool make_one(struct words *out, const struct sizes_search *search, const struct words *made,
                     size_t made_count) {
    double least = least_factor(search), farthest = 0;
    for (int step = 1; step < STEPS; step++) {
        struct words size =
            vary_scale(search->arena, search->base, search->numbers, search->number_count,
                       search->varied, pow(least, (double)step / STEPS));
        double far = distance(search, &size, made, made_count);
        if (far > farthest)
            *out = size;
        farthest = fmax(farthest, far);
    }
    return farthest > 0;
}

/* Sizes that lack, behind the `count` that are there; returns how many there are then. */
static size_t make_sizes(struct words *sizes, struct arena *arena, size_t count,
                         struct words target) {
    struct sizes_search search = {.arena = arena, .sizes = sizes, .count = count};
    size_t made = 0;
    if (count == 0 || count >= GUARD_SIZES_MIN)
        return count;
    search.base = sizes[0];
    find_varied(&search, target);
    take_largest(&search);
    while (search.varied != 0 && count + made < GUARD_SIZES_MIN &&
           make_one(&sizes[count + made], &search, &sizes[count], made))
        made++;
    return count + made;
}

static size_t take_sizes(struct words *out, const struct configuration *all, size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        while (same < found && !words_equal(out[same], all[i].words))
            same++;
        if (same == found)
            out[found++] = all[i].words;
    }
    return found;
}

static size_t take_ranks(int *out, const struct configuration *all, size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        while (same < found && out[same] != (int)all[i].ranks)
            same++;
        if (same == found)
            out[found++] = (int)all[i].ranks;
    }
    return found;
}

void plan_checks_make(struct plan_checks *out, struct arena *arena, const struct configuration *all,
                      size_t count, struct words target) {
    struct words *sizes = ARENA_ARRAY(arena, struct words, count + GUARD_SIZES_MIN + 1);
    int *ranks = ARENA_ARRAY(arena, int, count + 1), more[GUARD_RANKS_MIN];
    size_t known = take_sizes(sizes, all, count), numbers = take_ranks(ranks, all, count);
    size_t end = make_sizes(sizes, arena, known, target);
    size_t lacking = known > 0 ? guard_ranks_lacking(more, ranks, numbers) : 0;
    *out = (struct plan_checks){.sizes = end - known, .rank_numbers = lacking};
    out->items = ARENA_ARRAY(arena, struct configuration,
                             out->sizes * numbers + lacking * SIZES_ON_MORE_RANKS + 1);
    for (size_t i = known; i < end; i++)
        for (size_t k = 0; k < numbers; k++)
            out->items[out->count++] = (struct configuration){(size_t)ranks[k], sizes[i]};
    for (size_t k = 0; k < lacking; k++)
        for (size_t i = 0; i < known && i < SIZES_ON_MORE_RANKS; i++)
            out->items[out->count++] = (struct configuration){(size_t)more[k], sizes[i]};
}

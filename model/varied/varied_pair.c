/* SPDX-License-Identifier: Apache-2.0
 *
 * See varied_pair.h. The pairs of profiled runs are followed by least squares, in numbers and in
 * their logarithms.
 */
#include "model/varied/varied_pair.h"

#include "base/vec.h"

#include <math.h>

/* Of what goes on as before: sizes are rounded to whole numbers. */
#define ROUNDING 0.02
#define SCATTER 2 /* times what profiled pairs scatter by */

struct varied_numbers {
    double x, y;
};

typedef VEC(struct varied_numbers) pairs;

/* Each pair once; false: a run has no such numbers. */
static bool take_pairs(pairs *out, const struct varied *varied, const char *one,
                       const char *other) {
    for (size_t i = 0; i < varied->run_count; i++) {
        const struct varied_word *x = varied_word_find(&varied->runs[i], one);
        const struct varied_word *y = varied_word_find(&varied->runs[i], other);
        if (x == NULL || y == NULL || isnan(x->number) || isnan(y->number))
            return false;
        size_t k = 0;
        while (k < out->count && (out->items[k].x != x->number || out->items[k].y != y->number))
            k++;
        if (k == out->count)
            vec_push(out, (struct varied_numbers){x->number, y->number});
    }
    return out->count >= 2;
}

static bool is_one_of(const pairs *all, struct varied_numbers pair) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].x == pair.x && all->items[i].y == pair.y)
            return true;
    return false;
}

/* Each number of one with one of the other, all in the same order, or all in the opposite one. */
static bool are_in_order(const pairs *all) {
    int rising = 0, falling = 0, cases = 0;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < i; k++) {
            double product =
                (all->items[i].x - all->items[k].x) * (all->items[i].y - all->items[k].y);
            rising += product > 0;
            falling += product < 0;
            cases++;
        }
    return rising == cases || falling == cases;
}

static struct varied_numbers transformed(struct varied_numbers pair, bool in_logarithms) {
    return in_logarithms ? (struct varied_numbers){log(pair.x), log(pair.y)} : pair;
}

/* NAN: there is no logarithm. */
static double miss(const pairs *all, struct varied_numbers pair, bool in_logarithms) {
    struct varied_numbers mean = {0, 0}, at = transformed(pair, in_logarithms);
    double xx = 0, xy = 0, largest = 0, n = (double)all->count;
    for (size_t i = 0; i < all->count; i++) {
        struct varied_numbers p = transformed(all->items[i], in_logarithms);
        mean = (struct varied_numbers){mean.x + p.x / n, mean.y + p.y / n};
    }
    for (size_t i = 0; i < all->count; i++) {
        struct varied_numbers p = transformed(all->items[i], in_logarithms);
        xx += (p.x - mean.x) * (p.x - mean.x);
        xy += (p.x - mean.x) * (p.y - mean.y);
    }
    for (size_t i = 0; i < all->count; i++) {
        struct varied_numbers p = transformed(all->items[i], in_logarithms);
        largest = fmax(largest, fabs(p.y - mean.y - xy / xx * (p.x - mean.x)));
    }
    double size = in_logarithms ? 1 : fabs(at.y);
    double off = fabs(at.y - mean.y - xy / xx * (at.x - mean.x));
    return off - fmax(SCATTER * largest, ROUNDING * size);
}

bool varied_pair_is_new(const struct varied *varied, const struct varied_word *one,
                        const struct varied_word *other) {
    pairs all = {0};
    struct varied_numbers here = {one->number, other->number};
    bool is_new = take_pairs(&all, varied, one->name, other->name) && !is_one_of(&all, here) &&
                  are_in_order(&all) && !(miss(&all, here, true) <= 0) &&
                  !(miss(&all, here, false) <= 0);
    vec_dispose(&all);
    return is_new;
}

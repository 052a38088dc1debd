/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets that are made once, against bits: after random unions, with what nobody uses taken away now
 * and then, each set has what it should have, and equal sets are one.
 */
#include "skeletonizer/pointsto/pointsto_sets.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define HOLDERS 40
#define ITEMS 100
#define STEPS 20000

struct holder {
    int set;
    bool has[ITEMS];
};

static unsigned next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void check(const struct location_sets *sets, const struct holder *holder) {
    const int_list *items = sets_items(sets, holder->set);
    size_t count = 0;
    for (int item = 0; item < ITEMS; item++)
        if (holder->has[item]) {
            assert_true(count < items->count);
            assert_int_equal(items->items[count], item);
            count++;
        }
    assert_int_equal(items->count, count);
}

static void unite(struct location_sets *sets, struct holder *to, const struct holder *from) {
    to->set = sets_union(sets, to->set, from->set);
    for (int item = 0; item < ITEMS; item++)
        to->has[item] |= from->has[item];
    check(sets, to);
}

/* Two at a time, of which the first one's place is before the other. */
static void add(struct location_sets *sets, struct holder *to, unsigned *state) {
    int low = (int)(next(state) % (ITEMS - 1));
    int pair[] = {low, low + 1 + (int)(next(state) % (unsigned)(ITEMS - 1 - low))};
    int_list items = {.items = pair, .count = 2};
    to->set = sets_with(sets, to->set, &items);
    to->has[pair[0]] = to->has[pair[1]] = true;
    check(sets, to);
}

static void clear(struct holder *holder) {
    memset(holder, 0, sizeof *holder);
}

static void collect(struct location_sets *sets, const struct holder *holders) {
    int used[HOLDERS];
    const int *const lists[] = {used, used};
    const size_t counts[] = {HOLDERS / 2, HOLDERS};
    size_t size = 0;
    for (int i = 0; i < HOLDERS; i++)
        used[i] = holders[i].set;
    sets_collect(sets, lists, counts, 2);
    for (int i = 0; i < HOLDERS; i++) {
        bool first = true;
        check(sets, &holders[i]);
        for (int k = 0; k < i; k++)
            first = first && holders[k].set != holders[i].set;
        size += first ? sets_items(sets, holders[i].set)->count : 0;
    }
    assert_int_equal(sets->size, size);
}

TEST(sets_hold_what_was_put_in) {
    struct location_sets sets = {0};
    struct holder holders[HOLDERS] = {{0}};
    unsigned seed = 1;
    for (int step = 0; step < STEPS; step++) {
        struct holder *to = &holders[next(&seed) % HOLDERS];
        unsigned kind = next(&seed) % 20;
        if (kind < 10)
            unite(&sets, to, &holders[next(&seed) % HOLDERS]);
        else if (kind < 16)
            add(&sets, to, &seed);
        else
            clear(to);
        if (step % 700 == 0)
            collect(&sets, holders);
    }
    for (int i = 0; i < HOLDERS; i++)
        for (int k = 0; k < HOLDERS; k++)
            assert_int_equal(holders[i].set == holders[k].set,
                             memcmp(holders[i].has, holders[k].has, sizeof holders[i].has) == 0);
    sets_dispose(&sets);
}

TEST(empty_sets_are_one) {
    struct location_sets sets = {0};
    int_list none = {0};
    assert_int_equal(sets_with(&sets, 0, &none), 0);
    assert_int_equal(sets_union(&sets, 0, 0), 0);
    int seven = sets_with_one(&sets, 0, 7);
    assert_int_equal(sets_union(&sets, seven, 0), seven);
    assert_int_equal(sets_union(&sets, 0, seven), seven);
    assert_int_equal(sets_items(&sets, 0)->count, 0);
    assert_false(sets_are_many(&sets));
    sets_dispose(&sets);
}

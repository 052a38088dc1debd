/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues of what waits to be matched, against a plain array: random entries come and go, few and
 * many at a time, some of any source.
 */
#include "engine/core/match_queue.h"
#include "tests/unit/unit.h"

#include <string.h>

#define ENTRIES 3000
#define TAGS 3

struct entry {
    struct match_node node;
    uint32_t source;
    int tag;
};

struct wanted {
    uint32_t source; /* ANY_RANK: whichever */
    int tag;
};

/* The reference: all that wait, in their order. */
struct waiting {
    struct entry *of[ENTRIES];
    size_t count;
};

static uint64_t random_state;
static uint32_t next_random(uint32_t below) { /* Knuth's linear congruential generator */
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(random_state >> 33) % below;
}

static bool fits(const struct match_node *node, const void *what) {
    const struct entry *entry = (const struct entry *)node;
    const struct wanted *wanted = what;
    return entry->tag == wanted->tag && (entry->source == wanted->source ||
                                         entry->source == ANY_RANK || wanted->source == ANY_RANK);
}

static size_t find(const struct waiting *waiting, const struct wanted *wanted) {
    size_t i = 0;
    while (i < waiting->count && !fits(&waiting->of[i]->node, wanted))
        i++;
    return i;
}

static void forget(struct waiting *waiting, size_t i) {
    memmove(&waiting->of[i], &waiting->of[i + 1], (--waiting->count - i) * sizeof(struct entry *));
}

static uint32_t random_source(uint32_t sources, bool may_be_any) {
    return may_be_any && next_random(40) == 0 ? ANY_RANK : next_random(sources);
}

static void take(struct match_queue *queue, struct waiting *waiting, const struct wanted *wanted) {
    size_t i = find(waiting, wanted);
    struct match_node *expected = i < waiting->count ? &waiting->of[i]->node : NULL;
    assert_ptr_equal(match_queue_find(queue, wanted->source, fits, wanted), expected);
    assert_ptr_equal(match_queue_take(queue, wanted->source, fits, wanted), expected);
    if (expected != NULL)
        forget(waiting, i);
}

static void take_back(struct match_queue *queue, struct waiting *waiting) {
    if (waiting->count == 0)
        return;
    size_t i = next_random((uint32_t)waiting->count);
    assert_true(match_queue_remove(queue, &waiting->of[i]->node));
    assert_false(match_queue_remove(queue, &waiting->of[i]->node));
    forget(waiting, i);
}

/* Fills up first, then empties: `asks_any` of those that take, else entries may be of any. */
static void come_and_go(uint32_t sources, bool asks_any) {
    static struct entry entries[ENTRIES];
    static struct waiting waiting;
    struct match_queue queue = {0};
    waiting.count = 0;
    random_state = sources;
    for (size_t i = 0; i < ENTRIES; i++) {
        entries[i] = (struct entry){.source = random_source(sources, !asks_any),
                                    .tag = (int)next_random(TAGS)};
        match_queue_append(&queue, &entries[i].node, entries[i].source);
        waiting.of[waiting.count++] = &entries[i];
        struct wanted wanted = {random_source(sources, asks_any && i > ENTRIES / 2),
                                (int)next_random(TAGS)};
        if (next_random(3) == 0)
            take(&queue, &waiting, &wanted);
        if (next_random(50) == 0)
            take_back(&queue, &waiting);
    }
    while (waiting.count > 0)
        take_back(&queue, &waiting);
    assert_null(queue.by_source);
}

TEST(test_entries_come_and_go) {
    static const uint32_t sources[] = {1, 2, 7, 100, 5000};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        come_and_go(sources[i], false);
        come_and_go(sources[i], true);
    }
}

/* One of each source, and taken from the last to the first: no list gets long. */
static size_t looks;
static bool fits_and_counts(const struct match_node *node, const void *what) {
    looks++;
    return fits(node, what);
}

TEST(test_many_sources_are_not_searched_one_by_one) {
    static struct entry entries[ENTRIES];
    struct match_queue queue = {0};
    for (uint32_t i = 0; i < ENTRIES; i++) {
        entries[i] = (struct entry){.source = i};
        match_queue_append(&queue, &entries[i].node, i);
    }
    for (uint32_t i = ENTRIES; i-- > 0;) {
        struct wanted wanted = {.source = i};
        assert_ptr_equal(match_queue_take(&queue, i, fits_and_counts, &wanted), &entries[i].node);
    }
    assert_true(looks < 10 * ENTRIES);
}

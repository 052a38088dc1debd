/* SPDX-License-Identifier: Apache-2.0
 *
 * What waits in its order until something fits it: posted receives, and messages that have come.
 *
 * A list, and while there are many entries one list for each source, found by its number, since who
 * hears from all others would go through half of them for each. Whoever asks for any source takes
 * the one list of all.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* In place of a source. */
#define ANY_RANK (UINT32_MAX - 1)

/* The first member of what waits. */
struct match_node {
    struct match_node *next; /* in its list */
    uint32_t source;         /* ANY_RANK: of whoever comes */
    uint32_t order;          /* of when it was appended */
};

struct match_list {
    struct match_node *first, *last; /* first NULL: empty */
};

struct match_lists;

/* Of zeroes: empty. */
struct match_queue {
    struct match_list all;         /* while there are no lists of sources */
    struct match_lists *by_source; /* NULL: there are none */
    uint32_t order;
    unsigned count : 31;
    bool stays_together : 1; /* until it is empty */
};

void match_queue_append(struct match_queue *queue, struct match_node *node, uint32_t source);

typedef bool match_test(const struct match_node *node, const void *what);

/* The first entry that fits `what`, of that source or of ANY_RANK's; NULL: none does. A source of
 * ANY_RANK: of all entries. */
typedef struct match_node *match_search(struct match_queue *queue, uint32_t source,
                                        match_test *fits, const void *what);
match_search match_queue_find;
/* The same, and it is taken out. */
match_search match_queue_take;

/* False: it is not there. */
bool match_queue_remove(struct match_queue *queue, struct match_node *node);

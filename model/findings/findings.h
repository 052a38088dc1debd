/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report warns of: one list for all kinds of doubts about a prediction, each with how much
 * of the predicted time it touches, a sentence, and what to do about it.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

struct finding {
    const char *kind;   /* a word for programs, such as "error" (docs/reference/json.md) */
    const char *text;   /* what is wrong, without a full stop */
    const char *remedy; /* a command, or what to do, likewise */
    double share;       /* of the time; from 0 to 1 */
    bool is_told;       /* the report says it at another place, too */
    bool is_first;      /* text reports begin with it */
};

struct findings {
    struct arena arena;
    VEC(struct finding) items;
};

void findings_dispose(struct findings *findings);

/* `share` is cut to what it may be; kind and remedy are borrowed. */
void findings_add(struct findings *out, const char *kind, double share, const char *remedy,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Those that touch most come first; of equal ones in the order in which they were added. */
void findings_sort(struct findings *findings);

/* The one that was added last comes first, whatever it touches. */
void findings_put_first(struct findings *findings);

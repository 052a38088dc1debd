/* SPDX-License-Identifier: Apache-2.0
 *
 * Features of a value that its numbers do not go by: 0 wherever they are looked at.
 */
#ifndef MODEL_VALUES_VALUE_IGNORED_H
#define MODEL_VALUES_VALUE_IGNORED_H

#include "model/samples/sample.h"

struct value_ignored {
    const struct sample
        *samples;         /* of the value, sorted by features, with 0 for each ignored one */
    const bool *features; /* by feature: ignored */
    int count;            /* of those; 0: samples are as they were */
    bool has_sizes;       /* among them (value_needless.h) */
};

/* Gives each of the samples features of its own, with 0 where `ignored`. From the arena. */
void value_ignore(struct sample *samples, size_t count, struct arena *arena, const bool *ignored);

/* And these (by feature), none of which was ignored before. `count`: of the samples. From the
 * arena. */
void value_ignored_add(struct value_ignored *out, struct arena *arena, size_t count,
                       const bool *more);

#endif

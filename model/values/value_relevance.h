/* SPDX-License-Identifier: Apache-2.0
 *
 * Which numbers a value depends on. In: the samples of a value; out: features that turned out to be
 * irrelevant, which are 0 in all samples from then on (and so wherever the skeleton looks), and
 * numbers of a vector that are all that is relevant. Four questions find them:
 *
 * - what differs between ranks that had the same numbers all the same (value_once.h);
 * - what ranks have and keep in a run, such as how many columns they own: what is drawn for all
 *   ranks would be another draw on each;
 * - sizes, where a loop or branch decided the same with other ones, all else alike: a size that was
 *   not profiled then has what these had, instead of a formula over sizes;
 * - all that samples are the same without: which row is the pivot of a column of a matrix says
 *   nothing of how the matrix is spread over ranks.
 */
#ifndef MODEL_VALUES_VALUE_RELEVANCE_H
#define MODEL_VALUES_VALUE_RELEVANCE_H

#include "model/samples/sample.h"
#include "model/values/value_once.h"
#include "model/values/value_points.h"

#include <stdbool.h>

struct value_relevance {
    const struct sample
        *samples; /* of the value, sorted by features, with 0 for each irrelevant one */
    size_t sample_count;
    const bool *irrelevant; /* by feature */
    int irrelevant_count;   /* 0: samples are as they were */
    bool without_sizes;     /* some of these are sizes */
    const int *relevant;    /* places of a vector: nothing else changes the value */
    int relevant_count;     /* 0: it is not known */
    struct value_once once; /* all ranks have the same numbers */
};

/* Nothing is irrelevant. `samples` are all of one value, sorted by features; borrowed. */
struct value_relevance value_relevance_of_all(const struct sample *samples, size_t count);

/* Whether all ranks have the value alike: then what differs between them is irrelevant. */
void value_relevance_find_once(struct value_relevance *out, struct arena *arena,
                               const struct samples *all);

/* Each takes more features for irrelevant, none of which was before; all is from the arena. True if
 * there are any. */
bool value_relevance_without_rank_shares(struct value_relevance *out, struct arena *arena);
bool value_relevance_without_sizes(struct value_relevance *out, struct arena *arena,
                                   const struct samples *all, enum value_kind kind);

/* What is irrelevant of features and, in vectors with all of the context, tells no runs apart: then
 * *out's `relevant` are the other places. `data` has *out's samples. `used`: by place, those that
 * are relevant. */
bool value_relevance_without_unused(struct value_relevance *out, struct arena *arena,
                                    const struct value_data *data, const bool *used);

/* Whether the place of a vector is that of an irrelevant feature. */
bool value_relevance_leaves_out(const struct value_relevance *relevance, int place,
                                int feature_count);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Decisions that one rank takes each time, and all others the other way: which of them has the
 * best individual, the nearest point, the pivot. Were each rank to decide for itself, none might,
 * or two.
 *
 * The sequences of all ranks of a run with the same features are gone through
 * side by side. Decisions behind the recorded part of a sequence are not looked at; of ranks that
 * have other features, or decide less often than others, nothing is known, which ends it.
 */
#include "model/values/value_candidate.h"

#include "base/arena.h"
#include "model/values/value_agreement.h"

#include <math.h>

#define TIMES_MIN 16 /* with several ranks, for any of them */
/* For always the first or the last one: the natural logarithm of how unlikely that is by chance. */
#define SURPRISE_MIN 4.6
#define TIMES_MAX 65536 /* of a run and features */

struct value_one_rank_cursor {
    const struct sample *sample;
    size_t item;
    double used;
};

struct value_one_rank_tally {
    double times, first, last; /* of which the first rank, and the last one, was the one */
    double surprise;           /* the logarithm of what may have been the one, each time */
};

static bool is_at_end(const struct value_one_rank_cursor *cursor) {
    return cursor->item == cursor->sample->repeat_count;
}

static bool next_decides(struct value_one_rank_cursor *cursor) {
    const struct repeat *repeat = &cursor->sample->sequence[cursor->item];
    if (++cursor->used >= repeat->times) {
        cursor->item++;
        cursor->used = 0;
    }
    return repeat->number != 0;
}

/* Sorted by rank. */
static bool go_through(struct value_one_rank_tally *out, struct value_one_rank_cursor *ranks,
                       int count) {
    for (int times = 0; times < TIMES_MAX && !is_at_end(&ranks[0]); times++) {
        int which = -1;
        for (int i = 0; i < count; i++) {
            if (is_at_end(&ranks[i]))
                return false;
            if (!next_decides(&ranks[i]))
                continue;
            if (which >= 0)
                return false;
            which = i;
        }
        if (which < 0)
            return false;
        out->times += count > 1;
        out->surprise += log(count);
        out->first += count > 1 && which == 0;
        out->last += count > 1 && which == count - 1;
    }
    for (int i = 1; i < count; i++)
        if (ranks[i].sample->count != ranks[0].sample->count)
            return false;
    return true;
}

static bool tally_all(struct value_one_rank_tally *out, const struct samples *all,
                      const struct value_data *data) {
    bool good = true;
    for (size_t i = 0, count; i < data->sample_count && good; i += count) {
        count = value_agreement_group(&data->samples[i], data->sample_count - i);
        struct value_one_rank_cursor *ranks = xmalloc(count * sizeof *ranks);
        for (size_t k = 0; k < count; k++)
            ranks[k] = (struct value_one_rank_cursor){.sample = &data->samples[i + k]};
        good = (int)count == all->runs[data->samples[i].run].ranks &&
               go_through(out, ranks, (int)count);
        free(ranks);
    }
    return good;
}

static bool propose(struct value_model *model, struct value_question *question) {
    const struct value_data *data = question->data;
    struct value_one_rank_tally tally = {0, 0, 0, 0};
    bool decides = data->kind == VALUE_BRANCH || (data->kind == VALUE_INTEGER && data->is_binary);
    if (!decides || question->key->once.is_once || !tally_all(&tally, question->all, data))
        return false;
    enum bsim_one one = tally.first == tally.times  ? BSIM_ONE_FIRST
                        : tally.last == tally.times ? BSIM_ONE_LAST
                                                    : BSIM_ONE_ANY;
    if (one == BSIM_ONE_ANY ? tally.times < TIMES_MIN : tally.surprise < SURPRISE_MIN)
        return false;
    model->scatter = (struct bsim_draws){.kind = BSIM_DRAWS_ONE, .one = one};
    model->without_recall = true;
    return true;
}

static bool is_taken(const struct value_model *model) {
    return model->scatter.kind == BSIM_DRAWS_ONE;
}

static void write(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    (void)question;
    str_printf(out, " %s %s\n", bsim_draws_name(model->scatter.kind),
               bsim_one_name(model->scatter.one));
}

static void print(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    static const char *const ranks[] = {
        [BSIM_ONE_FIRST] = "the first one", "the last one", "any of them, drawn for all ranks"};
    (void)question;
    str_printf(out, "1 on one rank, %s", ranks[model->scatter.one]);
}

const struct value_candidate value_one_candidate = {"scatter", propose, is_taken, write, print};

/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_idle.h. All that nothing else uses is left out together; what is left puts samples into
 * groups, and a single group with different numbers ends it: then the same is tried with the
 * numbers of the run, but the number of ranks, and with that as well. What does not differ within
 * enough groups is no longer left out, until all that is has been shown.
 */
#include "model/values/value_idle.h"

#include "model/values/value_agreement.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_MIN 16 /* samples with the same numbers, though this is another one */

struct value_idle_search {
    const struct value_data *data;
    const struct sample **samples;
    bool *idle; /* by place in a vector */
    int *shown; /* likewise */
    int place_count;
};

static double number_at(const struct value_idle_search *s, const struct sample *sample, int place) {
    int features = s->data->feature_count;
    return place < features ? sample->features[place]
                            : s->data->runs.numbers[sample->run][place - features];
}

static int by_rest(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    const struct value_idle_search *s = context;
    for (int j = 0; j < s->place_count; j++) {
        double a = number_at(s, l, j), b = number_at(s, r, j);
        if (!s->idle[j] && a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

/* False: samples that only differ in what is idle have different numbers. */
static bool look_at_groups(struct value_idle_search *s) {
    size_t count = s->data->sample_count, first = 0;
    memset(s->shown, 0, (size_t)s->place_count * sizeof *s->shown);
    qsort_r(s->samples, count, sizeof *s->samples, by_rest, s);
    for (size_t i = 1; i < count; i++) {
        const struct sample **group = &s->samples[first];
        if (by_rest(group, &s->samples[i], s) != 0) {
            first = i;
            continue;
        }
        if (!same_numbers(*group, s->samples[i]))
            return false;
        for (int j = 0; j < s->place_count; j++)
            s->shown[j] += number_at(s, *group, j) != number_at(s, s->samples[i], j);
    }
    return true;
}

/* Of the places in s->idle those that are shown to be. */
static bool find_shown(struct value_idle_search *s) {
    bool changed = true, left = true;
    while (changed && left) {
        if (!look_at_groups(s))
            return false;
        changed = left = false;
        for (int j = 0; j < s->place_count; j++) {
            bool is_shown = s->shown[j] >= SHOWN_MIN;
            changed = changed || (s->idle[j] && !is_shown);
            s->idle[j] = s->idle[j] && is_shown;
            left = left || s->idle[j];
        }
    }
    return left;
}

/* The first ones try more. */
enum { ALL, FEATURES_AND_RANKS, FEATURES, TRIES };

static bool is_tried(const struct value_data *data, int place, int what) {
    bool are_ranks = data->ranks_vary && place == data->feature_count;
    return place < data->feature_count || what == ALL || (what == FEATURES_AND_RANKS && are_ranks);
}

static bool find_any(struct value_idle_search *s, const bool *used) {
    bool found = false;
    for (int what = 0; what < TRIES && !found; what++) {
        for (int j = 0; j < s->place_count; j++)
            s->idle[j] = !used[j] && is_tried(s->data, j, what);
        found = find_shown(s);
    }
    return found;
}

void value_idle_find(struct value_idle *out, struct arena *arena, const struct value_data *data,
                     const bool *used) {
    int features = data->feature_count;
    size_t places = (size_t)(features + data->context_count);
    struct value_idle_search s = {.data = data, .place_count = (int)places};
    *out = (struct value_idle){.places = NULL};
    s.idle = ARENA_ARRAY(arena, bool, places + 1);
    s.shown = ARENA_ARRAY(arena, int, places + 1);
    s.samples = xmalloc((data->sample_count + 1) * sizeof(const struct sample *));
    for (size_t i = 0; i < data->sample_count; i++)
        s.samples[i] = &data->samples[i];
    if (find_any(&s, used))
        out->places = s.idle;
    free(s.samples);
    for (int j = 0; j < s.place_count && out->places != NULL; j++)
        *(j < features ? &out->feature_count : &out->context_count) += s.idle[j];
}

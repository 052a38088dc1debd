/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_points.h. A pattern is the mean of the sequences element by element, so that what
 * changes over the iterations is kept though ranks differ; for branches the sequences have to be
 * equal. Floating-point numbers of runs that took longer go on where others end, as time steps do.
 */
#include "model/values/value_points.h"

#include "model/eval/splitmix.h"
#include "model/samples/points.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN_MAX 4096 /* numbers in a pattern that differs between ranks, or repeats */

/* ---- Points ---- */

/* By run: of the keys that there are on any of its ranks. `order` is by key. */
static void sign_runs(uint64_t *signature, const struct value_data *data,
                      const struct sample *const *order) {
    const struct value_key *key = data->key;
    for (size_t i = 0; i < data->sample_count; i++) {
        uint64_t hash = 1;
        if (i > 0 && order[i - 1]->run == order[i]->run &&
            value_key_compare(key, order[i - 1], order[i]) == 0)
            continue;
        for (int k = 0; k < key->place_count; k++) {
            double number = value_key_number(key, order[i], key->places[k]) + 0.0;
            uint64_t bits;
            memcpy(&bits, &number, sizeof bits);
            hash = bsim_splitmix(hash ^ bits);
        }
        signature[order[i]->run] += bsim_splitmix(hash);
    }
}

static int by_key(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    int order = value_key_compare(context, l, r);
    if (order == 0)
        order = (l->run > r->run) - (l->run < r->run);
    return order != 0 ? order : (l > r) - (l < r);
}

static void find_configurations(struct value_data *data, struct arena *arena, int run_count) {
    int *configurations = ARENA_ARRAY(arena, int, (size_t)run_count);
    uint64_t *signature = ARENA_ARRAY(arena, uint64_t, (size_t)run_count);
    const struct sample **order = xmalloc((data->sample_count + 1) * sizeof *order);
    for (size_t i = 0; i < data->sample_count; i++)
        order[i] = &data->samples[i];
    qsort_r(order, data->sample_count, sizeof *order, by_key, (void *)data->key);
    sign_runs(signature, data, order);
    for (int i = 0; i < run_count; i++) {
        int same = 0;
        while (signature[same] != signature[i])
            same++;
        configurations[i] = same == i ? data->configuration_count++ : configurations[same];
    }
    data->configurations = configurations;
    free(order);
}

/* The sample's, from the arena. */
static const double *value_data_vector(struct arena *arena, const struct value_data *data,
                                       const struct sample *sample) {
    size_t features = (size_t)data->feature_count, context = (size_t)data->context_count;
    double *vector = ARENA_ARRAY(arena, double, features + context);
    if (features > 0)
        memcpy(vector, sample->features, features * sizeof *vector);
    if (context > 0)
        memcpy(vector + features, data->key->runs.numbers[sample->run], context * sizeof *vector);
    return vector;
}

struct sum {
    double total, count;
};

static void add_sample(struct sum *sum, const struct sample *sample) {
    sum->total += sample->seconds;
    sum->count += sample->timed;
}

/* The mean number and how many there were. */
static struct sum mean_of(enum value_kind kind, struct sum sum) {
    if (kind == VALUE_TRIPS) {
        double ended = sum.count - sum.total;
        return ended > 0.5 ? (struct sum){sum.total / ended, ended} : (struct sum){VALUE_ALWAYS, 1};
    }
    return (struct sum){sum.total / sum.count, sum.count};
}

/* Which samples are taken together: those of a key or, in a configuration, of a vector. */
struct value_grouping {
    const struct value_data *data;
    bool is_by_key;
};

static int compare_numbers(const double *left, const double *right, int count) {
    return count > 0 ? features_compare(left, right, count) : 0;
}

/* 0: they are taken together. */
static int compare_groups(const struct value_grouping *grouping, const struct sample *l,
                          const struct sample *r) {
    const struct value_data *data = grouping->data;
    const struct run_context *runs = &data->key->runs;
    if (grouping->is_by_key)
        return value_key_compare(data->key, l, r);
    int order = compare_numbers(l->features, r->features, data->feature_count);
    if (order == 0)
        order = compare_numbers(runs->numbers[l->run], runs->numbers[r->run], runs->count);
    int left = data->configurations[l->run], right = data->configurations[r->run];
    return order != 0 ? order : (left > right) - (left < right);
}

static int by_group(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    int order = compare_groups(context, l, r);
    if (order == 0)
        order = (l->run > r->run) - (l->run < r->run);
    return order != 0 ? order : (l > r) - (l < r);
}

/* Those that were timed, by group; returns how many. */
static size_t order_groups(const struct sample **out, struct value_grouping *grouping) {
    const struct value_data *data = grouping->data;
    size_t count = 0;
    for (size_t i = 0; i < data->sample_count; i++)
        if (data->samples[i].timed > 0)
            out[count++] = &data->samples[i];
    qsort_r(out, count, sizeof *out, by_group, grouping);
    return count;
}

/* Where the group of the first sample ends. */
static size_t group_end(const struct value_grouping *grouping, const struct sample *const *order,
                        size_t first, size_t count) {
    size_t end = first + 1;
    while (end < count && compare_groups(grouping, order[first], order[end]) == 0)
        end++;
    return end;
}

/* How far a run's numbers are off from those of all with the same vector. What steps of time add up
 * to goes by when the run ended, and so does a loop that something else ended. */
static double run_off(const struct value_data *data, struct sum run, struct sum all) {
    if (data->kind == VALUE_FLOATING || run.count <= 0)
        return 0;
    struct sum own = mean_of(data->kind, run), mean = mean_of(data->kind, all);
    bool is_endless = own.total >= VALUE_ALWAYS || mean.total >= VALUE_ALWAYS;
    return is_endless ? 0 : fabs(own.total - mean.total) * own.count;
}

static struct sum sum_of(const struct sample *const *samples, size_t count) {
    struct sum sum = {0, 0};
    for (size_t k = 0; k < count; k++)
        add_sample(&sum, samples[k]);
    return sum;
}

static void add_point(struct value_data *data, struct arena *arena,
                      const struct sample *const *group, size_t count) {
    struct sum sum = sum_of(group, count);
    if (sum.count <= 0)
        return;
    struct sum mean = mean_of(data->kind, sum);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && group[end]->run == group[first]->run;)
            end++;
        data->runs_off += run_off(data, sum_of(group + first, end - first), sum);
    }
    vec_push(&data->points,
             (struct value_point){.x = value_data_vector(arena, data, group[0]),
                                  .configuration = data->configurations[group[0]->run],
                                  .value = mean.total,
                                  .weight = mean.count});
}

static void make_points(struct value_data *data, struct arena *arena) {
    struct value_grouping grouping = {data, false};
    const struct sample **order = xmalloc((data->sample_count + 1) * sizeof *order);
    size_t count = order_groups(order, &grouping);
    for (size_t first = 0, end; first < count; first = end) {
        end = group_end(&grouping, order, first, count);
        add_point(data, arena, order + first, end - first);
    }
    free(order);
}

/* ---- The least number ---- */

static double largest_of(const struct value_data *data) {
    double largest = 0;
    for (size_t i = 0; i < data->sample_count; i++) {
        largest = fmax(largest, data->samples[i].max);
        for (size_t k = 0; k < data->samples[i].repeat_count; k++)
            largest = fmax(largest, data->samples[i].sequence[k].number);
    }
    return largest;
}

/* Whenever it was reached, as far as what it did at first is known. */
static bool iterates_always(const struct value_data *data) {
    for (size_t i = 0; i < data->sample_count; i++) {
        const struct sample *sample = &data->samples[i];
        double trips = 0;
        for (size_t k = 0; k < sample->repeat_count; k++) {
            bool ends = sample->sequence[k].number == 0;
            if (ends && (trips == 0 || sample->sequence[k].times > 1))
                return false;
            trips = ends ? 0 : trips + sample->sequence[k].times;
        }
        if (sample->repeat_count == 0)
            return false;
    }
    return data->sample_count > 0;
}

static void find_least(struct value_data *data) {
    double least = INFINITY;
    for (size_t i = 0; i < data->sample_count; i++)
        least = fmin(least, data->samples[i].min);
    data->least = least >= 0 ? 0 : -SAMPLE_NUMBER_MAX;
    if (data->kind == VALUE_TRIPS && iterates_always(data))
        data->least = 1;
    data->is_binary = data->kind == VALUE_INTEGER && least >= 0 && largest_of(data) <= 1;
}

void value_data_make(struct value_data *out, struct arena *arena, const struct samples *all,
                     const struct value_key *key, const struct region *region) {
    *out = (struct value_data){.kind = region->value,
                               .is_vector = region_number_of_vector(region) >= 0,
                               .features = region->features,
                               .feature_count = region->feature_count,
                               .context_count = key->runs.count,
                               .plain_count = key->runs.plain_count,
                               .context = key->runs.names,
                               .ranks_vary = key->runs.ranks_vary,
                               .key = key,
                               .samples = key->samples,
                               .sample_count = key->sample_count};
    find_configurations(out, arena, all->run_count);
    make_points(out, arena);
    find_least(out);
}

/* ---- What was seen ---- */

typedef VEC(struct repeat) repeat_list;

static void push_number(repeat_list *out, double number, double times) {
    if (out->count > 0 && out->items[out->count - 1].number == number)
        out->items[out->count - 1].times += times;
    else
        vec_push(out, (struct repeat){number, times});
}

/* Decisions of a loop become the numbers of its iterations. */
static void push_trips(repeat_list *out, const struct sample *sample) {
    double trips = 0;
    for (size_t i = 0; i < sample->repeat_count; i++) {
        struct repeat repeat = sample->sequence[i];
        if (repeat.number != 0) {
            trips += repeat.times;
            continue;
        }
        push_number(out, trips, 1);
        if (repeat.times > 1)
            push_number(out, 0, repeat.times - 1);
        trips = 0;
    }
    if (trips > 0) /* something else ended the loop, which with other inputs lets it go on */
        push_number(out, VALUE_ALWAYS, 1);
}

/* False: the sample knows its first numbers only. */
static bool read_sequence(repeat_list *out, enum value_kind kind, const struct sample *sample) {
    double known = 0;
    out->count = 0;
    for (size_t i = 0; i < sample->repeat_count; i++)
        known += sample->sequence[i].times;
    if (kind == VALUE_TRIPS) {
        push_trips(out, sample);
    } else {
        for (size_t i = 0; i < sample->repeat_count; i++)
            push_number(out, sample->sequence[i].number, sample->sequence[i].times);
    }
    return known == sample->count && out->count <= PATTERN_MAX;
}

static bool same_sequence(const repeat_list *left, const repeat_list *right) {
    bool same = left->count == right->count;
    for (size_t i = 0; i < left->count && same; i++)
        same = left->items[i].number == right->items[i].number &&
               left->items[i].times == right->items[i].times;
    return same;
}

static double length_of(const repeat_list *list) {
    double length = 0;
    for (size_t i = 0; i < list->count; i++)
        length += list->items[i].times;
    return length;
}

static bool begins_with(const repeat_list *longer, const repeat_list *shorter) {
    size_t last = shorter->count - 1;
    bool same = shorter->count > 0 && shorter->count <= longer->count &&
                longer->items[last].number == shorter->items[last].number &&
                longer->items[last].times >= shorter->items[last].times;
    for (size_t i = 0; i < last && same; i++)
        same = longer->items[i].number == shorter->items[i].number &&
               longer->items[i].times == shorter->items[i].times;
    return same;
}

/* The rest of a sequence, of whose item `first` so much is used up. */
static void push_rest(repeat_list *out, const repeat_list *list, size_t first, double used) {
    for (size_t i = first; i < list->count; i++) {
        push_number(out, list->items[i].number, list->items[i].times - used);
        used = 0;
    }
}

/* *pattern becomes the sum of both, element by element, and goes on as the longer one; `weight`
 * sequences are in it so far. */
static void mix(repeat_list *pattern, const repeat_list *other, double weight) {
    repeat_list mixed = {0};
    size_t left = 0, right = 0;
    double left_used = 0, right_used = 0;
    while (left < pattern->count && right < other->count) {
        const struct repeat *l = &pattern->items[left], *r = &other->items[right];
        double times = fmin(l->times - left_used, r->times - right_used);
        push_number(&mixed, (l->number * weight + r->number) / (weight + 1), times);
        left_used += times;
        right_used += times;
        if (left_used >= l->times)
            left++, left_used = 0;
        if (right_used >= r->times)
            right++, right_used = 0;
    }
    push_rest(&mixed, pattern, left, left_used);
    push_rest(&mixed, other, right, right_used);
    vec_dispose(pattern);
    *pattern = mixed;
}

struct seen_sum {
    struct sum sum;
    repeat_list pattern;
    double sequences; /* how many are in it */
    bool has_pattern;
};

static void add_seen(struct seen_sum *out, const struct value_data *data,
                     const struct sample *sample) {
    repeat_list sequence = {0};
    add_sample(&out->sum, sample);
    bool known = read_sequence(&sequence, data->kind, sample);
    if (out->sequences == 0) {
        out->has_pattern = known;
        out->pattern = sequence;
        out->sequences = 1;
        return;
    }
    bool same = known && same_sequence(&out->pattern, &sequence);
    if (out->has_pattern && known && begins_with(&sequence, &out->pattern)) {
        repeat_list shorter = out->pattern;
        out->pattern = sequence;
        sequence = shorter;
    }
    same = same || (out->has_pattern && known && begins_with(&out->pattern, &sequence));
    bool may_mix = data->kind == VALUE_FLOATING ||
                   (data->kind != VALUE_BRANCH && length_of(&out->pattern) == length_of(&sequence));
    out->has_pattern = out->has_pattern && known && (same || may_mix);
    if (out->has_pattern && !same)
        mix(&out->pattern, &sequence, out->sequences);
    out->has_pattern = out->has_pattern && out->pattern.count <= PATTERN_MAX;
    out->sequences++;
    vec_dispose(&sequence);
}

static void push_seen(value_seen_list *out, struct arena *arena, const struct value_data *data,
                      const struct sample *first, const struct seen_sum *sum) {
    struct value_seen seen = {.vector = value_data_vector(arena, data, first),
                              .mean = mean_of(data->kind, sum->sum).total};
    if (sum->has_pattern && sum->pattern.count > 0) {
        struct repeat *repeats = ARENA_ARRAY(arena, struct repeat, sum->pattern.count);
        memcpy(repeats, sum->pattern.items, sum->pattern.count * sizeof *repeats);
        seen.repeats = repeats;
        seen.repeat_count = sum->pattern.count;
    }
    vec_push(out, seen);
}

void value_data_seen(value_seen_list *out, struct arena *arena, const struct value_data *data) {
    struct value_grouping grouping = {data, true};
    const struct sample **order = xmalloc((data->sample_count + 1) * sizeof *order);
    size_t count = order_groups(order, &grouping);
    for (size_t first = 0, end; first < count; first = end) {
        struct seen_sum sum = {0};
        end = group_end(&grouping, order, first, count);
        for (size_t k = first; k < end; k++)
            add_seen(&sum, data, order[k]);
        if (sum.sum.count > 0)
            push_seen(out, arena, data, order[first], &sum);
        vec_dispose(&sum.pattern);
    }
    free(order);
}

double value_seen_executions(const struct value_seen *seen) {
    double sum = 0;
    for (size_t i = 0; i < seen->repeat_count; i++)
        sum += seen->repeats[i].times;
    return sum;
}

const char *value_data_name(const struct value_data *data, const struct region *region, int place) {
    return place < data->feature_count ? region->features[place].name
                                       : data->context[place - data->feature_count];
}

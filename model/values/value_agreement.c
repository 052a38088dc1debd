/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_agreement.h. Samples are compared with each other; of a value with very many the first
 * ones have to do.
 */
#include "model/values/value_agreement.h"

#include "model/samples/points.h"

#include "base/vec.h"
#include "model/eval/splitmix.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX 4096
#define ROUNDING 1e-9 /* of sums over other numbers of ranks */
#define LIST_MAX 1024
#define WINDOW_BITS 24 /* of chance in a window of differences */
#define WINDOW_LEAST 3
#define DOUBLES_MIN 2
#define DOUBLES_SHARE 0.25

bool same_numbers(const struct sample *left, const struct sample *right) {
    bool same = left->count == right->count && left->seconds == right->seconds &&
                left->repeat_count == right->repeat_count;
    for (size_t i = 0; i < left->repeat_count && same; i++)
        same = left->sequence[i].number == right->sequence[i].number &&
               left->sequence[i].times == right->sequence[i].times;
    return same;
}

bool all_zero(const struct sample *sample) {
    return sample->seconds == 0 && sample->squares == 0;
}

bool value_is_constant(const struct sample *sample) {
    return sample->repeat_count == 1 && sample->sequence[0].times == sample->count;
}

static bool is_same(double left, double right) {
    return fabs(left - right) <= ROUNDING * fmax(fabs(left), fabs(right));
}

static double known_count(const struct sample *sample) {
    double known = 0;
    for (size_t i = 0; i < sample->repeat_count; i++)
        known += sample->sequence[i].times;
    return known;
}

/* As far as both are known. */
static bool begin_alike(const struct sample *left, const struct sample *right) {
    size_t l = 0, r = 0;
    double l_used = 0, r_used = 0;
    while (l < left->repeat_count && r < right->repeat_count) {
        const struct repeat *a = &left->sequence[l], *b = &right->sequence[r];
        double times = fmin(a->times - l_used, b->times - r_used);
        if (!is_same(a->number, b->number))
            return false;
        l_used += times;
        r_used += times;
        if (l_used >= a->times)
            l++, l_used = 0;
        if (r_used >= b->times)
            r++, r_used = 0;
    }
    return true;
}

bool value_agrees(const struct sample *left, const struct sample *right, bool may_go_on) {
    bool are_known = known_count(left) == left->count && known_count(right) == right->count;
    bool are_as_long = left->count == right->count && is_same(left->seconds, right->seconds);
    may_go_on = may_go_on || (value_is_constant(left) && value_is_constant(right));
    return begin_alike(left, right) && (are_as_long || (are_known && may_go_on));
}

static bool same_features(const struct sample *left, const struct sample *right) {
    return left->region == right->region &&
           features_compare(left->features, right->features, left->feature_count) == 0;
}

enum value_agreement value_agreement(const struct sample *samples, size_t count) {
    bool same = false, different = false;
    count = count < SAMPLES_MAX ? count : SAMPLES_MAX;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && same_features(&samples[i], &samples[k]); k++) {
            if (samples[i].run != samples[k].run || samples[i].rank == samples[k].rank)
                continue;
            bool equal = same_numbers(&samples[i], &samples[k]);
            same = same || (equal && !all_zero(&samples[i]));
            different = different || !equal;
        }
    if (same && different)
        return VALUE_AGREEMENT_SOME;
    return same ? VALUE_AGREEMENT_ALL : different ? VALUE_AGREEMENT_NONE : VALUE_AGREEMENT_UNKNOWN;
}

static bool comes_back(const struct samples *all, const struct sample *sample) {
    for (size_t i = 0; i < all->count; i++) {
        const struct sample *other = &all->items[i];
        if (other->run == sample->run && other->repeat_count > 0 && !same_features(other, sample) &&
            same_numbers(other, sample))
            return true;
    }
    return false;
}

bool value_comes_back(const struct samples *all, const struct sample *samples, size_t count) {
    size_t looked_at = 0, found = 0;
    for (size_t i = 0; i < count && looked_at < SAMPLES_MAX; i++) {
        if (all->runs[samples[i].run].ranks < 2 || all_zero(&samples[i]))
            continue;
        looked_at++;
        found += comes_back(all, &samples[i]);
    }
    return 2 * found >= looked_at && found > 0;
}

static int compare_places(const void *left, const void *right) {
    const struct sample *l = *(const struct sample *const *)left,
                        *r = *(const struct sample *const *)right;
    int order = l->run != r->run ? (l->run < r->run ? -1 : 1)
                                 : (l->region > r->region) - (l->region < r->region);
    if (order == 0)
        order = (l->rank > r->rank) - (l->rank < r->rank);
    return order != 0 ? order : (l > r) - (l < r);
}

static uint64_t hash_of(double number) {
    uint64_t bits;
    number += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &number, sizeof bits);
    return bsim_splitmix(bits);
}

/* ---- Doubles ---- */

/* Numbers of a value on a rank, in their order. */
struct value_agreement_list {
    int run, region;
    VEC(double) numbers;
};

typedef VEC(struct value_agreement_list) lists;

static void add_to_list(struct value_agreement_list *out, const struct sample *sample) {
    for (size_t i = 0; i < sample->repeat_count; i++)
        for (double t = 0; t < sample->sequence[i].times && out->numbers.count < LIST_MAX; t++)
            vec_push(&out->numbers, sample->sequence[i].number);
}

static void make_lists(lists *out, const struct samples *all) {
    const struct sample **order = xmalloc((all->count + 1) * sizeof *order);
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].repeat_count > 0)
            order[count++] = &all->items[i];
    qsort(order, count, sizeof *order, compare_places);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || order[i]->run != order[i - 1]->run ||
            order[i]->region != order[i - 1]->region || order[i]->rank != order[i - 1]->rank)
            vec_push(out, (struct value_agreement_list){.run = order[i]->run,
                                                        .region = order[i]->region});
        add_to_list(&out->items[out->count - 1], order[i]);
    }
    free(order);
}

typedef VEC(uint64_t) hash_list;

/* Of `length` differences in a row, up to their sign, as of numbers that are shifted or mirrored.
 * 0: there are none. */
static uint64_t hash_of_window(const double *numbers, size_t length) {
    uint64_t sum = 0;
    double sign = 0;
    for (size_t i = 0; i < length; i++) {
        double difference = numbers[i + 1] - numbers[i];
        sign = sign == 0 ? (difference > 0) - (difference < 0) : sign;
        sum = sign == 0 ? 0 : bsim_splitmix(sum ^ hash_of(sign * difference));
    }
    return sum;
}

static void add_windows(hash_list *out, const struct value_agreement_list *list, size_t length) {
    for (size_t i = 0; i + length < list->numbers.count; i++) {
        uint64_t hash = hash_of_window(list->numbers.items + i, length);
        if (hash != 0)
            vec_push(out, hash);
    }
}

static int compare_hashes(const void *left, const void *right) {
    uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
    return (l > r) - (l < r);
}

/* So many differences that they are hardly the same by chance; 0: of constants none are. */
static size_t window_length(const lists *all, int run, int region) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        const struct value_agreement_list *list = &all->items[i];
        if (list->run != run || list->region != region)
            continue;
        for (size_t k = 0; k < list->numbers.count; k++) {
            least = fmin(least, list->numbers.items[k]);
            most = fmax(most, list->numbers.items[k]);
        }
    }
    if (!(most > least))
        return 0;
    return (size_t)fmin(fmax(ceil(WINDOW_BITS / log2(most - least + 1)), WINDOW_LEAST),
                        WINDOW_BITS);
}

struct found {
    size_t windows, doubles;
};

static void look_in_run(struct found *out, const lists *all, int run, int region) {
    hash_list here = {0}, elsewhere = {0};
    size_t length = window_length(all, run, region);
    for (size_t i = 0; i < all->count && length > 0; i++)
        if (all->items[i].run == run)
            add_windows(all->items[i].region == region ? &here : &elsewhere, &all->items[i],
                        length);
    if (elsewhere.count > 0)
        qsort(elsewhere.items, elsewhere.count, sizeof *elsewhere.items, compare_hashes);
    for (size_t i = 0; i < here.count && elsewhere.count > 0; i++)
        out->doubles += bsearch(&here.items[i], elsewhere.items, elsewhere.count,
                                sizeof *elsewhere.items, compare_hashes) != NULL;
    out->windows += here.count;
    vec_dispose(&here);
    vec_dispose(&elsewhere);
}

bool value_has_double(const struct samples *all, int region) {
    lists list = {0};
    struct found found = {0, 0};
    make_lists(&list, all);
    for (int run = 0; run < all->run_count; run++)
        look_in_run(&found, &list, run, region);
    for (size_t i = 0; i < list.count; i++)
        vec_dispose(&list.items[i].numbers);
    vec_dispose(&list);
    return found.doubles >= DOUBLES_MIN && found.doubles >= DOUBLES_SHARE * (double)found.windows;
}

/* ---- How much they differ ---- */

size_t value_agreement_group(const struct sample *first, size_t left) {
    size_t count = 0;
    while (count < left && first[count].run == first->run &&
           features_compare(first[count].features, first->features, first->feature_count) == 0)
        count++;
    return count;
}

struct value_agreement_spread {
    double off, total;
};

static void add_spread(struct value_agreement_spread *out, const struct sample *ranks,
                       size_t count) {
    double sum = 0, executions = 0;
    for (size_t k = 0; k < count; k++) {
        sum += ranks[k].seconds;
        executions += ranks[k].timed;
    }
    for (size_t k = 0; k < count && executions > 0; k++)
        out->off += fabs(ranks[k].seconds - ranks[k].timed * sum / executions);
    out->total += fabs(sum);
}

double value_agreement_spread(const struct samples *all, const struct sample *samples,
                              size_t count) {
    int run_count = all->run_count;
    struct value_agreement_spread *spreads = xmalloc(((size_t)run_count + 1) * sizeof *spreads);
    double largest = 0;
    for (int run = 0; run < run_count; run++)
        spreads[run] = (struct value_agreement_spread){0, 0};
    for (size_t i = 0, ranks; i < count; i += ranks) {
        ranks = value_agreement_group(&samples[i], count - i);
        add_spread(&spreads[samples[i].run], &samples[i], ranks);
    }
    for (int run = 0; run < run_count; run++)
        if (spreads[run].total > 0)
            largest = fmax(largest, spreads[run].off / spreads[run].total);
    free(spreads);
    return largest;
}

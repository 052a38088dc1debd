/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_uniform.h. Numbers become places in their ranges, from 0 to 1, spread out within the
 * width of one number; the largest distance of their empirical distribution from the uniform one is
 * what the test of Kolmogorov and Smirnov looks at (W. J. Conover, Practical Nonparametric
 * Statistics, 1999, section 6.1). What one number lacks to the next, modulo 1, is uniform as well
 * if they are independent: that tells numbers that go round in turn, or rise, from drawn ones.
 */
#include "model/value_uniform.h"

#include "base/numbers.h"
#include "base/vec.h"
#include "model/points.h"
#include "model/splitmix.h"
#include "model/value_agreement.h"

#include <math.h>
#include <stdlib.h>

#define NUMBERS_MIN 64 /* in ranges of more than one */
#define NUMBERS_MAX 65536
#define PLACES_MAX 32
#define PERIODS_MAX 8
#define BOUNDS_MAX 64
#define ODDITY 3.0       /* natural logarithm of how many bounds are plain for one that is odd */
#define SAMPLES_MAX 4096 /* whose ranks are compared */
/* Larger ones are hashes or keys, nothing that is counted. */
#define NUMBER_SIZE_MAX 0x1p40
/* 1 % of samples of uniform numbers are farther off than the factor over the root of how many there
 * are. As runs on other numbers of ranks may have the same numbers, those of one run count. */
#define DISTANCE_FACTOR 1.63
#define DISTANCE_MAX 0.15

struct number {
    double value;
    const struct sample *sample;
    const double *vector;
    uint64_t position; /* in its sample */
    bool is_first;     /* of its run, and rank */
};

struct search {
    const struct value_data *data;
    const struct value_ignored *ignored;
    struct number *numbers;
    size_t count, longest; /* longest: of one run and rank */
    double *places, *steps;
    struct bsim_number periods[PERIODS_MAX]; /* the first one is 0: none */
    int period_count;
};

/* ---- The numbers in their order ---- */

struct entry {
    const struct sample *sample;
    int run, rank;
};

static int compare_entries(const void *left, const void *right) {
    const struct entry *l = left, *r = right;
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    if (l->rank != r->rank)
        return l->rank < r->rank ? -1 : 1;
    return (l->sample > r->sample) - (l->sample < r->sample);
}

/* The first of runs that repeat each other, whose numbers are often the same again. */
static bool is_first_run(const struct value_data *data, int run) {
    for (int i = 0; i < run; i++)
        if (data->configurations[i] == data->configurations[run])
            return false;
    return true;
}

static bool has_same_features(const struct sample *left, const struct sample *right) {
    return features_compare(left->features, right->features, left->feature_count) == 0;
}

/* By run and, if each rank has its own, rank; where ranks agree, those of one of them. */
static size_t order_samples(struct entry *out, const struct value_data *data, bool is_own) {
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < data->sample_count; i++) {
        const struct sample *sample = &data->samples[i];
        if (is_first_run(data, sample->run))
            out[count++] = (struct entry){sample, sample->run, is_own ? sample->rank : 0};
    }
    qsort(out, count, sizeof *out, compare_entries);
    for (size_t i = 0; i < count; i++)
        if (is_own || kept == 0 || out[kept - 1].run != out[i].run ||
            !has_same_features(out[kept - 1].sample, out[i].sample))
            out[kept++] = out[i];
    return kept;
}

static const double *vector_of(struct arena *arena, const struct value_data *data,
                               const struct sample *sample) {
    size_t features = (size_t)data->feature_count, context = (size_t)data->context_count;
    double *vector = ARENA_ARRAY(arena, double, features + context + 1);
    for (size_t j = 0; j < features; j++)
        vector[j] = sample->features[j];
    for (size_t j = 0; j < context; j++)
        vector[features + j] = data->runs.numbers[sample->run][j];
    return vector;
}

static void take_sample(struct search *s, const struct sample *sample, const double *vector,
                        bool is_first) {
    uint64_t position = 0;
    for (size_t k = 0; k < sample->repeat_count; k++)
        for (double t = 0; t < sample->sequence[k].times && s->count < NUMBERS_MAX; t++) {
            s->numbers[s->count++] =
                (struct number){sample->sequence[k].number, sample, vector, position++, is_first};
            is_first = false;
        }
}

static void take_numbers(struct search *s, struct arena *arena, const struct entry *entries,
                         size_t count) {
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        bool first =
            i == 0 || entry->run != entries[i - 1].run || entry->rank != entries[i - 1].rank;
        begin = first ? s->count : begin;
        take_sample(s, entry->sample, vector_of(arena, s->data, entry->sample), first);
        s->longest = s->count - begin > s->longest ? s->count - begin : s->longest;
    }
}

static bool are_counted(const struct search *s) {
    for (size_t i = 0; i < s->count; i++)
        if (!(fabs(s->numbers[i].value) <= NUMBER_SIZE_MAX))
            return false;
    return true;
}

/* ---- Bounds ---- */

static bool is_ignored(const struct search *s, int place) {
    return s->ignored->count > 0 && place < s->data->feature_count && s->ignored->features[place];
}

/* Each sample has so many numbers, or some times as many, and some have more than one. */
static bool is_period(const struct search *s, struct bsim_number period) {
    bool tells = false;
    for (size_t i = 0; i < s->count; i++) {
        double length = s->numbers[i].vector[period.place] + period.beyond;
        if (!(length >= 1) || fmod(s->numbers[i].sample->count, length) != 0)
            return false;
        tells = tells || length > 1;
    }
    return tells;
}

static void list_periods(struct search *s) {
    int places = s->data->feature_count;
    s->periods[s->period_count++] = (struct bsim_number){-1, 0};
    for (int place = 0; place < places && place < PLACES_MAX; place++)
        for (int less = 0; less < 2; less++) {
            struct bsim_number period = {place, -less};
            if (s->period_count < PERIODS_MAX && !is_ignored(s, place) && is_period(s, period))
                s->periods[s->period_count++] = period;
        }
}

static double at(const struct number *number, const struct bsim_bound *bound) {
    return bsim_bound_value(bound, number->position, number->vector);
}

static bool holds(const struct search *s, const struct bsim_bound *bound, bool is_low) {
    for (size_t i = 0; i < s->count; i++) {
        double end = at(&s->numbers[i], bound);
        double beyond = is_low ? end - s->numbers[i].value : s->numbers[i].value - end;
        if (!(beyond <= 0) || end != floor(end))
            return false;
    }
    return true;
}

/* 0, numbers of the vector and one beyond, rising or not, and what no number was beyond. */
static int list_bounds(struct bsim_bound *out, const struct search *s, bool is_low) {
    int places = s->data->feature_count + s->data->context_count, count = 0;
    double end = s->numbers[0].value;
    for (size_t i = 0; i < s->count; i++)
        end = is_low ? fmin(end, s->numbers[i].value) : fmax(end, s->numbers[i].value);
    if (is_low && end > 0)
        out[count++] = (struct bsim_bound){{-1, 0}, {-1, 0}};
    out[count++] = (struct bsim_bound){{-1, end}, {-1, 0}};
    for (int place = 0; place < places && place < PLACES_MAX; place++)
        for (int choice = 0; choice < 2 * s->period_count; choice++) {
            double step = choice % 2;
            struct bsim_bound bound = {{place, is_low ? step : -step}, s->periods[choice / 2]};
            if (count < BOUNDS_MAX && !is_ignored(s, place) && holds(s, &bound, is_low))
                out[count++] = bound;
        }
    return count;
}

bool value_bound_rises(const struct bsim_bound *bound) {
    return bound->draws.place >= 0 || bound->draws.beyond >= 1;
}

/* ---- Ranks ---- */

static double width_at(const double *vector, const struct bsim_draws *draws) {
    return bsim_bound_value(&draws->high, 0, vector) - bsim_bound_value(&draws->low, 0, vector) + 1;
}

/* Ranks that draw for themselves have the same number by chance: as often as ranges are wide. Four
 * standard deviations more are no chance. */
static bool agree_by_chance(const struct search *s, struct arena *arena,
                            const struct bsim_draws *draws) {
    const struct value_data *data = s->data;
    size_t count = data->sample_count < SAMPLES_MAX ? data->sample_count : SAMPLES_MAX;
    double equal = 0, expected = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *one = &data->samples[i];
        double width = width_at(vector_of(arena, data, one), draws);
        for (size_t k = i + 1; k < count && has_same_features(one, &data->samples[k]); k++) {
            const struct sample *other = &data->samples[k];
            if (one->run != other->run || one->rank == other->rank || one->repeat_count == 0 ||
                other->repeat_count == 0)
                continue;
            equal += one->sequence[0].number == other->sequence[0].number;
            expected += 1 / width;
        }
    }
    return equal <= expected + 4 * sqrt(expected);
}

/* ---- The test ---- */

/* Sorts them. */
static double distance_of(double *numbers, size_t count) {
    double most = 0;
    numbers_sort(numbers, count);
    for (size_t i = 0; i < count; i++) {
        double above = (double)(i + 1) / (double)count - numbers[i];
        double below = numbers[i] - (double)i / (double)count;
        most = fmax(most, fmax(above, below));
    }
    return most;
}

/* The larger distance of the two, of numbers in ranges of more than one; infinite: these are too
 * few. */
static double test(const struct search *s, const struct bsim_draws *draws) {
    size_t count = 0, step_count = 0;
    double last = -1;
    for (size_t i = 0; i < s->count; i++) {
        const struct number *number = &s->numbers[i];
        double low = at(number, &draws->low);
        double width = at(number, &draws->high) - low + 1;
        double within = (double)(bsim_splitmix(i) >> 11) * 0x1p-53;
        double place = (number->value - low + within) / width;
        last = number->is_first ? -1 : last;
        if (!(width >= 2))
            continue;
        s->places[count++] = place;
        if (last >= 0)
            s->steps[step_count++] = place - last + (place < last);
        last = place;
    }
    if (count < NUMBERS_MIN || step_count < NUMBERS_MIN / 2)
        return INFINITY;
    return fmax(distance_of(s->places, count), distance_of(s->steps, step_count));
}

static int oddity_of(const struct bsim_bound *bound, bool is_low) {
    bool is_constant = bound->from.place < 0 && bound->from.beyond != 0;
    bool is_plain = bound->from.place < 0 || bound->from.beyond == (is_low ? 0 : -1);
    return is_constant + !is_plain + value_bound_rises(bound);
}

/* What makes the numbers less likely: wide ranges, and bounds that few programs have (an index is
 * from 0 to n - 1). */
static double unlikeliness(const struct search *s, const struct bsim_draws *draws) {
    double sum = ODDITY * (oddity_of(&draws->low, true) + oddity_of(&draws->high, false));
    for (size_t i = 0; i < s->count; i++)
        sum += log(at(&s->numbers[i], &draws->high) - at(&s->numbers[i], &draws->low) + 1);
    return sum;
}

/* The likeliest bounds, of which one at least is no constant: ranges that follow nothing are what
 * value_draw.h is for. */
static bool find_bounds(struct bsim_draws *out, const struct search *s) {
    struct bsim_bound low[BOUNDS_MAX], high[BOUNDS_MAX];
    int low_count = list_bounds(low, s, true), high_count = list_bounds(high, s, false);
    double most = fmin(DISTANCE_MAX, DISTANCE_FACTOR / sqrt((double)s->longest)), best = INFINITY;
    for (int i = 0; i < low_count; i++)
        for (int k = 0; k < high_count; k++) {
            struct bsim_draws draws = {.is_uniform = 1, .low = low[i], .high = high[k]};
            double here = unlikeliness(s, &draws);
            if ((low[i].from.place < 0 && high[k].from.place < 0) || here >= best ||
                test(s, &draws) >= most)
                continue;
            best = here;
            *out = draws;
        }
    return out->is_uniform;
}

/* Of the ranks of its run that have the same features: a formula tells no more than that. */
static double mean_of_run(const struct value_data *data, const struct sample *sample) {
    const struct sample *end = data->samples + data->sample_count, *first = sample;
    double sum = 0, count = 0;
    while (first > data->samples && has_same_features(first - 1, sample))
        first--;
    for (const struct sample *one = first; one < end && has_same_features(one, sample); one++)
        if (one->run == sample->run) {
            sum += one->seconds;
            count += one->timed;
        }
    return sum / count;
}

static void add_sums(struct value_uniform *out, const struct search *s) {
    double mean = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct number *number = &s->numbers[i];
        double middle = (at(number, &out->draws.low) + at(number, &out->draws.high)) / 2;
        bool is_new = i == 0 || number->sample != s->numbers[i - 1].sample;
        mean = is_new ? mean_of_run(s->data, number->sample) : mean;
        out->total += fabs(number->value);
        out->spread += fabs(number->value - middle);
        out->within += fabs(number->value - mean);
    }
}

static bool comes_again(const struct value_data *data) {
    for (size_t i = 0; i < data->sample_count; i++) {
        const struct sample *one = &data->samples[i];
        for (size_t k = i + 1; k < data->sample_count; k++) {
            const struct sample *other = &data->samples[k];
            if (!has_same_features(one, other))
                break;
            if (run_context_compare(&data->runs, one->run, other->run) != 0)
                continue;
            if (!same_numbers(one, other))
                return false;
            break; /* which is compared with the next one */
        }
    }
    return true;
}

bool value_uniform_find(struct value_uniform *out, struct arena *arena, const struct samples *all,
                        const struct value_data *data, const struct value_ignored *ignored) {
    *out = (struct value_uniform){.draws = {.is_uniform = 0}};
    enum value_agreement agreement = value_agreement(data->samples, data->sample_count);
    if (data->kind != VALUE_INTEGER || data->factors != NULL)
        return false;
    bool is_own = agreement == VALUE_AGREEMENT_NONE || agreement == VALUE_AGREEMENT_SOME;
    struct search s = {.data = data, .ignored = ignored};
    struct entry *entries = xmalloc((data->sample_count + 1) * sizeof *entries);
    s.numbers = xmalloc(NUMBERS_MAX * sizeof *s.numbers);
    s.places = xmalloc(NUMBERS_MAX * sizeof *s.places);
    s.steps = xmalloc(NUMBERS_MAX * sizeof *s.steps);
    take_numbers(&s, arena, entries, order_samples(entries, data, is_own));
    list_periods(&s);
    bool found = s.count >= NUMBERS_MIN && are_counted(&s) && find_bounds(&out->draws, &s) &&
                 (!is_own || agree_by_chance(&s, arena, &out->draws)) &&
                 !value_has_double(all, data->samples->region, is_own);
    if (found)
        add_sums(out, &s);
    out->comes_again = !is_own && comes_again(data);
    out->draws.is_own = is_own;
    free(entries);
    free(s.numbers);
    free(s.places);
    free(s.steps);
    return found;
}

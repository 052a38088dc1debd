/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that are any of a range, each as likely: which row has the largest element of a column.
 * Bounds are numbers of the vector, or one more or less (the lower one may be 0 or 1), which may
 * rise by one from each number of a sample to the next. Between them nothing tells the numbers, nor
 * how they follow each other, from uniform ones. All ranks draw alike, so they have to have agreed.
 *
 * Numbers become places in their ranges, from 0 to 1, spread out within the
 * width of one number; the largest distance of their empirical distribution from the uniform one is
 * what the test of Kolmogorov and Smirnov looks at (W. J. Conover, Practical Nonparametric
 * Statistics, 1999, section 6.1). What one number lacks to the next, modulo 1, is uniform as well
 * if they are independent: that tells numbers that go round in turn, or rise, from drawn ones.
 */
#include "model/values/value_candidate.h"
#include "model/values/value_solve.h"

#include "base/numbers.h"
#include "base/vec.h"
#include "model/eval/splitmix.h"
#include "model/samples/points.h"
#include "model/values/value_agreement.h"

#include <math.h>
#include <stdlib.h>

#define NUMBERS_MIN 32 /* in ranges of more than one */
#define NUMBERS_MAX 65536
#define PLACES_MAX 32
#define PERIODS_MAX 8
#define BOUNDS_MAX 64
#define ODDITY 3.0 /* natural logarithm of how many bounds are plain for one that is odd */
/* Larger ones are hashes or keys, nothing that is counted. */
#define NUMBER_SIZE_MAX 0x1p40
/* 1 % of samples of uniform numbers are farther off than the factor over the root of how many there
 * are. What nearly is uniform is drawn as well, and of few numbers nothing is known. */
#define DISTANCE_FACTOR 1.63
#define DISTANCE_LEAST 0.03
#define DISTANCE_MOST 0.2
#define DEVIATIONS 4 /* standard ones */
/* Of the error about the middle of a range: a formula with less knows something. */
#define RANGE_FACTOR 0.8

/* Of all numbers that were looked at: their sum, and that of how far each of them is from the
 * middle of its range, and from the mean of its run with the same features. */
struct value_range {
    struct bsim_draws draws;
    double total, spread, within;
};

struct value_range_number {
    double value;
    const struct sample *sample;
    const double *vector;
    uint64_t position; /* in its sample */
    bool is_first;     /* of its run */
};

struct value_range_search {
    const struct value_data *data;
    const struct value_key *key;
    struct value_range_number *numbers;
    size_t count;
    double *places, *steps;
    struct bsim_number periods[PERIODS_MAX]; /* the first one is 0: none */
    int period_count;
};

/* ---- The numbers in their order ---- */

static int compare_runs(const void *left, const void *right) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    return (l > r) - (l < r);
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

/* By run and features; of the ranks, which agree, one. */
static size_t order_samples(const struct sample **out, const struct value_data *data) {
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < data->sample_count; i++)
        if (is_first_run(data, data->samples[i].run))
            out[count++] = &data->samples[i];
    qsort(out, count, sizeof *out, compare_runs);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || out[kept - 1]->run != out[i]->run ||
            !has_same_features(out[kept - 1], out[i]))
            out[kept++] = out[i];
    return kept;
}

static void take_sample(struct value_range_search *s, const struct sample *sample,
                        const double *vector, bool is_first) {
    uint64_t position = 0;
    for (size_t k = 0; k < sample->repeat_count; k++)
        for (double t = 0; t < sample->sequence[k].times && s->count < NUMBERS_MAX; t++) {
            s->numbers[s->count++] = (struct value_range_number){sample->sequence[k].number, sample,
                                                                 vector, position++, is_first};
            is_first = false;
        }
}

static bool has_run_of(const struct value_range_search *s, size_t first, size_t begin) {
    size_t length = s->count - begin;
    for (size_t i = 0; i < length; i++)
        if (first + i >= begin || s->numbers[first + i].value != s->numbers[begin + i].value ||
            (i > 0 && s->numbers[first + i].is_first))
            return false;
    return true;
}

/* An earlier run had these numbers, from `begin` on: the same matrix on other ranks. */
static bool is_known_run(const struct value_range_search *s, size_t begin) {
    for (size_t i = 0; i < begin; i++)
        if (s->numbers[i].is_first && has_run_of(s, i, begin))
            return true;
    return false;
}

/* Each run once. All of its samples, or of very many every n-th. */
static void take_numbers(struct value_range_search *s, struct arena *arena,
                         const struct sample *const *samples, size_t count) {
    size_t begin = 0, total = 0;
    for (size_t i = 0; i < count; i++)
        total += samples[i]->repeat_count;
    size_t step = total / (NUMBERS_MAX / 2) + 1;
    bool is_first = true;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && samples[i]->run != samples[i - 1]->run) {
            s->count = is_known_run(s, begin) ? begin : s->count;
            begin = s->count;
            is_first = true;
        }
        if (i % step != 0)
            continue;
        take_sample(s, samples[i], value_data_vector(arena, s->data, samples[i]), is_first);
        is_first = false;
    }
    if (is_known_run(s, begin))
        s->count = begin;
}

static bool are_counted(const struct value_range_search *s) {
    for (size_t i = 0; i < s->count; i++)
        if (!(fabs(s->numbers[i].value) <= NUMBER_SIZE_MAX))
            return false;
    return true;
}

/* ---- Bounds ---- */

static bool is_irrelevant(const struct value_range_search *s, int place) {
    return place < s->data->feature_count && s->key->once.is_once && s->key->once.differs[place];
}

/* Each sample has so many numbers, or some times as many, and some have more than one. */
static bool is_period(const struct value_range_search *s, struct bsim_number period) {
    bool tells = false;
    for (size_t i = 0; i < s->count; i++) {
        double length = s->numbers[i].vector[period.place] + period.beyond;
        if (!(length >= 1) || fmod(s->numbers[i].sample->count, length) != 0)
            return false;
        tells = tells || length > 1;
    }
    return tells;
}

static void list_periods(struct value_range_search *s) {
    int places = s->data->feature_count;
    s->periods[s->period_count++] = (struct bsim_number){-1, 0};
    for (int place = 0; place < places && place < PLACES_MAX; place++)
        for (int less = 0; less < 2; less++) {
            struct bsim_number period = {place, -less};
            if (s->period_count < PERIODS_MAX && !is_irrelevant(s, place) && is_period(s, period))
                s->periods[s->period_count++] = period;
        }
}

static double at(const struct value_range_number *number, const struct bsim_bound *bound) {
    return bsim_bound_value(bound, number->position, number->vector);
}

static bool holds(const struct value_range_search *s, const struct bsim_bound *bound, bool is_low) {
    for (size_t i = 0; i < s->count; i++) {
        double end = at(&s->numbers[i], bound);
        double beyond = is_low ? end - s->numbers[i].value : s->numbers[i].value - end;
        if (!(beyond <= 0) || end != floor(end))
            return false;
    }
    return true;
}

/* 0 and 1, from which things are counted; numbers of the vector, and one beyond; all of them
 * rising, too. */
static int list_bounds(struct bsim_bound *out, const struct value_range_search *s, bool is_low) {
    int places = s->data->feature_count + s->data->context_count, count = 0;
    for (int choice = 0; choice < 2 * s->period_count && is_low; choice++) {
        struct bsim_bound bound = {{-1, choice % 2}, s->periods[choice / 2]};
        if (holds(s, &bound, true))
            out[count++] = bound;
    }
    for (int place = 0; place < places && place < PLACES_MAX; place++)
        for (int choice = 0; choice < 2 * s->period_count; choice++) {
            double step = choice % 2;
            struct bsim_bound bound = {{place, is_low ? step : -step}, s->periods[choice / 2]};
            if (count < BOUNDS_MAX && !is_irrelevant(s, place) && holds(s, &bound, is_low))
                out[count++] = bound;
        }
    return count;
}

static bool rises(const struct bsim_bound *bound) {
    return bound->draws.place >= 0 || bound->draws.beyond >= 1;
}

/* ---- The test ---- */

static double distance_most(size_t count) {
    return fmin(fmax(DISTANCE_FACTOR / sqrt((double)count), DISTANCE_LEAST), DISTANCE_MOST);
}

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

static double place_of(const struct value_range_number *number, double low, double width,
                       uint64_t seed) {
    double within = (double)(bsim_splitmix(seed) >> 11) * 0x1p-53;
    return (number->value - low + within) / width;
}

struct value_range_sums {
    size_t places, steps;
    double equal, expected; /* numbers that are the one before, and how many would be by chance */
};

static struct value_range_sums take_places(const struct value_range_search *s,
                                           const struct bsim_draws *draws) {
    struct value_range_sums sums = {0, 0, 0, 0};
    const struct value_range_number *last = NULL;
    double last_place = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct value_range_number *number = &s->numbers[i];
        double low = at(number, &draws->low), width = at(number, &draws->high) - low + 1;
        last = number->is_first ? NULL : last;
        if (!(width >= 2))
            continue;
        double place = place_of(number, low, width, i);
        s->places[sums.places++] = place;
        if (last != NULL) {
            s->steps[sums.steps++] = place - last_place + (place < last_place);
            sums.equal += number->value == last->value;
            sums.expected += 1 / width;
        }
        last = number;
        last_place = place;
    }
    return sums;
}

/* Of numbers in ranges of more than one; false: these are too few. */
static bool are_uniform(const struct value_range_search *s, const struct bsim_draws *draws) {
    struct value_range_sums sums = take_places(s, draws);
    if (sums.places < NUMBERS_MIN || sums.steps < NUMBERS_MIN / 2 ||
        sums.equal > sums.expected + DEVIATIONS * sqrt(sums.expected) + 1)
        return false;
    return distance_of(s->places, sums.places) <= distance_most(sums.places) &&
           distance_of(s->steps, sums.steps) <= distance_most(sums.steps);
}

static int oddity_of(const struct bsim_bound *bound, bool is_low) {
    bool is_plain = bound->from.beyond == (is_low ? 0 : -1);
    return !is_plain + rises(bound);
}

/* What makes the numbers less likely: wide ranges, and bounds that few programs have (an index is
 * from 0 to n - 1). */
static double unlikeliness(const struct value_range_search *s, const struct bsim_draws *draws) {
    double sum = ODDITY * (oddity_of(&draws->low, true) + oddity_of(&draws->high, false));
    for (size_t i = 0; i < s->count; i++)
        sum += log(at(&s->numbers[i], &draws->high) - at(&s->numbers[i], &draws->low) + 1);
    return sum;
}

/* The likeliest. The upper one is no constant: numbers of ranges that follow nothing have their
 * mean. */
static bool find_bounds(struct bsim_draws *out, const struct value_range_search *s) {
    struct bsim_bound low[BOUNDS_MAX], high[BOUNDS_MAX];
    int low_count = list_bounds(low, s, true), high_count = list_bounds(high, s, false);
    double best = INFINITY;
    for (int i = 0; i < low_count; i++)
        for (int k = 0; k < high_count; k++) {
            struct bsim_draws draws = {.low = low[i], .high = high[k]};
            double here = unlikeliness(s, &draws);
            if (here >= best || !are_uniform(s, &draws))
                continue;
            best = here;
            *out = draws;
        }
    return best < INFINITY;
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

static void add_sums(struct value_range *out, const struct value_range_search *s) {
    double mean = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct value_range_number *number = &s->numbers[i];
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
            if (run_context_compare(&data->key->runs, one->run, other->run) != 0)
                continue;
            if (!same_numbers(one, other))
                return false;
            break; /* which is compared with the next one */
        }
    }
    return true;
}

/* They have it, or in each run only one of them asks. */
static bool ranks_agree(const struct value_data *data, const struct samples *all) {
    enum value_agreement agreement = value_agreement(data->samples, data->sample_count);
    if (agreement != VALUE_AGREEMENT_UNKNOWN)
        return agreement == VALUE_AGREEMENT_ALL;
    int *ranks = xmalloc(((size_t)all->run_count + 1) * sizeof *ranks);
    bool is_one = true;
    for (int i = 0; i < all->run_count; i++)
        ranks[i] = -1;
    for (size_t i = 0; i < data->sample_count; i++) {
        int *rank = &ranks[data->samples[i].run];
        is_one = is_one && (*rank < 0 || *rank == data->samples[i].rank);
        *rank = data->samples[i].rank;
    }
    free(ranks);
    return is_one;
}

static bool find_range(struct value_range *out, const struct value_question *question) {
    const struct value_data *data = question->data;
    *out = (struct value_range){.total = 0};
    if (data->kind != VALUE_INTEGER ||
        !(question->key->once.is_once || ranks_agree(data, question->all)))
        return false;
    struct value_range_search s = {.data = data, .key = question->key};
    const struct sample **samples =
        xmalloc((data->sample_count + 1) * sizeof(const struct sample *));
    s.numbers = xmalloc(NUMBERS_MAX * sizeof *s.numbers);
    s.places = xmalloc(NUMBERS_MAX * sizeof *s.places);
    s.steps = xmalloc(NUMBERS_MAX * sizeof *s.steps);
    take_numbers(&s, question->arena, samples, order_samples(samples, data));
    list_periods(&s);
    bool found = s.count >= NUMBERS_MIN && are_counted(&s) && find_bounds(&out->draws, &s);
    if (found)
        add_sums(out, &s);
    free(samples);
    free(s.numbers);
    free(s.places);
    free(s.steps);
    return found;
}

/* If no formula comes closer than the middle of the range. */
static bool propose(struct value_model *model, struct value_question *question) {
    struct value_range range;
    struct value_formulas formula;
    if (!find_range(&range, question))
        return false;
    value_solve(&formula, question->data);
    if (formula.error * range.total + range.within < RANGE_FACTOR * range.spread)
        return false;
    model->draws = range.draws;
    model->is_drawn = true;
    model->without_recall = model->without_recall || !comes_again(question->data);
    model->error = range.spread / range.total;
    return true;
}

static bool is_taken(const struct value_model *model) {
    return model->is_drawn;
}

/* ---- Text ---- */

static void write_bound(struct str *out, const struct bsim_bound *bound) {
    str_printf(out, " %d %.17g %d %.17g", bound->from.place, bound->from.beyond, bound->draws.place,
               bound->draws.beyond);
}

static void write(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    (void)question;
    write_bound(out, &model->draws.low);
    write_bound(out, &model->draws.high);
    str_addc(out, '\n');
}

static void print_number(struct str *out, struct bsim_number number,
                         const struct value_question *question) {
    if (number.place < 0) {
        str_printf(out, "%g", number.beyond);
        return;
    }
    str_add(out, value_data_name(question->data, question->region, number.place));
    if (number.beyond != 0)
        str_printf(out, " %c %g", number.beyond < 0 ? '-' : '+', fabs(number.beyond));
}

static void print_bound(struct str *out, const struct bsim_bound *bound,
                        const struct value_question *question) {
    print_number(out, bound->from, question);
    if (!rises(bound))
        return;
    str_add(out, " (1 more each time, ");
    print_number(out, bound->draws, question);
    str_add(out, " times)");
}

static void print(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    str_add(out, "any from ");
    print_bound(out, &model->draws.low, question);
    str_add(out, " to ");
    print_bound(out, &model->draws.high, question);
    str_add(out, ", drawn for all ranks");
}

const struct value_candidate value_range_candidate = {"range", propose, is_taken, write, print};

/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_stretch.h. The last step of a run is often cut short by the end time. Where steps are of
 * another length it would be cut short elsewhere, so the curve goes on before it.
 */
#include "model/eval/eval_stretch.h"

#include "model/eval/eval_value.h"

#include <math.h>

#define RATIO_MAX 1e6
#define CUT_SHORT_MIN 4 /* so many numbers there are at least where the last one is left out */

double bsim_stretch_length(const struct bsim_stretch *stretch, const double *vector) {
    double product = 1;
    for (int i = 0; i < stretch->count; i++) {
        double size = vector[stretch->sizes[i].place];
        if (stretch->sizes[i].is_total)
            size *= vector[stretch->ranks];
        product *= pow(size, stretch->sizes[i].exponent);
    }
    return product;
}

/* ---- The curve's end ---- */

static double count_numbers(const struct bsim_value_seen *seen) {
    double count = 0;
    for (int i = 0; i < seen->repeat_count; i++)
        count += seen->repeats[i].times;
    return count;
}

/* The sum of numbers `first` to `end` - 1, counted from 0. */
static double sum_numbers(const struct bsim_value_seen *seen, double first, double end) {
    double sum = 0, at = 0;
    for (int i = 0; i < seen->repeat_count && at < end; i++) {
        double from = fmax(at, first), to = fmin(at + seen->repeats[i].times, end);
        sum += to > from ? (to - from) * seen->repeats[i].number : 0;
        at += seen->repeats[i].times;
    }
    return sum;
}

static void find_end(struct bsim_stretched *out) {
    const struct bsim_value_seen *seen = out->seen;
    double count = count_numbers(seen);
    out->length = out->ratio != 1 && count >= CUT_SHORT_MIN ? count - 1 : count;
    double span = fmax(floor(out->length / 4), 1), begin = fmax(out->length - span, 0);
    if (!out->is_clock) {
        out->rate = sum_numbers(seen, begin, out->length) / (out->length - begin);
        return;
    }
    double end = sum_numbers(seen, out->length - 1, out->length);
    out->rate = begin > 0 ? (end - sum_numbers(seen, begin - 1, begin)) / (out->length - begin) : 0;
}

/* ---- Along the curve ---- */

/* One iteration more. */
static void go_ahead(struct bsim_stretched *s) {
    s->here = s->ahead;
    s->came_by = s->step;
    if (s->taken >= s->length) {
        s->step = s->rate;
        s->ahead = s->here + s->rate;
        return;
    }
    const struct bsim_value_repeat *repeat = &s->seen->repeats[s->repeat];
    s->ahead = s->is_clock ? repeat->number : s->here + repeat->number;
    s->step = s->is_clock ? s->ahead - s->here : repeat->number;
    s->taken++;
    if (++s->used >= repeat->times) {
        s->repeat++;
        s->used = 0;
    }
}

/* A clock's first number stands after one iteration; where it began is where its second step leads
 * back to. */
static double begin_of_clock(const struct bsim_value_seen *seen) {
    double first = sum_numbers(seen, 0, 1);
    return count_numbers(seen) < 2 ? first : 2 * first - sum_numbers(seen, 1, 2);
}

void bsim_stretched_begin(struct bsim_stretched *out, const struct bsim_value_seen *seen,
                          int is_clock, double ratio) {
    *out = (struct bsim_stretched){.seen = seen, .is_clock = is_clock, .ratio = 1};
    if (ratio >= 1 / RATIO_MAX && ratio <= RATIO_MAX)
        out->ratio = ratio;
    find_end(out);
    out->last = out->ahead = is_clock ? begin_of_clock(seen) : 0;
    go_ahead(out);
}

double bsim_stretched_next(struct bsim_stretched *stretched) {
    double x = ++stretched->asked * stretched->ratio;
    while (x >= stretched->at + 1) {
        stretched->at++;
        go_ahead(stretched);
    }
    double now = stretched->here + (x - stretched->at) * (stretched->ahead - stretched->here);
    double step = stretched->ratio == 1 ? stretched->came_by : now - stretched->last;
    stretched->last = now;
    return stretched->is_clock ? now : step;
}

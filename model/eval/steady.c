/* SPDX-License-Identifier: Apache-2.0
 *
 * See steady.h. Iterations are counted from 0; the time of iteration i is times[i + 1] - times[i].
 */
#include "model/eval/steady.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define STANDARD_ERRORS 2.1  /* 95 % of Student, for some twenty degrees of freedom */
#define SIGNIFICANT 3.0      /* standard errors of a slope */
#define PERIODIC_PART 0.05   /* of the squares, that a period may leave unexplained */
#define RELATIVE_NOISE 1e-12 /* below it, differences are those of adding up doubles */

static double time_of(const double *times, int i) {
    return times[i + 1] - times[i];
}

static double mean_of(const double *times, int begin, int end) {
    return (times[end] - times[begin]) / (end - begin);
}

/* Squares of the differences from the mean; those that rounding makes count as none. */
static double squares_of(const double *times, int begin, int end) {
    double mean = mean_of(times, begin, end), sum = 0;
    double rounding = RELATIVE_NOISE * fmax(fabs(times[end]), fabs(mean));
    for (int i = begin; i < end; i++) {
        double difference = time_of(times, i) - mean;
        sum += fabs(difference) > rounding ? difference * difference : 0;
    }
    return sum;
}

static int find_start(const double *times, int count) {
    int best = 0;
    double least = DBL_MAX;
    for (int start = 0; start <= count / 2; start++) {
        double left = count - start;
        double error = squares_of(times, start, count) / (left * left);
        if (error < least * (1 - 1e-9)) {
            least = error;
            best = start;
        }
    }
    return best;
}

/* The mean of the iterations in one phase of the period; they are counted from the start on. */
static double mean_of_phase(const double *times, int start, int count, int period, int phase) {
    double sum = 0;
    int seen = 0;
    for (int i = start + phase; i < count; i += period, seen++)
        sum += time_of(times, i);
    return sum / seen;
}

static double squares_beside_period(const double *times, int start, int count, int period) {
    double sum = 0;
    for (int phase = 0; phase < period; phase++) {
        double mean = mean_of_phase(times, start, count, period, phase);
        for (int i = start + phase; i < count; i += period)
            sum += (time_of(times, i) - mean) * (time_of(times, i) - mean);
    }
    return sum;
}

static int find_period(const double *times, int start, int count) {
    double all = squares_of(times, start, count);
    for (int period = 2; all > 0 && 2 * period <= count - start; period++) {
        int freedom = count - start - period;
        double left = squares_beside_period(times, start, count, period);
        if (left / freedom <= PERIODIC_PART * all / (count - start - 1))
            return period;
    }
    return 1;
}

/* ---- How sure the mean is ---- */

/* Of neighbours, which what is left of a period does not have. */
static double correlation_of(const double *times, int start, int count) {
    double mean = mean_of(times, start, count), sum = 0;
    double squares = squares_of(times, start, count);
    for (int i = start; i + 1 < count; i++)
        sum += (time_of(times, i) - mean) * (time_of(times, i + 1) - mean);
    return squares > 0 ? fmin(fmax(sum / squares, 0), 0.9) : 0;
}

static double error_of_mean(const double *times, int start, int count, int period) {
    double left = count - start;
    double squares = period > 1 ? squares_beside_period(times, start, count, period)
                                : squares_of(times, start, count);
    double r = period > 1 ? 0 : correlation_of(times, start, count);
    double freedom = fmax(left - period, 1);
    return STANDARD_ERRORS * sqrt(squares / freedom / left * (1 + r) / (1 - r));
}

/* What one iteration takes more than the one before it, by least squares; 0: nothing significant.
 * Whole periods only, or their phases would be taken for a slope. */
static double slope_of(const double *times, int start, int count, int period) {
    start += (count - start) % period;
    double n = count - start, mean = mean_of(times, start, count), middle = (n - 1) / 2;
    double products = 0, distances = 0, rest = 0;
    for (int i = start; i < count; i++) {
        double x = i - start - middle;
        products += x * (time_of(times, i) - mean);
        distances += x * x;
    }
    double slope = products / distances;
    for (int i = start; i < count; i++) {
        double y = time_of(times, i) - mean - slope * (i - start - middle);
        rest += y * y;
    }
    double rounding = RELATIVE_NOISE * fabs(times[count]);
    bool is_significant = n > 2 && fabs(slope) * n > rounding &&
                          fabs(slope) > SIGNIFICANT * sqrt(rest / (n - 2) / distances);
    return is_significant ? slope : 0;
}

static double time_of_more(const double *times, const struct bsim_steady *steady, int count,
                           double more) {
    int period = steady->period, seen = count - steady->start;
    double whole = floor(more / period), sum = 0;
    for (int k = 0; k < period; k++) {
        int phase = (seen + k) % period;
        double often = whole + (k < more - whole * period ? 1 : 0);
        sum += often * mean_of_phase(times, steady->start, count, period, phase);
    }
    return sum;
}

int bsim_steady_find(struct bsim_steady *out, const double *times_s, int iterations, double more) {
    if (iterations < BSIM_STEADY_LEAST)
        return -1;
    out->start = find_start(times_s, iterations);
    out->period = find_period(times_s, out->start, iterations);
    out->mean_s = mean_of(times_s, out->start, iterations);
    out->more_s = time_of_more(times_s, out, iterations, more);
    double drift = fabs(slope_of(times_s, out->start, iterations, out->period));
    double distance = (more + iterations - out->start) / 2;
    out->off_s =
        more * (error_of_mean(times_s, out->start, iterations, out->period) + drift * distance);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that feature expressions use: trip counts of loops from their bounds, as the stub of a
 * removed loop passes them along. All in doubles, exact up to 2^53; C89, no library.
 */
#ifndef BSIM_FEATURES_H
#define BSIM_FEATURES_H

/* Iterations of: for (i = first; i < end; i += step), or i > end when step is negative. */
static __inline__ __attribute__((unused)) double bsim_trips(double bsim_first, double bsim_end,
                                                            double bsim_step) {
    double bsim_count = (bsim_end - bsim_first) / bsim_step;
    if (!(bsim_count > 0))
        return 0;
    if (bsim_count < 4503599627370496.0) {
        double bsim_whole = (double)(long long)bsim_count;
        return bsim_whole < bsim_count ? bsim_whole + 1 : bsim_whole;
    }
    return bsim_count;
}

/* The value of the loop variable in the last iteration. */
static __inline__ __attribute__((unused)) double
bsim_last(double bsim_first, double bsim_trip_count, double bsim_step) {
    return bsim_first + (bsim_trip_count - 1) * bsim_step;
}

/* Iterations of: for (i = first; i < end; i *= factor), and the value in the last one. */
static __inline__ __attribute__((unused)) double bsim_doublings(double bsim_first, double bsim_end,
                                                                double bsim_factor) {
    double bsim_count = 0;
    if (!(bsim_factor > 1) || !(bsim_first > 0))
        return bsim_first < bsim_end ? 1 : 0;
    for (; bsim_first < bsim_end; bsim_first *= bsim_factor)
        bsim_count++;
    return bsim_count;
}

static __inline__ __attribute__((unused)) double
bsim_last_doubling(double bsim_first, double bsim_trip_count, double bsim_factor) {
    for (; bsim_trip_count > 1; bsim_trip_count--)
        bsim_first *= bsim_factor;
    return bsim_first;
}

/* Iterations of: for (i = first; i > end; i /= divisor), and the value in the last one; integers.
 */
static __inline__ __attribute__((unused)) double bsim_halvings(double bsim_first, double bsim_end,
                                                               double bsim_divisor) {
    double bsim_count = 0;
    if (!(bsim_divisor > 1))
        return bsim_first > bsim_end ? 1 : 0;
    for (; bsim_first > bsim_end && bsim_count < 64;
         bsim_first = (double)(long long)(bsim_first / bsim_divisor))
        bsim_count++;
    return bsim_count;
}

static __inline__ __attribute__((unused)) double
bsim_last_halving(double bsim_first, double bsim_trip_count, double bsim_divisor) {
    for (; bsim_trip_count > 1; bsim_trip_count--)
        bsim_first = (double)(long long)(bsim_first / bsim_divisor);
    return bsim_first;
}

/* How often something runs that `inner` times follows each of `outer`; inner is not evaluated when
 * outer is zero. */
#define BSIM_TIMES(bsim_outer, bsim_inner)                                                         \
    ((bsim_outer) > 0 ? (double)(bsim_outer) * (double)(bsim_inner) : 0.0)

#endif

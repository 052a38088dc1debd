/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that feature expressions use: trip counts of loops from their bounds, as the stub of a
 * removed loop passes them along; and where a value goes. All in doubles, exact up to 2^53; C89, no
 * library but MPI's where the program calls it.
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

/* Quotients and remainders that the program may never work out: of 0 they are 0, and none traps. */
static __inline__ __attribute__((unused)) long long bsim_quotient(long long bsim_dividend,
                                                                  long long bsim_divisor) {
    return bsim_divisor == 0 || bsim_divisor == -1 ? bsim_divisor * bsim_dividend
                                                   : bsim_dividend / bsim_divisor;
}

static __inline__ __attribute__((unused)) long long bsim_remainder(long long bsim_dividend,
                                                                   long long bsim_divisor) {
    return bsim_divisor == 0 || bsim_divisor == -1 ? 0 : bsim_dividend % bsim_divisor;
}

/* An index that is not used where it lies outside of the array. */
static __inline__ __attribute__((unused)) long bsim_within(long bsim_index, long bsim_count) {
    return bsim_index < 0 ? 0 : bsim_index < bsim_count ? bsim_index : bsim_count - 1;
}

/* Iterations of a loop of which `mpiskel run --set` may change how often it iterates; in stubs
 * only.
 */
#ifdef BSIM_SKELETON
static __inline__ __attribute__((unused)) double bsim_of(int bsim_loop, double bsim_trip_count) {
    return BSIM__HOOK(2) ? bsim__loop_trips(bsim_loop, bsim_trip_count) : bsim_trip_count;
}
#define bsim_trips_of(bsim_loop, ...) bsim_of(bsim_loop, bsim_trips(__VA_ARGS__))
#define bsim_doublings_of(bsim_loop, ...) bsim_of(bsim_loop, bsim_doublings(__VA_ARGS__))
#define bsim_halvings_of(bsim_loop, ...) bsim_of(bsim_loop, bsim_halvings(__VA_ARGS__))
#endif

/* Sums over the iterations of an outer loop, of what depends on its variable: at four of them, with
 * weights that make the sum exact for what is linear in the iteration, but for the last one, which
 * may be the rest of a block. */
static __inline__ __attribute__((unused)) int bsim_knots(double bsim_count) {
    return bsim_count > 4 ? 4 : (int)bsim_count;
}

static __inline__ __attribute__((unused)) double bsim_knot(double bsim_count, int bsim_number) {
    if (bsim_count <= 4)
        return bsim_number;
    return bsim_number == 0   ? 0
           : bsim_number == 1 ? (double)(long long)((bsim_count - 2) / 2)
           : bsim_number == 2 ? bsim_count - 2
                              : bsim_count - 1;
}

static __inline__ __attribute__((unused)) double bsim_weight(double bsim_count, int bsim_number) {
    double bsim_middle = bsim_knot(bsim_count, 1);
    if (bsim_count <= 4)
        return 1;
    return bsim_number == 0   ? (bsim_middle + 1) / 2
           : bsim_number == 1 ? (bsim_count - 2) / 2
           : bsim_number == 2 ? (bsim_count - 1 - bsim_middle) / 2
                              : 1;
}

#define BSIM__SUM(bsim_variable, bsim_value, bsim_first, bsim_trip_count, bsim_step, bsim_inner,   \
                  bsim_many, bsim_at, bsim_share)                                                  \
    (__extension__({                                                                               \
        double bsim_variable##_count = (bsim_trip_count), bsim_variable##_sum = 0;                 \
        int bsim_variable##_k;                                                                     \
        for (bsim_variable##_k = 0; bsim_variable##_k < bsim_many(bsim_variable##_count);          \
             bsim_variable##_k++) {                                                                \
            long bsim_variable = (long)bsim_value(                                                 \
                bsim_first, bsim_at(bsim_variable##_count, bsim_variable##_k) + 1, bsim_step);     \
            (void)bsim_variable;                                                                   \
            bsim_variable##_sum +=                                                                 \
                bsim_share(bsim_variable##_count, bsim_variable##_k) * (double)(bsim_inner);       \
        }                                                                                          \
        bsim_variable##_sum;                                                                       \
    }))
#define BSIM_SUM(bsim_variable, bsim_value, bsim_first, bsim_trip_count, bsim_step, bsim_inner)    \
    BSIM__SUM(bsim_variable, bsim_value, bsim_first, bsim_trip_count, bsim_step, bsim_inner,       \
              bsim_knots, bsim_knot, bsim_weight)

/* The same at all iterations, or, of more than BSIM__MOST, in as many runs of iterations as one has
 * iterations: for what a condition on the loop's variable lets happen in some of them only. `i %
 * ranks == rank` meets four iterations at their whim, and runs of 128 evenly; testing it here costs
 * what it costs in the program. */
#define BSIM__RUN 128
#define BSIM__MOST (BSIM__RUN * BSIM__RUN)
static __inline__ __attribute__((unused)) int bsim_parts(double bsim_count) {
    return bsim_count > BSIM__MOST ? BSIM__MOST : (int)bsim_count;
}

static __inline__ __attribute__((unused)) double bsim_part(double bsim_count, int bsim_number) {
    if (bsim_count <= BSIM__MOST)
        return bsim_number;
    double bsim_apart = (bsim_count - BSIM__RUN) / (BSIM__RUN - 1);
    return (double)(long long)(bsim_number / BSIM__RUN * bsim_apart) + bsim_number % BSIM__RUN;
}

static __inline__ __attribute__((unused)) double bsim_part_weight(double bsim_count,
                                                                  int bsim_number) {
    (void)bsim_number;
    return bsim_count <= BSIM__MOST ? 1 : bsim_count / BSIM__MOST;
}
#define BSIM_SUM_PARTS(bsim_variable, bsim_value, bsim_first, bsim_trip_count, bsim_step,          \
                       bsim_inner)                                                                 \
    BSIM__SUM(bsim_variable, bsim_value, bsim_first, bsim_trip_count, bsim_step, bsim_inner,       \
              bsim_parts, bsim_part, bsim_part_weight)

/* The same at all iterations, for loops of few. */
#define BSIM__ALL(bsim_count) (bsim_count)
#define BSIM__ITSELF(bsim_count, bsim_number) (bsim_number)
#define BSIM__ONCE(bsim_count, bsim_number) 1
#define BSIM_SUM_ALL(bsim_variable, bsim_value, bsim_first, bsim_trip_count, bsim_step,            \
                     bsim_inner)                                                                   \
    BSIM__SUM(bsim_variable, bsim_value, bsim_first, bsim_trip_count, bsim_step, bsim_inner,       \
              BSIM__ALL, BSIM__ITSELF, BSIM__ONCE)

/* How often something runs that `inner` times follows each of `outer`; inner is not evaluated when
 * outer is zero. */
#define BSIM_TIMES(bsim_outer, bsim_inner)                                                         \
    ((bsim_outer) > 0 ? (double)(bsim_outer) * (double)(bsim_inner) : 0.0)

/* As a feature of a vector: which of the numbers that it is told by (vector_shares.h). */
#define BSIM_NUMBER_OF_VECTOR 0

/* -1 if what goes to this peer goes to the rank itself or, as to MPI_PROC_NULL, to none. */
#define BSIM_PLACE(bsim_place, bsim_peer, bsim_comm)                                               \
    (__extension__({                                                                               \
        int bsim_to = (bsim_peer), bsim_rank = -1;                                                 \
        PMPI_Comm_rank((bsim_comm), &bsim_rank);                                                   \
        bsim_to < 0 || bsim_to == bsim_rank ? -1.0 : (double)(bsim_place);                         \
    }))

#endif

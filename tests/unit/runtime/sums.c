/* SPDX-License-Identifier: Apache-2.0
 *
 * BSIM_SUM and BSIM_SUM_ALL give the iterations of nested loops: equal to counting them one by one
 * where the inner loop is triangular, or a block whose last one is cut off; and close for what is
 * quadratic. BSIM_SUM_PARTS is equal where rows are dealt out to ranks in turn, and close for more
 * rows than it looks at. Prints the first difference and ends with 1.
 */
#include "runtime/include/bsim_features.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void check(const char *what, double sum, double counted, double tolerance) {
    if (fabs(sum - counted) <= tolerance * counted)
        return;
    printf("%s: %g instead of %g\n", what, sum, counted);
    failures++;
}

static int least(int left, int right) {
    return left < right ? left : right;
}

static void check_loops(int first, int end, int step) {
    double triangle = 0, blocks = 0, nested = 0, squares = 0;
    for (int i = first; i < end; i += step) {
        triangle += end - i;
        blocks += least(i + step, end) - i;
        for (int k = i; k < end; k++)
            nested += end - k;
        squares += (double)i * i;
    }
    double trips = bsim_trips(first, end, step);
    check("triangle", BSIM_SUM(bsim_i1, bsim_last, first, trips, step, bsim_trips(bsim_i1, end, 1)),
          triangle, 0);
    check("blocks",
          BSIM_SUM(bsim_i1, bsim_last, first, trips, step,
                   bsim_trips(bsim_i1, least((int)bsim_i1 + step, end), 1)),
          blocks, 0);
    check("tetrahedron",
          BSIM_SUM(bsim_i1, bsim_last, first, trips, step,
                   BSIM_SUM(bsim_i2, bsim_last, bsim_i1, bsim_trips(bsim_i1, end, 1), 1,
                            bsim_trips(bsim_i2, end, 1))),
          nested, 0.13);
    check("squares", BSIM_SUM(bsim_i1, bsim_last, first, trips, step, bsim_i1 * bsim_i1), squares,
          0.13);
}

/* The rows of a matrix behind row `first`, dealt out to ranks in turn, of which each has the rest
 * of the columns. */
static void check_turns(int first, int end, int ranks, double tolerance) {
    for (int rank = 0; rank < ranks; rank++) {
        double counted = 0;
        for (int i = first; i < end; i++)
            counted += i % ranks == rank ? end - first : 0;
        check(
            "turns",
            BSIM_SUM_PARTS(bsim_i1, bsim_last, first, bsim_trips(first, end, 1), 1,
                           BSIM_TIMES(bsim_i1 % ranks == rank ? 1 : 0, bsim_trips(first, end, 1))),
            counted, tolerance);
    }
}

static void check_divisions(void) {
    check("quotient", (double)bsim_quotient(17, 5), 3, 0);
    check("quotient of -1", (double)bsim_quotient(17, -1), -17, 0);
    check("quotient of 0", (double)bsim_quotient(17, 0), 0, 0);
    check("remainder", (double)bsim_remainder(17, 5), 2, 0);
    check("remainder of 0", (double)bsim_remainder(17, 0), 0, 0);
}

int main(void) {
    check_divisions();
    for (int ranks = 1; ranks <= 64; ranks *= 2)
        check_turns(3, 1281, ranks, 0);
    check_turns(5, 1000003, 12, 0.05);
    check_turns(0, 100000, 64, 0.05);
    for (int first = 0; first < 4; first++)
        for (int end = 0; end < 70; end++)
            for (int step = 1; step < 9; step++)
                check_loops(first, end, step);
    double powers = BSIM_SUM_ALL(bsim_i1, bsim_last_doubling, 1, bsim_doublings(1, 1000, 2), 2,
                                 bsim_trips(0, bsim_i1, 1));
    check("powers", powers, 1023, 0);
    double halves = BSIM_SUM_ALL(bsim_i1, bsim_last_halving, 100, bsim_halvings(100, 0, 2), 2,
                                 bsim_trips(0, bsim_i1, 1));
    check("halves", halves, 100 + 50 + 25 + 12 + 6 + 3 + 1, 0);
    return failures > 0;
}

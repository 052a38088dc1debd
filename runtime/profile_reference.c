/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast the machine is while a profiling run is made: a loop of multiplications and additions
 * within the first cache, always the same, timed at first and then once for each 30 ms of regions,
 * between them. What others do on a core's second thread, or a lower clock, makes it slower, as it
 * does the program; `fit` compares the runs (model/disturbed.h). On a virtual machine whose host
 * was shared such a loop took 19 or 27 ms, by turns within seconds, and hydro (examples/) 11.4 or
 * 17 ns a cell.
 *
 * No two sums are alike, so that no compiler makes vectors of them: these leave room for others.
 */
#include "runtime/profile.h"

#include <time.h>

#define NUMBERS 256
#define PASSES 3000 /* about 0.3 ms */
#define FIRST_TIMES 8
#define PERIOD_S 0.03

static struct {
    double sum_s, computed_s; /* of the loop; of regions since it was timed */
    volatile double result;   /* so that it is computed */
    int count;
} reference;

static double run_loop(const double *x) {
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < NUMBERS; i += 8) {
            a = a * 0.5 + x[i];
            b = (b + x[i + 1]) * 0.25;
            c = x[i + 2] - c * 0.5;
            d = (d - x[i + 3]) * 0.5;
            e = x[i + 4] * x[i + 5] - e * 0.25;
            f = f * 0.125 + x[i + 5];
            g = (x[i + 6] - g) * 0.5;
            h = h * 0.5 - x[i + 7] * x[i];
        }
    return a + b + c + d + e + f + g + h;
}

static void time_loop(void) {
    static double numbers[NUMBERS];
    struct timespec begin, end;
    for (int i = 0; numbers[NUMBERS - 1] == 0 && i < NUMBERS; i++)
        numbers[i] = 1 + i % 7;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    reference.result = run_loop(numbers);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    reference.sum_s +=
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    reference.count++;
    reference.computed_s = 0;
}

void bsim__reference_start(void) {
    for (int i = 0; i < FIRST_TIMES; i++)
        time_loop();
}

void bsim__reference_computed(double seconds) {
    reference.computed_s += seconds;
    if (reference.computed_s >= PERIOD_S)
        time_loop();
}

double bsim__reference_s(void) {
    return reference.count > 0 ? reference.sum_s / reference.count : 0;
}

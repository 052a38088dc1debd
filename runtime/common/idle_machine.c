/* SPDX-License-Identifier: Apache-2.0
 *
 * What others do on a core's second thread, or a lower clock, makes a program slower, and on a
 * virtual machine nothing tells. On a host that was shared, a loop of multiplications and additions
 * within the first cache took 84 us, or up to half more for 30 to 1000 ms at a time, a tenth to
 * two thirds of all the time; hydro's regions (examples/) took 49 ns a cell, or 50 to 80.
 *
 * BSIM_QUIET=SECONDS: regions of profiling runs, and what an original computes under SMPI behind an
 * MPI call, begin when that loop takes about as long as it does undisturbed. It is timed twice a
 * millisecond at most. A region of a profiling run that took longer than 0.2 ms does not count if
 * the loop is slow behind it, unless no other execution with the same features was better off (on
 * another host disturbances came for 0.1 to 3 ms, 30 % of all time). So what counts is chosen by
 * the loop, and not by how long it takes itself. The process waits for as many seconds at most, all
 * in all. Undisturbed is what BSIM_QUIET_LOOP_S says, or the least that the process itself has
 * seen: of several turns the median, since single ones take a third less than any others now and
 * then.
 *
 * In the loop no two sums are alike, so that no compiler makes vectors of them: these leave room
 * for others.
 */
#include "runtime/common/idle_machine.h"

#include "runtime/common/machine_clock.h"

#include <stdio.h>
#include <stdlib.h>

#define NUMBERS 256
#define TURNS 9 /* of which the median counts */
#define FIRST_MEDIANS 9
#define MOST 1.06       /* an undisturbed loop's time over the least; four of five are within 5 % */
#define IN_SUCCESSION 3 /* quiet loops, after one that was not */
#define PERIOD_S 0.0005
#define WARM_PASSES 20

static struct {
    bool begun, given;
    double patience_s, least_s, last_s; /* `last_s`: when the loop was last timed */
    volatile double result;             /* so that it is computed */
} machine;

static double run_loop(const double *x, int passes) {
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    for (int pass = 0; pass < passes; pass++)
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

double bsim__idle_machine_loop_s(int passes) {
    static double numbers[NUMBERS];
    for (int i = 0; numbers[NUMBERS - 1] == 0 && i < NUMBERS; i++)
        numbers[i] = 1 + i % 7;
    double begin_s = bsim__machine_clock_s(CLOCK_THREAD_CPUTIME_ID);
    machine.result = run_loop(numbers, passes);
    return bsim__machine_clock_s(CLOCK_THREAD_CPUTIME_ID) - begin_s;
}

static int compare_doubles(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

double bsim__median(double *numbers, size_t count) {
    qsort(numbers, count, sizeof numbers[0], compare_doubles);
    return numbers[count / 2];
}

static double median_s(void) {
    double turns[TURNS];
    for (int i = 0; i < TURNS; i++)
        turns[i] = bsim__idle_machine_loop_s(BSIM__IDLE_MACHINE_PASSES);
    return bsim__median(turns, TURNS);
}

static void learn(void) {
    double seconds = median_s();
    if (seconds < machine.least_s || machine.least_s <= 0)
        machine.least_s = seconds;
}

static double setting(const char *name) {
    const char *text = getenv(name);
    if (text == NULL)
        return 0;
    char *end;
    double seconds = strtod(text, &end);
    if (end != text && *end == '\0' && seconds >= 0)
        return seconds;
    fprintf(stderr, "mpiskel: %s=%s is no number of seconds: as if it were not set\n", name, text);
    return 0;
}

static void begin(void) {
    machine.begun = true;
    machine.patience_s = setting("BSIM_QUIET");
    machine.least_s = setting("BSIM_QUIET_LOOP_S");
    machine.given = machine.least_s > 0;
    if (machine.patience_s > 0 && !machine.given)
        for (int i = 0; i < FIRST_MEDIANS; i++)
            learn();
}

static bool is_idle(int loops) {
    for (int i = 0; i < loops; i++)
        if (bsim__idle_machine_loop_s(BSIM__IDLE_MACHINE_PASSES) > MOST * machine.least_s)
            return false;
    return true;
}

void bsim__idle_machine_wait(void) {
    if (!bsim__idle_machine_is_asked())
        return;
    double begin_s = bsim__machine_clock_s(CLOCK_MONOTONIC);
    if (begin_s - machine.last_s < PERIOD_S)
        return;
    bool waited = false;
    for (int loops = 1; !is_idle(loops); loops = IN_SUCCESSION) {
        waited = true;
        if (!machine.given)
            learn();
        if (bsim__machine_clock_s(CLOCK_MONOTONIC) - begin_s > machine.patience_s) {
            fputs(
                "mpiskel: others disturb this machine, and BSIM_QUIET seconds were waited: what is "
                "timed from now on may be too long\n",
                stderr);
            machine.patience_s = 0;
            return;
        }
    }
    machine.last_s = bsim__machine_clock_s(CLOCK_MONOTONIC);
    if (waited)
        machine.patience_s -= machine.last_s - begin_s;
}

bool bsim__idle_machine_is_asked(void) {
    if (!machine.begun)
        begin();
    return machine.patience_s > 0;
}

/* What was timed has evicted the loop and its numbers. */
bool bsim__idle_machine_is_left(void) {
    if (!bsim__idle_machine_is_asked())
        return true;
    bsim__idle_machine_loop_s(WARM_PASSES);
    return is_idle(1);
}

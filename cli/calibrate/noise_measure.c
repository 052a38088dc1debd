/* SPDX-License-Identifier: Apache-2.0
 *
 * See noise_measure.h. A quantum is a few microseconds of multiplications and additions in
 * registers, so that it takes the same time each time, and so short that two interruptions seldom
 * fall into one. Quanta follow each other without a gap, one reading of the clock between them;
 * what a block of them tells is looked at when it is full, which is not measured.
 */
#include "cli/calibrate/noise_measure.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUANTUM_S 5e-6
#define BLOCK 65536 /* a third of a second */
#define TRIALS 200

struct noise_measure_core {
    pthread_t thread;
    int number;
    double seconds;
    struct detours detours;
    volatile double result; /* so that it is computed */
};

static double clock_s(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double work(double x, int turns) {
    for (int i = 0; i < turns; i++)
        x = x * 0.999 + 0.001;
    return x;
}

/* How many turns take a quantum: by the quickest of some trials, which nothing interrupted. */
static int find_turns(struct noise_measure_core *core) {
    int turns = 64;
    for (;;) {
        double least_s = INFINITY;
        for (int i = 0; i < TRIALS; i++) {
            double begin_s = clock_s(CLOCK_MONOTONIC);
            core->result = work(core->result, turns);
            least_s = fmin(least_s, clock_s(CLOCK_MONOTONIC) - begin_s);
        }
        if (least_s >= QUANTUM_S)
            return turns;
        turns *= 2;
    }
}

static void measure_block(struct noise_measure_core *core, double *quanta_s, int turns) {
    double cpu_s = clock_s(CLOCK_THREAD_CPUTIME_ID), begin_s = clock_s(CLOCK_MONOTONIC);
    double last_s = begin_s;
    for (int i = 0; i < BLOCK; i++) {
        core->result = work(core->result, turns);
        double now_s = clock_s(CLOCK_MONOTONIC);
        quanta_s[i] = now_s - last_s;
        last_s = now_s;
    }
    cpu_s = clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu_s;
    core->detours.waited_s += fmax(last_s - begin_s - cpu_s, 0);
    detours_add(&core->detours, quanta_s, BLOCK);
}

static void *measure_core(void *context) {
    struct noise_measure_core *core = context;
    double *quanta_s = xmalloc(BLOCK * sizeof *quanta_s);
    memset(quanta_s, 0, BLOCK * sizeof *quanta_s); /* its pages are there before they are timed */
    int turns = find_turns(core);
    double end_s = clock_s(CLOCK_MONOTONIC) + core->seconds;
    do
        measure_block(core, quanta_s, turns);
    while (clock_s(CLOCK_MONOTONIC) < end_s);
    free(quanta_s);
    return NULL;
}

/* 0, or what went wrong, as errno has it. */
static int start(struct noise_measure_core *core) {
    pthread_attr_t attributes;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(core->number, &own);
    pthread_attr_init(&attributes);
    int result = pthread_attr_setaffinity_np(&attributes, sizeof own, &own);
    if (result == 0)
        result = pthread_create(&core->thread, &attributes, measure_core, core);
    pthread_attr_destroy(&attributes);
    return result;
}

int noise_measure(struct detours *out, int *cores, double seconds, struct arena *arena,
                  struct error *error) {
    cpu_set_t here;
    int count = 0, failure = 0;
    *out = (struct detours){0};
    if (sched_getaffinity(0, sizeof here, &here) != 0)
        return error_set(error, "cannot find out which processors there are: %s", strerror(errno));
    struct noise_measure_core *all =
        ARENA_ARRAY(arena, struct noise_measure_core, (size_t)CPU_COUNT(&here));
    for (int i = 0; i < CPU_SETSIZE && failure == 0; i++)
        if (CPU_ISSET(i, &here)) {
            all[count] = (struct noise_measure_core){.number = i, .seconds = seconds, .result = 1};
            failure = start(&all[count]);
            count += failure == 0;
        }
    for (int i = 0; i < count; i++) {
        pthread_join(all[i].thread, NULL);
        detours_merge(out, &all[i].detours);
        detours_dispose(&all[i].detours);
    }
    *cores = count;
    return failure == 0
               ? 0
               : error_set(error, "cannot start a thread on each processor: %s", strerror(failure));
}

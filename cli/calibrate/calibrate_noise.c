/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate --noise`: how often, and for how long, something interrupts what computes
 * here. Fixed quanta of work are measured on all cores (or an earlier description is read), and
 * what was found is told and written: the description, and with --bundle the machine's row in the
 * store.
 */
#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/calibrate/calibrate.h"
#include "model/store/store_noises.h"
#include "simulator/noise/detours.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Noise measure ---- */

/*
 * Fixed quanta of work on all cores at once, as ranks would compute there, for so many seconds;
 * each core has a thread that stays on it.
 * A quantum is a few microseconds of multiplications and additions in
 * registers, so that it takes the same time each time, and so short that two interruptions seldom
 * fall into one. Quanta follow each other without a gap, one reading of the clock between them;
 * what a block of them tells is looked at when it is full, which is not measured.
 */

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

/* *cores: on how many it was measured; *out is the caller's (detours_dispose), after -1 too. */
static int noise_measure(struct detours *out, int *cores, double seconds, struct arena *arena,
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

/* ---- Calibrate noise ---- */

struct calibrate_noise_command {
    const struct calibrate_options *options;
    struct arena arena;
    struct detours detours;
    struct interruptions found;
    size_t counts[INTERRUPTION_KINDS_MAX]; /* 0: not measured now */
    int cores;
    const char *made, *host, *cpu;
    struct str description;
    struct error error;
};

/* ---- Measuring ---- */

static void describe_machine(struct calibrate_noise_command *command) {
    command->host = calibrate_host(&command->arena);
    command->made = calibrate_now(&command->arena);
    command->cpu = calibrate_processor(&command->arena);
}

static int measure(struct calibrate_noise_command *command) {
    double seconds = command->options->budget_s;
    note("measuring fixed quanta of work on all cores for %g s", seconds);
    if (noise_measure(&command->detours, &command->cores, seconds, &command->arena,
                      &command->error) != 0)
        return -1;
    detours_sum_up(&command->found, command->counts, &command->detours);
    if (interruptions_share(&command->found) <= INTERRUPTIONS_SHARE_MOST)
        return 0;
    return error_set(&command->error,
                     "something else had the cores for more than 90 %% of the time: measure the "
                     "noise while nothing else runs");
}

static int find(struct calibrate_noise_command *command) {
    const char *earlier = command->options->measurements;
    describe_machine(command);
    return earlier != NULL ? interruptions_read(&command->found, earlier, &command->error)
                           : measure(command);
}

/* ---- What comes out ---- */

static void describe(struct calibrate_noise_command *command) {
    struct str *out = &command->description;
    str_printf(out, "# Noise of %s: %s, %s, %s UTC.\n", command->options->machine, command->host,
               command->cpu, command->made);
    str_add(out, "# interruption = INTERVAL COST VARIATION; held: what latencies learned here hold "
                 "of it.\n");
    interruptions_write(out, &command->found);
}

static void print_text(const struct calibrate_noise_command *command) {
    const struct interruptions *found = &command->found;
    printf("%14s %14s %10s %8s %10s\n", "interval, ms", "cost, us", "variation", "share", "seen");
    for (int i = 0; i < found->count; i++) {
        const struct interruption_kind *kind = &found->kinds[i];
        printf("%14.6g %14.4g %10.2f %7.3f%% %10zu\n", 1e3 * kind->interval_s, 1e6 * kind->cost_s,
               kind->variation, 100 * kind->cost_s / kind->interval_s, command->counts[i]);
    }
    printf("\ninterruptions take %.3g %% of the time of a core that computes; latencies that are "
           "learned here hold %.3g %%\n",
           100 * interruptions_share(found), 100 * found->held);
}

static json_t *kinds_to_json(const struct calibrate_noise_command *command) {
    json_t *list = json_array();
    for (int i = 0; i < command->found.count; i++) {
        const struct interruption_kind *kind = &command->found.kinds[i];
        json_array_append_new(list,
                              json_pack("{s:f, s:f, s:f, s:I}", "interval_s", kind->interval_s,
                                        "cost_s", kind->cost_s, "variation", kind->variation,
                                        "seen", (json_int_t)command->counts[i]));
    }
    return list;
}

static void print_json(const struct calibrate_noise_command *command) {
    json_t *report = json_pack(
        "{s:s, s:i, s:s, s:o, s:s, s:s, s:i, s:f, s:f, s:f, s:o}", "format", "mpiskel-noise",
        "version", 1, "machine", command->options->machine, "host", json_any_text(command->host),
        "cpu", command->cpu, "made", command->made, "cores", command->cores, "measured_s",
        command->detours.measured_s, "share", interruptions_share(&command->found), "held",
        command->found.held, "interruptions", kinds_to_json(command));
    json_dumpf(report, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(report);
}

static int keep_in_store(struct calibrate_noise_command *command) {
    const struct calibrate_options *options = command->options;
    struct opened opened;
    if (options->bundle == NULL)
        return 0;
    const struct stored_noise noise = {command->made, command->host, command->cpu,
                                       str_text(&command->description)};
    int result = opened_open(&opened, options->bundle, true, &command->error);
    if (result == 0)
        result = store_write_noise(opened.store, options->machine, &noise, &command->error);
    opened_close(&opened);
    if (result == 0)
        note("kept in %s/store.db with the machine '%s': simulations with its latencies have this "
             "noise, unless --no-noise leaves it out",
             options->bundle, options->machine);
    return result;
}

/* ---- The command ---- */

static int calibrate(struct calibrate_noise_command *command) {
    const char *path = command->options->output;
    if (path == NULL)
        path = arena_printf(&command->arena, "%s.noise", command->options->machine);
    if (calibrate_check_targets(command->options, path, &command->arena, &command->error) != 0 ||
        find(command) != 0)
        return -1;
    describe(command);
    if (command->options->format == OUTPUT_JSON)
        print_json(command);
    else
        print_text(command);
    if (file_write(path, command->description.text, command->description.length, &command->error) !=
            0 ||
        keep_in_store(command) != 0)
        return -1;
    note("written to %s, for `mpiskel run --noise-of %s`", path, path);
    return output_finish(&command->error);
}

int calibrate_noise(const struct calibrate_options *options) {
    struct calibrate_noise_command command = {.options = options};
    arena_init(&command.arena);
    int code = calibrate(&command) == 0 ? EXIT_FINE : EXIT_FAILED;
    if (code == EXIT_FAILED)
        error_print(&command.error);
    detours_dispose(&command.detours);
    str_dispose(&command.description);
    arena_dispose(&command.arena);
    return code;
}

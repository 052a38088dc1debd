/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring messages under the MPI that is calibrated; see network_measure.h.
 *
 * Sizes ascend by a constant factor, each moved by up to half a step in logarithms, so that no
 * regularity of the sizes (powers of two, multiples of a packet) is taken for one of the network.
 * The program is started several times, for what a process has of a node's memory makes a
 * difference that no number of samples in it tells (S. Hunold and A. Carpen-Amarie, "Reproducible
 * MPI benchmarking is still not as easy as you think", TPDS 27(12), 2016). While the program runs
 * its last line of progress is shown. It is ended when nothing new has come from it for much longer
 * than it was given: three times the budget of both pairs, and a minute for starting.
 */
#include "cli/calibrate/network_measure.h"

#include "base/file.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/words.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SIZE_STEP 1.16
#define LARGEST_BYTES (4 << 20)
#define SAMPLES 30 /* of all starts together */
#define SAMPLES_LEAST 6
#define TOLERANCE "0.01"
#define START_S 60
/* From such a round trip on, what several starts would show is lost in it: the memory that a
 * process has makes a message some microseconds slower. */
#define SLOW_S 1e-4
#define SHOWN_BYTES 600 /* of what a failing program said last */

/* ---- The program ---- */

int network_compile(const char *command, const char *program, struct arena *arena,
                    struct error *error) {
    const char *const sources[] = {"benchmark.c", "schedule.c", "timing.c", NULL};
    const struct calibrate_build build = {command, "../lib/mpiskel/network", sources, NULL};
    return calibrate_compile(&build, program, arena, error);
}

void network_arguments(word_list *out, struct arena *arena, double budget_s, int samples, long seed,
                       const double *thresholds, const double *sizes, size_t size_count) {
    vec_push(out, arena_printf(arena, "%g", budget_s));
    vec_push(out, arena_printf(arena, "%d", samples));
    vec_push(out, TOLERANCE);
    vec_push(out, arena_printf(arena, "%ld", seed));
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++)
        vec_push(out, arena_printf(arena, "%.0f", thresholds[place]));
    for (size_t i = 0; i < size_count; i++)
        vec_push(out, arena_printf(arena, "%.0f", sizes[i]));
}

/* From -0.5 to 0.5, the same for each seed on each machine (Knuth's MMIX generator). */
static double jitter(unsigned long long *state) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / (double)(1ULL << 53) - 0.5;
}

static size_t choose_sizes(double *out, double largest, long seed) {
    unsigned long long state = (unsigned long long)seed;
    size_t count = 0;
    jitter(&state);
    for (double size = 1; size < largest; size *= SIZE_STEP) {
        double bytes = round(size * pow(SIZE_STEP, jitter(&state)));
        if (bytes >= 1 && bytes < largest && (count == 0 || bytes > out[count - 1]))
            out[count++] = bytes;
    }
    out[count++] = largest;
    return count;
}

/* For people: `mpirun -np 2`, or the command with {} for the program. */
static const char *started_with(struct arena *arena, const struct calibrate_options *options) {
    return strstr(options->launcher, "{}") != NULL
               ? options->launcher
               : arena_printf(arena, "%s -np %ld", options->launcher, options->ranks);
}

/* ---- Running it ---- */

struct network_measure_watch {
    const char *output;
    pid_t pid;
    double most_s; /* without a word of it */
    time_t end;
    off_t printed_bytes;
    double budget_s;
    long number, launches;
    bool shows, timed_out;
};

/* The last line of progress in the text. */
static void show_progress(struct network_measure_watch *watch, const char *text) {
    const char *last = NULL;
    char place[16];
    int pass = 0, precise = 0, all = 0;
    double seconds = 0;
    for (const char *at = strstr(text, "progress "); at != NULL; at = strstr(at + 1, "progress "))
        if (strchr(at, '\n') != NULL)
            last = at;
    if (last == NULL ||
        sscanf(last, "progress %15s %d %d %d %lf", place, &pass, &precise, &all, &seconds) != 5)
        return;
    status_line_show("messages %s, start %ld of %ld: %d of %d medians known to 1 %%, %.0f of at "
                     "most %.0f s",
                     strcmp(place, "within") == 0 ? "within a node" : "across nodes", watch->number,
                     watch->launches, precise, all, seconds, watch->budget_s);
}

/* Each pass over all sizes is told of: on a busy machine, or in a simulation, all may take long. */
static void extend(struct network_measure_watch *watch) {
    struct stat status;
    if (stat(watch->output, &status) != 0 || status.st_size == watch->printed_bytes)
        return;
    watch->printed_bytes = status.st_size;
    watch->end = time(NULL) + (time_t)watch->most_s;
}

static void on_tick(void *context) {
    struct network_measure_watch *watch = context;
    struct error no_output = {0};
    char *text = NULL;
    extend(watch);
    if (time(NULL) > watch->end && !watch->timed_out) {
        watch->timed_out = true;
        kill(-watch->pid, SIGTERM);
    }
    if (!watch->shows || file_read(&text, NULL, watch->output, &no_output) != 0)
        return;
    show_progress(watch, text);
    free(text);
}

/* What it said last, on both streams, in the arena. */
static const char *last_words(struct arena *arena, const char *output, const char *log) {
    struct str text = {0};
    const char *const files[] = {output, log};
    for (size_t i = 0; i < 2; i++) {
        struct error none = {0};
        char *part = NULL;
        size_t length = 0;
        if (file_read(&part, &length, files[i], &none) == 0)
            str_add(&text, length > SHOWN_BYTES ? part + length - SHOWN_BYTES : part);
        free(part);
    }
    return str_into(arena, &text);
}

static int check_end(const struct network_measure_watch *watch, const struct process_result *result,
                     const char *launcher, const char *log, struct arena *arena,
                     struct error *error) {
    if (process_interrupted())
        return error_set(error, "interrupted");
    if (watch->timed_out)
        return error_set(error,
                         "'%s' did not end in time and was stopped; do its ranks find each other, "
                         "and has each a processor?",
                         launcher);
    if (result->exit_code == 0)
        return 0;
    const char *said = last_words(arena, watch->output, log);
    const char *hint = "";
    if (strstr(said, "run as root") != NULL || strstr(said, "running as root") != NULL ||
        strstr(said, "Running as root") != NULL)
        hint = "; Open MPI runs as root with OMPI_ALLOW_RUN_AS_ROOT=1 and "
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 in the environment";
    else if (strstr(said, "not enough slots") != NULL)
        hint = "; --launcher 'mpirun --oversubscribe' starts more ranks than there are slots, but "
               "ranks that share a processor are not worth measuring";
    return error_set(error, "'%s' failed with exit code %d%s\n%s", launcher, result->exit_code,
                     hint, said);
}

/* What is asked for in one start of the program. */
struct network_measure_launch {
    const char *program, *output, *log;
    long number; /* from 0 */
    double budget_s;
    double thresholds[MESSAGE_PLACE_COUNT];
    const double *sizes;
    size_t size_count;
};

static int start(const char *const argv[], const struct calibrate_options *options,
                 const struct network_measure_launch *launch, struct arena *arena,
                 struct error *error) {
    struct process_options streams = {.stdout_file = launch->output, .stderr_file = launch->log};
    struct process_result result;
    struct network_measure_watch watch = {.output = launch->output,
                                          .number = launch->number + 1,
                                          .launches = options->launches,
                                          .most_s =
                                              START_S + 3 * MESSAGE_PLACE_COUNT * launch->budget_s,
                                          .budget_s = launch->budget_s,
                                          .shows = !options->no_progress && isatty(STDERR_FILENO)};
    watch.end = time(NULL) + (time_t)watch.most_s;
    if (process_start(&watch.pid, argv, &streams, error) != 0)
        return -1;
    int status = process_wait(&result, watch.pid, on_tick, &watch, error);
    status_line_hide();
    if (status != 0)
        return -1;
    return check_end(&watch, &result, options->launcher, launch->log, arena, error);
}

static void add_program(word_list *out, const struct network_measure_launch *launch,
                        const struct calibrate_options *options, struct arena *arena) {
    int samples = SAMPLES / (int)options->launches;
    vec_push(out, launch->program);
    network_arguments(
        out, arena, launch->budget_s, samples > SAMPLES_LEAST ? samples : SAMPLES_LEAST,
        options->seed + launch->number, launch->thresholds, launch->sizes, launch->size_count);
}

static int run(const struct network_measure_launch *launch, const struct calibrate_options *options,
               struct arena *arena, struct error *error) {
    const char *const *launcher = NULL;
    size_t count = 0, place = 0;
    word_list line = {0};
    if (words_split(&launcher, &count, arena, options->launcher, error) != 0)
        return -1;
    if (count == 0)
        return error_set(error, "--launcher is empty: what starts MPI programs here?");
    while (place < count && strcmp(launcher[place], "{}") != 0)
        place++;
    for (size_t i = 0; i < place; i++)
        vec_push(&line, launcher[i]);
    if (place == count) {
        vec_push(&line, "-np");
        vec_push(&line, arena_printf(arena, "%ld", options->ranks));
    }
    add_program(&line, launch, options, arena);
    for (size_t i = place + 1; i < count; i++)
        vec_push(&line, launcher[i]);
    vec_push(&line, NULL);
    int status = start(line.items, options, launch, arena, error);
    vec_dispose(&line);
    return status;
}

static int read_output(struct messages *out, const struct network_measure_launch *launch,
                       struct error *error) {
    char *text = NULL;
    if (file_read(&text, NULL, launch->output, error) != 0)
        return -1;
    int status = messages_parse(out, text, error);
    free(text);
    return status;
}

static bool is_slow(const struct messages *messages) {
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++)
        if (messages->pairs[place].measured &&
            messages->pairs[place].kinds[MESSAGE_PINGPONG].items[0].median_s < SLOW_S)
            return false;
    return true;
}

static int run_one(struct messages *out, struct network_measure_launch *launch,
                   const struct calibrate_options *options, struct arena *arena,
                   struct error *error) {
    int status = run(launch, options, arena, error);
    launch->number++;
    return status == 0 ? read_output(out, launch, error) : status;
}

/* One start has all the time that is left: it reaches larger messages than several short ones, and
 * so a threshold that the first one did not see. */
static int run_slow(struct messages *out, struct network_measure_launch *launch,
                    const struct calibrate_options *options, struct arena *arena,
                    struct error *error) {
    launch->budget_s = options->budget_s - launch->budget_s;
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++)
        launch->thresholds[place] = -1;
    return run_one(out, launch, options, arena, error);
}

static int run_rest(struct messages *all, size_t *done, struct network_measure_launch *launch,
                    const struct calibrate_options *options, struct arena *arena,
                    struct error *error) {
    int status = 0;
    while (*done < (size_t)options->launches && status == 0) {
        status = run_one(&all[*done], launch, options, arena, error);
        *done += status == 0;
    }
    return status;
}

/* The first start searches for the thresholds, which the others take over. */
static int run_all(struct messages *out, struct network_measure_launch *launch,
                   const struct calibrate_options *options, struct arena *arena,
                   struct error *error) {
    struct messages *all = ARENA_ARRAY(arena, struct messages, (size_t)options->launches);
    launch->budget_s = options->budget_s / (double)options->launches;
    if (run_one(&all[0], launch, options, arena, error) != 0)
        return -1;
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++)
        launch->thresholds[place] =
            all[0].pairs[place].measured ? all[0].pairs[place].threshold_bytes : 1;
    size_t done = 1;
    bool slow = options->launches > 1 && is_slow(&all[0]);
    int status = slow ? run_slow(out, launch, options, arena, error)
                      : run_rest(all, &done, launch, options, arena, error);
    if (status == 0 && !slow)
        messages_merge(out, all, done);
    for (size_t i = 0; i < done; i++)
        messages_dispose(&all[i]);
    return status;
}

/* ---- What is known besides ---- */

static void note_left_out(const struct messages *messages, double largest) {
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++) {
        const struct message_points *trips = &messages->pairs[place].kinds[MESSAGE_PINGPONG];
        if (trips->count > 0 && trips->items[trips->count - 1].bytes < largest)
            note("messages of more than %.0f bytes take too long here for --time and are taken as "
                 "that one by byte; a longer --time measures them",
                 trips->items[trips->count - 1].bytes);
    }
}

static void describe(struct messages *out, const struct calibrate_options *options,
                     struct arena *arena) {
    out->machine = arena_strdup(&out->arena, options->machine);
    out->host = calibrate_host(&out->arena);
    out->cpu = calibrate_processor(&out->arena);
    out->launcher = arena_strdup(&out->arena, started_with(arena, options));
    out->made = calibrate_now(&out->arena);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    out->cores = cores > 0 ? (int)cores : 1;
}

int network_measure(struct messages *out, const struct calibrate_options *options,
                    const char *directory, struct arena *arena, struct error *error) {
    double sizes[MESSAGE_POINTS_MAX];
    double largest = options->largest > 0 ? (double)options->largest : LARGEST_BYTES;
    const char *compiler = options->compiler != NULL ? options->compiler : "mpicc";
    struct network_measure_launch launch = {.program = path_join(arena, directory, "benchmark"),
                                            .output = path_join(arena, directory, "output"),
                                            .log = path_join(arena, directory, "log"),
                                            .thresholds = {-1, -1},
                                            .sizes = sizes,
                                            .size_count =
                                                choose_sizes(sizes, largest, options->seed)};
    if (network_compile(compiler, launch.program, arena, error) != 0)
        return -1;
    note("measuring messages with '%s', %ld times, for at most %g s per pair of ranks",
         started_with(arena, options), options->launches, options->budget_s);
    if (run_all(out, &launch, options, arena, error) != 0)
        return -1;
    note_left_out(out, largest);
    describe(out, options, arena);
    return 0;
}

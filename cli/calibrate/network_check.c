/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulating measurements; see network_check.h. One simulation per pair: two ranks on one host, or
 * on two. There is no noise under SMPI, so one sample of each kind and size is enough.
 */
#include "cli/calibrate/network_check.h"

#include "base/file.h"
#include "base/numbers.h"
#include "cli/calibrate/network_measure.h"
#include "simulator/run/launch.h"
#include "simulator/run/outcome.h"
#include "simulator/run/placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_S 1e9
/* Reading the clock costs so much; the program subtracts it, and waits by reading it. */
#define CLOCK_SETTING "smpi/wtime:1e-07"

struct check {
    const struct messages *measured;
    const char *description_file, *directory, *program;
    struct arena *arena;
    struct error *error;
};

/* Two ranks on one host, or on two: where one node is all that is described, its cores are hosts.
 */
static struct placement_options place_ranks(const struct check *check, enum message_place place) {
    struct placement_options options = placement_options_default();
    options.ranks = 2;
    options.ranks_per_host =
        place == MESSAGE_WITHIN && check->measured->pairs[MESSAGE_ACROSS].measured ? 2 : 1;
    options.network = check->description_file;
    vec_push(&options.settings, CLOCK_SETTING);
    return options;
}

static void add_arguments(word_list *out, const struct check *check, enum message_place place) {
    const struct message_pair *pair = &check->measured->pairs[place];
    const struct message_points *trips = &pair->kinds[MESSAGE_PINGPONG];
    const double thresholds[] = {pair->threshold_bytes, pair->threshold_bytes};
    double *sizes = ARENA_ARRAY(check->arena, double, trips->count);
    for (size_t i = 0; i < trips->count; i++)
        sizes[i] = trips->items[i].bytes;
    network_arguments(out, check->arena, LONGEST_S, 1, 1, thresholds, sizes, trips->count);
}

static int launch(struct launch_result *out, const struct check *check, enum message_place place,
                  const char *directory) {
    struct placement placement;
    struct outcome outcome;
    struct placement_options options = place_ranks(check, place);
    word_list arguments = {0};
    add_arguments(&arguments, check, place);
    struct launch launch = {.program = check->program,
                            .arguments = (char *const *)arguments.items,
                            .argument_count = arguments.count,
                            .work_directory = directory,
                            .output = OUTPUT_TO_LOG};
    int result = placement_prepare(&placement, &options, directory, check->arena, check->error);
    if (result == 0) {
        placement_apply(&launch, &placement, &options);
        result = launch_run(out, &launch, check->arena, check->error);
    }
    placement_options_dispose(&options);
    vec_dispose(&arguments);
    if (result != 0 || out->process.exit_code == 0)
        return result;
    outcome_read(&outcome, out, false);
    return error_set(check->error, "the measurements could not be simulated: %s", outcome.text);
}

/* Takes the pair over from what one simulation printed, which has no other one. */
static int read_pair(struct messages *out, const struct check *check, enum message_place place,
                     const char *log) {
    struct messages one;
    char *text = NULL;
    if (file_read(&text, NULL, log, check->error) != 0)
        return -1;
    int result = messages_parse(&one, text, check->error);
    free(text);
    if (result != 0)
        return -1;
    out->pairs[place] =
        one.pairs[one.pairs[MESSAGE_WITHIN].measured ? MESSAGE_WITHIN : MESSAGE_ACROSS];
    for (int kind = 0; kind < MESSAGE_KIND_COUNT; kind++) {
        struct message_points *points = &out->pairs[place].kinds[kind];
        struct message_point *copy = ARENA_ARRAY(&out->arena, struct message_point, points->count);
        if (points->count > 0)
            memcpy(copy, points->items, points->count * sizeof *copy);
        points->items = copy;
    }
    messages_dispose(&one);
    return 0;
}

static int simulate_pair(struct messages *out, const struct check *check,
                         enum message_place place) {
    struct launch_result result;
    const char *directory = path_join(check->arena, check->directory, message_place_name(place));
    if (directory_make(directory, check->error) != 0 ||
        launch(&result, check, place, directory) != 0)
        return -1;
    return read_pair(out, check, place, result.log_file);
}

int network_simulate(struct messages *out, const struct messages *measured,
                     const char *description_file, const char *directory, struct arena *arena,
                     struct error *error) {
    const struct check check = {measured,  description_file,
                                directory, path_join(arena, directory, "simulated"),
                                arena,     error};
    *out = (struct messages){.machine = "", .host = "", .cpu = "", .launcher = "", .made = ""};
    arena_init(&out->arena);
    int result = network_compile("smpicc", check.program, arena, error);
    for (int place = 0; place < MESSAGE_PLACE_COUNT && result == 0; place++)
        if (measured->pairs[place].measured)
            result = simulate_pair(out, &check, (enum message_place)place);
    if (result != 0)
        messages_dispose(out);
    return result;
}

/* ---- Errors ---- */

double message_error(const struct message_point *measured, const struct message_point *predicted) {
    if (measured->median_s <= 0)
        return predicted->median_s > 0 ? INFINITY : 0;
    return predicted->median_s / measured->median_s - 1;
}

typedef VEC(double) number_list;

static void add_errors(struct message_errors *out, number_list *list,
                       const struct message_points *measured,
                       const struct message_points *predicted) {
    for (size_t i = 0; i < measured->count; i++) {
        const struct message_point *point = &measured->items[i];
        const struct message_point *other = messages_find(predicted, point->bytes);
        if (other == NULL)
            continue;
        double error = fabs(message_error(point, other));
        if (out->count == 0 || error > out->worst) {
            out->worst = error;
            out->worst_bytes = point->bytes;
        }
        out->count++;
        vec_push(list, error);
    }
}

static void finish_errors(struct message_errors *out, number_list *list) {
    if (list->count > 0)
        out->median = numbers_median(list->items, list->count);
    vec_dispose(list);
}

struct message_errors message_errors_of(const struct message_points *measured,
                                        const struct message_points *predicted) {
    struct message_errors errors = {0};
    number_list list = {0};
    add_errors(&errors, &list, measured, predicted);
    finish_errors(&errors, &list);
    return errors;
}

/* Of one kind; 0: there is nothing to compare. Half of a normal distribution is within 0.67
 * deviations: sizes that were disturbed do not count for more than others. */
static double deviation_of(const struct message_points *measured,
                           const struct message_points *predicted) {
    number_list list = {0};
    for (size_t i = 0; i < measured->count; i++) {
        const struct message_point *other = messages_find(predicted, measured->items[i].bytes);
        double ratio = other != NULL ? 1 + message_error(&measured->items[i], other) : 0;
        if (ratio > 0 && isfinite(ratio))
            vec_push(&list, fabs(log(ratio)));
    }
    double deviation = list.count > 0 ? numbers_median(list.items, list.count) / 0.6745 : 0;
    vec_dispose(&list);
    return deviation;
}

double message_deviation(const struct messages *measured, const struct messages *predicted) {
    static const enum message_kind transfers[] = {MESSAGE_PINGPONG, MESSAGE_EXCHANGE,
                                                  MESSAGE_STREAM, MESSAGE_RING};
    int place = measured->pairs[MESSAGE_ACROSS].measured ? MESSAGE_ACROSS : MESSAGE_WITHIN;
    double squares = 0, count = 0;
    for (size_t i = 0; i < sizeof transfers / sizeof *transfers; i++) {
        double deviation = deviation_of(&measured->pairs[place].kinds[transfers[i]],
                                        &predicted->pairs[place].kinds[transfers[i]]);
        squares += deviation * deviation;
        count += deviation > 0;
    }
    return count > 0 ? sqrt(squares / count) : 0;
}

struct message_errors message_errors_overall(const struct messages *measured,
                                             const struct messages *predicted) {
    struct message_errors errors = {0};
    number_list list = {0};
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++)
        add_errors(&errors, &list, &measured->pairs[place].kinds[MESSAGE_PINGPONG],
                   &predicted->pairs[place].kinds[MESSAGE_PINGPONG]);
    finish_errors(&errors, &list);
    return errors;
}

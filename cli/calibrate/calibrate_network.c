/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate --network`: messages are measured (or an earlier measurement is read), SMPI's
 * parameters are fitted to them, the description with these is used to simulate the same
 * measurements, and all is told and written: the description, the measurements beside it, and with
 * --bundle the machine's row in the store.
 */
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/calibrate/calibrate.h"
#include "cli/calibrate/network_check.h"
#include "cli/calibrate/network_measure.h"
#include "model/network/network_fit.h"
#include "model/store/store_networks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What a calibration of the network found, as text for people and as JSON; and as a network
 * description (docs/how-to/calibrate.md).
 * In text, round trips are shown at sizes about a factor of four apart; JSON has all of them. */

struct network_report {
    const struct messages *measured, *predicted; /* predicted NULL: not simulated yet */
    const struct network_fit *fit;
};

#define ROW_STEP 3.5
#define LATENCY_PER_LINK 0.5 /* two links lie between two hosts at one switch */

/* What is not fitted shows what the model cannot do. */
static bool is_fitted(const struct network_fit *fit, enum message_kind kind) {
    return kind != MESSAGE_STREAM && kind != MESSAGE_RING &&
           (kind != MESSAGE_EXCHANGE || fit->place == MESSAGE_WITHIN);
}

/* SMPI has no receive overhead for messages that wait for the receiver. */
static const char *const kind_meanings[MESSAGE_KIND_COUNT] = {
    "half a round trip",     "MPI_Send, receiver busy", "MPI_Recv, message there", "MPI_Isend",
    "both at the same time", "many in a row",           "three nodes in a circle"};

static const char *place_words(enum message_place place) {
    return place == MESSAGE_WITHIN ? "within a node" : "across nodes";
}

/* ---- Text ---- */

static void print_segments(const char *name, const struct segments *segments, double envelope) {
    for (size_t i = 0; segments->items != NULL && i < segments->count; i++) {
        const struct segment *segment = &segments->items[i];
        double from = i == 0 ? 0 : fmax(floor(segment->from) + 1 - envelope, 0);
        printf("%-18s %10.0f %12.4g %14.4g", i == 0 ? name : "", from,
               1e6 * (segment->base + segment->slope * envelope), 1e9 * segment->slope);
        if (segment->slope > 0)
            printf(" %9.3g GB/s\n", 1e-9 / segment->slope);
        else
            printf("\n");
    }
}

static void print_parameters(const struct network_fit *fit) {
    printf("fitted to what was measured %s; messages from %.0f bytes on wait for the receiver\n",
           place_words(fit->place), fit->threshold_bytes);
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++)
        if (fit->links[place].known)
            printf("latency %.4g us, bandwidth %.4g GB/s %s\n", 1e6 * fit->links[place].latency_s,
                   1e-9 * fit->links[place].bandwidth_bytes_per_s,
                   place_words((enum message_place)place));
    if (fit->shared_bandwidth_bytes_per_s > 0)
        printf("bandwidth %.4g GB/s that all messages share\n",
               1e-9 * fit->shared_bandwidth_bytes_per_s);
    printf("\n%-18s %10s %12s %14s\n", "costs", "from bytes", "base, us", "per byte, ns");
    print_segments("send overhead", &fit->send, 0);
    print_segments("isend overhead", &fit->isend, 0);
    print_segments("receive overhead", &fit->receive, 0);
    print_segments("transfer", &fit->transfer, SMPI_ENVELOPE_BYTES);
}

static void print_trips(const struct message_points *measured,
                        const struct message_points *predicted, enum message_place place) {
    double next = 0;
    printf("\n%-12s %14s %14s %8s   half a round trip %s\n", "bytes", "measured, us",
           "predicted, us", "error", place_words(place));
    for (size_t i = 0; i < measured->count; i++) {
        const struct message_point *point = &measured->items[i];
        const struct message_point *other = messages_find(predicted, point->bytes);
        if (other == NULL || (point->bytes < next && i + 1 < measured->count))
            continue;
        printf("%-12.0f %14.4g %14.4g %+7.1f%%\n", point->bytes, 1e6 * point->median_s,
               1e6 * other->median_s, 100 * message_error(point, other));
        next = ROW_STEP * point->bytes;
    }
}

static void print_errors(const struct network_report *report, enum message_place place) {
    const struct message_pair *measured = &report->measured->pairs[place];
    const struct message_pair *predicted = &report->predicted->pairs[place];
    printf("\n%-10s %6s %13s %14s %10s   %s\n", "kind", "sizes", "median error", "largest error",
           "at bytes", place_words(place));
    for (int kind = 0; kind < MESSAGE_KIND_COUNT; kind++) {
        struct message_errors errors =
            message_errors_of(&measured->kinds[kind], &predicted->kinds[kind]);
        if (errors.count > 0)
            printf("%-10s %6zu %12.1f%% %13.1f%% %10.0f   %s%s\n",
                   message_kind_name((enum message_kind)kind), errors.count, 100 * errors.median,
                   100 * errors.worst, errors.worst_bytes, kind_meanings[kind],
                   is_fitted(report->fit, (enum message_kind)kind) ? "" : " (not fitted)");
    }
}

static void network_report_print(const struct network_report *report) {
    print_parameters(report->fit);
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++) {
        if (!report->measured->pairs[place].measured)
            continue;
        print_trips(&report->measured->pairs[place].kinds[MESSAGE_PINGPONG],
                    &report->predicted->pairs[place].kinds[MESSAGE_PINGPONG],
                    (enum message_place)place);
        print_errors(report, (enum message_place)place);
    }
    struct message_errors all = message_errors_overall(report->measured, report->predicted);
    printf(
        "\nits own round trips are predicted with a median error of %.1f %%, at most %.1f %% (%.0f "
        "bytes)\nmessages of all kinds are off by %.2g %% (a standard deviation), which intervals "
        "of predictions take from it\n",
        100 * all.median, 100 * all.worst, all.worst_bytes,
        100 * message_deviation(report->measured, report->predicted));
}

/* ---- JSON ---- */

static json_t *segments_to_json(const struct segments *segments) {
    json_t *list = json_array();
    for (size_t i = 0; segments->items != NULL && i < segments->count; i++)
        json_array_append_new(list, json_pack("{s:f, s:f, s:f}", "above_bytes",
                                              fmax(floor(segments->items[i].from), 0), "base_s",
                                              segments->items[i].base, "per_byte_s",
                                              segments->items[i].slope));
    return list;
}

static json_t *kind_to_json(const struct message_points *measured,
                            const struct message_points *predicted) {
    struct message_errors errors = message_errors_of(measured, predicted);
    json_t *points = json_array();
    for (size_t i = 0; i < measured->count; i++) {
        const struct message_point *point = &measured->items[i];
        const struct message_point *other = messages_find(predicted, point->bytes);
        json_array_append_new(
            points, json_pack("{s:I, s:f, s:f, s:f, s:I, s:o}", "bytes", (json_int_t)point->bytes,
                              "measured_s", point->median_s, "low_s", point->low_s, "high_s",
                              point->high_s, "samples", (json_int_t)point->samples, "predicted_s",
                              other != NULL ? json_real(other->median_s) : json_null()));
    }
    return json_pack("{s:f, s:f, s:I, s:o}", "median_error", errors.median, "largest_error",
                     errors.worst, "largest_error_bytes", (json_int_t)errors.worst_bytes, "points",
                     points);
}

static json_t *pair_to_json(const struct network_report *report, enum message_place place) {
    const struct network_link *link = &report->fit->links[place];
    json_t *object =
        json_pack("{s:f}", "threshold_bytes", report->measured->pairs[place].threshold_bytes);
    if (link->known) {
        json_object_set_new(object, "latency_s", json_real(link->latency_s));
        json_object_set_new(object, "bandwidth_bytes_per_s",
                            json_real(link->bandwidth_bytes_per_s));
    }
    for (int kind = 0; kind < MESSAGE_KIND_COUNT; kind++)
        json_object_set_new(object, message_kind_name((enum message_kind)kind),
                            kind_to_json(&report->measured->pairs[place].kinds[kind],
                                         &report->predicted->pairs[place].kinds[kind]));
    return object;
}

static void network_report_print_json(const struct network_report *report) {
    const struct network_fit *fit = report->fit;
    const struct messages *measured = report->measured;
    struct message_errors all = message_errors_overall(measured, report->predicted);
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:s, s:f, s:o, s:o, s:o, s:o}",
        "format", "mpiskel-calibration", "version", 1, "machine", measured->machine, "host",
        measured->host, "cpu", measured->cpu, "launcher", measured->launcher, "made",
        measured->made, "median_error", all.median, "largest_error", all.worst, "deviation",
        message_deviation(measured, report->predicted), "shared_bandwidth_bytes_per_s",
        fit->shared_bandwidth_bytes_per_s, "fitted_to", message_place_name(fit->place),
        "eager_threshold_bytes", fit->threshold_bytes, "send_overhead",
        segments_to_json(&fit->send), "isend_overhead", segments_to_json(&fit->isend),
        "receive_overhead", segments_to_json(&fit->receive), "transfer",
        segments_to_json(&fit->transfer));
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++)
        if (measured->pairs[place].measured)
            json_object_set_new(root, message_place_name((enum message_place)place),
                                pair_to_json(report, (enum message_place)place));
    json_dumpf(root, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(root);
}

/* ---- The description ---- */

static void add_comments(struct str *out, const struct network_report *report) {
    const struct messages *measured = report->measured;
    str_printf(out, "# Measured by `mpiskel calibrate --network` on %s, %s UTC, with '%s'.\n",
               measured->host, measured->made, measured->launcher);
    if (report->predicted != NULL) {
        struct message_errors all = message_errors_overall(measured, report->predicted);
        str_printf(out,
                   "# It predicts the measured round trips with a median error of %.1f %%, at "
                   "most %.1f %%.\n",
                   100 * all.median, 100 * all.worst);
    }
    if (report->fit->place == MESSAGE_WITHIN)
        str_add(out,
                "# Only ranks on one node were measured: a host is a core of it, and the backbone "
                "its memory.\n");
}

static void add_text(struct str *out, const char *key, const struct segments *segments) {
    if (segments->items == NULL)
        return;
    str_printf(out, "%s = ", key);
    struct str value = {0};
    network_fit_overhead(&value, segments);
    str_printf(out, "%s\n", str_text(&value));
    str_dispose(&value);
}

static void add_factors(struct str *out, const struct network_fit *fit) {
    struct str latency = {0}, bandwidth = {0};
    network_fit_latency_factor(&latency, fit);
    network_fit_bandwidth_factor(&bandwidth, fit);
    str_printf(out, "latency-factor = %s\nbandwidth-factor = %s\n", str_text(&latency),
               str_text(&bandwidth));
    str_dispose(&latency);
    str_dispose(&bandwidth);
}

static void add_link(struct str *out, const char *prefix, const struct network_link *link,
                     double share) {
    if (link->known)
        str_printf(out, "%slatency = %.6gns\n%sbandwidth = %.6gGBps\n", prefix,
                   1e9 * share * link->latency_s, prefix, 1e-9 * link->bandwidth_bytes_per_s);
}

/* Each core with a link of its own, so that what a rank sends goes one after the other, and what
 * they share is the backbone. */
static void add_node(struct str *out, const struct network_report *report) {
    const struct network_fit *fit = report->fit;
    const struct network_link *link = &fit->links[MESSAGE_WITHIN];
    double shared = fit->shared_bandwidth_bytes_per_s;
    bool limited = shared > 0;
    str_printf(out, "topology = %s\nhosts = %d\ncores = 1\n", limited ? "backbone" : "switch",
               report->measured->cores > 1 ? report->measured->cores : 2);
    add_link(out, "", link, LATENCY_PER_LINK);
    if (limited)
        str_printf(out, "backbone-latency = 0ns\nbackbone-bandwidth = %.6gGBps\n", 1e-9 * shared);
    add_link(out, "memory-", link, 1);
}

static void add_nodes(struct str *out, const struct network_report *report) {
    str_printf(out, "topology = switch\ncores = %d\n", report->measured->cores);
    add_link(out, "", &report->fit->links[MESSAGE_ACROSS], LATENCY_PER_LINK);
    add_link(out, "memory-", &report->fit->links[MESSAGE_WITHIN], 1);
}

/* The description, for `run --network FILE`. */
static void network_describe(struct str *out, const struct network_report *report) {
    const struct network_fit *fit = report->fit;
    add_comments(out, report);
    str_printf(out, "title = %s, calibrated\n", report->measured->machine);
    if (fit->place == MESSAGE_WITHIN)
        add_node(out, report);
    else
        add_nodes(out, report);
    str_printf(out, "eager-threshold = %.0f\n", fit->threshold_bytes);
    if (fit->place == MESSAGE_ACROSS)
        str_printf(out, "acknowledgements = %s\nconnections = ordered\n",
                   fit->acknowledges ? "tcp" : "none");
    double deviation =
        report->predicted != NULL ? message_deviation(report->measured, report->predicted) : 0;
    if (deviation > 0)
        str_printf(out, "error = %.2g%%\n", 100 * deviation);
    add_text(out, "send-overhead", &fit->send);
    add_text(out, "isend-overhead", &fit->isend);
    add_text(out, "receive-overhead", &fit->receive);
    add_factors(out, fit);
}

#define GOOD_ERROR 0.05

struct calibrate_network_command {
    const struct calibrate_options *options;
    const char *directory; /* temporary */
    struct arena arena;
    struct messages measured, predicted;
    struct network_fit fit;
    struct str description;
    bool has_measured, has_predicted, has_fit;
    struct error error;
};

static int take_measurements(struct calibrate_network_command *command, const char *path) {
    const struct calibrate_options *options = command->options;
    int result = 0;
    if (options->measurements != NULL)
        result = messages_read(&command->measured, options->measurements, &command->error);
    else
        result = network_measure(&command->measured, options, command->directory, &command->arena,
                                 &command->error);
    command->has_measured = result == 0;
    if (result != 0 || options->measurements != NULL || output_file_is_kept(path))
        return result;
    return messages_write(&command->measured, arena_printf(&command->arena, "%s.messages", path),
                          &command->error);
}

static struct network_report report_of(struct calibrate_network_command *command) {
    return (struct network_report){.measured = &command->measured,
                                   .predicted = command->has_predicted ? &command->predicted : NULL,
                                   .fit = &command->fit};
}

static int write_description(struct calibrate_network_command *command, const char *path) {
    struct network_report report = report_of(command);
    str_dispose(&command->description);
    command->description = (struct str){0};
    network_describe(&command->description, &report);
    return file_write(path, command->description.text, command->description.length,
                      &command->error);
}

/* A pipe or a device takes what is written once. */
static bool may_be_rewritten(const char *path) {
    struct stat there;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode);
}

/* The description is written first, since a simulation may be interrupted, and once more when it is
 * known how good it is. A copy is simulated: the path may be that of a device. */
static int fit_and_check(struct calibrate_network_command *command, const char *path) {
    if (network_fit(&command->fit, &command->measured, &command->error) != 0)
        return -1;
    command->has_fit = true;
    const char *draft = path_join(&command->arena, command->directory, "draft.network");
    if ((may_be_rewritten(path) && write_description(command, path) != 0) ||
        write_description(command, draft) != 0)
        return -1;
    note("simulating the same measurements");
    if (network_simulate(&command->predicted, &command->measured, draft, command->directory,
                         &command->arena, &command->error) != 0)
        return -1;
    command->has_predicted = true;
    return 0;
}

static int keep_in_store(struct calibrate_network_command *command) {
    struct opened opened;
    const struct messages *measured = &command->measured;
    if (command->options->bundle == NULL)
        return 0;
    int result = opened_open(&opened, command->options->bundle, true, &command->error);
    if (result == 0) {
        struct message_errors errors = message_errors_overall(measured, &command->predicted);
        const struct stored_network network = {.made = measured->made,
                                               .host = measured->host,
                                               .cpu = measured->cpu,
                                               .launcher = measured->launcher,
                                               .description = str_text(&command->description),
                                               .error = errors.median,
                                               .worst = errors.worst};
        result =
            store_write_network(opened.store, command->options->machine, &network, &command->error);
    }
    opened_close(&opened);
    if (result == 0)
        note("kept in %s/store.db with the machine '%s'; `mpiskel machines show` tells it",
             command->options->bundle, command->options->machine);
    return result;
}

static int report(struct calibrate_network_command *command) {
    struct network_report report = report_of(command);
    if (command->options->format == OUTPUT_JSON)
        network_report_print_json(&report);
    else
        network_report_print(&report);
    return output_finish(&command->error);
}

static int calibrate(struct calibrate_network_command *command) {
    const char *path = command->options->output;
    if (path == NULL)
        path = arena_printf(&command->arena, "%s.network", command->options->machine);
    if (calibrate_check_targets(command->options, path, &command->arena, &command->error) != 0 ||
        take_measurements(command, path) != 0 || fit_and_check(command, path) != 0 ||
        write_description(command, path) != 0 || keep_in_store(command) != 0 ||
        report(command) != 0)
        return -1;
    note("written to %s; `mpiskel run APP.skel -np N --network %s` uses it", path, path);
    return 0;
}

static int judge(const struct calibrate_network_command *command) {
    double error = message_errors_overall(&command->measured, &command->predicted).median;
    double limit = command->options->max_error_percent / 100;
    if (error > (limit > 0 ? limit : GOOD_ERROR))
        note("warning: the median error of %.1f %% is above %g %%; was the machine busy, or has "
             "each rank no processor of its own?",
             100 * error, 100 * (limit > 0 ? limit : GOOD_ERROR));
    return limit > 0 && error > limit ? EXIT_MISSED : EXIT_FINE;
}

int calibrate_network(const struct calibrate_options *options, const char *directory) {
    struct calibrate_network_command command = {.options = options, .directory = directory};
    arena_init(&command.arena);
    int code = calibrate(&command) == 0 ? judge(&command) : EXIT_FAILED;
    if (code == EXIT_FAILED)
        error_print(&command.error);
    if (command.has_measured)
        messages_dispose(&command.measured);
    if (command.has_predicted)
        messages_dispose(&command.predicted);
    if (command.has_fit)
        network_fit_dispose(&command.fit);
    str_dispose(&command.description);
    arena_dispose(&command.arena);
    return code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate --noise`: how often, and for how long, something interrupts what computes
 * here. Fixed quanta of work are measured on all cores (or an earlier description is read), and
 * what was found is told and written: the description, and with --bundle the machine's row in the
 * store.
 */
#include "cli/calibrate/calibrate.h"
#include "cli/calibrate/noise_measure.h"

#include "base/file.h"
#include "base/json.h"
#include "model/store/store_noises.h"

#include <stdio.h>

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

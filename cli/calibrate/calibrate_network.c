/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate --network`: messages are measured (or an earlier measurement is read), SMPI's
 * parameters are fitted to them, the description with these is used to simulate the same
 * measurements, and all is told and written: the description, the measurements beside it, and with
 * --bundle the machine's row in the store.
 */
#include "cli/calibrate/calibrate.h"
#include "cli/calibrate/network_check.h"
#include "cli/calibrate/network_measure.h"
#include "cli/calibrate/network_report.h"

#include "base/file.h"
#include "base/str.h"
#include "model/store/store_networks.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate --device`: what this machine's first OpenCL device takes for things that are
 * no kernel. A program of ours (runtime/benchmark/device.c) is compiled and started; what it prints
 * becomes a description (simulator/devices) for `mpiskel run --device`.
 */
#include "cli/calibrate/calibrate.h"

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "simulator/devices/device_description.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct calibrate_device_command {
    const struct calibrate_options *options;
    struct arena arena;
    const char *name; /* of the device */
    struct device_description found;
    struct error error;
};

/* ---- Measuring ---- */

static void read_part(struct device_description *out, enum device_part part, const char *numbers) {
    double seconds = 0, per_byte = 0;
    int count = sscanf(numbers, "%lf %lf", &seconds, &per_byte);
    bool is_copy = part == DEVICE_COPY_TO || part == DEVICE_COPY_FROM;
    out->parts[part].is_known =
        count == (is_copy ? 2 : 1) && seconds >= 0 && per_byte >= 0 && (!is_copy || per_byte > 0);
    out->parts[part].seconds = seconds;
    out->parts[part].seconds_per_byte = per_byte;
}

static void read_line(struct calibrate_device_command *command, const char *line) {
    if (text_has_prefix(line, "name "))
        command->name = arena_strdup(&command->arena, line + strlen("name "));
    if (text_has_prefix(line, "engines "))
        command->found.engines = atoi(line + strlen("engines "));
    for (int i = 0; i < DEVICE_PARTS; i++) {
        const char *name = device_part_name((enum device_part)i);
        if (text_has_prefix(line, name) && line[strlen(name)] == ' ')
            read_part(&command->found, (enum device_part)i, line + strlen(name));
    }
}

static void tell_if_crowded(void) {
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) < 2)
        note("warning: one processor may be used here; a device that computes on it takes turns "
             "with its host, so that launches, gaps and waking are those of such a machine");
}

static int measure(struct calibrate_device_command *command, const char *directory) {
    const struct calibrate_options *options = command->options;
    const char *const sources[] = {"device.c", NULL};
    const struct calibrate_build build = {options->compiler != NULL ? options->compiler : "cc",
                                          "../lib/mpiskel/devices", sources,
                                          options->library != NULL ? options->library : "-lOpenCL"};
    const char *program = path_join(&command->arena, directory, "device");
    const char *const line[] = {program, NULL};
    struct process_result result;
    char *text = NULL, *rest = NULL;
    if (calibrate_compile(&build, program, &command->arena, &command->error) != 0)
        return -1;
    note("measuring the first device of the first platform of OpenCL");
    tell_if_crowded();
    if (process_capture(&result, &text, line, true, &command->error) != 0)
        return -1;
    int status = result.exit_code == 0 ? 0
                                       : error_set(&command->error,
                                                   "the device could not be measured; is there "
                                                   "one, and a library for it?\n%.600s",
                                                   text);
    for (char *one = strtok_r(text, "\n", &rest); status == 0 && one != NULL;
         one = strtok_r(NULL, "\n", &rest))
        read_line(command, one);
    free(text);
    return status;
}

/* ---- What comes out ---- */

static void print_json(const struct calibrate_device_command *command) {
    const struct device_description *found = &command->found;
    json_t *report =
        json_pack("{s:s, s:i, s:s, s:s, s:i}", "format", "mpiskel-device", "version", 1, "machine",
                  command->options->machine, "device", command->name, "engines", found->engines);
    for (int i = 0; i < DEVICE_PARTS; i++)
        if (found->parts[i].is_known)
            json_object_set_new(report, device_part_name((enum device_part)i),
                                json_pack("{s:f, s:f}", "seconds", found->parts[i].seconds,
                                          "seconds_per_byte", found->parts[i].seconds_per_byte));
    json_dumpf(report, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(report);
}

static int write(struct calibrate_device_command *command, const char *path) {
    struct str text = {0};
    struct arena *arena = &command->arena;
    str_printf(&text, "# %s of %s: %s, %s UTC.\n", command->name, command->options->machine,
               calibrate_host(arena), calibrate_now(arena));
    device_description_write(&text, &command->found);
    if (command->options->format == OUTPUT_JSON)
        print_json(command);
    else
        fputs(str_text(&text), stdout);
    int result = file_write(path, str_text(&text), text.length, &command->error);
    str_dispose(&text);
    return result;
}

static int calibrate(struct calibrate_device_command *command, const char *directory) {
    const char *path = command->options->output;
    if (path == NULL)
        path = arena_printf(&command->arena, "%s.device", command->options->machine);
    if (calibrate_check_targets(command->options, path, &command->arena, &command->error) != 0 ||
        measure(command, directory) != 0 || write(command, path) != 0)
        return -1;
    note("written to %s, for `mpiskel run --device %s`", path, path);
    return output_finish(&command->error);
}

int calibrate_device(const struct calibrate_options *options, const char *directory) {
    struct calibrate_device_command command = {.options = options, .name = "a device"};
    arena_init(&command.arena);
    int code = calibrate(&command, directory) == 0 ? EXIT_FINE : EXIT_FAILED;
    if (code == EXIT_FAILED)
        error_print(&command.error);
    arena_dispose(&command.arena);
    return code;
}

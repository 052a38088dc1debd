/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate --profile`: at which rates this machine makes operations, loads and stores.
 * The probes are compiled and run (or an earlier profile, or one written by hand, is read), rates
 * are fitted to the kernels, and what was found is told, drawn and written: the profile as JSON,
 * its picture, and with --bundle the machine's row in the store.
 */
#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "cli/calibrate/calibrate.h"
#include "model/convolution/convolution.h"
#include "model/convolution/machine_profile.h"
#include "model/store/store_profiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Profile draw ---- */

/*
 * The picture of a machine's profile: what memory costs, by working set, both in logarithms.
 * In: the curves of a profile. Out: an SVG with a line for each. Costs are as
 * they were measured, those of the nearest cache included.
 */

#define WIDTH 640
#define HEIGHT 400
#define MARGIN 60
#define NS_LEAST 0.1
#define NS_MOST 1000
#define BYTES_LEAST 2048.0
#define BYTES_MOST (1 << 30)

static const char *const colours[CURVE_COUNT] = {"#1b6ca8", "#c8553d", "#588157", "#7b2d8b",
                                                 "#b08900"};

static double part_of(double value, double least, double most) {
    return log(fmin(fmax(value, least), most) / least) / log(most / least);
}

static double x_of(double bytes) {
    return MARGIN + part_of(bytes, BYTES_LEAST, BYTES_MOST) * (WIDTH - 2 * MARGIN);
}

static double y_of(double ns) {
    return HEIGHT - MARGIN - part_of(ns, NS_LEAST, NS_MOST) * (HEIGHT - 2 * MARGIN);
}

static void draw_text(struct str *out, double x, double y, const char *text) {
    str_printf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, text);
}

static void draw_axes(struct str *out) {
    static const struct {
        double bytes;
        const char *name;
    } marks[] = {{4096, "4 kiB"},
                 {65536, "64 kiB"},
                 {1 << 20, "1 MiB"},
                 {1 << 24, "16 MiB"},
                 {1 << 28, "256 MiB"}};
    for (double ns = NS_LEAST; ns <= NS_MOST * 1.01; ns *= 10) {
        char name[32];
        snprintf(name, sizeof name, "%g ns", ns);
        str_printf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ccc\"/>\n",
                   MARGIN, WIDTH - MARGIN, y_of(ns), y_of(ns));
        draw_text(out, 8, y_of(ns) + 4, name);
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        draw_text(out, x_of(marks[i].bytes) - 16, HEIGHT - MARGIN + 18, marks[i].name);
    draw_text(out, WIDTH / 2 - 40, HEIGHT - 14, "working set");
}

static void draw_curve(struct str *out, const struct machine_profile *profile, int curve) {
    const struct measured_curve *measured = &profile->curves[curve];
    str_printf(out, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"",
               colours[curve]);
    for (int i = 0; i < measured->count; i++)
        str_printf(out, "%.1f,%.1f ", x_of(measured->levels[i].bytes),
                   y_of(measured->levels[i].ns));
    str_add(out, "\"/>\n");
    str_printf(out, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", MARGIN + 10 + 90 * curve,
               MARGIN - 20, colours[curve], memory_curve_name((enum memory_curve)curve));
}

/* Adds an SVG. */
static void profile_draw(struct str *out, const struct machine_profile *profile) {
    str_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
               "font-family=\"sans-serif\" font-size=\"12\">\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
               WIDTH, HEIGHT);
    draw_text(out, MARGIN + 10, 20,
              "Nanoseconds for a line (stream, stride, store) or an element (random, chase)");
    draw_axes(out);
    for (int i = 0; i < CURVE_COUNT; i++)
        draw_curve(out, profile, i);
    str_add(out, "</svg>\n");
}

/* ---- Calibrate profile ---- */

#define LARGEST_BYTES (64L << 20) /* beyond the caches of a core's share, as of most machines */

struct calibrate_profile_command {
    const struct calibrate_options *options;
    struct arena arena;
    struct machine_profile profile;
    bool is_read;
    struct error error;
};

/* ---- Measuring ---- */

static int run(char **out, struct calibrate_profile_command *command, const char *program) {
    const struct calibrate_options *options = command->options;
    long largest = options->largest > 0 ? options->largest : LARGEST_BYTES;
    const char *const line[] = {program, arena_printf(&command->arena, "%ld", largest), NULL};
    struct process_result result;
    int status = process_capture(&result, out, line, false, &command->error);
    if (status == 0 && result.exit_code != 0)
        return error_set(&command->error, "the probes failed with exit code %d: %.300s",
                         result.exit_code, *out);
    return status;
}

static int measure(struct calibrate_profile_command *command, const char *directory) {
    static const char *const sources[] = {"probe_machine.c", "probe_kernels.c", NULL};
    const char *compiler = command->options->compiler;
    const struct calibrate_build build = {compiler != NULL ? compiler : "cc",
                                          "../lib/mpiskel/probes", sources, "-lm"};
    const char *program = path_join(&command->arena, directory, "probe_machine");
    char *text = NULL;
    if (calibrate_compile(&build, program, &command->arena, &command->error) != 0)
        return -1;
    note("measuring memory and kernels on one core, and memory on all");
    int result = run(&text, command, program);
    if (result == 0)
        result = machine_profile_parse(&command->profile, text, program, &command->error);
    free(text);
    if (result != 0)
        return -1;
    command->profile.host = calibrate_host(&command->arena);
    command->profile.cpu = calibrate_processor(&command->arena);
    command->profile.made = calibrate_now(&command->arena);
    command->profile.compiler = build.command;
    return 0;
}

static int find(struct calibrate_profile_command *command, const char *directory) {
    const char *earlier = command->options->measurements;
    int result = earlier != NULL ? machine_profile_read(&command->profile, earlier, &command->error)
                                 : measure(command, directory);
    command->is_read = result == 0;
    return result;
}

static int fit(struct calibrate_profile_command *command) {
    struct probe_suite suite;
    if (probe_suite_read_installed(&suite, &command->error) != 0)
        return -1;
    int result = rates_fit(&command->profile, &suite, NULL, &command->error);
    probe_suite_dispose(&suite);
    return result;
}

/* ---- What comes out ---- */

static void print_text(const struct machine_profile *profile) {
    printf("%-16s %12s\n", "operation", "ns");
    for (int i = 0; i < RATE_COUNT; i++)
        if (i != OPERATION_FUSED)
            printf("%-16s %12.3g\n", machine_rate_name(i), profile->rates_ns[i]);
    printf("\n%-16s", "working set");
    for (int i = 0; i < CURVE_COUNT; i++)
        printf(" %10s", memory_curve_name((enum memory_curve)i));
    for (double bytes = 16384; bytes <= 1 << 30; bytes *= 8) {
        printf("\n%12.0f kiB", bytes / 1024);
        for (int i = 0; i < CURVE_COUNT; i++)
            printf(" %7.3g ns", machine_profile_memory_ns(profile, (enum memory_curve)i, bytes));
    }
    printf("\n\n%g of memory accesses overlap with operations; reading is %.2f times as slow when "
           "all cores do\n",
           profile->overlap, profile->sharing);
}

static int keep_in_store(struct calibrate_profile_command *command, const char *text) {
    const struct calibrate_options *options = command->options;
    struct opened opened;
    if (options->bundle == NULL)
        return 0;
    int result = opened_open(&opened, options->bundle, true, &command->error);
    if (result == 0)
        result = store_write_profile(opened.store, options->machine, text, &command->error);
    opened_close(&opened);
    if (result == 0)
        note("kept in %s/store.db with the machine '%s', for `mpiskel fit %s --from` and `--to`",
             options->bundle, options->machine, options->bundle);
    return result;
}

static int draw(struct calibrate_profile_command *command, const char *path) {
    const char *picture = arena_printf(&command->arena, "%s.svg", path);
    if (output_file_is_kept(path))
        return 0;
    struct str svg = {0};
    profile_draw(&svg, &command->profile);
    int result = file_write(picture, str_text(&svg), svg.length, &command->error);
    str_dispose(&svg);
    return result;
}

static int write(struct calibrate_profile_command *command, const char *path) {
    json_t *root = machine_profile_to_json(&command->profile);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
    if (command->options->format == OUTPUT_JSON)
        puts(text);
    else
        print_text(&command->profile);
    int result = json_write(root, path, &command->error);
    if (result == 0)
        result = draw(command, path);
    if (result == 0)
        result = keep_in_store(command, text);
    free(text);
    json_decref(root);
    return result;
}

static int calibrate(struct calibrate_profile_command *command, const char *directory) {
    const char *path = command->options->output;
    if (path == NULL)
        path = arena_printf(&command->arena, "%s.profile", command->options->machine);
    if (calibrate_check_targets(command->options, path, &command->arena, &command->error) != 0 ||
        find(command, directory) != 0 || fit(command) != 0 || write(command, path) != 0)
        return -1;
    note("written to %s, and drawn in %s.svg", path, path);
    return output_finish(&command->error);
}

int calibrate_profile(const struct calibrate_options *options, const char *directory) {
    struct calibrate_profile_command command = {.options = options};
    arena_init(&command.arena);
    int code = calibrate(&command, directory) == 0 ? EXIT_FINE : EXIT_FAILED;
    if (code == EXIT_FAILED)
        error_print(&command.error);
    if (command.is_read)
        machine_profile_dispose(&command.profile);
    arena_dispose(&command.arena);
    return code;
}

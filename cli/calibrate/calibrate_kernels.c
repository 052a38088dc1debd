/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate --kernels`: how long kernels of BLAS take here, each alone, over a grid of
 * sizes.
 *
 * For each kernel: write a small program that calls it (calibrate_driver.h), compile it with the
 * user's compiler and library in a temporary directory, run it, and fit a model to what it prints.
 * The file that is written is for `mpiskel fit --kernels`. With threads in the library (OpenBLAS)
 * it is measured as the environment says, like a profiling run.
 */
#include "cli/calibrate/calibrate.h"
#include "cli/calibrate/calibrate_driver.h"
#include "cli/common/opened.h"

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/vec.h"
#include "base/words.h"
#include "model/kernel.h"
#include "model/store/store_machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct calibrate_kernels_command {
    struct calibrate_options options;
    struct calibration calibration;
    const char *directory; /* temporary */
    struct error error;
};

/* ---- One kernel ---- */

typedef VEC(const char *) words;

static int add_words(words *out, struct calibrate_kernels_command *command, const char *text) {
    const char *const *items = NULL;
    size_t count = 0;
    if (words_split(&items, &count, &command->calibration.arena, text, &command->error) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        vec_push(out, items[i]);
    return 0;
}

static int compile(struct calibrate_kernels_command *command, const char *source,
                   const char *program) {
    words line = {0};
    char *text = NULL;
    struct process_result result;
    int status = add_words(&line, command, command->options.compiler);
    const char *const middle[] = {"-O2", "-x", "c", source, "-x", "none", "-o", program};
    for (size_t i = 0; i < sizeof middle / sizeof middle[0]; i++)
        vec_push(&line, middle[i]);
    if (status == 0)
        status = add_words(&line, command, command->options.library);
    vec_push(&line, "-lm");
    vec_push(&line, NULL);
    if (status == 0)
        status = process_capture(&result, &text, line.items, true, &command->error);
    if (status == 0 && result.exit_code != 0)
        status = error_set(&command->error,
                           "%s cannot make a program that calls this kernel, with --library '%s': "
                           "name the library that has it\n%s",
                           command->options.compiler, command->options.library, text);
    free(text);
    vec_dispose(&line);
    return status;
}

/* A line of the driver: "call M N K OPERATIONS WARM COLD". False: it is none. */
static bool read_call(struct calibrated_call *out, const struct kernel_kind *kind,
                      const char *line) {
    double m = 0, n = 0, k = 0;
    if (sscanf(line, "call %lf %lf %lf %lf %lf %lf", &m, &n, &k, &out->operations, &out->warm_s,
               &out->cold_s) != 6 ||
        !(out->operations > 0) || !(out->warm_s > 0) || !(out->cold_s > 0))
        return false;
    for (int i = 0; i < kind->size_count; i++)
        out->sizes[i] = kind->sizes[i][0] == 'm' ? m : kind->sizes[i][0] == 'n' ? n : k;
    return true;
}

static void read_calls(struct calibrated_kernel *out, struct calibrate_kernels_command *command,
                       const struct kernel_kind *kind, char *text) {
    VEC(struct calibrated_call) calls = {0};
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        struct calibrated_call call = {0};
        int stopped = 0;
        if (read_call(&call, kind, line))
            vec_push(&calls, call);
        else if (sscanf(line, "stopped %d", &stopped) == 1)
            note("%s: the time was up before size %d; give it more with --time", kind->name,
                 stopped);
    }
    *out = (struct calibrated_kernel){
        .name = kind->name, .size_count = kind->size_count, .call_count = calls.count};
    for (int i = 0; i < kind->size_count; i++)
        out->size_names[i] = kind->sizes[i];
    out->calls = ARENA_ARRAY(&command->calibration.arena, struct calibrated_call, calls.count);
    if (calls.count > 0)
        memcpy(out->calls, calls.items, calls.count * sizeof *calls.items);
    vec_dispose(&calls);
}

static int run(struct calibrated_kernel *out, struct calibrate_kernels_command *command,
               const struct kernel_kind *kind, const char *program) {
    char largest[32], budget[32], *text = NULL;
    const struct calibrate_options *options = &command->options;
    struct process_result result;
    snprintf(largest, sizeof largest, "%ld",
             options->largest > 0 ? options->largest : (long)kind->largest);
    snprintf(budget, sizeof budget, "%g", options->budget_s);
    const char *const line[] = {program, largest, budget, NULL};
    if (process_capture(&result, &text, line, false, &command->error) != 0)
        return -1;
    read_calls(out, command, kind, text);
    free(text);
    if (result.exit_code != 0 || out->call_count == 0)
        return error_set(&command->error,
                         "the program that calls %s measured nothing (exit code %d); is memory "
                         "short, or the library for another machine?",
                         kind->name, result.exit_code);
    return 0;
}

static int measure(struct calibrated_kernel *out, struct calibrate_kernels_command *command,
                   const struct kernel_kind *kind) {
    struct arena *arena = &command->calibration.arena;
    struct str text = {0};
    const char *source = path_join(arena, command->directory, "driver.c");
    const char *program = path_join(arena, command->directory, "driver");
    note("%s: measuring for at most %g s", kind->name, command->options.budget_s);
    kernel_driver_write(&text, kind);
    int result = file_write(source, text.text, text.length, &command->error);
    str_dispose(&text);
    if (result != 0 || compile(command, source, program) != 0)
        return -1;
    return run(out, command, kind, program);
}

static int fail_unknown(struct calibrate_kernels_command *command, const char *name) {
    struct str names = {0};
    kernel_kinds_list(&names);
    error_set(&command->error,
              "no kernel '%s' is known, only %s; functions of your own program are learned from "
              "profiling runs",
              name, str_text(&names));
    str_dispose(&names);
    return -1;
}

typedef VEC(const struct kernel_kind *) kind_list;

static int find_kinds(kind_list *out, struct calibrate_kernels_command *command) {
    char *names = arena_strdup(&command->calibration.arena, command->options.kernels), *rest = NULL;
    for (char *name = strtok_r(names, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        const struct kernel_kind *kind = kernel_kind_find(name);
        if (kind == NULL)
            return fail_unknown(command, name);
        vec_push(out, kind);
    }
    return out->count > 0 ? 0 : error_set(&command->error, "--kernels names none");
}

static int measure_all(struct calibrate_kernels_command *command) {
    struct calibration *calibration = &command->calibration;
    kind_list kinds = {0};
    int result = find_kinds(&kinds, command);
    calibration->kernels = ARENA_ARRAY(&calibration->arena, struct calibrated_kernel, kinds.count);
    for (size_t i = 0; result == 0 && i < kinds.count; i++)
        result =
            measure(&calibration->kernels[calibration->kernel_count++], command, kinds.items[i]);
    vec_dispose(&kinds);
    return result;
}

/* ---- Report ---- */

static const struct feature operations = {"operations", "", "", false};
static const struct region as_region = {
    .id = "kernel", .function = "", .file = "", .features = &operations, .feature_count = 1};

static double best_rate(const struct calibrated_kernel *kernel) {
    double best = 0;
    for (size_t i = 0; i < kernel->call_count; i++)
        best = fmax(best, kernel->calls[i].operations / kernel->calls[i].warm_s);
    return best;
}

static void print_kernel(const struct calibrate_kernels_command *command,
                         const struct calibrated_kernel *kernel, bool cold) {
    struct models models;
    struct str formula = {0};
    kernel_fit(&models, kernel, cold, &as_region, command->options.machine);
    latency_formula(&formula, &models.items[0], &as_region, FORMULA_TEXT);
    printf("%-7s %-5s %6zu %9.3g %7.1f%%  %s\n", kernel->name, cold ? "cold" : "warm",
           kernel->call_count, best_rate(kernel), 100 * models.items[0].error, str_text(&formula));
    str_dispose(&formula);
    models_dispose(&models);
}

static json_t *kernel_to_json(const struct calibrate_kernels_command *command,
                              const struct calibrated_kernel *kernel, bool cold) {
    struct models models;
    struct str formula = {0};
    kernel_fit(&models, kernel, cold, &as_region, command->options.machine);
    latency_formula(&formula, &models.items[0], &as_region, FORMULA_TEXT);
    json_t *object =
        json_pack("{s:s, s:s, s:i, s:f, s:f, s:s}", "kernel", kernel->name, "cache",
                  cold ? "cold" : "warm", "calls", (int)kernel->call_count, "operations_per_s",
                  best_rate(kernel), "error", models.items[0].error, "formula", str_text(&formula));
    str_dispose(&formula);
    models_dispose(&models);
    return object;
}

static int report(struct calibrate_kernels_command *command) {
    const struct calibration *calibration = &command->calibration;
    bool as_json = command->options.format == OUTPUT_JSON;
    json_t *list = json_array();
    if (!as_json)
        printf("%-7s %-5s %6s %9s %8s  %s\n", "kernel", "cache", "calls", "best op/s", "error",
               "seconds of a call (error: of calls left out)");
    for (size_t i = 0; i < calibration->kernel_count; i++)
        for (int cold = 0; cold < 2; cold++)
            if (as_json)
                json_array_append_new(list,
                                      kernel_to_json(command, &calibration->kernels[i], cold));
            else
                print_kernel(command, &calibration->kernels[i], cold);
    if (as_json) {
        json_dumpf(list, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    json_decref(list);
    return output_finish(&command->error);
}

/* ---- The command ---- */

static void describe_machine(struct calibrate_kernels_command *command) {
    struct calibration *calibration = &command->calibration;
    calibration->machine = command->options.machine;
    calibration->host = calibrate_host(&calibration->arena);
    calibration->cpu = calibrate_processor(&calibration->arena);
    calibration->compiler = command->options.compiler;
    calibration->library = command->options.library;
    calibration->cold = strcmp(command->options.cache, "cold") == 0;
}

static int calibrate(struct calibrate_kernels_command *command) {
    struct arena *arena = &command->calibration.arena;
    const char *path = command->options.output;
    if (path == NULL)
        path = arena_printf(arena, "%s.kernels", command->options.machine);
    describe_machine(command);
    if (measure_all(command) != 0 || report(command) != 0 ||
        calibration_write(&command->calibration, path, &command->error) != 0)
        return -1;
    note("written to %s; `mpiskel fit APP.skel --kernels %s` uses it for calls without samples",
         path, path);
    return 0;
}

int calibrate_kernels(const struct calibrate_options *options, const char *directory) {
    struct calibrate_kernels_command command = {.options = *options, .directory = directory};
    if (command.options.compiler == NULL)
        command.options.compiler = "cc";
    if (command.options.library == NULL)
        command.options.library = "-lblas";
    arena_init(&command.calibration.arena);
    int result = calibrate(&command);
    if (result != 0)
        error_print(&command.error);
    calibration_dispose(&command.calibration);
    return result != 0 ? EXIT_FAILED : EXIT_FINE;
}

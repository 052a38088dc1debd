/* SPDX-License-Identifier: Apache-2.0
 *
 * By the names of functions that the program calls and does not define, and by the text of
 * directives.
 */
#include "skeletonizer/check_devices.h"

#include "base/status_line.h"
#include "base/str.h"
#include "frontend/commands/openmp_option.h"
#include "frontend/program/program.h"
#include "skeletonizer/text/scan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Options ---- */

static const char *device_option(const char *const *words, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (openmp_option_is_for_devices(words[i]))
            return words[i];
    return NULL;
}

void check_device_options(const struct commands *commands, const struct link_command *link) {
    const char *option = NULL;
    for (size_t i = 0; i < commands->compiles.count && option == NULL; i++)
        option = device_option(commands->compiles.items[i].arguments.items,
                               commands->compiles.items[i].arguments.count);
    if (option == NULL && link != NULL)
        option = device_option(link->arguments.items, link->arguments.count);
    if (option == NULL)
        return;
    status_line_hide();
    fprintf(stderr,
            "%s: warning: %s is left out of all programs of the bundle, whose `target` directives "
            "compute on the host: they make the same MPI calls, but times are not those of a "
            "device; `mpiskel record` takes in what a device does\n",
            commands->path, option);
}

/* ---- Calls and directives ---- */

struct device_library {
    const char *name, *prefixes[3];
};

/* A capital letter follows the prefix: cuInit, but not current. */
static const struct device_library libraries[] = {
    {"CUDA", {"cuda", "cu"}},
    {"HIP", {"hip"}},
    {"NCCL", {"nccl"}},
};

/* Functions that mean more than an operation: prefixes of their names, and what of a prediction is
 * wrong besides. */
static const struct {
    const char *prefix, *means;
} special[] = {
    {"cudaMallocManaged", "pages of unified memory that move take no time in predictions either"},
    {"hipMallocManaged", "pages of unified memory that move take no time in predictions either"},
    {"cudaGraph", "none of the operations of a graph is seen"},
    {"hipGraph", "none of the operations of a graph is seen"},
    {"cudaLaunchHostFunc", "a callback of a device is not executed in time with it"},
    {"cudaStreamAddCallback", "a callback of a device is not executed in time with it"},
    {"hipLaunchHostFunc", "a callback of a device is not executed in time with it"},
    {"hipStreamAddCallback", "a callback of a device is not executed in time with it"},
    {"nccl", "what ranks send to each other by NCCL is no message in predictions, and takes no "
             "time"},
    {"MPIX_Query_cuda_support", "MPI calls with addresses on a device are predicted as messages "
                                "from the host's memory"},
    {"MPIX_Query_rocm_support", "MPI calls with addresses on a device are predicted as messages "
                                "from the host's memory"},
};

static bool is_of(const struct call *call, const void *context) {
    const struct device_library *library = context;
    for (size_t i = 0; i < 3 && library->prefixes[i] != NULL && call->mpi == NULL; i++)
        if (text_has_prefix(call->name, library->prefixes[i]) &&
            isupper((unsigned char)call->name[strlen(library->prefixes[i])]))
            return true;
    return false;
}

static bool begins_with(const struct call *call, const void *prefix) {
    return text_has_prefix(call->name, prefix);
}

/* Of what the program does not define; NULL: there is none. */
static const struct call *first_call(struct program *program,
                                     bool (*is_it)(const struct call *call, const void *context),
                                     const void *context) {
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->name != NULL && call->ast->range.file >= 0 &&
            program_function(program, call->name) == NULL && is_it(call, context))
            return call;
    }
    return NULL;
}

static const char untimed[] = "what a device does takes no time in predictions, nor does waiting "
                              "for it; `mpiskel fit` says how much of the profiled time that is";
static const char on_host[] =
    "it computes on the host where profiling runs are made, and is predicted as code of the host: "
    "as if `nowait` were not there, without a device and its copies; `mpiskel record` takes in "
    "what "
    "a device does";

static void tell(struct program *program, struct range range, const char *what,
                 const char *follows) {
    int line, column;
    status_line_hide();
    program_position(program, range, &line, &column);
    fprintf(stderr, "%s:%d:%d: warning: %s: %s\n",
            program_relative(program, program->files.items[range.file]->path), line, column, what,
            follows);
}

static void tell_of_library(struct program *program, const struct device_library *library) {
    const struct call *call = first_call(program, is_of, library);
    if (call != NULL)
        tell(program, call->ast->range,
             arena_printf(&program->arena, "'%s' is a function of %s", call->name, library->name),
             untimed);
}

static void tell_of_special(struct program *program, const char *prefix, const char *means) {
    const struct call *call = first_call(program, begins_with, prefix);
    if (call != NULL)
        tell(program, call->ast->range, arena_printf(&program->arena, "'%s'", call->name), means);
}

static size_t skip_blanks(const char *text, size_t at) {
    return at + strspn(text + at, " \t");
}

/* `at` is behind a '#' that begins a line. */
static bool is_target(const char *text, size_t at) {
    static const char *const words[] = {"pragma", "omp"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        at = skip_blanks(text, at);
        if (!text_has_prefix(text + at, words[i]))
            return false;
        at += strlen(words[i]);
    }
    at = skip_blanks(text, at);
    return text_has_prefix(text + at, "target") && !isalnum((unsigned char)text[at + 6]);
}

static bool tell_of_directive(struct program *program, int index) {
    const struct source_file *file = program->files.items[index];
    for (const char *at = strchr(file->text, '#'); at != NULL; at = strchr(at + 1, '#')) {
        unsigned begin = (unsigned)(at - file->text);
        if (!scan_is_line_start(file, begin) || !is_target(file->text, begin + 1))
            continue;
        tell(program, (struct range){index, begin, begin + 1}, "this directive is for devices",
             on_host);
        return true;
    }
    return false;
}

void check_devices_tell(struct program *program) {
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        tell_of_library(program, &libraries[i]);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        tell_of_special(program, special[i].prefix, special[i].means);
    for (size_t i = 0; i < program->files.count; i++)
        if (program->files.items[i]->in_project && tell_of_directive(program, (int)i))
            return;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening and closing a trace: the library that writes it is loaded here.
 */
#include "runtime/trace/traced_parts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(char *why, size_t size, const char *what, const char *which) {
    snprintf(why, size, "%s%s", what, which);
    return -1;
}

static int load(const struct trace_calls **out, const char *library, char *why, size_t size) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return fail(why, size, "the library for traces cannot be loaded: ", dlerror());
    const struct trace_calls *(*calls)(void) = NULL;
    void *symbol = dlsym(handle, TRACE_CALLS_SYMBOL);
    memcpy(&calls, &symbol, sizeof calls);
    if (calls == NULL)
        return fail(why, size,
                    "the library for traces is of another version: run `mpiskel generate` again: ",
                    library);
    *out = calls();
    return 0;
}

static int read_settings(struct trace_settings *out, const struct trace_calls *calls,
                         const struct bsim__trace_options *options, char *why, size_t size) {
    calls->trace_settings_init(out);
    if (options->window != NULL &&
        calls->trace_settings_window(out, options->window, why, size) != 0)
        return -1;
    if (options->ranks != NULL && calls->trace_settings_ranks(out, options->ranks, why, size) != 0)
        return -1;
    if (options->every != NULL && calls->trace_settings_every(out, options->every, why, size) != 0)
        return -1;
    return 0;
}

static int open_writer(struct bsim__traced_run *run, const struct bsim__trace_options *options,
                       const struct trace_settings *settings, char *why, size_t size) {
    struct trace_writer_options of = {.path = options->path,
                                      .ranks = options->size,
                                      .header = options->header,
                                      .settings = settings,
                                      .appends = options->appends,
                                      .has_details = options->has_details,
                                      .scope = options->scope};
    run->channels = run->calls->trace_channels_new(options->all_ranks_are_here);
    run->arrivals = options->all_ranks_are_here ? run->calls->trace_arrivals_new() : NULL;
    if (run->channels == NULL || (options->all_ranks_are_here && run->arrivals == NULL))
        return fail(why, size, "out of memory", "");
    run->writer = run->calls->trace_writer_open(&of, why, size);
    return run->writer != NULL ? 0 : -1;
}

struct bsim__traced_run *bsim__traced_run_open(const struct bsim__trace_options *options, char *why,
                                               size_t size) {
    const struct trace_calls *calls;
    struct trace_settings settings;
    if (load(&calls, options->library, why, size) != 0 ||
        read_settings(&settings, calls, options, why, size) != 0)
        return NULL;
    struct bsim__traced_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        fail(why, size, "out of memory", "");
        return NULL;
    }
    run->calls = calls;
    run->world = TRACE_NONE;
    run->size = options->size;
    run->detached_bytes = options->detached_bytes;
    run->has_details = options->has_details;
    if (open_writer(run, options, &settings, why, size) == 0)
        return run;
    free(run); /* once a process */
    return NULL;
}

struct bsim__traced_rank *bsim__traced_rank_new(struct bsim__traced_run *run, int32_t number) {
    struct bsim__traced_rank *rank = calloc(1, sizeof *rank);
    if (rank == NULL)
        return NULL;
    rank->run = run;
    rank->rank = number;
    bsim__traced_communicator(rank, MPI_COMM_WORLD);
    return rank;
}

uint32_t bsim__traced_region_site(struct bsim__traced_run *run, int region) {
    if (region >= run->region_count) {
        int count = region * 2 + 16;
        uint32_t *grown = realloc(run->regions, (size_t)count * sizeof *grown);
        if (grown == NULL)
            return 0;
        memset(grown + run->region_count, 0, (size_t)(count - run->region_count) * sizeof *grown);
        run->regions = grown;
        run->region_count = count;
    }
    struct trace_site site = {
        .kind = TRACE_REGION, .region = region, .function = "region", .file = ""};
    if (run->regions[region] == 0)
        run->regions[region] = run->calls->trace_writer_site(run->writer, &site) + 1;
    return run->regions[region] - 1;
}

const struct trace_calls *bsim__traced_run_calls(const struct bsim__traced_run *run) {
    return run->calls;
}

struct trace_writer *bsim__traced_run_writer(struct bsim__traced_run *run) {
    return run->writer;
}

void bsim__traced_run_flush(struct bsim__traced_run *run) {
    run->calls->trace_writer_flush(run->writer);
}

const struct trace_counts *bsim__traced_run_counts(const struct bsim__traced_run *run) {
    return run->calls->trace_writer_counts(run->writer);
}

int bsim__traced_run_close(struct bsim__traced_run *run, const struct trace_counts *others,
                           bool ends, char *why, size_t size) {
    int result = run->calls->trace_writer_close(run->writer, others, ends, why, size);
    run->calls->trace_channels_free(run->channels);
    if (run->arrivals != NULL)
        run->calls->trace_arrivals_free(run->arrivals);
    trace_table_dispose(&run->sites, NULL);
    free(run->regions);
    free(run);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See profile_trace.h. Rank 0 is asked by its environment, and tells the others; it creates the
 * file, and they append to it. The clocks of ranks on one node are the same one. Those of other
 * nodes start at the barrier at the end of MPI_Init, some microseconds apart, and drift.
 *
 * A trace that cannot be written is given up, with one line on stderr.
 */
#include "runtime/profile/profile_trace.h"

#include "analysis/writer/trace_counts.h"
#include "runtime/common/json_text.h"
#include "runtime/profile/profile.h"

#include <libgen.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTING_BYTES 4096

/* What the generated object of the bundle says (skeletonizer/compile/compile.c). */
extern const char bsim_trace_library[] __attribute__((weak, visibility("hidden")));

/* Where the call is that comes next (bsim_places.h). */
__thread const char *bsim_place_file;
__thread int bsim_place_line;

static __thread bool traces;
static struct bsim__traced_run *run;
static struct bsim__traced_rank *rank;
static int64_t start_ns, region_begin_ns;
static int open_region = -1;

struct trace_request {
    char path[SETTING_BYTES], window[256], ranks[SETTING_BYTES], every[64];
    long long start_ns;
    long host;
};

static int64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t now_ns(void) {
    return clock_ns() - start_ns;
}

static void copy_setting(char *out, size_t size, const char *name) {
    const char *text = getenv(name);
    snprintf(out, size, "%s", text != NULL ? text : "");
}

static const char *given(const char *text) {
    return text[0] != '\0' ? text : NULL;
}

/* ---- The header ---- */

/* The bundle's regions.json, beside the program, which names regions and lines; NULL: there is
 * none. */
static char *read_regions(void) {
    char path[PATH_MAX], file[PATH_MAX + 32], *text = NULL;
    size_t length = 0;
    ssize_t got = readlink("/proc/self/exe", path, sizeof path - 1);
    if (got <= 0)
        return NULL;
    path[got] = '\0';
    snprintf(file, sizeof file, "%s/regions.json", dirname(path));
    FILE *in = fopen(file, "r");
    if (in == NULL)
        return NULL;
    got = getdelim(&text, &length, '\0', in);
    fclose(in);
    if (got > 0)
        return text;
    free(text);
    return NULL;
}

static void write_member(FILE *out, const char *name, const char *text) {
    if (text[0] == '\0')
        return;
    fprintf(out, ",\"%s\":", name);
    bsim__json_string(out, text);
}

/* The caller frees it. */
static char *make_header(const struct trace_request *request) {
    char *text = NULL, *regions = read_regions();
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return NULL;
    bsim__json_begin_trace(out, bsim__profile.size, false);
    write_member(out, "window_s", request->window);
    write_member(out, "ranks_kept", request->ranks);
    write_member(out, "every", request->every);
    if (regions != NULL)
        fprintf(out, ",\"bundle\":%s", regions);
    fputc('}', out);
    fclose(out);
    free(regions);
    return text;
}

/* ---- Start ---- */

static void give_up(const char *why) {
    fprintf(stderr, "mpiskel: rank %d has no trace: %s\n", bsim__profile.rank, why);
    traces = false;
}

static void open_run(const struct trace_request *request, bool appends) {
    char why[1024], *header = appends ? NULL : make_header(request);
    const char *library = getenv("BSIM_TRACE_LIBRARY");
    if (library == NULL && bsim_trace_library != NULL)
        library = bsim_trace_library;
    struct bsim__trace_options options = {.library = library != NULL ? library : "libbsim_trace.so",
                                          .path = request->path,
                                          .window = given(request->window),
                                          .ranks = given(request->ranks),
                                          .every = given(request->every),
                                          .header = header,
                                          .size = bsim__profile.size,
                                          .appends = appends,
                                          .scope = bsim__profile.rank};
    run = bsim__traced_run_open(&options, why, sizeof why);
    free(header);
    if (run == NULL)
        give_up(why);
}

/* All or none: the file of rank 0 has to be there for the others. */
static void open_all(const struct trace_request *request) {
    int fine = 1, all = 0;
    if (bsim__profile.rank == 0)
        open_run(request, false);
    fine = bsim__profile.rank != 0 || run != NULL;
    PMPI_Bcast(&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (fine && bsim__profile.rank != 0)
        open_run(request, true);
    fine = run != NULL;
    PMPI_Allreduce(&fine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all)
        return;
    rank = bsim__traced_rank_new(run, bsim__profile.rank);
    traces = rank != NULL;
}

void bsim__trace_start(void) {
    static struct trace_request request;
    copy_setting(request.path, sizeof request.path, "BSIM_TRACE_FILE");
    int wanted = request.path[0] != '\0';
    PMPI_Bcast(&wanted, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!wanted)
        return;
    copy_setting(request.window, sizeof request.window, "BSIM_TRACE_WINDOW");
    copy_setting(request.ranks, sizeof request.ranks, "BSIM_TRACE_RANKS");
    copy_setting(request.every, sizeof request.every, "BSIM_TRACE_EVERY");
    PMPI_Bcast(&request, (int)sizeof request, MPI_BYTE, 0, MPI_COMM_WORLD);
    open_all(&request);
    PMPI_Barrier(MPI_COMM_WORLD);
    request.start_ns = start_ns = clock_ns();
    request.host = gethostid();
    PMPI_Bcast(&request, (int)sizeof request, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (request.host == gethostid())
        start_ns = request.start_ns;
}

bool bsim__traces(void) {
    return traces;
}

/* ---- Events ---- */

void bsim__trace_enter(struct bsim__traced_call *call, enum bsim__id id, void **args) {
    *call = (struct bsim__traced_call){.rank = traces ? rank : NULL,
                                       .id = id,
                                       .file = bsim_place_file != NULL ? bsim_place_file : "",
                                       .line = bsim_place_line,
                                       .args = args};
    if (call->rank == NULL)
        return;
    call->bytes =
        bsim__functions[id].class != MPI_CLASS_P2P ? bsim__traced_call_bytes(id, args) : 0;
    bsim__traced_enter(call, now_ns());
}

void bsim__trace_leave(struct bsim__traced_call *call) {
    if (call->rank != NULL)
        bsim__traced_leave(call, now_ns());
}

void bsim__trace_region_begin(int region) {
    if (!traces)
        return;
    open_region = region;
    region_begin_ns = now_ns();
}

void bsim__trace_region_end(void) {
    if (traces && open_region >= 0)
        bsim__traced_region(rank, open_region, region_begin_ns, now_ns());
    open_region = -1;
}

void bsim__trace_region_abandon(void) {
    open_region = -1;
}

/* ---- End ---- */

void bsim__trace_flush(void) {
    if (run != NULL)
        bsim__traced_run_flush(run);
}

void bsim__trace_finish(void) {
    uint64_t own[TRACE_END_WORDS], sum[TRACE_END_WORDS];
    char why[1024];
    if (rank == NULL)
        return;
    traces = false;
    bsim__traced_run_flush(run);
    memcpy(own, bsim__traced_run_counts(run), sizeof own);
    PMPI_Reduce(own, sum, TRACE_END_WORDS, MPI_UINT64_T, MPI_SUM, 0,
                MPI_COMM_WORLD); /* all have flushed */
    for (size_t i = 0; i < TRACE_END_WORDS && bsim__profile.rank == 0; i++)
        sum[i] -= own[i];
    bool ends = bsim__profile.rank == 0;
    if (bsim__traced_run_close(run, ends ? (const struct trace_counts *)sum : NULL, ends, why,
                               sizeof why) != 0)
        give_up(why);
    run = NULL;
    rank = NULL;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The recording of a rank. Rank 0 is asked by its environment, and tells the others; it creates the
 * file, and they append to it, a block at a time, which is written when it is full or at the first
 * call a second after the one before: of a run that is killed only the last block of each rank is
 * lost. The clocks of ranks on one node are the same one.
 *
 * Processor time is that of the thread, between the end of one event and the begin of the next,
 * without polls in between and without what the recorder takes, which is measured at some of the
 * calls and told.
 */
#include "runtime/record/recorder.h"

#include "analysis/writer/trace_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SETTING_BYTES 4096
#define WRITTEN_EVERY_NS 1000000000 /* a block takes some 0.1 ms: a ten-thousandth */
#define MEASURED_FIRST 256          /* calls: the first ones take longer */
#define MEASURED_EVERY                                                                             \
    16 /* then: to ask for processor time twice more takes half a microsecond                      \
        */

static struct {
    struct bsim__traced_run *run;
    struct bsim__traced_rank *rank;
    int number, size;
    struct bsim__record_caller caller; /* of the call that is recorded */
    int64_t start_ns, written_ns;
    int64_t cpu_ns, last_cpu_ns; /* since the last event; at the end of the last call */
    int64_t own_ns, calls;       /* what it took for so many calls */
} recorder;

static __thread bool records;   /* in this thread */
static __thread bool is_within; /* a call that is recorded */

struct request {
    char path[SETTING_BYTES];
    long long start_ns;
    long host;
};

static int64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t wall_ns(void) {
    return clock_ns(CLOCK_MONOTONIC);
}

int64_t bsim__record_cpu_ns(void) {
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void bsim__record_find(void *out, const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    if (symbol == NULL) {
        fprintf(stderr,
                "mpiskel: error: the program has no %s that is loaded behind the recorder; an MPI "
                "of another kind is recorded with `mpiskel record --mpicc`\n",
                name);
        abort();
    }
    memcpy(out, &symbol, sizeof symbol);
}

/* ---- Calls ---- */

/* For how many calls this one stands in what the recorder takes; 0: it is not measured. */
static int measure_weight(void) {
    return recorder.calls < MEASURED_FIRST        ? 1
           : recorder.calls % MEASURED_EVERY == 0 ? MEASURED_EVERY
                                                  : 0;
}

static void locate(struct bsim__traced_call *call) {
    int64_t told_ns = bsim__record_functions_divide();
    call->cpu_ns -= told_ns < call->cpu_ns ? told_ns : call->cpu_ns;
    call->call_path = bsim__record_path(&call->file, &recorder.caller);
}

/* Not of functions that neither move data nor make what data moves through. */
static bool makes_event(enum mpi_class class) {
    return class != MPI_CLASS_ENVIRONMENT && class != MPI_CLASS_QUERY &&
           class != MPI_CLASS_DATATYPE && class != MPI_CLASS_ATTRIBUTE && class != MPI_CLASS_INFO;
}

static bool enter_event(struct bsim__traced_call *call, enum bsim__id id, void **args,
                        struct bsim__record_caller caller) {
    if (!records || is_within || !makes_event(bsim__functions[id].class))
        return false;
    bsim__record_functions_pause();
    is_within = true;
    recorder.caller = caller;
    int64_t begin_cpu_ns = bsim__record_cpu_ns();
    recorder.cpu_ns += begin_cpu_ns - recorder.last_cpu_ns;
    *call = (struct bsim__traced_call){.rank = recorder.rank,
                                       .id = id,
                                       .file = "",
                                       .args = args,
                                       .locate = locate,
                                       .cpu_ns = recorder.cpu_ns};
    if (bsim__functions[id].class != MPI_CLASS_P2P)
        call->bytes = bsim__traced_call_bytes(id, args);
    bsim__traced_enter(call, wall_ns() - recorder.start_ns);
    int weight = measure_weight();
    if (weight > 0)
        recorder.own_ns += weight * (bsim__record_cpu_ns() - begin_cpu_ns);
    return true;
}

bool bsim__record_enter(struct bsim__record_call *call, enum bsim__id id, void **args,
                        struct bsim__record_caller caller) {
    call->has_line = bsim__lines_are_on();
    return call->has_line ? bsim__lines_enter(&call->line, id, args, caller)
                          : enter_event(&call->event, id, args, caller);
}

/* So that of a run that is killed little is lost where calls are rare as well. */
static void write_now_and_then(int64_t now_ns) {
    if (now_ns - recorder.written_ns < WRITTEN_EVERY_NS)
        return;
    bsim__traced_run_flush(recorder.run);
    recorder.written_ns = now_ns;
}

static void leave_event(struct bsim__traced_call *call) {
    int weight = measure_weight();
    int64_t end_ns = wall_ns(), begin_cpu_ns = weight > 0 ? bsim__record_cpu_ns() : 0;
    int64_t learned_ns = bsim__record_learning_ns();
    bsim__traced_leave(call, end_ns - recorder.start_ns);
    write_now_and_then(end_ns);
    recorder.cpu_ns = call->is_event ? 0 : recorder.cpu_ns;
    is_within = false;
    recorder.last_cpu_ns = bsim__record_cpu_ns();
    if (weight > 0)
        recorder.own_ns += weight * (recorder.last_cpu_ns - begin_cpu_ns -
                                     (bsim__record_learning_ns() - learned_ns));
    recorder.calls++;
    bsim__record_functions_resume();
}

void bsim__record_leave(struct bsim__record_call *call, bool has_failed) {
    if (!call->has_line) {
        leave_event(&call->event);
        return;
    }
    call->line.has_failed = has_failed;
    bsim__lines_leave(&call->line);
}

/* ---- Functions ---- */

bool bsim__record_is_on(void) {
    return records && !is_within;
}

int64_t bsim__record_now_ns(void) {
    return wall_ns() - recorder.start_ns;
}

int64_t bsim__record_cpu_since_event_ns(void) {
    return recorder.cpu_ns + bsim__record_cpu_ns() - recorder.last_cpu_ns;
}

void bsim__record_region(uint32_t site, int64_t begin_ns, int64_t spent_ns, int64_t before_ns,
                         int64_t work) {
    const char *place;
    struct trace_event event = trace_event_of(recorder.number, site, begin_ns, begin_ns + spent_ns);
    event.kind = TRACE_REGION;
    event.count = work;
    event.call_path = bsim__record_path(&place, NULL);
    event.cpu_ns = before_ns;
    bsim__traced_run_calls(recorder.run)
        ->trace_writer_add(bsim__traced_run_writer(recorder.run), &event);
}

void bsim__record_device_call(struct trace_event *event) {
    event->rank = recorder.number;
    bsim__traced_run_calls(recorder.run)
        ->trace_writer_add(bsim__traced_run_writer(recorder.run), event);
}

void bsim__record_operation(struct trace_lane lane, struct trace_event *event) {
    lane.device = event->peer = recorder.number;
    bsim__traced_run_calls(recorder.run)
        ->trace_writer_operation(bsim__traced_run_writer(recorder.run), lane, event);
}

uint32_t bsim__record_operation_site(const char *function, const char *file) {
    struct trace_site site = {
        .kind = TRACE_OPERATION, .region = TRACE_NONE, .function = function, .file = file};
    return bsim__traced_run_calls(recorder.run)
        ->trace_writer_site(bsim__traced_run_writer(recorder.run), &site);
}

void bsim__record_computation_begins(void) {
    recorder.cpu_ns = 0;
    recorder.last_cpu_ns = bsim__record_cpu_ns();
}

/* ---- Start ---- */

static void give_up(const char *why) {
    fprintf(stderr, "mpiskel: rank %d is not recorded: %s\n", recorder.number, why);
    records = false;
}

static void open_run(const struct request *request, bool appends) {
    char why[1024], *header = appends ? NULL : bsim__record_header(recorder.size);
    const char *library = getenv("BSIM_TRACE_LIBRARY");
    struct bsim__trace_options options = {.library = library != NULL ? library : "libbsim_trace.so",
                                          .path = request->path,
                                          .header = header,
                                          .size = recorder.size,
                                          .has_details = true,
                                          .appends = appends,
                                          .scope = recorder.number};
    recorder.run = bsim__traced_run_open(&options, why, sizeof why);
    free(header);
    if (recorder.run == NULL)
        give_up(why);
}

/* All or none: the file of rank 0 has to be there for the others. */
static bool open_all(const struct request *request) {
    int fine = 1, all = 0;
    if (recorder.number == 0)
        open_run(request, false);
    fine = recorder.number != 0 || recorder.run != NULL;
    PMPI_Bcast(&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (fine && recorder.number != 0)
        open_run(request, true);
    fine = recorder.run != NULL;
    PMPI_Allreduce(&fine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all)
        recorder.rank = bsim__traced_rank_new(recorder.run, recorder.number);
    return recorder.rank != NULL;
}

static void set_clocks(struct request *request) {
    PMPI_Barrier(MPI_COMM_WORLD);
    request->start_ns = recorder.start_ns = wall_ns();
    request->host = gethostid();
    PMPI_Bcast(request, (int)sizeof *request, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (request->host == gethostid())
        recorder.start_ns = request->start_ns;
    recorder.written_ns = wall_ns();
    recorder.last_cpu_ns = bsim__record_cpu_ns();
}

/* Of the run that comes first. Several are there if a script starts them, or if an mpirun of
 * another MPI starts each rank alone. */
static bool takes_file(const char *path) {
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file >= 0)
        close(file);
    else if (errno == EEXIST)
        fputs(
            "mpiskel: a second run of MPI is not recorded: record each on its own; if it should be "
            "one run of several ranks, start it with the mpirun of the program's MPI\n",
            stderr);
    return file >= 0 || errno != EEXIST;
}

void bsim__record_start(void) {
    static struct request request;
    const char *path = getenv("BSIM_RECORD_FILE");
    PMPI_Comm_rank(MPI_COMM_WORLD, &recorder.number);
    PMPI_Comm_size(MPI_COMM_WORLD, &recorder.size);
    if (recorder.number == 0 && path != NULL && takes_file(path))
        snprintf(request.path, sizeof request.path, "%s", path);
    PMPI_Bcast(&request, (int)sizeof request, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (request.path[0] == '\0' || !open_all(&request))
        return;
    bsim__record_paths_start(bsim__traced_run_calls(recorder.run),
                             bsim__traced_run_writer(recorder.run));
    bsim__record_functions_start(bsim__traced_run_calls(recorder.run),
                                 bsim__traced_run_writer(recorder.run),
                                 getenv("BSIM_RECORD_FUNCTIONS"));
    set_clocks(&request);
    records = true;
}

/* ---- End ---- */

void bsim__record_flush(void) {
    if (records)
        bsim__traced_run_flush(recorder.run);
}

/* A program that ends without MPI_Finalize; not one that a signal ends. */
__attribute__((destructor)) static void flush_at_exit(void) {
    if (recorder.run != NULL)
        bsim__record_flush();
}

/* What the recorder took, for `mpiskel record`. */
static void tell_overhead(void) {
    double own[] = {(double)recorder.calls, (double)recorder.own_ns * 1e-9,
                    (double)bsim__record_learning_ns() * 1e-9};
    double sum[] = {0, 0, 0};
    const char *path = getenv("BSIM_RECORD_OVERHEAD");
    PMPI_Reduce(own, sum, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    FILE *out = recorder.number == 0 && path != NULL ? fopen(path, "w") : NULL;
    if (out == NULL)
        return;
    fprintf(out, "{\"calls\":%.0f,\"seconds\":%.9f,\"new_paths_seconds\":%.9f}\n", sum[0], sum[1],
            sum[2]);
    fclose(out);
}

void bsim__record_finish(void) {
    uint64_t own[TRACE_END_WORDS], sum[TRACE_END_WORDS] = {0};
    char why[1024];
    if (!records)
        return;
    bsim__record_operations_finish();
    if (recorder.number == 0)
        bsim__record_tell_libraries();
    records = false;
    tell_overhead();
    bsim__traced_run_flush(recorder.run);
    memcpy(own, bsim__traced_run_counts(recorder.run), sizeof own);
    PMPI_Reduce(own, sum, TRACE_END_WORDS, MPI_UINT64_T, MPI_SUM, 0,
                MPI_COMM_WORLD); /* all have flushed */
    for (size_t i = 0; i < TRACE_END_WORDS && recorder.number == 0; i++)
        sum[i] -= own[i];
    bool ends = recorder.number == 0;
    if (bsim__traced_run_close(recorder.run, ends ? (const struct trace_counts *)sum : NULL, ends,
                               why, sizeof why) != 0)
        give_up(why);
    recorder.run = NULL;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * BSIM_BEGIN and BSIM_END of the profiling build, and the MPI functions between which they measure.
 *
 * Times are those that the thread spent on a processor, so that a machine with more ranks than
 * cores, or with other work, gives the same samples (BSIM_CLOCK=wall: elapsed time). What a
 * measurement itself takes is measured at the start and subtracted. Regions before MPI_Init count
 * as well; those behind MPI_Finalize do not. Only the outermost open region counts. Regions that
 * are tiny and frequent are timed in part, but always counted: after the first thousand executions
 * with the same features, those shorter than a microsecond on average are timed each 16th time,
 * those shorter than a fifth of that each 64th. With BSIM_CLOCK=none no region is measured, only
 * how long it is from MPI_Init to MPI_Finalize: as near to the application's own time as this build
 * can be. In a build that counts (runtime/counted) processor time is what was counted: the same in
 * each run, so that each execution is timed.
 */
#include "runtime/profile/profile.h"
#include "model/eval/context.h"
#include "runtime/common/counted_clock.h"
#include "runtime/common/idle_machine.h"
#include "runtime/common/machine_clock.h"
#include "runtime/common/reference.h"
#include "runtime/profile/profile_disturbed.h"
#include "runtime/profile/profile_kept.h"
#include "runtime/profile/profile_trace.h"

#define BSIM_PROFILE
#define BSIM_NO_MACROS
#include "runtime/include/bsim.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ALWAYS_TIMED 1000
#define TINY_S 1e-6
#define TINIEST_S 2e-7
#define OVERHEAD_TRIALS 201

struct bsim__profile bsim__profile;

/* The open region. */
static struct {
    int depth, region, before; /* `before`: the last one */
    bool timed;
    struct bsim__sample *sample;
    struct bsim_context context;
    struct timespec start;
    double start_waited_s, waited_s;
    double counted[BSIM_COUNTED_MOST]; /* before it; behind it: in it */
} open_region = {.region = -1};

static bool is_recorded;               /* and nothing is measured */
static __thread bool measures_regions; /* the main thread, unless none is to be measured */

void bsim__profile_off(const char *format, ...) {
    va_list args;
    if (bsim__profile.on) {
        fputs("mpiskel: profiling is off for this rank: ", stderr);
        va_start(args, format);
        vfprintf(stderr, format, args);
        va_end(args);
        fputc('\n', stderr);
    }
    bsim__profile.on = false;
    bsim__turn_leave();
}

/* ---- Regions ---- */

bool bsim__region_is_open(void) {
    return open_region.depth > 0;
}

static unsigned period_of(const struct bsim__sample *sample) {
    if (sample->timed < ALWAYS_TIMED || bsim__profile.counted != NULL)
        return 1;
    double mean_s = sample->seconds / (double)sample->timed;
    return mean_s >= TINY_S ? 1 : mean_s >= TINIEST_S ? 16 : 64;
}

static bool same_values(const struct bsim_probe *probe, const double *values) {
    bool same = probe->entry != NULL;
    for (int i = 1; i < probe->value_count; i++)
        same &= probe->values[i] == values[i];
    return same;
}

/* False: it is not measured, or lies in one that is. */
static bool opens(int region) {
    if (!bsim__profile.on || !measures_regions || open_region.depth++ > 0)
        return false;
    bsim__kept_pause();
    open_region.before = open_region.region;
    open_region.region = region;
    return true;
}

/* The sample of these features, and the context of the execution; false: out of memory. */
static bool choose_sample(struct bsim_probe *probe, const double *values) {
    if (!same_values(probe, values)) {
        probe->entry = bsim__sample_find(&bsim__profile.samples, values, probe->value_count);
        if (probe->entry == NULL) {
            bsim__profile_off("out of memory");
            return false;
        }
        memcpy(probe->values, values, (size_t)probe->value_count * sizeof values[0]);
        probe->unchanged = 0;
    }
    open_region.sample = probe->entry;
    open_region.context = (struct bsim_context){.execution = ++probe->executions,
                                                .unchanged = ++probe->unchanged,
                                                .before = open_region.before};
    return true;
}

/* With a counted clock, so far. */
static double waited_s(void) {
    return bsim__profile.counted != NULL ? bsim_counted_waited_s() : 0;
}

static void start_counts(void) {
    if (bsim__profile.counted != NULL)
        bsim_counted_numbers(open_region.counted);
}

static void end_counts(void) {
    double now[BSIM_COUNTED_MOST];
    int count = bsim__profile.counted != NULL ? bsim_counted_numbers(now) : 0;
    for (int i = 0; i < count; i++)
        open_region.counted[i] = now[i] - open_region.counted[i];
}

static void start_clock(bool timed) {
    open_region.timed = timed;
    bsim__turn_take();
    bsim__cache_evict();
    bsim__idle_machine_wait();
    bsim__trace_region_begin(open_region.region);
    open_region.start_waited_s = waited_s();
    start_counts();
    if (timed)
        clock_gettime(bsim__profile.clock, &open_region.start);
}

void bsim_begin(struct bsim_probe *probe, const double *values) {
    if (!opens((int)values[0]) || !choose_sample(probe, values))
        return;
    struct bsim__sample *sample = open_region.sample;
    start_clock(sample->count++ % period_of(sample) == 0);
}

/* It is always timed, since it is not known yet of which sample it is. */
void bsim_begin_late(int region) {
    if (opens(region))
        start_clock(true);
}

static double since_s(const struct timespec *start, const struct timespec *end) {
    return (double)(end->tv_sec - start->tv_sec) + 1e-9 * (double)(end->tv_nsec - start->tv_nsec);
}

bool bsim__profile_measures(void) {
    return bsim__profile.on && measures_regions;
}

void bsim__sample_add(struct bsim__sample *sample, double number) {
    if (sample->timed == 0 || number < sample->min_s)
        sample->min_s = number;
    if (sample->timed == 0 || number > sample->max_s)
        sample->max_s = number;
    sample->timed++;
    sample->seconds += number;
    sample->squares += number * number;
}

/* What others disturbed counts as long as there is nothing else. */
static bool is_to_count(struct bsim__sample *sample, bool disturbed) {
    bool only_disturbed = sample->timed == sample->disturbed;
    if (disturbed && !only_disturbed)
        return false;
    if (!disturbed && only_disturbed && sample->timed > 0) {
        sample->timed = sample->disturbed = 0;
        sample->seconds = sample->squares = 0;
        sample->contexts.count = 0;
    }
    sample->disturbed += disturbed;
    return true;
}

static void add_time(double seconds) {
    double positive_s = seconds > 0 ? seconds : 0;
    bsim__cache_computed(positive_s);
    if (!is_to_count(open_region.sample,
                     positive_s >= BSIM__QUIET_LONG_S && !bsim__idle_machine_is_left()))
        return;
    bsim__sample_add(open_region.sample, positive_s);
    open_region.sample->waited_s += open_region.waited_s;
    for (int i = 0; i < BSIM_COUNTED_MOST; i++)
        open_region.sample->counted[i] += open_region.counted[i];
    bsim__context_add(&open_region.sample->contexts, &open_region.context, positive_s);
    bsim__reference_computed(positive_s);
}

/* A tiny region that is timed now and then. */
static void add_untimed(void) {
    bsim__cache_computed(open_region.sample->seconds / (double)open_region.sample->timed);
}

void bsim__region_abandon(void) {
    static bool warned;
    if (!bsim__profile_measures() || open_region.depth == 0)
        return;
    if (!warned)
        fprintf(stderr,
                "mpiskel: rank %d communicates in region %d: it was left by a jump, or a library "
                "communicates inside; such executions are not timed\n",
                bsim__profile.rank, open_region.region);
    warned = true;
    open_region.depth = 0;
    open_region.timed = false;
    bsim__trace_region_abandon();
    bsim__turn_leave();
}

/* It was the outermost one; `timed`: whether its time is known. */
static bool closes(int region, bool *timed) {
    if (!bsim__profile.on || !measures_regions || open_region.depth == 0 || --open_region.depth > 0)
        return false;
    *timed = open_region.timed;
    open_region.timed = false;
    bsim__trace_region_end();
    if (region == open_region.region)
        return true;
    bsim__profile_off("region %d ended while region %d was open; a longjmp out of a region?",
                      region, open_region.region);
    return false;
}

static double open_for_s(const struct timespec *end) {
    open_region.waited_s = waited_s() - open_region.start_waited_s;
    end_counts();
    return since_s(&open_region.start, end) - bsim__profile.overhead_s;
}

void bsim_end(int region) {
    struct timespec end;
    bool timed;
    if (open_region.timed)
        clock_gettime(bsim__profile.clock, &end);
    if (!closes(region, &timed))
        return;
    if (timed)
        add_time(open_for_s(&end));
    else
        add_untimed();
    bsim__turn_leave();
    bsim__kept_resume();
}

void bsim_end_late(struct bsim_probe *probe, const double *values) {
    struct timespec end;
    bool timed;
    clock_gettime(bsim__profile.clock, &end);
    if (!closes((int)values[0], &timed) || !choose_sample(probe, values))
        return;
    open_region.sample->count++;
    add_time(open_for_s(&end));
    bsim__turn_leave();
    bsim__kept_resume();
}

/* ---- Start ---- */

/* The median of what an empty region measures. */
static double measured_overhead_s(void) {
    static double last[1];
    const double values[1] = {0};
    double trials[OVERHEAD_TRIALS];
    for (int i = 0; i < OVERHEAD_TRIALS; i++) {
        struct bsim__sample sample = {.region = 0};
        struct bsim_probe probe = {.entry = &sample, .values = last, .value_count = 1};
        bsim_begin(&probe, values);
        bsim_end(0);
        trials[i] = sample.seconds;
        free(sample.contexts.items);
    }
    open_region.region = -1;
    return bsim__median(trials, OVERHEAD_TRIALS);
}

#define LEAVING_MOST_S 10 /* that ranks wait for each other to end without MPI_Finalize */

static MPI_Comm leaving = MPI_COMM_NULL;

static void name_run(void) {
    struct tm now;
    time_t seconds = time(NULL);
    localtime_r(&seconds, &now);
    size_t length = strftime(bsim__profile.run, sizeof bsim__profile.run, "%Y%m%d-%H%M%S", &now);
    snprintf(bsim__profile.run + length, sizeof bsim__profile.run - length, "-%ld", (long)getpid());
}

/* Whether all ranks end like this one, within a while. */
static bool all_leave(void) {
    MPI_Request request;
    int done = 0;
    double begin_s = bsim__machine_clock_s(CLOCK_MONOTONIC);
    PMPI_Ibarrier(leaving, &request);
    while (!done && bsim__machine_clock_s(CLOCK_MONOTONIC) - begin_s < LEAVING_MOST_S) {
        PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
        usleep(1000);
    }
    return done != 0;
}

/* A program that ends without MPI_Finalize. If all of its ranks say that all is well it is as if
 * they had called it. */
static void at_exit(int status, void *unused) {
    int finalized = 1;
    (void)unused;
    PMPI_Finalized(&finalized);
    if (status == 0 && !finalized && all_leave())
        MPI_Finalize();
    else {
        bsim__trace_flush();
        bsim__profile_write_alone();
    }
}

static const char *take_place(int *line) {
    const char *file = bsim_place_file;
    *line = bsim_place_line;
    bsim_place_file = NULL;
    return file;
}

/* The recorder is loaded and writes lines of calls (runtime/record/recorder_lines.c): then this
 * only tells it where they are, and the program is the application's alone. */
static bool find_recorder(void) {
    void (*tell)(const char *(*)(int *)) = NULL;
    void *symbol =
        getenv("BSIM_RECORD_CALLS") != NULL ? dlsym(RTLD_DEFAULT, "bsim__record_places") : NULL;
    memcpy(&tell, &symbol, sizeof tell);
    if (tell != NULL)
        tell(take_place);
    return tell != NULL;
}

/* With the program, since it may compute before MPI_Init. */
__attribute__((constructor)) static void start_measuring(void) {
    is_recorded = find_recorder();
    if (is_recorded)
        return;
    const char *clock = getenv("BSIM_CLOCK");
    bool wall = clock != NULL && strcmp(clock, "wall") == 0;
    bsim__profile.clock = wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    bsim__profile.without_regions = clock != NULL && strcmp(clock, "none") == 0;
    bsim__profile.on = true;
    if (bsim__profile.without_regions)
        return;
    if (!wall && bsim_counted_clock != NULL) {
        bsim__profile.counted = bsim_counted_clock();
        if (bsim__profile.counted == NULL)
            bsim__profile_off("the description of the processor in BSIM_CLOCK cannot be read");
    }
    measures_regions = true;
    bsim__profile.overhead_s = measured_overhead_s();
    bsim__cache_start();
}

static void start(void) {
    if (is_recorded)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &bsim__profile.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &bsim__profile.size);
    if (bsim__profile.rank == 0)
        name_run();
    PMPI_Bcast(bsim__profile.run, sizeof bsim__profile.run, MPI_CHAR, 0, MPI_COMM_WORLD);
    PMPI_Comm_dup(MPI_COMM_WORLD, &leaving);
    on_exit(at_exit, NULL);
    if (bsim__cache_is_cold())
        bsim__turns_start();
    bsim__turn_take();
    bsim__idle_machine_wait();
    bsim__reference_take();
    bsim__turn_leave();
    bsim__trace_start();
    bsim__disturbed_start();
    PMPI_Barrier(MPI_COMM_WORLD); /* a rank that waited for others to leave has kept nobody */
    bsim__profile.start_s = bsim__machine_clock_s(CLOCK_MONOTONIC);
    bsim__kept_start();
}

/* ---- MPI functions ---- */

/* By these names the program's units call PMPI_Init and so on (bsim.h). */
int bsim_MPI_Init(int *argc, char ***argv);
int bsim_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int bsim_MPI_Finalize(void);
int bsim_MPI_Abort(MPI_Comm comm, int errorcode);

/* At the beginning of the trace, or at its end. */
static void trace_at_once(enum bsim__id id, void **args) {
    struct bsim__traced_call call;
    bsim__trace_enter(&call, id, args);
    bsim__trace_leave(&call);
}

int bsim_MPI_Init(int *argc, char ***argv) {
    void *args[] = {&argc, &argv};
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS) {
        start();
        trace_at_once(BSIM__ID_MPI_Init, args);
    }
    return result;
}

int bsim_MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    void *args[] = {&argc, &argv, &required, &provided};
    int result = PMPI_Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS) {
        start();
        trace_at_once(BSIM__ID_MPI_Init_thread, args);
    }
    return result;
}

/* All ranks take part in gathering, also those whose profiling is off, or the others would wait. */
int bsim_MPI_Finalize(void) {
    void *args[] = {NULL};
    if (is_recorded)
        return PMPI_Finalize();
    bsim__kept_pause();
    bsim__calls_end();
    if (bsim__profile.finish_operations != NULL)
        bsim__profile.finish_operations();
    trace_at_once(BSIM__ID_MPI_Finalize, args);
    bsim__trace_finish();
    bsim__profile_gather();
    bsim__profile.on = false;
    if (leaving != MPI_COMM_NULL)
        PMPI_Comm_free(&leaving);
    return PMPI_Finalize();
}

int bsim_MPI_Abort(MPI_Comm comm, int errorcode) {
    if (is_recorded)
        return PMPI_Abort(comm, errorcode);
    bsim__trace_flush();
    bsim__profile_write_alone();
    return PMPI_Abort(comm, errorcode);
}

/* Weak: the program may have its own. */
__attribute__((weak)) int MPI_Init(int *argc, char ***argv) {
    return bsim_MPI_Init(argc, argv);
}

__attribute__((weak)) int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    return bsim_MPI_Init_thread(argc, argv, required, provided);
}

__attribute__((weak)) int MPI_Finalize(void) {
    return bsim_MPI_Finalize();
}

__attribute__((weak)) int MPI_Abort(MPI_Comm comm, int errorcode) {
    return bsim_MPI_Abort(comm, errorcode);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * State of the simulation and of its ranks, charging of time, and what happens around each call.
 *
 * The shared object is found through the environment variable BSIM__SHARED ("process:address"),
 * the one thing that all copies of this code in the process can see. There is one operating system
 * thread at work at any time (SimGrid's sequential contexts), so nothing is locked.
 */
#include "runtime/smpi/executed.h"
#include "runtime/smpi/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xbt/config.h>

#define SHARED_VARIABLE "BSIM__SHARED"

_Thread_local struct bsim__own bsim__own = {.last_region = -1};
BSIM__COMMON void (*bsim__flush_stubs)(void);
BSIM__COMMON double (*bsim__interrupt)(struct bsim__rank *rank, double seconds);

void bsim__stop(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    bsim__record_flush_all();
    if (bsim__shared()->traced != NULL)
        bsim__traced_run_flush(bsim__shared()->traced);
    fflush(NULL);
    /* MPI_Abort would make smpirun exit with 0, and exit would run SimGrid's destructors from
     * within one of its actors. */
    _exit(1);
}

void *bsim__grow(void *old, size_t old_bytes, size_t new_bytes) {
    char *grown = realloc(old, new_bytes);
    if (grown == NULL)
        bsim__stop("mpiskel: error: out of memory in the simulation's runtime");
    memset(grown + old_bytes, 0, new_bytes - old_bytes);
    return grown;
}

/* ---- The shared object ---- */

/* Environment variables that are set to nothing count as not set. */
static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static double number_setting(const char *name) {
    const char *value = setting(name);
    double number = value != NULL ? strtod(value, NULL) : 0;
    return isfinite(number) && number > 0 ? number : 0;
}

static void map_progress(struct bsim__shared *shared) {
    shared->progress = &shared->unmapped;
    const char *path = setting("BSIM_PROGRESS");
    if (path == NULL)
        return;
    int file = open(path, O_RDWR | O_CREAT, 0666);
    void *map = MAP_FAILED;
    if (file >= 0 && ftruncate(file, PROGRESS_FILE_BYTES) == 0)
        map = mmap(NULL, PROGRESS_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (map != MAP_FAILED)
        shared->progress = map;
    else
        fprintf(stderr, "mpiskel: cannot write progress to %s; the run goes on without\n", path);
}

static struct bsim__shared *new_shared(void) {
    struct bsim__shared *shared = bsim__grow(NULL, 0, sizeof *shared);
    shared->trace_directory = setting("BSIM_TRACE");
    shared->stats_path = setting("BSIM_STATS");
    shared->tells_calls_of_ranks = setting("BSIM_STATS_RANKS") != NULL;
    shared->values_directory = setting("BSIM_VALUES");
    shared->noise = setting("BSIM_NOISE");
    shared->trace_file = setting("BSIM_TRACE_FILE");
    shared->interruptions = setting("BSIM_INTERRUPTIONS");
    shared->host_factors = setting("BSIM_HOST_FACTORS");
    shared->collectives = setting("BSIM_COLLECTIVES");
    shared->charges_latencies =
        shared->trace_directory == NULL || setting("BSIM_LATENCIES") != NULL;
    shared->precision_s = sg_cfg_get_double("surf/precision");
    shared->computation_takes_time = sg_cfg_get_boolean("smpi/simulate-computation") != 0;
    shared->start_s = simgrid_get_clock();
    shared->clock_step_s = shared->trace_directory != NULL ? number_setting("BSIM_CLOCK_STEP") : 0;
    map_progress(shared);
    char text[64];
    snprintf(text, sizeof text, "%ld:%p", (long)getpid(), (void *)shared);
    setenv(SHARED_VARIABLE, text, 1);
    return shared;
}

/* What a parent process left in the environment carries another number. */
static struct bsim__shared *shared_of_environment(void) {
    long process = 0;
    void *address = NULL;
    const char *text = getenv(SHARED_VARIABLE);
    if (text == NULL || sscanf(text, "%ld:%p", &process, &address) != 2 ||
        process != (long)getpid())
        return NULL;
    return address;
}

struct bsim__shared *bsim__shared(void) {
    static BSIM__COMMON struct bsim__shared *found;
    if (found == NULL)
        found = shared_of_environment();
    if (found == NULL)
        found = new_shared();
    return found;
}

/* ---- Ranks ---- */

static struct bsim__rank *new_rank(void) {
    struct bsim__rank *rank = bsim__grow(NULL, 0, sizeof *rank);
    rank->number = rank->world_size = -1;
    rank->record.known = &rank->known;
    return rank;
}

/* Who executes what is left to be done when the simulation is over (atexit, destructors): it takes
 * no time. */
static struct bsim__rank *nobody(struct bsim__shared *shared) {
    if (shared->nobody == NULL)
        shared->nobody = new_rank();
    shared->nobody->finalized = true;
    return shared->nobody;
}

static struct bsim__rank *find_current_rank(void) {
    struct bsim__shared *shared = bsim__shared();
    if (sg_actor_self() == NULL)
        return nobody(shared);
    size_t actor = (size_t)sg_actor_self_get_pid();
    if (actor >= shared->actor_capacity) {
        size_t capacity = actor + actor / 2 + 16;
        shared->by_actor =
            bsim__grow(shared->by_actor, shared->actor_capacity * sizeof shared->by_actor[0],
                       capacity * sizeof shared->by_actor[0]);
        shared->actor_capacity = capacity;
    }
    if (shared->by_actor[actor] == NULL)
        shared->by_actor[actor] = new_rank();
    return shared->by_actor[actor];
}

struct bsim__rank *bsim__current_rank(void) {
    static BSIM__COMMON const void *last; /* what was executed when it was asked for */
    static BSIM__COMMON struct bsim__rank *last_rank;
    const void *now = bsim__executed();
    if (now == NULL)
        return find_current_rank();
    if (now != last || last_rank == NULL) {
        last_rank = find_current_rank();
        last = now;
    }
    return last_rank;
}

/* ---- Time ---- */

/* What the clock did not take, since it rounds to its precision, is kept for the next time. */
static void go_to(int directory) {
    if (directory > 0 && syscall(SYS_fchdir, directory) != 0)
        bsim__stop("mpiskel: error: cannot go back to a rank's working directory: %s",
                   strerror(errno));
}

/* While other ranks may go on: where the run began. */
static void go_home(void) {
    go_to(bsim__shared()->directory);
}

static void go_back(const struct bsim__rank *rank) {
    go_to(rank->directory > 0 ? rank->directory : bsim__shared()->directory);
}

void bsim__sleep(struct bsim__rank *rank, double seconds) {
    rank->remainder_s += seconds;
    if (rank->remainder_s <= bsim__shared()->precision_s)
        return;
    double before_s = simgrid_get_clock();
    go_home();
    sg_actor_sleep_for(rank->remainder_s);
    go_back(rank);
    rank->remainder_s -= simgrid_get_clock() - before_s;
}

static double with_interruptions(struct bsim__rank *rank, double seconds) {
    return bsim__interrupt != NULL ? bsim__interrupt(rank, seconds) : seconds;
}

void bsim__charge_rank(struct bsim__rank *rank) {
    double pending_s = bsim__own.pending_s;
    bsim__own.pending_s = 0;
    if (pending_s <= 0)
        return;
    rank->idle_wtimes = 0;
    pending_s = with_interruptions(rank, pending_s);
    rank->compute_s += pending_s;
    bsim__sleep(rank, pending_s);
}

/* A loop that waits for a clock to advance would never end, since simulated time stands still while
 * nothing is charged; after so many readings in a row each further one takes a microsecond. */
#define IDLE_READINGS 1000
#define IDLE_READING_S 1e-6

double bsim__charged_clock_s(struct bsim__rank *rank, bool may_wait) {
    bsim__charge_rank(rank);
    if (may_wait && ++rank->idle_wtimes > IDLE_READINGS)
        bsim__sleep(rank, IDLE_READING_S);
    return simgrid_get_clock() + rank->remainder_s;
}

/* ---- The trace ---- */

/* A file of JSON; the caller frees it. */
static char *read_trace_header(void) {
    const char *path = setting("BSIM_TRACE_HEADER");
    FILE *in = path != NULL ? fopen(path, "r") : NULL;
    char *text = NULL;
    size_t length = 0;
    if (in == NULL || getdelim(&text, &length, '\0', in) <= 0)
        bsim__stop("mpiskel: error: no header for the trace in %s; BSIM_TRACE_FILE is for "
                   "profiling builds, simulations take `mpiskel run --trace=FILE`",
                   path != NULL ? path : "BSIM_TRACE_HEADER");
    fclose(in);
    return text;
}

static void open_trace(struct bsim__shared *shared, int size) {
    char why[1024], *header = read_trace_header();
    struct bsim__trace_options options = {.library = setting("BSIM_TRACE_LIBRARY"),
                                          .path = shared->trace_file,
                                          .window = setting("BSIM_TRACE_WINDOW"),
                                          .ranks = setting("BSIM_TRACE_RANKS"),
                                          .every = setting("BSIM_TRACE_EVERY"),
                                          .header = header,
                                          .size = size,
                                          .all_ranks_are_here = true,
                                          .scope = -1,
                                          .detached_bytes =
                                              sg_cfg_get_int("smpi/send-is-detached-thresh")};
    shared->traced = bsim__traced_run_open(&options, why, sizeof why);
    free(header);
    if (shared->traced == NULL)
        bsim__stop("mpiskel: %s", why);
}

static void trace_rank(struct bsim__shared *shared, struct bsim__rank *rank) {
    if (shared->trace_file == NULL)
        return;
    if (shared->traced == NULL)
        open_trace(shared, rank->world_size);
    rank->traced = bsim__traced_rank_new(shared->traced, rank->number);
}

static int64_t trace_now_ns(const struct bsim__shared *shared) {
    return llround((simgrid_get_clock() - shared->start_s) * 1e9);
}

static void trace_enter(struct bsim__rank *rank, struct bsim__call *call) {
    call->traced = bsim__grow(NULL, 0, sizeof *call->traced);
    *call->traced = (struct bsim__traced_call){.rank = rank->traced,
                                               .id = call->id,
                                               .file = call->file,
                                               .line = call->line,
                                               .args = call->args,
                                               .bytes = call->bytes};
    bsim__traced_enter(call->traced, trace_now_ns(bsim__shared()));
}

static void close_trace(struct bsim__shared *shared) {
    char why[1024];
    struct bsim__traced_run *traced = shared->traced;
    if (traced != NULL && shared->end_devices != NULL)
        shared->end_devices();
    shared->traced = NULL;
    if (traced != NULL && bsim__traced_run_close(traced, NULL, true, why, sizeof why) != 0)
        bsim__stop("%s: error: %s", shared->trace_file, why);
}

void bsim__trace_leave(struct bsim__call *call) {
    struct bsim__shared *shared = bsim__shared();
    if (shared->trace_file == NULL)
        return;
    struct bsim__rank *rank = bsim__current_rank();
    if (bsim__functions[call->id].class == MPI_CLASS_INIT)
        trace_enter(rank, call); /* which is known only now */
    if (call->traced != NULL)
        bsim__traced_leave(call->traced, trace_now_ns(shared));
    free(call->traced);
    call->traced = NULL;
    if (!rank->finalized)
        return;
    rank->traced = NULL; /* it has been told, and goes with the last rank */
    if (shared->finalized == (uint64_t)rank->world_size)
        close_trace(shared);
}

/* ---- Around a call ---- */

static bool is_watched(const struct bsim__shared *shared) {
    return shared->trace_directory != NULL || shared->stats_path != NULL ||
           shared->trace_file != NULL;
}

void bsim__refuse(enum bsim__id id, const char *file, int line) {
    bsim__stop("%s:%d: error: SimGrid 3.32 does not support '%s'; take options that do not come "
               "here (without checkpoints, say), or leave it out with #ifdef BSIM_SKELETON",
               file, line, bsim__functions[id].name);
}

void bsim__enter(struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (!function->is_supported)
        bsim__refuse(call->id, call->file, call->line);
    if (function->class == MPI_CLASS_FINALIZE)
        bsim__self_attributes_delete(bsim__current_rank());
    bsim__hold_clock(call);
    struct bsim__shared *shared = bsim__shared();
    struct bsim__rank *rank = bsim__current_rank();
    bsim__charge_gap(rank, call);
    bsim__charge_rank(rank);
    go_home();
    rank->idle_wtimes = 0;
    call->before_s = simgrid_get_clock();
    call->counted_before_s = rank->compute_s + rank->mpi_s;
    bsim__stall_enter(rank, call);
    bsim__handles_restore(call);
    if (is_watched(shared))
        call->bytes = fmax(bsim__call_bytes(call), 0); /* a negative count moves nothing */
    if (shared->trace_directory != NULL) {
        bsim__record_begin(&rank->record, call);
        bsim__volume_enter(rank, call);
    }
    bsim__handles_forget(&rank->known, call);
    if (rank->traced != NULL)
        trace_enter(rank, call);
    bsim__lighten(call);
    if (function->class == MPI_CLASS_ABORT) {
        bsim__record_call(rank, call);
        bsim__record_flush_all();
    }
}

static double end_of(const struct bsim__shared *shared, const struct bsim__rank *rank) {
    return simgrid_get_clock() + rank->remainder_s - shared->start_s;
}

static void finish_rank(struct bsim__shared *shared, struct bsim__rank *rank) {
    rank->finalized = true;
    if (shared->trace_directory != NULL)
        bsim__record_finish(rank);
    bsim__values_flush(rank);
    bsim__given_finish(rank);
    if (bsim__flush_stubs != NULL)
        bsim__flush_stubs();
    shared->progress->finalized_ranks = ++shared->finalized;
    if (shared->stats_path != NULL && shared->finalized == (uint64_t)rank->world_size)
        bsim__stats_write();
}

/* An actor that ends by force, as by exit, cannot tell those that have finalized: they wait for it,
 * and SimGrid sees a deadlock. */
static void tell_exit(struct bsim__shared *shared, const struct bsim__rank *rank) {
    if (!rank->finalized && !shared->exit_is_told)
        fprintf(stderr, "mpiskel: rank %d left before MPI_Finalize\n", rank->number);
    shared->exit_is_told = true;
}

/* Ranks that return from main without MPI_Finalize have come to their end if all of them do so. */
static void leave_rank(int failed, void *data) {
    struct bsim__shared *shared = bsim__shared();
    struct bsim__rank *rank = data;
    if (failed)
        tell_exit(shared, rank);
    if (failed || rank->finalized)
        return;
    end_of_ranks_note(&shared->end, (uint64_t)rank->world_size);
    if (bsim__flush_stubs != NULL) /* the rank's own: it is the last time that it runs */
        bsim__flush_stubs();
    double pending_s = with_interruptions(rank, bsim__own.pending_s);
    rank->compute_s += pending_s;
    rank->end_s = end_of(shared, rank) + pending_s + bsim__uncharged_s(rank);
    if (++shared->left < (uint64_t)rank->world_size)
        return;
    for (size_t i = 0; i < shared->actor_capacity; i++)
        if (shared->by_actor[i] != NULL && shared->by_actor[i]->number >= 0)
            finish_rank(shared, shared->by_actor[i]);
    close_trace(shared);
}

static void start_rank(struct bsim__rank *rank, struct bsim__call *call) {
    smpi_bench_end(); /* other ranks run meanwhile */
    sg_actor_on_exit(leave_rank, rank);
    smpi_bench_begin();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank->number);
    MPI_Comm_size(MPI_COMM_WORLD, &rank->world_size);
    bsim__hold_clock(call); /* it was not known whose it is */
    bsim__handle_add(&rank->known.communicators, MPI_COMM_WORLD);
    trace_rank(bsim__shared(), rank);
}

void bsim__leave(struct bsim__call *call) {
    struct bsim__shared *shared = bsim__shared();
    struct bsim__rank *rank = bsim__current_rank();
    bsim__stall_leave(rank, call);
    double after_s = simgrid_get_clock();
    double counted_s = rank->compute_s + rank->mpi_s - call->counted_before_s; /* in callbacks */
    double seconds = after_s - call->before_s - counted_s;
    enum mpi_class class = bsim__functions[call->id].class;
    if (class == MPI_CLASS_INIT)
        start_rank(rank, call);
    bsim__handles_note(&rank->known, call);
    bsim__idle_note(rank, call);
    bsim__self_attributes_note(rank, call);
    rank->calls++;
    rank->mpi_s += seconds;
    shared->progress->calls = ++shared->calls;
    shared->progress->simulated_s = after_s - shared->start_s;
    if (shared->stats_path != NULL) {
        struct bsim__site site = {.id = call->id, .file = call->file, .line = call->line};
        struct bsim__total one = {.count = 1, .seconds = seconds, .bytes = call->bytes};
        bsim__count_site(&rank->totals, &site, &one);
    }
    if (shared->trace_directory != NULL) {
        bsim__record_call(rank, call);
        bsim__volume_leave(rank, call);
    }
    if (class == MPI_CLASS_FINALIZE) {
        rank->end_s = end_of(shared, rank);
        finish_rank(shared, rank);
        bsim__trace_leave(call); /* what it waits for now is no part of the program */
        end_of_ranks_wait(&shared->end, (uint64_t)rank->world_size);
    }
    go_back(rank);
    bsim__release_clock(call);
}

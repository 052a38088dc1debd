/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the runtimes for SMPI (skeleton and original) share; not for applications.
 *
 * SMPI runs all ranks in one process, each with its own copy of the program and so of these static
 * libraries' globals (privatisation by dlopen), or all with one copy (privatisation off). So what
 * belongs to a rank lies in struct bsim__rank, found by the number of the running actor, and what
 * belongs to all in one struct bsim__shared on the heap, whose address the environment keeps. The
 * globals hold only what either way is right: caches, and the time that the running rank has not
 * charged yet, since ranks change only within MPI calls and each of them charges first.
 */
#pragma once

#include "runtime/calls/call.h"
#include "runtime/collectives/folded.h"
#include "runtime/formats/given_rows.h"
#include "runtime/formats/progress_page.h"
#include "runtime/include/bsim_own.h"
#include "runtime/simgrid/end_of_ranks.h"
#include "runtime/trace/traced.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- State ---- */

/* A call site of the program. */
struct bsim__site {
    enum bsim__id id;
    int line;
    const char *file;
};

/* Those that any rank has come to, by number; `slots` find them (open addressing, a power of two
 * slots, one over the number or 0). */
struct bsim__sites {
    struct bsim__site *of;
    int count, *slots, slot_count;
};

struct bsim__total {
    uint64_t count;
    double seconds, bytes;
};

/* Of a rank, by number of the site. */
struct bsim__totals {
    struct bsim__total *of;
    int count;
};

struct bsim__region_total {
    uint64_t executions;
    double seconds;
    double unseen_s;          /* of them, where terms have unseen shares (model/eval/eval.h) */
    double of_rank_s, most_s; /* while a rank hands over; of the rank with most, 0: not known */
    int feature_count;
    double *minima, *maxima;
    double *first;        /* of the rank that came first; NULL: none has yet */
    int run_number_count; /* that the model goes by (model/eval/eval_run_factor.h); 0: or not asked
                             yet */
    double *run_minima, *run_maxima;  /* of ranks */
    double scale_range;               /* the farthest of a rank; 0: not asked yet */
    double others_least, others_most; /* what formulas that tell the samples as well would multiply
                                         the time with; 0: there are none */
};

/* A loop whose number of iterations no profiling run had. */
struct bsim__doubt {
    double seconds; /* in it, of the rank that was there longest; 0: no such loop */
    double factor;  /* the largest by which what it goes by leaves the range that was seen */
};

/* Of a value: a number that it goes by, which was the same in all profiling runs. */
struct bsim__unvaried {
    bool is_known;
    int place;             /* of the vector (model/eval/eval_value.h) */
    double profiled, seen; /* there, and here */
};

/* The rows of a rank in the file of given values (given_log.c), as they were asked for. */
struct bsim__given_rows {
    struct given_file_row **of;
    int count;
};

#define LOOKALIKES_PAIRS 6 /* predefined datatypes of pairs in C */

/* What each call needs comes first, since ranks of a large simulation are in no cache. */
struct bsim__rank {
    int number, world_size; /* -1 before MPI_Init */
    double remainder_s;     /* time asked for and not yet slept, or (negative) slept too long */
    double compute_s, mpi_s;
    double device_s; /* in calls for devices: enqueuing, and waiting for operations */
    uint64_t calls;
    struct { /* the last call that was begun; file NULL: there has been none */
        enum bsim__id id;
        int line;
        const char *file;
    } last;
    unsigned inside;      /* of how many calls: of several, if callbacks of MPI call it */
    unsigned idle_wtimes; /* clocks read in direct succession with nothing to charge */
    struct bsim__totals totals;
    double polled_s, polled_last_s;   /* polls that found nothing, one after the other: what they
                                       * took, and when the last one ended (stalls.c) */
    struct bsim__traced_rank *traced; /* NULL: there is no trace */
    struct bsim__io_request *io;      /* requests of files that are not complete (io_requests.c) */
    int directory;                    /* an open one, where chdir led to; 0: where the run began */
    bool finalized;
    int counted_by;   /* region of the value that counts the loop whose condition is evaluated now,
                       * and 1; 0: there is none */
    bool is_counted;  /* that loop has one, which is not known before it was evaluated once; */
    double bound;     /* and how often it would iterate at most, as the source says; -1: it does not
                       * say */
    bool loop_begins; /* the condition that is evaluated now is that of a new loop: what was
                       * modelled of an earlier entry, which was left early, is over */
    struct bsim__handles idle;             /* requests: idle_requests.c */
    struct bsim__handles persistent;       /* requests, the same */
    struct bsim__handles composites;       /* composites.c */
    struct bsim__interrupted *interrupted; /* what interrupts it next; NULL: not asked yet */
    double end_s;
    double interrupted_s;       /* of compute_s (machine_interrupts.c) */
    struct bsim__record record; /* of calls */
    struct bsim__known known;
    double waited_s; /* by loops that wait for a clock that goes by recorded calls */
    bool record_started, record_failed;
    struct bsim__handles self_attributes; /* keys: handles.c */
    struct bsim__handles in_fortran;      /* of all kinds: handles.c */
    MPI_Datatype pairs[LOOKALIKES_PAIRS]; /* NULL: not made yet (lookalikes.c) */
    struct bsim__handles topologies;      /* topologies.c */
    struct bsim__handles barriers;        /* barriers.c */
    struct bsim__data *reductions;        /* under way, whose results are not SimGrid's */
    MPI_Op timed_operations[2];           /* by whether they commute; NULL: not made yet */
    unsigned empty_polls;                 /* the same */
    struct bsim__values *values;          /* to be replayed, or recorded; NULL: none so far */
    struct bsim__given *given;            /* by models; NULL: none so far */
    struct bsim__volume *volume;          /* NULL: none so far */
    struct bsim__given_rows given_rows;
    MPI_Errhandler file_handler; /* of MPI_FILE_NULL; NULL: not asked for yet */
    unsigned io_polls;           /* for them in direct succession, the last one at */
    double io_polled_s;
    struct bsim__environment *environment; /* what this rank has set; NULL: nothing */
    size_t mmap_threshold;    /* malloc's, of an original; 0: the first one (malloc_threshold.c) */
    struct bsim__loop *loops; /* by number: those that this rank has entered */
    int loop_count;
    double more_s, off_s; /* of loops that were left early: their further iterations */
    bool *has_called;     /* by call site (skeleton/gaps.c) */
    int has_called_count;
};

struct bsim_argument;
struct bsim_gap;
struct bsim_model;
struct bsim__values;
struct bsim__given;
struct bsim__volume;
struct bsim__loop;
struct bsim__interrupted;
struct bsim__changes;
struct device;
struct bsim__launcher;
struct bsim__io_request;
struct bsim__io_store;
struct bsim__io_server;
struct bsim__io_handler;
struct bsim__environment;
struct bsim__windows;

struct bsim__shared {
    const char *trace_directory, *stats_path, *values_directory; /* NULL: not asked for */
    bool tells_calls_of_ranks;                                   /* in the summary, by function */
    const char *noise;                                           /* likewise (latency_noise.c) */
    const char *interruptions;       /* likewise (machine_interrupts.c) */
    const char *host_factors;        /* likewise (latency_noise.c) */
    const char *collectives;         /* whose they are: ompi-4.1; NULL: SimGrid's */
    const char *trace_file;          /* likewise */
    struct bsim__traced_run *traced; /* open; NULL: not yet, not asked for, or closed */
    bool charges_latencies;          /* or no region takes time, since calls are only compared */
    double precision_s, start_s;
    double clock_step_s;          /* of what the rank reads, per recorded call; 0: simulated time */
    bool computation_takes_time;  /* as it does here, instead of what stubs charge */
    struct bsim__rank **by_actor; /* NULL: not seen yet */
    size_t actor_capacity;
    struct bsim__rank *nobody; /* of no actor; NULL: not asked for yet */
    uint64_t finalized, left, calls;
    bool exit_is_told;       /* of one rank */
    struct end_of_ranks end; /* ranks that have finalized, or left without that */
    double eventful_s;       /* when anything happened, but polls that found nothing (stalls.c) */
    uint64_t inside;         /* ranks in MPI calls, behind what was charged for them */
    struct bsim__handles barriers; /* barriers.c */
    struct folded_list folded;     /* reductions under way (collective_data.c) */
    int struct_key;                /* elements.c; once it has_struct_key */
    bool has_struct_key;
    struct bsim__sites sites;
    struct bsim__region_total *regions;
    int region_count;
    struct bsim__doubt *doubts; /* by region; NULL: there are none */
    int doubt_count;
    double *guesses; /* by region: how often a number was given that models do not tell; likewise */
    int guess_count;
    struct bsim__unvaried *unvaried; /* by value; likewise */
    int unvaried_count;
    struct bsim__once *once; /* what all ranks have alike (values_once.h); NULL: nothing so far */
    struct bsim_model *model;
    const struct bsim_gap **gaps;    /* of the model, by number of the site (skeleton/gaps.c) */
    int gap_count;                   /* of sites that were asked for; -1: the model has none */
    struct bsim_argument *arguments; /* NULL: not read yet */
    void *scratch;
    struct bsim__given_file *given; /* NULL: not asked for */
    bool given_is_open;
    struct bsim__io_store *stores;     /* files that are open or changed (io_store.c) */
    struct bsim__io_server *servers;   /* file systems; NULL: not read yet (io_transfer.c) */
    struct bsim__io_handler *handlers; /* error handlers of files (io_file.c) */
    int directory; /* an open one, where the run began; 0: no rank has left it (launcher.c) */
    size_t mmap_threshold; /* that malloc has now; 0: it was not changed yet */
    struct bsim__environment
        *environment;                /* what ranks have set, as it was before; NULL: nothing */
    struct bsim__windows *windows;   /* NULL: none has been made (window_locks.c) */
    struct bsim__launcher *launcher; /* NULL: was not asked for (launcher.c) */
    struct bsim__changes *changes;   /* of loops and features; NULL: not read yet */
    struct device **devices; /* by number; NULL: no operation was enqueued yet (runtime/devices) */
    int device_count;
    void (*end_devices)(void);      /* what was enqueued is done; NULL: there are no devices */
    struct progress_page *progress; /* never NULL */
    struct progress_page unmapped;
};

/* Of a variable that all ranks share, beside what each rank has for itself (private.c): what lies
 * elsewhere in writable memory makes SMPI copy the program (simulator/choice/variables.h). */
#define BSIM__COMMON __attribute__((section(".bsim_common")))

/* Never NULL. */
struct bsim__shared *bsim__shared(void);
struct bsim__rank *bsim__current_rank(void);

/* Puts MPI_COMM_WORLD where static initialisers name it, if that has become another one (worlds.c).
 * NULL: not linked, since none does. */
void bsim__replace_worlds(void) __attribute__((weak, visibility("hidden")));

/* Sleeps for what is pending; sleeps for so long on top of what remains from earlier. */
void bsim__charge_rank(struct bsim__rank *rank);
void bsim__sleep(struct bsim__rank *rank, double seconds);

/* The simulated time, with what the rank has computed so far, in seconds. */
double bsim__clock_s(void);
/* Likewise, since the start; nothing is slept for it. Skeletons only. */
double bsim__reached_s(const struct bsim__rank *rank);
/* With what is pending charged; `may_wait`: the program may be waiting for it to advance. */
double bsim__charged_clock_s(struct bsim__rank *rank, bool may_wait);
/* By the calls that the rank has recorded, which original and skeleton have in common; NAN: it is
 * not asked for. */
double bsim__counted_clock_s(struct bsim__rank *rank);

/* Skeletons: makes messages out of and into the scratch buffer cheap. Originals: nothing. */
void bsim__lighten(struct bsim__call *call);
/* Skeletons: adds what kept code took before such calls to what is pending. Originals: nothing. */
void bsim__charge_gap(struct bsim__rank *rank, const struct bsim__call *call);
/* Originals: what MPI and this runtime do in the call is no computation of the rank. Skeletons:
 * nothing. */
void bsim__hold_clock(struct bsim__call *call);
void bsim__release_clock(struct bsim__call *call);
/* Originals: what the rank has computed since its last call, of which SMPI learns nothing where the
 * program ends without another one, in seconds. Skeletons: 0. */
double bsim__uncharged_s(const struct bsim__rank *rank);
/* Stops the run at a call that neither SimGrid nor the runtime can make. */
void bsim__refuse(enum bsim__id id, const char *file, int line) __attribute__((noreturn));
/* Before and after what a wrapped call does: locks of windows (window_locks.c). */
void bsim__windows_enter(struct bsim__call *call);
void bsim__windows_leave(struct bsim__call *call);
/* Before and after a wrapped call. */
void bsim__enter(struct bsim__call *call);
void bsim__leave(struct bsim__call *call);
/* Behind all of it: the call's event of the trace (state.c). */
void bsim__trace_leave(struct bsim__call *call);

/* The data of collectives as MPI says, where SimGrid's algorithms have it otherwise
 * (collective_data.c). Before a call: changes arguments, for MPI's function alone; true: it is not
 * to be called. After it: what a nonblocking one has under way stays in call->data, until it is
 * complete, or was never begun. */
bool bsim__data_show(struct bsim__call *call);
/* The call was made as the library makes it that --collectives names. */
bool bsim__data_of_library(struct bsim__call *call);
void bsim__data_take(struct bsim__call *call, int code);
void bsim__data_finish(struct bsim__data *data, bool is_complete);

/* Of a collective that this rank begins on a communicator; the communicator's name (barriers.c). */
uint64_t bsim__collective_number(uint64_t *communicator, MPI_Comm comm);

/* Handles (handles.c). */
/* The communicator itself, or the one of which this is the lower half. */
MPI_Comm bsim__communicator(MPI_Comm communicator);
/* Before a call: the communicator among its arguments. */
void bsim__handles_restore(struct bsim__call *call);

/* After a call: the requests that it made. Before one that may complete any of several: true if it
 * has been made here, with a request that was complete from the beginning. */
/* SimGrid's: where a rank's computation is timed (declared in none of its headers). */
void smpi_bench_begin(void);
void smpi_bench_end(void);

void bsim__idle_note(struct bsim__rank *rank, const struct bsim__call *call);
bool bsim__idle_given(const struct bsim__call *call);
void bsim__idle_look_again(const struct bsim__call *call);
/* Instead of MPI_Request_free: true if it has been made here. */
bool bsim__idle_frees(struct bsim__call *call);

/* Around each call; and instead of MPI_Probe: true if it was made here; MPI_Probe itself. */
void bsim__stall_enter(struct bsim__rank *rank, const struct bsim__call *call);
void bsim__stall_leave(struct bsim__rank *rank, const struct bsim__call *call);
bool bsim__stall_probes(struct bsim__call *call);
/* While a call asks again and again by itself: it has done so since `begin_s`, and found nothing.
 */
void bsim__stall_look(double begin_s);
int bsim__stall_probe(int source, int tag, MPI_Comm comm, MPI_Status *status);

/* What a new datatype of MPI_Type_create_struct was made of (elements.c). */
void bsim__elements_note_struct(MPI_Datatype made, int count, const int *lengths,
                                const MPI_Datatype *types);

/* Before a call that completes requests, or frees one: true if it has been made here, since there
 * are requests of files among them (io_requests.c). */
bool bsim__io_completes(struct bsim__call *call);

/* Attributes of MPI_COMM_SELF: after a call, and before MPI_Finalize. */
void bsim__self_attributes_note(struct bsim__rank *rank, const struct bsim__call *call);
void bsim__self_attributes_delete(struct bsim__rank *rank);

/* Recording (record_calls.c): the line of a call whose begin is recorded; what is behind it. */
void bsim__record_call(struct bsim__rank *rank, struct bsim__call *call);
void bsim__record_finish(struct bsim__rank *rank);
void bsim__record_flush(struct bsim__rank *rank);
void bsim__record_flush_all(void);

/* Sums of what a rank sends (volume_write.c); only while recording. enter wants call->bytes. */
void bsim__volume_enter(struct bsim__rank *rank, const struct bsim__call *call);
void bsim__volume_leave(struct bsim__rank *rank, const struct bsim__call *call);
void bsim__volume_write(struct bsim__rank *rank);

/* Skeletons: the models; loaded for the first stub that needs them. Never NULL. */
struct bsim_stub;
const struct bsim_model *bsim__model(const struct bsim_stub *stub);
/* Likewise, for a call that may come before all stubs; NULL: there is no such file. */
const struct bsim_model *bsim__model_if_any(void);

/* Skeletons: what a model of `what` ("value", "region") goes by, "ranks" or the name of an argument
 * (run_numbers.c); stops the run if it has no such number. */
bool bsim__has_run_number(const char *name); /* likewise */
double bsim__run_number(const struct bsim_stub *stub, const char *what, const char *name);

/* Likewise; or a feature of another region, as it was in its last execution on this rank (stub.c);
 * NAN if there has been none. */
double bsim__number_of_run(const struct bsim_stub *stub, const char *what, const char *name);

/* Skeletons: by which factor such numbers leave the range of the training for the region of the
 * stub, whose model has been asked; 1: they do not. */
double bsim__scale_range(const struct bsim_stub *stub);

/* Skeletons: stops the run if BSIM_NOISE is wrong. */
void bsim__noise_start(void);
/* The same for interruptions of the machine. */
void bsim__interruptions_start(void);
/* By how much interruptions, where they are simulated, made the latency of executions vary when it
 * was learned, as the square of a relative deviation. */
double bsim__interrupted_variance(double seconds);

/* Skeletons: what all latencies of the stub are multiplied with on this rank, as it differs from
 * others; 1 with BSIM_NOISE, and before MPI_Init. */
struct bsim_region_model;
/* Of the rank's host (latency_noise.c). */
double bsim__host_factor(const struct bsim__rank *rank);

double bsim__rank_factor(const struct bsim_stub *stub, const struct bsim_region_model *model);

/* Skeletons: what the latency of the stub's next execution is multiplied with; 1 without noise.
 * Lowers *good_for if the next but one has another factor. */
double bsim__noise_factor(unsigned long *good_for, const struct bsim_stub *stub,
                          const struct bsim_region_model *model);

/* Skeletons: the next number that the original computed for this value; NULL: nothing is replayed.
 */
const char *bsim__value_replayed(const struct bsim_stub *stub, int region);

/* The simulated program and its arguments; what does not fit is left out. On the heap, since ranks
 * may have small stacks: the caller frees it. */
#define BSIM__COMMAND_LINE_WORDS 1024
struct bsim__command_line {
    int count;
    const char *words[BSIM__COMMAND_LINE_WORDS]; /* point into text */
    char text[65536];
};
struct bsim__command_line *bsim__command_line(void);

/* Skeletons note each value that they were given (given_log.c); a rank that finalizes says so. */
void bsim__given_note(int region, double value);
void bsim__given_finish(struct bsim__rank *rank);

/* Values that were recorded and not yet written (values_write.c; skeletons: nothing). */
void bsim__values_flush(struct bsim__rank *rank);

/* Statistics (stats_write.c). */
int bsim__site_number(struct bsim__sites *sites, const struct bsim__site *site);
void bsim__count_site(struct bsim__totals *totals, const struct bsim__site *site,
                      const struct bsim__total *what);
void bsim__stats_write(void);
void bsim__write_string(FILE *out, const char *text); /* of JSON */
/* A copy; and `factor` times what has been added to the totals since the copy was made once more.
 */
void bsim__copy_totals(struct bsim__totals *out, const struct bsim__totals *totals);
void bsim__extend_totals(struct bsim__totals *totals, const struct bsim__totals *copy,
                         double factor);
/* Hands over what the stubs have counted; set by the skeleton only. */
extern void (*bsim__flush_stubs)(void) __attribute__((visibility("hidden")));
/* How long it takes the rank, from now on, to compute what takes so many seconds without
 * interruptions; NULL: nothing interrupts ranks. */
extern double (*bsim__interrupt)(struct bsim__rank *rank, double seconds)
    __attribute__((visibility("hidden")));

/* Skeletons: what came of changed loops, as further members of the summary (loop_hooks.c). */
extern void (*bsim__write_changes)(FILE *out) __attribute__((visibility("hidden")));

/* Ends the whole simulation with exit code 1, after the message and all records are out. */
void bsim__stop(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Where a stub is, for its file and line: in the bundle, whose lines are not the application's. */
#define BSIM__STUB_PLACE "src/%s:%d"

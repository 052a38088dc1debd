/* SPDX-License-Identifier: Apache-2.0
 *
 * One simulation: an application's shared object under SMPI.
 *
 * In: struct launch. Out: what it cost, and the log that it left. The log holds what SimGrid and
 * the application wrote on stderr (and on stdout, if asked); while the simulation runs it can be
 * shown on our stderr. smpimain is started without a shell and without smpirun (see smpi.h), so
 * arguments may hold blanks; the one argument that SimGrid cannot pass on is `--`.
 * Settings that are always made: SMPI's network model, stacks as large as real ones
 * (rank_memory.h), a copy of the program for each rank (by dlopen) if the ranks cannot share one
 * (variables.h), no cost for MPI_Wtime, and no guard pages from 4,000 ranks on (the kernel's limit
 * on mappings), nor where malloc is told to use huge pages (GLIBC_TUNABLES; SimGrid cannot protect
 * a part of one, and stops). surf/precision stays at SimGrid's 1e-9: 1e-6 saves 15 to 25 % of the
 * time at 1,024 ranks (halo of 8 B to 64 KB) and moves the result by 0.3 to 0.5 %, and links have
 * latencies of 1 us. Not handled: more ranks than dlopen can copy a program for (about 13,000).
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/process.h"
#include "simulator/choice/engine_choice.h"

#include <stdbool.h>
#include <stddef.h>

enum launch_output { OUTPUT_TO_STDOUT, OUTPUT_TO_STDERR, OUTPUT_TO_LOG };

struct asked_trace;

/* How long bursts take in other simulations of an original (docs/reference/run-files.md). */
#define BURSTS_AS_THEY_COME "none"
struct launch_bursts {
    const char *file; /* BSIM_BURSTS */
    const char *of;   /* BSIM_BURSTS_OF: "all", "odd", "even", or that: they are only noted */
};

struct launch {
    const char *program; /* with its directory */
    char *const *arguments;
    size_t argument_count;
    size_t ranks;
    const char *directory; /* where it runs; NULL: here */
    const char *platform_file, *host_file;
    const char *host_factors;     /* a file (host_speeds.h); NULL: hosts are alike */
    const char *work_directory;   /* for the log, the summary and large copies of SimGrid's */
    const char *model_file;       /* BSIM_MODEL; NULL: the one beside the program */
    const char *trace_directory;  /* BSIM_TRACE; NULL: calls are not recorded */
    const char *values_directory; /* BSIM_VALUES; NULL: values are neither recorded nor replayed */
    const char *values_of;        /* BSIM_VALUES_OF, " 3 7 "; NULL: all of them are replayed */
    const struct asked_trace *trace;          /* of events; NULL: none (asked_trace.h) */
    const char *trace_library, *trace_header; /* files; with a trace */
    double clock_step_s;      /* BSIM_CLOCK_STEP, with a trace; 0: clocks tell simulated time */
    bool with_latencies;      /* BSIM_LATENCIES: with a trace, regions take time all the same */
    const char *noise;        /* BSIM_NOISE; NULL: the usual jitter */
    const char *loop_changes; /* BSIM_SET; NULL: none */
    const char *iterations;   /* BSIM_ITERATIONS; NULL: all are simulated */
    double foretells; /* how long a long one takes, and with so many iterations; 0: it does not */
    bool with_calls_of_ranks;           /* BSIM_STATS_RANKS: in the summary */
    bool with_summary_only;             /* neither given_file nor messages_file is written */
    const char *interruptions;          /* BSIM_INTERRUPTIONS; NULL: nothing interrupts ranks */
    double host_speed_flops_per_s;      /* > 0: computation is timed and simulated, at this speed of
                                           the machine that we run on; 0: it costs nothing */
    const struct launch_bursts *bursts; /* of an original; NULL: as the user has set it */
    const char *collectives;            /* "tree", or another text that collectives.h accepts */
    const char *const *settings;        /* further SimGrid settings, "key:value" */
    size_t setting_count;
    enum launch_output output;             /* where the application's stdout goes */
    const char *output_file;               /* there instead; NULL: no file */
    bool show_log, show_progress;          /* on our stderr, while it runs */
    bool shares_input;                     /* another run reads the same on standard input */
    bool is_counted;                       /* an original whose clock counts (runtime/counted) */
    bool has_one_thread;                   /* of OpenMP's, whatever the program asks for */
    double processor_limit_s, call_limit;  /* more than that ends it; 0: no limit */
    enum engine_choice engine;             /* 0: SMPI */
    long device_engines, ranks_per_device; /* of skeletons with devices; 0: 1 */
    bool devices_block;                    /* hosts wait for each operation */
    const char *device; /* BSIM_DEVICE (simulator/devices); NULL: as the model says */
};

struct launch_result {
    struct process_result process;
    bool out_of_memory;                /* it was ended for that (memory.h) */
    size_t stack_kib;                  /* that each rank had */
    double idle_s;                     /* it was ended for doing nothing for so long; else 0 */
    bool over_limit;                   /* it was ended for a limit of struct launch */
    bool log_shown;                    /* the application's lines are on our stderr already */
    const char *log_file, *stats_file; /* in the arena; the summary may be missing */
    const char *given_file;            /* likewise: which values the skeleton was given */
    const char *messages_file;         /* likewise: messages.h */
    bool by_engine;                    /* or by SMPI */
    const char *engine_lacks; /* why it was SMPI, where the engine was asked for; else NULL */
};

/* Returns -1 only if it could not be started or waited for; whether the application got through is
 * told by outcome_read (outcome.h). */
int launch_run(struct launch_result *out, const struct launch *launch, struct arena *arena,
               struct error *error);

/* A new directory for what simulations of the program on so many ranks leave: in memory, where
 * files cost the least, unless the copies of the program that SMPI may make are too large for it or
 * TMPDIR names another place. The caller removes it. */
const char *launch_directory(struct arena *arena, const char *stem, const char *program,
                             size_t ranks, struct error *error);

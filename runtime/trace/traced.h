/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces of runs, under SMPI and under any other MPI: what is told around each MPI call becomes
 * events, with the messages that they send or receive. All of it does nothing for a rank without
 * a trace (NULL). The writer is a library that is loaded when a trace is asked for
 * (analysis/writer/trace_calls.h).
 *
 * Compiled once with SMPI's mpi.h and once with the application's: handles are kept as their bytes.
 * MPI is asked by names with PMPI_.
 */
#pragma once

#include "analysis/writer/trace_channels.h"
#include "analysis/writer/trace_event.h"
#include "runtime/trace/functions.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_calls;
struct trace_counts;
struct trace_writer;
struct bsim__traced_run;
struct bsim__traced_rank;

/* A call in progress. */
struct bsim__traced_call {
    struct bsim__traced_rank *rank; /* NULL: not traced */
    enum bsim__id id;
    const char *file;
    int line;
    void **args;  /* args[i] points to parameter i */
    double bytes; /* of the first payload that counts on this rank; of collectives and files */
    int64_t begin_ns;
    struct trace_channel_message sent, received; /* that it begins; number 0: none, not known yet */
    uint64_t collective;                         /* its number; 0: it is none */
    int communicator;                            /* among the rank's; -1: none */
    int first_handle, handles; /* on the rank's stack: the requests that it may complete */

    /* Details; of a rank whose run has them. */
    void (*locate)(
        struct bsim__traced_call *call); /* sets call_path, file and line, if it is one */
    uint32_t call_path;                  /* as the writer numbers it */
    int64_t cpu_ns;                      /* processor time since the rank's event before */
    bool is_event; /* behind the call: it is one; false: a poll that completed nothing */
};

/* What a call says of its first payload that counts on this rank: not those that only the root
 * gives, nor what stands beside MPI_IN_PLACE. */
struct bsim__traced_payload {
    int64_t bytes, count; /* count: elements */
    int64_t extent;       /* of one, in bytes */
    int64_t other_bytes;  /* likewise of the next payload; 0: there is none */
};

struct bsim__traced_payload bsim__traced_payload(enum bsim__id id, void *const *args);
double bsim__traced_call_bytes(enum bsim__id id, void *const *args); /* its bytes alone */

/* ---- Of the run ---- */

struct bsim__trace_options {
    const char *library, *path, *window, *ranks, *every; /* texts as in the environment, or NULL */
    const char *header;                                  /* JSON */
    int32_t size;                                        /* of MPI_COMM_WORLD */
    bool all_ranks_are_here; /* in one process: then it is known who waits for whom */
    bool appends;            /* another process has created the file */
    int32_t scope;           /* -1, or the only rank here */
    bool has_details;        /* of a recording: all of an event, and no polls in vain */
    int64_t detached_bytes;  /* sends of fewer bytes do not wait for the receiver */
};

/* NULL: the trace cannot be written, and why is in `why`. */
struct bsim__traced_run *bsim__traced_run_open(const struct bsim__trace_options *options, char *why,
                                               size_t size);
struct bsim__traced_rank *bsim__traced_rank_new(struct bsim__traced_run *run, int32_t rank);

/* Where definitions of call paths go. */
const struct trace_calls *bsim__traced_run_calls(const struct bsim__traced_run *run);
struct trace_writer *bsim__traced_run_writer(struct bsim__traced_run *run);

/* Writes what is in buffers. */
void bsim__traced_run_flush(struct bsim__traced_run *run);
const struct trace_counts *bsim__traced_run_counts(const struct bsim__traced_run *run);
/* -1: the trace is not whole, and why is in `why`. */
int bsim__traced_run_close(struct bsim__traced_run *run, const struct trace_counts *others,
                           bool ends, char *why, size_t size);

/* ---- Of a rank ---- */

/* Around a call; `now_ns` since the start of the run. Behind the call what it wrote through its
 * pointers is looked at; `enter` may put statuses in place of those that the program ignores. */
void bsim__traced_enter(struct bsim__traced_call *call, int64_t now_ns);
void bsim__traced_leave(struct bsim__traced_call *call, int64_t now_ns);

/* An execution of a region. */
void bsim__traced_region(struct bsim__traced_rank *rank, int region, int64_t begin_ns,
                         int64_t end_ns);

/* ---- Of devices (traced_operations.c) ---- */

struct bsim__traced_operation {
    const char *function; /* "kernel NAME", "copy to"; of the host's call OpenCL's function */
    int32_t rank, queue;  /* which asked for it; queue -1: none */
    int64_t begin_ns, end_ns, bytes;
    int64_t waited_ns; /* of the host's call */
    uint64_t number;   /* among those of the rank, from 1; 0: not known */
};

/* What a device did, in one of its lanes. */
void bsim__traced_operation(struct bsim__traced_run *run, struct trace_lane lane,
                            const struct bsim__traced_operation *operation);
/* A rank in a call of the device's library. */
void bsim__traced_device_call(struct bsim__traced_rank *rank,
                              const struct bsim__traced_operation *call);

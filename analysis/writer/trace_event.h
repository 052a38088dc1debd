/* SPDX-License-Identifier: Apache-2.0
 *
 * An event of a trace: what a rank did from one time to another. The same structure goes into the
 * writer (trace_writer.h) and comes out of the reader (analysis/trace/trace_reader.h).
 *
 * Times are nanoseconds since the start of the run. Ranks are those of MPI_COMM_WORLD, also in
 * `peer` and `root`. A call that completes several messages (MPI_Waitall, MPI_Sendrecv) is one
 * TRACE_CALL with the first of them and, directly behind it, a TRACE_PART for each further one:
 * parts have site, begin and end of their call and are no time of their own.
 *
 * Operations of devices overlap what ranks do: they are in lanes of their own, which count as ranks
 * behind those of MPI_COMM_WORLD. Their `peer` is the rank that asked for it, their tag the queue.
 */
#ifndef ANALYSIS_WRITER_TRACE_EVENT_H
#define ANALYSIS_WRITER_TRACE_EVENT_H

#include <stdint.h>

#define TRACE_NONE (-1)          /* of peer, tag, root, communicator: there is none */
#define TRACE_ANY (-2)           /* of peer, tag: MPI_ANY_SOURCE, MPI_ANY_TAG, not known yet */
#define TRACE_MOST_RANKS 4194304 /* of a trace: what a reader believes */

enum trace_kind {
    TRACE_CALL,      /* of an MPI function */
    TRACE_REGION,    /* computation: an execution of a region */
    TRACE_PART,      /* one more message of the call before */
    TRACE_OPERATION, /* of a device, in its lane; of a rank, a call of the device's library */
};

#define TRACE_LANES_OF_DEVICE 64 /* engines, or of a recording the queues of a rank */

/* What does one operation after the other: an engine of a device in a simulation (device: its
 * number), a queue in a recording (device: the rank). */
struct trace_lane {
    int32_t device, number;
};

/* Which end of a message the event is. Without a message id: one-sided (MPI_Put sends, MPI_Get
 * receives) or files (writing sends, reading receives), where `bytes` is what went that way. */
enum trace_direction { TRACE_NEITHER, TRACE_SENDS, TRACE_RECEIVES };

struct trace_event {
    int64_t begin_ns, end_ns;
    int64_t waited_ns;   /* part of it in which another rank had not come so far */
    int64_t bytes;       /* of the message; of a collective: what this rank gives or gets */
    uint64_t number;     /* of the message among those with its communicator, sender, receiver and
                          * tag, of the collective among those on its communicator, from 1; 0: is
                          * neither */
    uint64_t message;    /* the same for the send and the receive of a message; 0: none */
    uint64_t collective; /* the same for all members of a collective; 0: none */
    uint32_t site;       /* in the trace's table of sites */
    int32_t rank;
    int32_t peer, tag;    /* of a message; else TRACE_NONE */
    int32_t communicator; /* in the trace's table of communicators, or TRACE_NONE */
    int32_t root;         /* of a collective that has one, else TRACE_NONE */
    uint8_t kind;         /* enum trace_kind */
    uint8_t direction;    /* enum trace_direction */

    /* Details, of traces that have them (trace_has_details): recordings of programs without source.
     * Of others 0, and TRACE_NONE where that is said. */
    uint8_t asked;       /* enum trace_asked, of what receives or probes */
    uint32_t call_path;  /* the frame that made the call (struct trace_frame); 0: not known */
    int64_t cpu_ns;      /* processor time of the rank outside of MPI since its event before; of
                          * parts 0 */
    uint64_t request;    /* of the rank, from 1 in the order in which they were made: that which the
                          * event makes, starts, completes or frees; a part for each further one.
                          * A persistent request keeps its number. 0: none */
    int64_t count;       /* elements that the call names for `bytes`; their datatype has */
    int64_t extent;      /* this extent in bytes (its size is bytes / count) */
    int64_t other_bytes; /* of a collective: what this rank gets, where `bytes` is what it gives; of
                          * a receive: the room for it */
    int32_t made;        /* the communicator that the call made, or TRACE_NONE */
    int32_t colour, key; /* of MPI_Comm_split; colour of MPI_Cart_sub: bit i: dimension i remains */
};

enum trace_asked {
    TRACE_ASKED_ANY_SOURCE = 1,
    TRACE_ASKED_ANY_TAG = 2,
};

/* A call with nothing but what it is given. */
static inline struct trace_event trace_event_of(int32_t rank, uint32_t site, int64_t begin_ns,
                                                int64_t end_ns) {
    return (struct trace_event){.begin_ns = begin_ns,
                                .end_ns = end_ns,
                                .site = site,
                                .rank = rank,
                                .peer = TRACE_NONE,
                                .tag = TRACE_NONE,
                                .communicator = TRACE_NONE,
                                .root = TRACE_NONE,
                                .made = TRACE_NONE,
                                .kind = TRACE_CALL};
}

/* Where events come from: a call in the source, or a region. */
struct trace_site {
    uint8_t kind;         /* TRACE_CALL, TRACE_REGION or TRACE_OPERATION */
    int32_t line, region; /* line 0: not known; region TRACE_NONE: a call */
    const char *function; /* MPI_Send; of a region the function that it is in, or "region"; of an
                           * operation "kernel NAME", "copy to" */
    const char *file;     /* "": not known */
};

/* A frame of call paths, which form a tree: the path of a call is its frame and those above. */
struct trace_frame {
    uint32_t parent;      /* the frame that called it, with a smaller number; 0: it is outermost */
    uint32_t module;      /* in the trace's table of modules */
    uint64_t offset;      /* of the address that the call returns to, in the module */
    const char *function; /* by the module's symbols, of C++ demangled; "": none is near */
};

/* A file of machine code that a program runs from. */
struct trace_module {
    const char *name;     /* without directory */
    const char *build_id; /* hexadecimal digits; "": it has none */
};

struct trace_communicator {
    uint64_t key;            /* the same for all members, another for each communicator */
    const char *name;        /* "MPI_COMM_WORLD"; else "" */
    int32_t size;            /* members */
    const int32_t *members;  /* by their rank in it: the rank in MPI_COMM_WORLD */
    int32_t dimension_count; /* of a Cartesian topology; 0: it has none */
    const int32_t *dimensions;
};

#endif

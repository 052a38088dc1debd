/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of calls of a rank, as text: what `verify` compares. Compiled once with SMPI's mpi.h,
 * for the original and the skeleton, and once with the application's, for its real run, so that all
 * three say the same of a call. MPI is asked by names with PMPI_.
 */
#pragma once

#include "runtime/trace/functions.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bsim__traced_call;
struct bsim__data;

/* One call in progress; args[i] points to parameter i. */
struct bsim__call {
    enum bsim__id id;
    const char *file;
    int line;
    void **args;
    MPI_Status status; /* stands in for MPI_STATUS_IGNORE while recording */
    bool has_failed;   /* it returned an error: what it left in a status is nothing */
    char *set_aside;   /* the begun line of the call in whose callback this one is; NULL: none */

    /* Of simulations. */
    double before_s;
    double counted_before_s; /* compute_s and mpi_s of the rank, before */
    double bytes;
    void *clock;             /* that stands meanwhile (rank_clock.h); NULL: none */
    MPI_Datatype shifted[2]; /* made for the call (lookalikes.c); NULL: none */
    int code; /* where it is made in another way (bsim__idle_given, bsim__stall_probes) */
    struct bsim__traced_call *traced; /* NULL: it is not traced */
    struct bsim__data *data; /* of a collective (collective_data.c); NULL: it is SimGrid's */
};

/* Handles in the order in which a rank made them; freed ones are NULL. */
struct bsim__handles {
    void **items;
    int count, capacity;
};

struct bsim__known {
    struct bsim__handles communicators, windows, files;
};

struct bsim__record {
    struct bsim__known *known; /* handles of the rank */
    char *text;                /* not yet written */
    size_t text_length, text_capacity;
    size_t complete_length; /* of text, up to the line of a call that is not complete */
    uint64_t calls;
};

/* A line: place, name and arguments before the call, results behind it. Then, once complete lines
 * are written or not, the begun line of the call that this one is in a callback of. */
void bsim__record_begin(struct bsim__record *record, struct bsim__call *call);
void bsim__record_end(struct bsim__record *record, struct bsim__call *call);
void bsim__record_take_up(struct bsim__record *record, struct bsim__call *call);

void bsim__text(struct bsim__record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* ` label=value`: a constant that such a parameter may be by its name (call_constants.c). */
void bsim__text_value(struct bsim__record *record, const char *label, long long value);
/* Parameters of either direction (call_values.c). */
void bsim__record_inputs(struct bsim__record *record, struct bsim__call *call);
void bsim__record_outputs(struct bsim__record *record, struct bsim__call *call);
/* The bytes of the call's first payload that is looked at on this rank; 0: none. */
double bsim__call_bytes(const struct bsim__call *call);
/* Of a collective: what arrives in a second payload whose parts have a size each; 0: none. */
double bsim__call_received_bytes(const struct bsim__call *call);

int bsim__handle_find(const struct bsim__handles *handles, const void *handle);
int bsim__handle_add(struct bsim__handles *handles, void *handle);
void bsim__handle_remove(struct bsim__handles *handles, const void *handle);
void *bsim__handle_at(const void *place, size_t size);
/* Before a call that frees communicators, and after one that makes them. */
void bsim__handles_forget(struct bsim__known *known, const struct bsim__call *call);
void bsim__handles_note(struct bsim__known *known, const struct bsim__call *call);

/* ---- What who records has to define ---- */

struct bsim__graph_neighbours {
    const int *sources, *destinations; /* valid until the next question */
    int source_count, destination_count;
};

/* How many destinations, or sources, this rank has in the communicator's topology; 0: without. */
int bsim__neighbour_count(MPI_Comm communicator, bool destinations);
/* False: the communicator has no graph. */
bool bsim__graph_neighbours(struct bsim__graph_neighbours *out, MPI_Comm communicator);

/* malloc and realloc of zeroed new memory that end the run instead of failing. */
void *bsim__grow(void *old, size_t old_bytes, size_t new_bytes);

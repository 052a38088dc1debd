/* SPDX-License-Identifier: Apache-2.0
 *
 * The program slice: what decides that each MPI call happens, in order, with its arguments (all but
 * the contents of messages).
 *
 * A worklist of *demands*, each with the demand that raised it, so that every kept line has a chain
 * of reasons. The closure is exact; what is relaxed is a named assumption. Demands can be tried and
 * taken back (slice_try): that is how prints, frees and region features join the skeleton when they
 * cost nothing.
 */
#pragma once

#include "base/error.h"
#include "skeletonizer/pointsto/may_run.h"
#include "skeletonizer/pointsto/pointsto.h"
#include "skeletonizer/slice/demand_index.h"
#include "skeletonizer/slice/flow.h"

struct assumptions {
    bool no_abnormal_exit;    /* checks that end in exit or abort are not criteria */
    bool type_classes;        /* strict aliasing: a double is never read as an int */
    bool cuts;                /* values that only hot computation produces are modelled */
    bool aligned_collectives; /* calls under the same control match themselves */
    bool files_apart;         /* files that are written are not read, but through the same FILE */
    bool type_classes_asked;  /* it was named, for or against */
};

extern const struct assumptions assumptions_default;

/* Sets or clears one by name ("no-abnormal-exit", "type-classes", ...; "none" clears all). */
int assumptions_set(struct assumptions *assumptions, const char *name);
/* The names of those in force, separated by blanks. */
char *assumptions_text(struct arena *arena, const struct assumptions *assumptions);

/* What raised what, also where the demand was there already; each edge once. */
struct demand_edge {
    int from, to;
    bool around; /* `to` stays needed even if the value of the statement `from` is given */
};

struct demand_graph {
    VEC(struct demand_edge) edges;
    VEC(int) latest;                /* while edges are recorded: see slice.c */
    bool around;                    /* of the edges that are being recorded */
    const struct ast *const *parts; /* by node: its value; what is outside goes around */
    bool is_too_large;              /* edges are missing */
};

/* Of 12 bytes each; a cut takes some fifty bytes for each edge: with these 1.5 GB. The largest
 * programs that were tried have 16 million. */
#define DEMAND_EDGES_MOST 24000000

struct event_list;
struct hinted_draw;
struct versions;

#define SLICE_KNOWN_NUMBERS 16 /* as many arguments of a call */

/* What an argument always is, where it is a constant. */
struct known_number {
    bool is_looked_for, is_constant;
    int value;
};

enum answer { ANSWER_UNKNOWN, ANSWER_YES, ANSWER_NO };

struct slice {
    struct arena arena;
    struct program *program;
    struct points_to *points_to;
    struct flow flow;
    struct assumptions assumptions;
    VEC(struct demand) demands;
    struct demand_index index;
    size_t next;         /* demands before this one have raised theirs */
    int current;         /* whose demands are being raised */
    unsigned generation; /* another one once demands that were marked as raised may be gone */
    const char *why;
    VEC(struct event_list *) events; /* by object: what writes it */
    call_list *callers;              /* by function */
    bool *communicates;              /* by function */
    int *criteria;   /* by function: the call that tells what it is for (describe_criterion) + 1,
                      * -1: none; 0: not asked */
    bool types_tell; /* declarations and prototypes tell what is where */
    struct may_run may_run;
    call_list messages, collectives; /* of live functions: calls that send or receive */
    bool *computes;                  /* by function: see slice_computes */
    bool *global_reachable;          /* by object */
    bool has_type_attributes;        /* datatypes may have some, with functions of the program */
    const struct ast *const *cut;    /* by node: the part of it that is given; NULL: none is */
    const bool *echoes;              /* by node: the part is read as it is; NULL: none is */
    const struct hinted_draw *const
        *draws;                 /* by node: where hints say that it comes from; NULL: none do */
    struct demand_graph *graph; /* where edges are recorded; NULL: they are not */
    struct hash_table reach_of_roots; /* what is reached, by sets and objects from which it is */
    const unsigned char **reach_of; /* by call: what it may reach (pointsto_reach.h); NULL: not yet
                                     * asked */
    struct known_number *known_numbers; /* by call: of its first arguments (match.c) */
    enum answer *has_partner;           /* by call, as receiver and as sender (match.c) */
    enum answer *sent_in_place;         /* by call (match_in_place.c), */
    int_list **senders_of;              /* by call: whose messages in place it may receive */
    int_list parts;                     /* by object: how many copies have made */
    VEC(struct versions *) versions;    /* by object (versions.c); NULL: not asked for yet */
    const int *loop_numbers;            /* by node: of loops, in the order of their places */
};

void slice_compute(struct slice *out, struct program *program, struct points_to *points_to,
                   const struct assumptions *assumptions);
/* The same, with parts of some statements (by node; NULL: none) taken as known. Of those that are
 * echoes (by node; NULL: none) what they read in memory is. */
void slice_compute_cut(struct slice *out, struct program *program, struct points_to *points_to,
                       const struct assumptions *assumptions, const struct ast *const *cut,
                       const bool *echoes);
void slice_dispose(struct slice *slice);

/* All edges between the demands of a slice that is complete. */
void slice_record(struct slice *slice, struct demand_graph *out, const struct ast *const *parts);

/* All demands raise theirs once more, of which a complete slice has each; the number of demands
 * then. */
size_t slice_raise_again(struct slice *slice);

/* The invariants of a complete slice (README.md, "What always holds"): 0, or -1 with the first
 * thing that does not hold. Raises every demand once more. */
int slice_check(struct slice *slice, struct error *error);

/* Index of the demand, or -1. */
int slice_find(const struct slice *slice, enum demand_kind kind, int subject, int detail);

bool slice_keeps_node(const struct slice *slice, const struct node *node);
bool slice_keeps_jump(const struct slice *slice, const struct node *node); /* node or jump */
bool slice_keeps_call(const struct slice *slice, const struct call *call);
bool slice_keeps_payload(const struct slice *slice, const struct call *call);
/* What the call brings from a device is needed. */
bool slice_keeps_device(const struct slice *slice, const struct call *call);
bool slice_keeps_argument(const struct slice *slice, const struct call *call, int index);
/* The part of the node that is taken as given is asked for. */
bool slice_keeps_value(const struct slice *slice, const struct node *node);
bool slice_declares(const struct slice *slice, const struct object *object);

/* Raises a demand from outside, with its closure. */
void slice_demand(struct slice *slice, enum demand_kind kind, int subject, int detail,
                  const char *why);
/* The same because of an earlier demand; -1: of none. */
void slice_demand_for(struct slice *slice, enum demand_kind kind, int subject, int detail,
                      const char *why, int parent);
void slice_demand_uses(struct slice *slice, struct node *node, const lvalue_list *uses,
                       const char *why);

/* Checkpoint: raise demands, then either keep them or take them back. */
size_t slice_mark(const struct slice *slice);
void slice_take_back(struct slice *slice, size_t mark);
/* True if what was raised since the mark costs next to nothing at run time: no new loop, no library
 * kernel, no copy of an array, no allocation of more than a record (unless they are allowed). */
bool slice_is_cheap(const struct slice *slice, size_t mark);
bool slice_is_cheap_but_allocates(const struct slice *slice, size_t mark);
/* The same of one demand, by its index. */
bool slice_demand_is_cheap(const struct slice *slice, size_t index);

/* In main or in what is called from one place, in no loop. */
bool slice_is_executed_once(const struct slice *slice, const struct node *node);

/* The function, or one that it may call, has a loop or calls a library kernel. */
bool slice_computes(const struct slice *slice, const struct function *function);

/* True if `callee` is `function` or may be called by it, directly or not. */
bool slice_may_run(const struct slice *slice, const struct function *function,
                   const struct function *callee);

/* True unless the first call is only ever made when the second one has been. */
bool slice_may_precede(const struct slice *slice, const struct call *first,
                       const struct call *second);

/* True for a call that has to appear in the skeleton by itself. */
bool slice_is_criterion(const struct slice *slice, const struct call *call);

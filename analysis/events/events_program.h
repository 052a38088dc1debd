/* SPDX-License-Identifier: Apache-2.0
 *
 * A checked program of event expressions: kinds of events, variables, rules, and for each kind the
 * plan that such an event runs through. All of it lives in the arena but for what
 * events_program_dispose frees.
 */
#pragma once

#include "analysis/events/operation.h"
#include "analysis/events/syntax/syntax.h"
#include "analysis/events/values/aggregate.h"
#include "analysis/events/values/array.h"

/* A kind of events: of the source, declared by the program alone (no such event comes), or START
 * and END, which come once. */
struct events_kind {
    const char *name;
    const struct event_field *fields;
    size_t field_count;
    bool seen, seen_before;    /* has there been one, and one before it? */
    union event_value *values; /* of the last one, by field */
    union event_value *before; /* of the one before */
    bool *used, *used_before;  /* by field: does the program ask for it? */
    size_t *asked;             /* fields that it asks for */
    size_t asked_count;
    operation_list code; /* what such an event runs through; empty: nothing to do */
};

struct events_variable {
    const char *name;
    struct script_place place;
    enum event_type type;
    enum syntax_role role;
    struct syntax_shape shape;
    const struct syntax_declaration *declaration; /* NULL: of an expression alone */
    const char *unit;                             /* NULL: not known */
    bool is_read;                                 /* by a rule, other than through prev */
    bool is_operand;                              /* of a rule for another variable */
    bool is_ranked;                               /* of top: its keys go by value */
    bool is_taken;                                /* take removes keys of it */
    bool keeps_before;                            /* prev asks for it */
    bool is_listed;                               /* of arrays: elements that change are listed */
    union event_value value, before;
    size_t before_of;  /* the event that `before` is kept for */
    size_t changed;    /* the event that assigned it last */
    size_t written_in; /* while a plan is compiled: its kind's number plus 1, if it assigns it */
    struct events_array *array; /* NULL: one value */
};

struct events_rule {
    const struct syntax_rule *syntax;
    struct syntax *target;
    struct events_variable *variable;
    const struct overload *compound;     /* NULL: = */
    VEC(struct events_variable *) reads; /* which it waits for in an event; each once */
    bool *mentions;                      /* by kind */
    bool sums_up; /* it has a sum (or the like) of what occurs, also where its filter does not hold
                   */
};

/* How an element is found, and how often it was outside. */
struct events_access {
    struct script_place place;
    const char *name;
    struct events_array *array;
    long size; /* of the dimension */
    size_t outside;
    union event_value first; /* the first index outside */
};

struct events_program {
    struct arena *arena;
    struct script *script;
    struct texts *texts;
    struct syntax_program syntax;
    VEC(struct event_constant) constants;
    size_t source_kinds; /* the first of `kinds` are the source's, in its order */
    VEC(struct events_kind) kinds;
    size_t start, end; /* kinds; `kinds.count`: the source has its own of that name */
    VEC(struct events_variable *) variables;
    VEC(struct events_rule) rules;
    VEC(struct events_access *) accesses;
    VEC(struct aggregate_states *) states;
    VEC(struct events_array *) arrays; /* all, also of calls */
    VEC(struct operation_items *) lists;
};

void events_program_dispose(struct events_program *program);

/* NULL: there is none of that name. */
struct events_variable *events_program_variable(const struct events_program *program,
                                                const char *name);
struct events_kind *events_program_kind(const struct events_program *program, const char *name);
const struct event_constant *events_program_constant(const struct events_program *program,
                                                     const char *name);

/* A new array of the program's. -1: too many elements; the script has a message. */
int events_program_new_array(struct events_array **out, struct events_program *program,
                             struct script_place place, enum event_type type,
                             const struct syntax_shape *shape, bool listed);

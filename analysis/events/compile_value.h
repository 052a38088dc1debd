/* SPDX-License-Identifier: Apache-2.0
 *
 * From checked expressions to operations. An expression over arrays is compiled in two passes:
 * `compile_prepare` finds what is the same for all elements, before the loop; `compile_value`, in
 * the loop, what stands for one element.
 *
 * What is nothing (a filter that does not hold, a division by zero, an index outside) jumps to the
 * end of the innermost of: the rule, the element, the argument of a sum.
 */
#pragma once

#include "analysis/events/events_program.h"
#include "analysis/events/machine.h"

typedef VEC(unsigned) compile_jumps; /* operations whose jump is not known yet */

struct compiler {
    struct events_program *program;
    const struct events_kind *kind; /* of the events that run it; NULL: none */
    size_t plan;                    /* its number plus 1; 0: none */
    operation_list *out;
    compile_jumps *nothing;                /* where jumps of what is nothing are noted */
    bool before;                           /* inside of prev */
    const union event_value *element;      /* in a loop: the number or key of the element */
    bool keyed;                            /* it is a key */
    const union event_value *spread_count; /* bins of the target of a spread; NULL: there is none */
    struct machine_spread *spread;         /* the first one of the expression */
};

/* Gives the operation's index. What may be nothing notes its jump. */
unsigned compile_emit(struct compiler *compiler, enum operation_code code, union event_value *out,
                      const union event_value *a, const union event_value *b, void *object);
/* Likewise; the jump is noted there. */
void compile_emit_jump(struct compiler *compiler, compile_jumps *jumps, enum operation_code code,
                       const union event_value *a, void *object);
/* The noted jumps go to what comes next; the list is disposed of. */
void compile_land(struct compiler *compiler, compile_jumps *jumps);

union event_value *compile_cell(struct compiler *compiler);
const union event_value *compile_int(struct compiler *compiler, long long value);

/* Where the value is. */
const union event_value *compile_value(struct compiler *compiler, struct syntax *node);
const union event_value *compile_converted(struct compiler *compiler, struct syntax *node,
                                           enum event_type wanted);
const union event_value *compile_convert(struct compiler *compiler, const union event_value *value,
                                         enum event_type from, enum event_type to);
const union event_value *compile_overload(struct compiler *compiler,
                                          const struct overload *overload,
                                          const union event_value *const *operands);
/* Goes on if it holds; else the jump is noted. */
void compile_condition(struct compiler *compiler, struct syntax *node, compile_jumps *jumps);

/* 0 or 1 where the kind of event alone says so (SEND && ... at a RECV); -1: it does not. */
int compile_known(const struct events_kind *kind, const struct syntax *node);

/* compile_index.c: the number of an element, or of the first one of a row. */
enum compile_access { COMPILE_READ, COMPILE_WRITE, COMPILE_TAKE };
const union event_value *compile_locate(struct compiler *compiler, struct syntax *node,
                                        enum compile_access access);
/* compile_loop.c: what there is to do once, before a loop over elements. */
void compile_prepare(struct compiler *compiler, struct syntax *node);
/* The value of an array's node for the element of the loop. */
const union event_value *compile_element(struct compiler *compiler, struct syntax *node);

struct compile_loop {
    union event_value *at;
    struct operation_items *items; /* NULL: numbers from `from` to `to` */
    const union event_value *from, *to;
    unsigned begin;
    compile_jumps *nothing_outside, nothing;
    bool keyed;
};

typedef VEC(struct events_array *) compile_arrays;

/* Arrays that the expression goes through element by element. */
void compile_collect(compile_arrays *out, const struct syntax *node);
/* All elements of an expression that was prepared. */
void compile_loop_over(struct compiler *compiler, struct compile_loop *loop, struct syntax *node);
/* Elements that this event assigned, of these arrays, which become the loop's. */
void compile_loop_assigned(struct compiler *compiler, struct compile_loop *loop, bool keyed,
                           compile_arrays *arrays);
void compile_loop_keys(struct compiler *compiler, struct compile_loop *loop,
                       compile_arrays *arrays);
void compile_loop_begin(struct compiler *compiler, struct compile_loop *loop);
void compile_loop_end(struct compiler *compiler, struct compile_loop *loop);

/* compile_call.c */
const union event_value *compile_call(struct compiler *compiler, struct syntax *node);
/* Sums, windows and the like in the expression take in what occurs in this event, whether or not a
 * filter around them holds. */
void compile_updates(struct compiler *compiler, struct syntax *node);
void compile_window(struct compiler *compiler, struct syntax *node);
void compile_top(struct compiler *compiler, struct syntax *node);
void compile_spread(struct compiler *compiler, struct syntax *node);

/* compile_rule.c: a rule of a plan. `waits`: it is evaluated only if a variable that it reads was
 * assigned in this event. */
void compile_rule(struct compiler *compiler, struct events_rule *rule, bool waits);

/* The value of an expression of constants, or at the end, as `type`. -1: it is nothing; the script
 * has a message. */
int compile_evaluate(union event_value *out, struct events_program *program, struct syntax *node,
                     enum event_type type);

/* SPDX-License-Identifier: Apache-2.0
 *
 * What each demand raises. Internal to the slice.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

struct event;

/* Adds a demand with s->current as its parent, unless it is there. */
void slice_add(struct slice *slice, enum demand_kind kind, int subject, int detail);

void demands_raise(struct slice *slice, struct demand demand);

/* The value that an lvalue has at a node. */
void demands_use(struct slice *slice, struct node *node, struct lvalue lvalue);

/* What an expression of this class reads is not in a small variable that is declared without any
 * such member, wherever the pointer may point (assumption type-classes; not where the program has
 * casts that tell otherwise). */
bool demands_may_read(const struct slice *slice, struct lvalue lvalue, int object);

/* The collective `other` could match `one`, and only aligned-collectives says that it does not. */
bool demands_aligned(const struct slice *slice, const struct call *one, const struct call *other);
/* What the collective brings to a location comes from that same location on another rank: a
 * broadcast of one object, which no other call matches. */
bool demands_stays_in_place(const struct slice *slice, const struct call *call);
/* The message of one call may be received by the other; both are point-to-point and executed. */
bool demands_may_match(const struct slice *slice, const struct call *sender,
                       const struct call *receiver);
/* Of a point-to-point message that lies in one place at both ends, byte for byte, only those bytes
 * are needed that are needed of what is received: demands_sent_part demands these, of a receive
 * whose location is `received`, in all sends of that kind. */
bool demands_is_sent_in_place(const struct slice *slice, const struct call *sender);
void demands_sent_part(struct slice *slice, struct location wanted, struct location received,
                       const struct call *receiver);

/* Parts of an object that copies and messages may make: within it, or round about, they would be
 * new ones without end. */
#define DEMANDS_PARTS_MOST 512
/* Calls whose message this call may receive, as demands for their payload. */
void demands_match(struct slice *slice, struct call *call);

/* Of a function of a library that reads on from a stream: the calls of MPI that may have written to
 * it. */
void demands_match_stream(struct slice *slice, const struct call *reader);

/* While edges are recorded: whether they go around the value of the statement that raises them. */
void demands_set_around(const struct slice *slice, bool around);

/* The argument, or what it sends, is given. */
bool demands_is_given(const struct slice *slice, const struct call *call, int index);

/* Of a part that is an echo: the variables that tell where in memory it is. */
void demands_already_sent(struct slice *slice, struct node *node, const lvalue_list *uses);

/* Which writes of a local are seen where it is read (versions.c): the location with the mark of the
 * node, if not all are; the event is seen there; the call sends `&local` itself. */
int versions_at(struct slice *s, const struct node *node, int location);
bool versions_see(const struct slice *s, struct location wanted, const struct event *event);
/* The one object that a vector is sent from, named as a whole; NULL: there is none. */
const struct object *versions_vector_of(const struct slice *s, const struct call *call, int index);
bool versions_are_sent(const struct call *call, const struct argument *argument);

/* False if the two MPI calls may be in the same communicator. */
bool communicators_differ(const struct slice *slice, const struct call *one,
                          const struct call *other);

/* The building blocks of the rules. */
void demands_declare(struct slice *slice, const struct object *object);
void demands_declare_all(struct slice *slice, const object_list *objects);
void demands_use_all(struct slice *slice, struct node *node, const lvalue_list *uses);
void demands_contents_of(struct slice *slice, struct lvalue lvalue);
/* As read by the node (NULL: at any time), which names the variable. */
void demands_contents_at(struct slice *slice, const struct node *node, struct lvalue lvalue);
/* What a message takes out of argument `index`. */
void demands_sent(struct slice *slice, const struct call *call, int index);
/* That the node is reached: predicates, jumps, statements around it. */
void demands_control(struct slice *slice, const struct node *node);
/* That the function is called where it may change the object, unless that is its own local. */
void demands_chain(struct slice *slice, const struct function *function, int object);
void demands_follow_chain(struct slice *slice, const struct function *function, int object);
bool demands_needs_value(const struct call *call);
void demands_call(struct slice *slice, struct call *call);
void demands_value(struct slice *slice, struct call *call);
/* All of a function that runs before main, and of what it calls: no rank is there yet that stubs
 * could add time to. */
void demands_constructor(struct slice *slice, const struct function *function);
void demands_parameter(struct slice *slice, const struct function *function, int index);
/* That the argument is evaluated as written, and what that takes. */
void demands_evaluate(struct slice *slice, struct call *call, int index);
void demands_argument(struct slice *slice, struct call *call, int index);
/* The part of a record argument that corresponds to a demanded part of the parameter. */
void demands_record(struct slice *slice, struct call *call, int index, struct location wanted,
                    int class);

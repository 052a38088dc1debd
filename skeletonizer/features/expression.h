/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves an expression to the beginning of a region: prints it as C with parameters, loop variables
 * and local constants replaced, if all that it reads is known there. Internal to features.
 */
#pragma once

#include "base/str.h"
#include "skeletonizer/features/code_region.h"
#include "skeletonizer/slice/slice.h"

/* What a variable stands for while code of the region is walked. */
struct binding {
    const struct binding *outer; /* the next one in the same function */
    const struct declaration *declaration;
    /* A parameter: the argument, to be read in the frame of the call. */
    const struct ast *argument;
    const struct node *argument_node;
    const struct frame *argument_frame;
    const struct lvalue *record;  /* where the argument is, if it is a record; else NULL */
    struct branch_choice *choice; /* of a loop variable */
};

/* What a loop variable is called in a sum over its iterations, and whether it was asked for. */
struct branch_choice {
    const char *name;
    bool touched;
};

struct origins;
struct always_executed;
struct region_writes;
struct counts;

/* A function's code as seen from the region: the region's own, or of a function that is called. */
struct frame {
    struct slice *slice;
    const struct code_region *region;
    struct node *entry; /* the first node of the region */
    const struct function *function;
    const struct binding *bindings;
    const struct frame *caller; /* that calls it at a node; NULL: the region's own */
    const struct node *called_at;
    int depth;   /* of calls */
    bool unsafe; /* under a condition that is not known: nothing may be dereferenced */
    bool scoped; /* code in front of the region: its own locals may be out of scope */
    int *begins; /* not NULL: a counter has the value that it had when its loop began. Counts the
                    uses of that value where the loop has changed the counter before it is read
                    (conditional_value.h) */
    struct always_executed *certain; /* which pointers may be followed all the same; NULL: none */
    struct region_writes *reached;   /* the functions that the region leads to (region_writes.h) */
    const struct counts *counts;     /* of the scout run; NULL: there are none */
    struct origins *sources; /* what values depend on is wanted, instead of values (origins.h) */
};

/* How often something counted was taken for what it is in front of a loop that counts it before it
 * is read: what is read by that, the program may never read. */
static inline int expression_begins(const struct frame *frame) {
    return frame->begins != NULL ? *frame->begins : 0;
}

#define FRAME_MAX_BINDINGS 32

/* The frame of a function that is called at a node of `outer`; `bindings` have to live as long as
 * it. False if the function is not known, or calls nest too deep. */
bool frame_enter(struct frame *out, struct binding bindings[FRAME_MAX_BINDINGS],
                 const struct frame *outer, const struct node *node, const struct call *call);

/* The call that the node makes by this expression, or NULL. */
const struct call *frame_find_call(const struct node *node, const struct ast *ast);

/* What the variable stands for in the frame, or NULL. */
const struct binding *frame_binding(const struct frame *frame,
                                    const struct declaration *declaration);

/* True if the skeleton has the value of this local where the region begins, without any addition.
 */
bool expression_knows(const struct frame *frame, const struct object *object);

/* Makes the skeleton have it, if that is cheap; false if it is not. */
bool expression_obtains(const struct frame *frame, const struct object *object);

/* Makes the lvalue's value at the region's beginning part of the skeleton, if that is cheap. */
bool expression_joins(const struct frame *frame, struct lvalue lvalue);

/* The local or parameter is declared before the region, in a block around it. */
bool expression_is_in_scope(const struct code_region *region, const struct object *object);

/* Appends the expression, fully parenthesized; false if something in it is not known. */
bool expression_print(struct str *out, const struct frame *frame, const struct node *node,
                      const struct ast *ast);

/* As `expression_print`, converted as where it is assigned to a variable of this type. */
bool expression_print_as(struct str *out, const struct frame *frame, const struct node *node,
                         const struct ast *ast, const struct type *type);

/* 0 or 1: what a condition is in any case; -1: that depends. */
int expression_truth(const struct frame *frame, const struct node *node, const struct ast *ast);

/* Its parts: what is made with an operator, a condition or a cast; */
bool expression_print_operation(struct str *out, const struct frame *frame, const struct node *node,
                                const struct ast *ast);
/* a call of a function that only returns an expression, or of one that works a number out; */
bool expression_print_call(struct str *out, const struct frame *frame, const struct node *node,
                           const struct ast *ast);
/* and the base of a member or element: not its value, where it is. */
bool expression_print_base(struct str *out, const struct frame *frame, const struct node *node,
                           const struct ast *ast);

/* The type of what was printed for an expression as `text`: that of what stands for it, since casts
 * between pointers and conversions by assignment are not printed. */
const struct type *expression_printed_type(const struct frame *frame, const struct ast *ast,
                                           const char *text);

/* What was printed for a pointer from `begin` on gets the pointer's type, as where a void * was
 * handed on; false if that cannot be named where the region is. */
bool expression_give_type(struct str *out, size_t begin, const struct frame *frame,
                          const struct ast *pointer);

/* The function of the region knows the name, of a type or by its key a variable at file scope. */
bool expression_sees(const struct frame *frame, const char *name);

/* "[i]" of an element, whose base has been printed from `begin` on. */
bool expression_print_index(struct str *out, size_t begin, const struct frame *frame,
                            const struct node *node, const struct ast *element);

/* The value of a variable of which a call in the region gets the address. */
bool expression_print_pointed(struct str *out, const struct frame *frame, const struct ast *ast);

/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan -> edits of the application's text: once for the skeleton, once for the profiling build.
 */
#pragma once

#include "base/str.h"
#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/attribute_names.h"
#include "skeletonizer/text/edits.h"

/* Removed statements become stubs, messages nobody looks at become scratch memory. Prints what
 * cannot be written (file:line:col: error: ...) and returns -1. */
int rewrite_skeleton(struct edits *out, const struct plan *plan);

/* The original, with a timer around each region. */
void rewrite_profile(struct edits *out, const struct plan *plan);

/* BSIM_BEGIN and BSIM_END around one region; slice: only jumps that it keeps leave it, NULL: all.
 */
void rewrite_timer(struct edits *out, struct program *program, const struct slice *slice,
                   const struct code_region *region);

/* Definitions at file scope that the skeleton does not need. */
void rewrite_file_scope(struct edits *out, const struct plan *plan);

/* Declarations: takes away declarators and initialisers that are not needed. Returns the text that
 * has to follow the statement (calls that an initialiser held), or "". */
struct rewriter;
const char *rewrite_declaration(struct rewriter *rewriter, const struct tree *tree);

struct rewriter {
    const struct plan *plan;
    struct slice *slice;
    struct program *program;
    struct edits *edits;
    const struct function *function;
    bool *named;                       /* by call: its text names the copy that it needs */
    const bool *pinned;                /* by object: rewrite_pinned */
    struct hash_table attribute_names; /* for what is at file scope */
};

/* The text, in the program's arena; disposes of `text`. */
char *rewrite_take(struct rewriter *rewriter, struct str *text);

/* By object: whether a static initialiser names it. In the program's arena. */
const bool *rewrite_pinned(struct program *program);

/* Variables of one declaration become each rank's own, if all of them can. */
void rewrite_private(struct rewriter *rewriter, const struct ast *const *variables, int count,
                     struct range declaration);

/* Writes copies of functions of which instances need different parts, and their declarations.
 * `own` holds the edits of one function's text; it is emptied. */
void rewrite_function_text(struct edits *out, struct edits *own, const struct plan *plan,
                           const struct function *function);
/* A statement that returns nothing, or zero. */
const char *rewrite_zero_return(struct program *program, const struct function *function);
void rewrite_copy_declarations(struct edits *out, const struct plan *plan);
/* The function's text once more under another name, with the edits in `own`, behind the original.
 */
void rewrite_copy(struct edits *out, struct edits *own, struct program *program,
                  const struct function *function, const char *name);

/* Copies that have been declared in front of a function. */
struct declared_copies {
    VEC(const char *) names; /* compared by their addresses */
};

/* Declares a copy of `callee` in front of a function, unless it is in the list. */
void rewrite_declare_copy(struct edits *out, struct program *program, struct declared_copies *list,
                          const struct function *before, const struct function *callee,
                          const char *name);
/* The call names the copy that it means. */
void rewrite_callee(struct edits *out, const struct plan *plan, const struct call *call);

/* Edits of the arguments of the kept calls of a node. */
void rewrite_arguments(struct rewriter *rewriter, struct edits *edits, const struct node *node);

/* "f(a, b); g(c);" - the kept calls of a node whose value is not needed. */
const char *rewrite_calls(struct rewriter *rewriter, const struct node *node);

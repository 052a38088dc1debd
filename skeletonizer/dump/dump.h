/* SPDX-License-Identifier: Apache-2.0
 *
 * What each stage has made, as text for people (docs/reference/dump.md). One thing a line, with its
 * place in the source; in the order of the source, so that two dumps can be compared.
 */
#pragma once

#include "skeletonizer/cut/cut.h"
#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/edits.h"

#include <stdio.h>

/* Functions with their statements: what each reads, writes, calls, and what may follow. */
void dump_program(FILE *out, struct program *program);

/* What pointers in each object may point to, and which functions are called through pointers. */
void dump_pointsto(FILE *out, struct points_to *points_to);

/* Each demand, what raised it and why. */
void dump_slice(FILE *out, const struct slice *slice);

/* Values that are given instead of computed. */
void dump_cut(FILE *out, struct program *program, const struct cut *cut);

/* Functions and statements that stay, and regions with their features. */
void dump_plan(FILE *out, const struct plan *plan);

/* Texts that others take the place of. `name` says of which program. */
void dump_edits(FILE *out, struct program *program, struct edits *edits, const char *name);

/* "app.c:12:9", relative to the program's root; "-" where there is no place. From the program's
 * arena. */
const char *dump_place(struct program *program, struct range range);

/* What people call an object: "n", "heap of solver.c:12:9", "the result of f". Likewise. */
const char *dump_object(struct program *program, const struct object *object);

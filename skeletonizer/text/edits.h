/* SPDX-License-Identifier: Apache-2.0
 *
 * Edits of source text as data: bytes [begin, end) of a file become `text`. Applied once, on the
 * original text, in order of their places.
 */
#pragma once

#include "base/str.h"
#include "frontend/program/program.h"

struct line_pair {
    int rewritten, original;
};

struct edit {
    struct range range;
    const char *text; /* borrowed: the program's arena */
    int order;        /* of edits at the same place */
    /* Where its text is a copy: lines of it (0: its first) and of the original. */
    const struct line_pair *lines;
    size_t line_count;
};

struct edits {
    VEC(struct edit) items;
    /* By function as written: edits of those whose text is also others', until they are joined
     * (shared_text.h). NULL: there are none. */
    struct edits *apart;
};

void edits_dispose(struct edits *edits);
void edits_add(struct edits *edits, struct range range, const char *text);

/* Inserts `before` and a copy of the range, with its own edits, at the end of the range. */
void edits_add_copy(struct edits *edits, struct program *program, const char *before,
                    struct edits *own, struct range range);

/* One of several texts for the same range, and what stands in front of it. */
struct edits_version {
    const char *before;
    struct edits *own; /* NULL: no text */
};

/* The range becomes these texts, one behind the other, and what is `behind` them. */
void edits_add_versions(struct edits *edits, struct program *program, struct range range,
                        const struct edits_version *versions, size_t count, const char *behind);

/* By place, an outer edit before those inside it. */
void edits_sort(struct edits *edits);

/* The file's text with its edits. An edit inside the range of another is dropped. */
void edits_apply(struct str *out, struct edits *edits, const struct program *program, int file);

/* The text of one range with the edits that lie in it. */
char *edits_text(struct edits *edits, struct program *program, struct range range);

typedef VEC(struct line_pair) line_pairs;

/* For each stretch, at which rewritten line which original line is found, 0: none. After
 * edits_apply. */
void edits_line_map(line_pairs *out, const struct edits *edits, const struct program *program,
                    int file);

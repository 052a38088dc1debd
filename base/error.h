/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong, for functions that return 0 or -1. The innermost function that knows sets the
 * text; a second error_set is ignored, so callers may add theirs without checking. Texts follow
 * `path:line:col: error: what, and what to do`; the prefix "error: " is added by error_print.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct error {
    bool set;
    char text[1024];
};

/* Always returns -1, so that `return error_set(error, ...)` reads well. */
int error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "mpiskel: error: text" (or, when the text names a place, the text as it is) on stderr. */
void error_print(const struct error *error);

/* One line on stderr: "mpiskel: text". For progress and notes; never for errors. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a stage promises to those behind it ("What always holds" in the READMEs) is looked at while
 * the tool runs where the environment has MPISKEL_CHECK=1, as it has in ./check; some of it takes
 * as long as the stage itself. */
bool invariants_are_checked(void);

/* Ends the process by abort() if `result` is not 0: the error is a fault of the tool, not of the
 * user's. `stage` is the function that found it, such as "slice_check". */
void invariant_require(const char *stage, int result, const struct error *error);
/* How much is said on stderr: --quiet leaves out notes and progress (warnings and errors stay),
 * --verbose says which programs are started. It holds for this process and those that it starts. */
#define MESSAGES_QUIET "quiet"
#define MESSAGES_VERBOSE "verbose"
void messages_set(const char *level);
bool messages_are(const char *level);

/* The text as it is printed, from the arena: pages, docs/..., by the place where they are
 * installed, and what text_show shows. */
struct arena;
char *message_text(struct arena *arena, const char *text);

/* The text with characters that steer a terminal shown as \x1b: names of files may have them. */
void text_show(FILE *out, const char *text, size_t size);

/* Exit codes of every command (design, section 4). */
enum exit_code {
    EXIT_FINE = 0,
    EXIT_FAILED = 1,
    EXIT_MISSED = 2,
    EXIT_SIMULATION = 3, /* what was simulated differs from the real run */
    EXIT_USAGE = 64
};

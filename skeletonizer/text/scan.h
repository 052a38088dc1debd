/* SPDX-License-Identifier: Apache-2.0
 *
 * Small questions about source text that the syntax tree does not answer: where a statement's
 * semicolon is, how a line is indented (directives: skeletonizer/text/directives.h).
 */
#pragma once

#include "base/str.h"
#include "frontend/program/program.h"

/* Behind white space and comments. */
unsigned scan_skip_space(const struct source_file *file, unsigned at);

/* Behind the semicolon that follows, or `at` if none does. */
unsigned scan_semicolon(const struct source_file *file, unsigned at);

/* Where the whole statement ends, its semicolon included. */
unsigned scan_statement_end(const struct program *program, const struct tree *tree);

/* Where neighbours in one block, or one statement, are written: with the last one's semicolon, and
 * with the macro calls of which the first and the last one are arguments (`SAFE(step(x));`), unless
 * these bring other statements along. */
struct range scan_statements(const struct program *program, struct tree *const *trees,
                             size_t count);

/* The beginning of the line of `at`. */
unsigned scan_line_begin(const struct source_file *file, unsigned at);

/* The white space at the beginning of the line of `at`. */
void scan_indent(struct str *out, const struct source_file *file, unsigned at);

/* Widens a range that will leave nothing behind to whole lines, if nothing else is on them. */
struct range scan_whole_lines(const struct source_file *file, struct range range);

/* `at`, or the beginning of the comment that stands directly above its line. */
unsigned scan_before_comment(const struct source_file *file, unsigned at);

/* `at`, or the beginning of the macro calls that stand directly before it on its line: of a
 * declaration they expand to nothing here, and perhaps to `extern` in another unit. */
unsigned scan_before_macros(const struct source_file *file, unsigned at);

/* True if `at` is the first thing on its line. */
bool scan_is_line_start(const struct source_file *file, unsigned at);

/* True directly behind a name: an empty statement behind a macro, `END_LOOP;`. */
bool scan_is_behind_word(const struct source_file *file, unsigned at);

/* Goes on with the hash (base/hash.h) of what stands there, without white space and comments. */
unsigned long long scan_hash(unsigned long long hash, const struct source_file *file,
                             unsigned begin, unsigned end);

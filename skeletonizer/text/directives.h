/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the preprocessor between statements: which belong to the statement behind them, and
 * which have to stay when statements go.
 */
#pragma once

#include "base/str.h"
#include "frontend/program/program.h"

/* The lines of the range that have to stay when its statements go, each with its newline; empty if
 * there is none: conditionals, definitions, includes; and barriers of OpenMP, also for the one at
 * the end of a removed worksharing construct. Other pragmas go. */
void directives_left(struct str *out, const struct source_file *file, unsigned begin, unsigned end);

/* `at`, or the beginning of the pragmas directly before it that belong to the statement there, and
 * of conditionals around these alone. */
unsigned directives_before(const struct source_file *file, unsigned at);

/* `#if`, `#ifdef`, `#ifndef` or `#elif`, with whatever is behind it; blanks may be in front. */
bool directives_is_condition(const char *line);

/* How often the word is in the text, by itself. */
size_t directives_count(const char *text, size_t length, const char *word);

/* The word is in the text, by itself. */
bool directives_have(const char *text, size_t length, const char *word);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a program of event expressions, and what there is to say about it: messages
 * `path:line:column: error: what, and what to write instead`, with the line and a caret below.
 */
#pragma once

#include "base/str.h"

#include <stddef.h>

/* From 1 on, columns in bytes. */
struct script_place {
    int line, column;
};

struct script {
    const char *path; /* as messages name it */
    const char *text;
    size_t length;
    struct str messages; /* all so far, in order */
    size_t errors, warnings;
};

/* Texts are borrowed. */
void script_init(struct script *script, const char *path, const char *text, size_t length);
void script_dispose(struct script *script);

/* Where in the text that is; its end, if it has fewer lines. */
const char *script_at(const struct script *script, struct script_place place);

/* Always -1. Of many errors the first are told. */
int script_fail(struct script *script, struct script_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void script_warn(struct script *script, struct script_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* SPDX-License-Identifier: Apache-2.0
 *
 * Self-defining text records: kinds of events with their fields first, then an event a line.
 *
 *     SEND {
 *         long time "ns";
 *         int q;
 *     }
 *     const int ranks = 4;
 *     SEND 1000 1
 *
 * Types are int and long, float and double, and string. A unit may follow a field's name. Strings
 * are words, or stand in double quotes, where a backslash takes the next character as it is.
 * Comments are those of C. The file is read as a stream, so that it may be a pipe; memory does not
 * grow with its length, but for distinct strings.
 */
#pragma once

#include "analysis/source/event_source.h"

#include <stdio.h>

/* Reads all up to the first record. *out is the caller's (event_source_close); -1: the file cannot
 * be read, or path:line:col has what is wrong there. */
int text_records_open(struct event_source **out, const char *path, struct error *error);

/* Likewise, of a stream, which is closed with the source; `path` names it in messages. */
int text_records_read(struct event_source **out, FILE *stream, const char *path,
                      struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The recorded calls of one rank (rank-N.calls, docs/reference/run-files.md), read as a stream.
 *
 * In: a file of any size. Out: one call after the other, as the place that made it (`FILE:LINE`)
 * and its text (`MPI_Send bytes=800 ...`). A record is complete if its last line is `end N` and N
 * is the number of calls before it; a last line without a newline is what a dying process left, and
 * is dropped. A line over 64 KiB, a byte of zero and text behind the end are malformed.
 */
#pragma once

#include "base/error.h"

#include <stdio.h>

#define CALL_RECORD_LINE_BYTES 65536

enum call_record_state {
    CALL_RECORD_CALL,      /* there is a call: place and text are set */
    CALL_RECORD_END,       /* complete, nothing follows */
    CALL_RECORD_TRUNCATED, /* no `end N` */
    CALL_RECORD_MISSING,   /* there is no such file */
    CALL_RECORD_MALFORMED, /* `problem` says why */
};

struct call_record {
    FILE *file;
    enum call_record_state state;
    unsigned long long calls; /* read so far */
    struct error problem;
    const char *path;  /* borrowed */
    const char *place; /* of this call; valid until the next */
    char *text;        /* likewise; words of it may be taken out */
    char *line;        /* CALL_RECORD_LINE_BYTES */
};

/* Opens `path`; the first call_record_next gives the first call. Never fails: see the state. */
void call_record_open(struct call_record *out, const char *path);
void call_record_close(struct call_record *record);

/* Moves on and returns the new state; stays where it is once it is not CALL_RECORD_CALL any more.
 */
enum call_record_state call_record_next(struct call_record *record);

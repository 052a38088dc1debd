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

#define RECORD_LINE_BYTES 65536

enum record_state {
    RECORD_CALL,      /* there is a call: place and text are set */
    RECORD_END,       /* complete, nothing follows */
    RECORD_TRUNCATED, /* no `end N` */
    RECORD_MISSING,   /* there is no such file */
    RECORD_MALFORMED, /* `problem` says why */
};

struct record {
    FILE *file;
    enum record_state state;
    unsigned long long calls; /* read so far */
    struct error problem;
    const char *path;  /* borrowed */
    const char *place; /* of this call; valid until the next */
    char *text;        /* likewise; words of it may be taken out */
    char *line;        /* RECORD_LINE_BYTES */
};

/* Opens `path`; the first record_next gives the first call. Never fails: see the state. */
void record_open(struct record *out, const char *path);
void record_close(struct record *record);

/* Moves on and returns the new state; stays where it is once it is not RECORD_CALL any more. */
enum record_state record_next(struct record *record);

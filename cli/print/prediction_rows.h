/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of the report of `mpiskel run`: what one row of each says, in all three forms.
 */
#pragma once

#include "cli/print/field/report_field.h"
#include "simulator/prediction/prediction.h"

/* A file and a line. */
struct call_place_row {
    const char *file;
    size_t line;
};

struct region_row {
    const struct region *region;
    const char *place, *what; /* "a.c:4"; "a.c:4 sum: 2 loops" */
    double executions, seconds_per_rank, share;
    double deviation, factor;
    const char *up_to; /* the right half of its own interval */
};

/* An MPI function, or one call site. */
struct call_row {
    const char *name;
    const struct call_place_row *place; /* NULL: none */
    const char *where, *what;           /* "a.c:4" or ""; "a.c:4 MPI_Send" */
    double count, seconds_per_rank, share, bytes;
    double waiting_s_per_rank; /* NaN: was not asked for */
};

/* A feature beyond its trained range. */
struct beyond_row {
    const char *region, *feature;
    double factor, seen[2], trained[2];
};

/* A part of the makespan. */
struct part_row {
    const char *name;
    double seconds, share, least_s, most_s; /* least, most: of a rank */
};

enum part_of_makespan {
    PART_IDEAL,
    PART_COMPUTATION,
    PART_WAITING,
    PART_IMBALANCE,
    PART_DEPENDENCIES,
    PART_COMMUNICATION,
    PART_COUNT
};

struct prediction_rows {
    struct arena arena; /* owns everything below */
    const struct prediction *of;
    struct region_row *regions;
    struct call_row *calls, *sites;
    struct beyond_row *beyond;
    struct part_row parts[PART_COUNT]; /* if it has an attribution */
    size_t region_count, call_count, site_count, beyond_count;
};

extern const struct report_field region_row_fields[], deviation_row_fields[], call_row_fields[],
    site_row_fields[], beyond_row_fields[], part_row_fields[];

/* Not of an original. */
void prediction_rows_make(struct prediction_rows *out, const struct prediction *prediction);
void prediction_rows_dispose(struct prediction_rows *rows);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Points of a scaling curve, from files.
 *
 * In: CSV with a header line (RFC 4180), JSON, or a report of `mpiskel run --format=json`; what it
 * is decides the first character that is no blank. Columns, or members of the objects of an array
 * (alone, or the member `points`): `ranks`; the seconds `time_s`, `predicted_s` or `makespan_s`;
 * and if known `computation_s` (or `compute_s`) or `communication_s` (or `mpi_s`), which is the
 * rest of the time. Other columns are ignored, but for two: rows whose `kind` is not `point` are
 * passed over, and rows without a time, which a sweep has where a point failed, are counted.
 * Points of different `arguments` or `options` do not lie on one curve: --where chooses; nor do
 * those of different programs. Not handled: separators other than commas, decimal commas.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "model/scaling/scaling.h"

struct scaling_file {
    const char *path;
    const char *where_column; /* rows with another value there are passed over; NULL: none */
    const char *where_value;
};

struct scaling_source {
    struct arena arena;
    scaling_point_list points;
    size_t without_time;
    /* Of the points so far, and what is told of others; NULL: not told, or all the same. */
    const char *program, *other_program;
    const char *arguments, *other_arguments;
};

/* Adds the file's points. */
int scaling_read(struct scaling_source *out, const struct scaling_file *file, struct error *error);
void scaling_source_dispose(struct scaling_source *source);

/* SPDX-License-Identifier: Apache-2.0
 *
 * The points of a sweep: all combinations of what is varied.
 *
 * In: *dimensions*, each one variable with its values, or several that change together; alternative
 * lists of options ("tries"); options and arguments in which `{name}` stands for a variable's
 * value, and `{{` and `}}` for braces. The variable `np`, also called `ranks`, is the number of
 * ranks. Out: the points, the first dimension varying slowest. Values are texts; ranges are written
 * out.
 * Not handled: values that depend on others by a formula; let them change together instead.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

/* More points than that are taken for a slip. */
#define GRID_LARGEST 1000000

struct word_list {
    const char *const *words;
    size_t count;
};

struct dimension {
    const char *const *names;
    size_t name_count;
    const char *const *values; /* that of name n in row r is values[r * name_count + n] */
    size_t row_count;
};

struct grid {
    const struct dimension *dimensions;
    size_t dimension_count;
    const struct word_list *tries; /* at least one; may be empty */
    size_t try_count;
    struct word_list options, arguments;
};

struct grid_point {
    size_t ranks;
    struct word_list options, arguments;
    const char *const *values; /* one per name, in the order of the dimensions */
    size_t try_number;
};

/* `names` is NAME or NAME,NAME,... and `values` accordingly a list of values and ranges separated
 * by commas (`4,8,16..64:x2,100..400:+100,400..900:square,1..512:cube`), or a list of V:V:... */
int dimension_parse(struct dimension *out, struct arena *arena, const char *names,
                    const char *values, struct error *error);

int grid_expand(struct grid_point **out, size_t *out_count, struct arena *arena,
                const struct grid *grid, struct error *error);

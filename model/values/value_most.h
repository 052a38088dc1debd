/* SPDX-License-Identifier: Apache-2.0
 *
 * The largest number that a value may be, where that goes by a size: an index is less than the
 * number of what it counts (buckets, ranks), whatever is drawn for it.
 */
#ifndef MODEL_VALUES_VALUE_MOST_H
#define MODEL_VALUES_VALUE_MOST_H

#include "model/values/value_points.h"

#include <stdbool.h>

struct value_most {
    bool is_found;
    int place;          /* in the vector */
    double beyond_size; /* that much more than the number there: 0 or -1 */
};

/* Of integers whose largest number was that size, or one less, for each of three sizes or more. */
struct value_most value_most_find(const struct value_data *data);

#endif

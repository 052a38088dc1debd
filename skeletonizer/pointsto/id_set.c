/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging counts first what is missing, which is mostly nothing, and then works from behind.
 */
#include "skeletonizer/pointsto/id_set.h"

#include <string.h>

#define RUN 32

bool int_list_insert(int_list *list, int item) {
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->items[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < list->count && list->items[low] == item)
        return false;
    vec_push(list, item);
    memmove(list->items + low + 1, list->items + low, (list->count - 1 - low) * sizeof(int));
    list->items[low] = item;
    return true;
}

/* The first one from `at` on that is not less: near, as a rule (J. Bentley, A. Yao, 1976). */
static size_t skip_less(const int_list *list, size_t at, int item) {
    size_t step = 1, low = at, high;
    while (low + step < list->count && list->items[low + step] < item) {
        low += step;
        step *= 2;
    }
    high = low + step < list->count ? low + step : list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Large lists have long runs in common. */
static size_t count_missing(const int_list *list, const int_list *from) {
    size_t missing = 0, k = 0, i = 0;
    while (i < from->count) {
        if (i + RUN <= from->count && k + RUN <= list->count &&
            memcmp(list->items + k, from->items + i, RUN * sizeof(int)) == 0) {
            i += RUN;
            k += RUN;
            continue;
        }
        if (k < list->count && list->items[k] < from->items[i])
            k = skip_less(list, k, from->items[i]);
        missing += k == list->count || list->items[k] != from->items[i];
        i++;
    }
    return missing;
}

/* Of the other list `missing` are not there. */
static void merge(int_list *list, const int_list *from, size_t missing) {
    size_t old = list->count, i = from->count;
    vec_reserve(list, old + missing);
    list->count += missing;
    for (size_t at = list->count; i > 0; at--) {
        if (old > 0 && list->items[old - 1] >= from->items[i - 1]) {
            i -= list->items[old - 1] == from->items[i - 1];
            list->items[at - 1] = list->items[--old];
        } else {
            list->items[at - 1] = from->items[--i];
        }
    }
}

bool int_list_merge(int_list *list, const int_list *from) {
    size_t missing = count_missing(list, from);
    if (missing > 0)
        merge(list, from, missing);
    return missing > 0;
}

bool int_list_join(int_list *out, const int_list *one, const int_list *other) {
    size_t missing = count_missing(one, other);
    if (missing == 0)
        return false;
    out->count = one->count;
    out->capacity = one->count + missing;
    out->items = xmalloc(out->capacity * sizeof *out->items);
    if (one->count > 0)
        memcpy(out->items, one->items, one->count * sizeof *out->items);
    merge(out, other, missing);
    return true;
}

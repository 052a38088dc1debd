/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging counts first what is missing, which is mostly nothing, and then works from behind.
 */
#include "skeletonizer/int_list.h"

#include <string.h>

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

static size_t count_missing(const int_list *list, const int_list *from) {
    size_t missing = 0, k = 0;
    for (size_t i = 0; i < from->count; i++) {
        while (k < list->count && list->items[k] < from->items[i])
            k++;
        missing += k == list->count || list->items[k] != from->items[i];
    }
    return missing;
}

bool int_list_merge(int_list *list, const int_list *from) {
    size_t missing = count_missing(list, from), old = list->count, i = from->count;
    if (missing == 0)
        return false;
    for (size_t k = 0; k < missing; k++)
        vec_push(list, 0);
    for (size_t at = list->count; i > 0; at--) {
        if (old > 0 && list->items[old - 1] >= from->items[i - 1]) {
            i -= list->items[old - 1] == from->items[i - 1];
            list->items[at - 1] = list->items[--old];
        } else {
            list->items[at - 1] = from->items[--i];
        }
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of a sweep's dimension, as numbers, sorted; see rank_list.h.
 */
#include "simulator/sweep/rank_list.h"

#include "simulator/network/units.h"
#include "simulator/sweep/grid.h"

#include <stdlib.h>

#define NUMBERS_MAX 1000

static int compare(const void *left, const void *right) {
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

static void sort_once(rank_list *list) {
    size_t left = 0;
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare);
    for (size_t i = 0; i < list->count; i++)
        if (left == 0 || list->items[i] != list->items[left - 1])
            list->items[left++] = list->items[i];
    list->count = left;
}

int rank_list_parse(rank_list *out, const char *text, const char *what, struct error *error) {
    struct arena arena = {0};
    struct dimension values;
    struct error inner = {0};
    int result = dimension_parse(&values, &arena, "np", text, &inner);
    if (result != 0)
        error_set(error, "%s: %s", what, inner.text);
    else if (values.row_count > NUMBERS_MAX)
        result = error_set(error, "%s: more than %d numbers of ranks", what, NUMBERS_MAX);
    for (size_t i = 0; result == 0 && i < values.row_count; i++) {
        size_t number = 0;
        result = count_parse(&number, values.values[i], what, error);
        vec_push(out, number);
    }
    sort_once(out);
    arena_dispose(&arena);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Item by item, then sorted; see rank_list.h.
 */
#include "simulator/rank_list.h"

#include "simulator/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAX 1000
#define ITEM_BYTES 80

enum step { STEP_FACTOR, STEP_SUM, STEP_SQUARE, STEP_CUBE };

struct range {
    size_t first, last, by;
    enum step step;
};

static int bad_item(const char *item, const char *what, struct error *error) {
    return error_set(error,
                     "%s: '%s' is no list of ranks; write 64, 1..128:x2, 16..64:+16, "
                     "1..128:square or 1..512:cube, with commas between",
                     what, item);
}

static int parse_step(struct range *out, const char *text, const char *what, struct error *error) {
    if (strcmp(text, "square") == 0 || strcmp(text, "cube") == 0) {
        out->step = text[0] == 's' ? STEP_SQUARE : STEP_CUBE;
        return 0;
    }
    out->step = text[0] == 'x' ? STEP_FACTOR : STEP_SUM;
    if (text[0] != 'x' && text[0] != '+')
        return bad_item(text, what, error);
    if (count_parse(&out->by, text + 1, what, error) != 0)
        return -1;
    if (out->step == STEP_FACTOR && out->by < 2)
        return error_set(error, "%s: a step x%zu leads nowhere; the least is x2", what, out->by);
    return 0;
}

static int parse_range(struct range *out, char *item, const char *what, struct error *error) {
    char *dots = strstr(item, "..");
    *out = (struct range){.by = 2, .step = STEP_FACTOR};
    if (dots == NULL) {
        if (count_parse(&out->first, item, what, error) != 0)
            return -1;
        out->last = out->first;
        return 0;
    }
    char *colon = strchr(dots, ':');
    *dots = '\0';
    if (colon != NULL)
        *colon = '\0';
    if (count_parse(&out->first, item, what, error) != 0 ||
        count_parse(&out->last, dots + 2, what, error) != 0 ||
        (colon != NULL && parse_step(out, colon + 1, what, error) != 0))
        return -1;
    if (out->first > out->last)
        return error_set(error, "%s: the range %zu..%zu is empty", what, out->first, out->last);
    return 0;
}

static size_t power(size_t base, enum step step) {
    return step == STEP_SQUARE ? base * base : base * base * base;
}

static int add_number(rank_list *out, size_t number, const char *what, struct error *error) {
    if (out->count >= NUMBERS_MAX)
        return error_set(error, "%s: more than %d numbers of ranks", what, NUMBERS_MAX);
    vec_push(out, number);
    return 0;
}

static int add_range(rank_list *out, const struct range *range, const char *what,
                     struct error *error) {
    size_t root = 1;
    if (range->step == STEP_FACTOR || range->step == STEP_SUM) {
        for (size_t n = range->first; n <= range->last;
             n = range->step == STEP_FACTOR ? n * range->by : n + range->by)
            if (add_number(out, n, what, error) != 0)
                return -1;
        return 0;
    }
    for (; power(root, range->step) <= range->last; root++)
        if (power(root, range->step) >= range->first &&
            add_number(out, power(root, range->step), what, error) != 0)
            return -1;
    return 0;
}

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
    for (const char *at = text;; at++) {
        char item[ITEM_BYTES];
        struct range range;
        size_t length = strcspn(at, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, at);
        if (length == 0 || length >= sizeof item)
            return bad_item(item, what, error);
        if (parse_range(&range, item, what, error) != 0 || add_range(out, &range, what, error) != 0)
            return -1;
        at += length;
        if (*at == '\0')
            break;
    }
    sort_once(out);
    return 0;
}

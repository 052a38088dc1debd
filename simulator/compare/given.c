/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of fixed length, read one by one and sorted; see given.h. What a value is in the program's
 * text stands in regions.json among the cuts, at the same line.
 */
#include "simulator/compare/given.h"

#include "base/json.h"
#include "base/str.h"
#include "runtime/formats/given_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_SHOWN 4
#define EXACT 9007199254740992.0 /* 2^53 */

/* ---- Reading ---- */

static int compare_values(const void *left, const void *right) {
    const struct given_value *a = left, *b = right;
    if (a->region != b->region)
        return a->region < b->region ? -1 : 1;
    if (a->has_finished != b->has_finished)
        return b->has_finished ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static int read_rows(struct given *out, FILE *file, const char *path, const struct regions *regions,
                     size_t ranks, struct error *error) {
    struct given_file_head head;
    struct given_file_row row;
    if (fread(&head, sizeof head, 1, file) != 1 ||
        memcmp(head.format, GIVEN_FORMAT, sizeof head.format) != 0)
        return error_set(error,
                         "%s: error: this is no list of given values as this version of mpiskel "
                         "has them; if the bundle is older generate it again",
                         path);
    for (uint64_t i = 0; i < head.count; i++) {
        if (fread(&row, sizeof row, 1, file) != 1)
            return error_set(error, "%s: error: the file ends early", path);
        if (row.rank < 0 || (size_t)row.rank >= ranks || row.region < 0 ||
            row.region >= regions->count)
            return error_set(error, "%s: error: there is no such rank or region", path);
        vec_push(&out->values, (struct given_value){(size_t)row.rank, row.region, row.count,
                                                    row.last, row.sum, row.finalized != 0});
    }
    return 0;
}

int given_read(struct given *out, const char *path, const struct regions *regions, size_t ranks,
               struct error *error) {
    *out = (struct given){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return errno == ENOENT
                   ? 0
                   : error_set(error, "%s: error: cannot read: %s", path, strerror(errno));
    int result = read_rows(out, file, path, regions, ranks, error);
    fclose(file);
    if (out->values.count > 0)
        qsort(out->values.items, out->values.count, sizeof out->values.items[0], compare_values);
    if (result != 0)
        given_dispose(out);
    return result;
}

void given_dispose(struct given *given) {
    vec_dispose(&given->values);
}

/* ---- Telling ---- */

json_t *given_cuts(const struct regions *regions, struct error *error) {
    json_t *root = NULL;
    if (json_read(&root, regions->path, error) != 0)
        return NULL;
    json_t *cuts = json_object_get(json_object_get(root, "cuts"), "values");
    cuts = cuts != NULL ? json_incref(cuts) : json_array();
    json_decref(root);
    return cuts;
}

/* The text of what was cut at the region's line; more than one where lines are shared. */
void given_add_text(struct str *out, const json_t *cuts, const struct region *region) {
    const char *separator = region->value == VALUE_BRANCH  ? ": which way: "
                            : region->value == VALUE_TRIPS ? ": how often: "
                                                           : ": ";
    for (size_t i = 0; i < json_array_size(cuts); i++) {
        const json_t *value = json_array_get(cuts, i);
        const char *file = json_get_text(value, "file"), *text = json_get_text(value, "text");
        if (file == NULL || text == NULL || strcmp(file, region->file) != 0 ||
            json_get_integer(value, "line", -1) != region->line)
            continue;
        str_printf(out, "%s%s", separator, text);
        separator = " | ";
    }
}

static void add_number(struct str *out, double number) {
    bool whole = fabs(number) < EXACT && number == trunc(number);
    str_printf(out, whole ? "%.0f" : "%g", number);
}

static void add_ranks(struct str *out, const struct given_value *values, size_t count) {
    for (size_t i = 0; i < count && i < RANKS_SHOWN; i++) {
        const struct given_value *value = &values[i];
        str_printf(out, "%srank %zu%s: %llu time%s, last ", i > 0 ? "; " : "\n    ", value->rank,
                   value->has_finished ? " (finished)" : "", value->count,
                   text_plural(value->count));
        add_number(out, value->last);
    }
    if (count > RANKS_SHOWN)
        str_printf(out, "; and %zu more rank%s", count - RANKS_SHOWN,
                   count > RANKS_SHOWN + 1 ? "s" : "");
}

static void add_regions(struct str *out, const struct given *given, const struct regions *regions,
                        const json_t *cuts) {
    size_t end;
    for (size_t begin = 0; begin < given->values.count; begin = end) {
        const struct given_value *first = &given->values.items[begin];
        const struct region *region = &regions->items[first->region];
        end = begin;
        while (end < given->values.count && given->values.items[end].region == first->region)
            end++;
        str_printf(out, "\n  %s:%d", region->file, region->line);
        given_add_text(out, cuts, region);
        add_ranks(out, first, end - begin);
    }
}

static void tell(const struct given *given, const struct regions *regions, bool replayed) {
    struct error error = {0};
    struct str text = {0};
    json_t *cuts = given_cuts(regions, &error);
    str_printf(&text, "these values steer communication, and %s (docs/explanation/cuts.md):",
               replayed ? "were the original's" : "come from models, which may be why");
    if (cuts == NULL)
        error_print(&error);
    add_regions(&text, given, regions, cuts);
    note("%s", text.text);
    json_decref(cuts);
    str_dispose(&text);
}

void given_tell(const char *path, const struct regions *regions, size_t ranks, bool replayed) {
    struct given given;
    struct error error = {0};
    if (given_read(&given, path, regions, ranks, &error) != 0) {
        error_print(&error);
        return;
    }
    if (given.values.count > 0)
        tell(&given, regions, replayed);
    given_dispose(&given);
}

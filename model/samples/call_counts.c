/* SPDX-License-Identifier: Apache-2.0 */
#include "model/samples/call_counts.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#define NUMBER_MAX 1e18

static bool is_number(const json_t *value) {
    double number = json_is_number(value) ? json_number_value(value) : -1;
    return number >= 0 && number <= NUMBER_MAX;
}

static const char *read_count(struct call_count *out, struct arena *arena, const json_t *value,
                              int rank, int ranks) {
    const char *name = json_get_text(value, "name"), *file = json_get_text(value, "file");
    long long of = rank >= 0 ? rank : json_get_integer(value, "rank", -1);
    long long line = json_get_integer(value, "line", -1);
    const json_t *count = json_object_get(value, "count"), *bytes = json_object_get(value, "bytes");
    const json_t *kept = json_object_get(value, "kept_s");
    const json_t *first = json_object_get(value, "first_s");
    if (name == NULL || file == NULL || line < 0 || line > INT_MAX)
        return "a call site has no 'name', 'file' or 'line'";
    if (of < 0 || of >= ranks)
        return "a call site is of no rank of the run";
    if (!is_number(count) || !is_number(bytes))
        return "'count' or 'bytes' of a call site is missing or out of range";
    if (kept != NULL && !is_number(kept))
        return "'kept_s' of a call site is out of range";
    if (first != NULL && !is_number(first))
        return "'first_s' of a call site is out of range";
    *out = (struct call_count){.rank = (int)of,
                               .name = arena_strdup(arena, name),
                               .file = arena_strdup(arena, file),
                               .line = (int)line,
                               .count = json_number_value(count),
                               .bytes = json_number_value(bytes),
                               .kept_s = kept != NULL ? json_number_value(kept) : -1,
                               .first_s = first != NULL ? json_number_value(first) : 0};
    return NULL;
}

static void make_room(struct call_counts *out, struct arena *arena, size_t more) {
    if (out->count + more <= out->capacity)
        return;
    size_t capacity = 2 * (out->count + more);
    struct call_count *items = ARENA_ARRAY(arena, struct call_count, capacity);
    if (out->count > 0)
        memcpy(items, out->items, out->count * sizeof *items);
    out->items = items;
    out->capacity = capacity;
}

const char *call_counts_add(struct call_counts *out, struct arena *arena, const json_t *list,
                            int rank, int ranks) {
    size_t added = json_array_size(list);
    if (!json_is_array(list))
        return "'calls' is no list";
    make_room(out, arena, added);
    for (size_t i = 0; i < added; i++) {
        const char *wrong =
            read_count(&out->items[out->count], arena, json_array_get(list, i), rank, ranks);
        if (wrong != NULL)
            return wrong;
        out->count++;
    }
    return NULL;
}

static json_t *count_to_json(const struct call_count *at) {
    json_t *object =
        json_pack("{s:i, s:s, s:s, s:i, s:f, s:f}", "rank", at->rank, "name", at->name, "file",
                  at->file, "line", at->line, "count", at->count, "bytes", at->bytes);
    if (object != NULL && at->kept_s >= 0)
        json_object_set_new(object, "kept_s", json_real(at->kept_s));
    if (object != NULL && at->first_s > 0)
        json_object_set_new(object, "first_s", json_real(at->first_s));
    return object;
}

/* Names that the profiling build took from the system are ASCII in its file. */
json_t *call_counts_to_json(const struct call_counts *counts) {
    json_t *list = json_array();
    for (size_t i = 0; i < counts->count; i++)
        json_array_append_new(list, count_to_json(&counts->items[i]));
    return list;
}

/* ---- Time in kept code ---- */

static bool is_told(const struct call_counts *counts) {
    for (size_t i = 0; i < counts->count; i++)
        if (counts->items[i].kept_s < 0)
            return false;
    return counts->count > 0;
}

/* Sites of a rank are beside each other. */
void call_counts_kept(struct kept_time *out, const struct call_counts *counts) {
    *out = (struct kept_time){.seconds = -1};
    if (!is_told(counts))
        return;
    out->seconds = 0;
    for (size_t i = 0, end; i < counts->count; i = end) {
        const struct call_count *most = &counts->items[i];
        double sum_s = 0;
        for (end = i; end < counts->count && counts->items[end].rank == most->rank; end++) {
            const struct call_count *site = &counts->items[end];
            sum_s += site->kept_s;
            most = site->kept_s > most->kept_s ? site : most;
        }
        if (sum_s > out->seconds)
            *out = (struct kept_time){.seconds = sum_s, .site = *most};
    }
}

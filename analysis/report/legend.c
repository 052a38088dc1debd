/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/legend.h"

#include "analysis/views/rank_sums.h"
#include "base/hash_table.h"

#include <stdlib.h>
#include <string.h>

/* Another text than UTF-8 loses what is not ASCII. */
static const char *valid_text(struct arena *arena, const char *text) {
    json_t *value = json_any_text(text);
    const char *copy = arena_strdup(arena, json_string_value(value));
    json_decref(value);
    return copy;
}

const char *legend_name(struct arena *arena, const struct trace_site *site) {
    const char *name = site->kind == TRACE_REGION && site->file[0] != '\0'
                           ? arena_printf(arena, "%s:%d %s", site->file, site->line, site->function)
                           : site->function;
    return valid_text(arena, name);
}

const char *legend_place(struct arena *arena, const struct trace_site *site) {
    return site->file[0] != '\0' && site->line > 0
               ? arena_printf(arena, "%s:%d", site->file, site->line)
               : arena_strdup(arena, site->file);
}

static void add_view(struct hash_table *totals, struct arena *arena, const struct run_view *view) {
    struct rank_sums sums;
    rank_sums_make(&sums, view);
    for (size_t i = 0; i < view->sites.count; i++) {
        const char *name = legend_name(arena, &view->sites.items[i]);
        struct legend_entry *entry = hash_table_add_text(totals, name, sizeof *entry);
        entry->name = name;
        entry->kind = view->sites.items[i].kind;
        entry->total_ns += (double)sums.sites_ns[i];
    }
    for (size_t i = 0; i < view->operations.count; i++) {
        const struct trace_event *operation = &view->operations.items[i];
        const char *name = legend_name(arena, &view->sites.items[operation->site]);
        struct legend_entry *entry = hash_table_find_text(totals, name);
        entry->total_ns += (double)(operation->end_ns - operation->begin_ns);
    }
    rank_sums_dispose(&sums);
}

static int compare_entries(const void *a, const void *b) {
    const struct legend_entry *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return strcmp(x->name, y->name);
}

static const char *rest_name(enum trace_kind kind) {
    return kind == TRACE_REGION      ? "other computation"
           : kind == TRACE_OPERATION ? "other operations"
                                     : "other MPI";
}

/* The first `most` of the kind, and one for the rest if there is any. */
static void take(struct legend *out, const struct legend_entry *all, size_t count,
                 enum trace_kind kind, size_t most) {
    size_t taken = 0;
    for (size_t i = 0; i < count && taken <= most; i++) {
        if (all[i].kind != kind || all[i].total_ns <= 0)
            continue;
        out->entries[out->count++] =
            taken < most
                ? all[i]
                : (struct legend_entry){.name = rest_name(kind), .kind = kind, .is_rest = true};
        taken++;
    }
}

void legend_make(struct legend *out, const struct report_input *input) {
    struct hash_table totals = {0};
    VEC(struct legend_entry) all = {0};
    *out = (struct legend){0};
    for (size_t i = 0; i < input->runs.count; i++)
        if (input->runs.items[i].has_view)
            add_view(&totals, &out->arena, &input->runs.items[i].view);
    for (const void *at = hash_table_first(&totals); at != NULL; at = hash_table_next(at))
        vec_push(&all, *(const struct legend_entry *)at);
    if (all.count > 0)
        qsort(all.items, all.count, sizeof *all.items, compare_entries);
    take(out, all.items, all.count, TRACE_REGION, LEGEND_REGIONS);
    take(out, all.items, all.count, TRACE_CALL, LEGEND_CALLS);
    take(out, all.items, all.count, TRACE_OPERATION, LEGEND_OPERATIONS);
    vec_dispose(&all);
    hash_table_dispose(&totals);
}

void legend_dispose(struct legend *legend) {
    arena_dispose(&legend->arena);
}

static unsigned char group_of(const struct legend *legend, const char *name, enum trace_kind kind) {
    size_t rest = 0;
    for (size_t i = 0; i < legend->count; i++) {
        const struct legend_entry *entry = &legend->entries[i];
        if (entry->kind == kind && entry->is_rest)
            rest = i;
        if (entry->kind == kind && !entry->is_rest && strcmp(entry->name, name) == 0)
            return (unsigned char)i;
    }
    return (unsigned char)rest; /* without a rest it takes no time, so that nobody sees it */
}

unsigned char *legend_groups(const struct legend *legend, const struct run_view *view) {
    struct arena arena = {0};
    unsigned char *groups = xmalloc(view->sites.count + 1);
    for (size_t i = 0; i < view->sites.count; i++)
        groups[i] =
            group_of(legend, legend_name(&arena, &view->sites.items[i]), view->sites.items[i].kind);
    arena_dispose(&arena);
    return groups;
}

const char *legend_kind(const struct legend_entry *entry) {
    return entry->kind == TRACE_REGION      ? "computation"
           : entry->kind == TRACE_OPERATION ? "device"
                                            : "MPI";
}

json_t *legend_to_json(const struct legend *legend) {
    json_t *list = json_array();
    for (size_t i = 0; i < legend->count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:b}", "name", legend->entries[i].name,
                                              "kind", legend_kind(&legend->entries[i]), "rest",
                                              legend->entries[i].is_rest));
    return list;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * reasons.json and regions.json -> struct log. "demands" is the log of the slice, each entry with
 * the index of the demand that raised it; "kept" are the computations that stay. Everything that is
 * followed later (indices, parents, files) is checked here, once. Members are described in
 * docs/reference/regions.md.
 */
#include "cli/explain/explain.h"

#include "base/file.h"

#include <limits.h>
#include <string.h>

struct explain_log_reader {
    struct log *log;
    struct error *error;
    const char *member;
    size_t index;
};

static int fail(struct explain_log_reader *reader, const char *what) {
    struct arena *arena = &reader->log->arena;
    return json_fail_at(reader->error, reader->log->path, reader->member, reader->index,
                        arena_printf(arena,
                                     "%s of entry %zu of \"%s\" is missing or damaged; make "
                                     "the bundle again with `mpiskel generate`",
                                     what, reader->index + 1, reader->member));
}

static int to_int(int *out, const json_t *value, int least) {
    json_int_t number = json_integer_value(value);
    *out = least;
    if (!json_is_integer(value) || number < least || number > INT_MAX)
        return -1;
    *out = (int)number;
    return 0;
}

static int get_int(int *out, const json_t *object, const char *key, int least) {
    return to_int(out, json_object_get(object, key), least);
}

static int read_row(struct explain_log_reader *reader, const json_t *entry,
                    struct explained_demand *out) {
    const json_t *files = json_object_get(reader->log->json, "files");
    struct explained_demand demand = {0};
    int file;
    if (to_int(&file, json_array_get(entry, 0), -1) != 0)
        return fail(reader, "the file");
    if (file >= 0 && (demand.file = json_string_value(json_array_get(files, (size_t)file))) == NULL)
        return fail(reader, "the file");
    if (to_int(&demand.line, json_array_get(entry, 1), 0) != 0 ||
        to_int(&demand.end_line, json_array_get(entry, 2), 0) != 0)
        return fail(reader, "a line");
    demand.what = json_string_value(json_array_get(entry, 3));
    demand.why = json_string_value(json_array_get(entry, 4));
    demand.kind = json_string_value(json_array_get(entry, 7));
    demand.name = json_string_value(json_array_get(entry, 8));
    if (demand.what == NULL || demand.why == NULL || demand.kind == NULL || demand.name == NULL)
        return fail(reader, "a text");
    if (to_int(&demand.parent, json_array_get(entry, 5), -1) != 0)
        return fail(reader, "the parent");
    demand.is_statement = json_is_true(json_array_get(entry, 6));
    *out = demand;
    return 0;
}

static int read_demand(struct explain_log_reader *reader, const json_t *entry) {
    struct explained_demand demand;
    if (read_row(reader, entry, &demand) != 0)
        return -1;
    if (demand.parent >= (int)reader->index)
        return fail(reader, "the parent");
    vec_push(&reader->log->demands, demand);
    reader->log->logged++;
    return 0;
}

/* The criterion comes first, and each further demand serves the one before it. */
static int read_chain(struct kept *out, struct explain_log_reader *reader, const json_t *list) {
    struct log *log = reader->log;
    size_t i;
    json_t *row;
    json_array_foreach(list, i, row) {
        struct explained_demand demand;
        if (read_row(reader, row, &demand) != 0)
            return -1;
        demand.parent = i == 0 ? -1 : (int)log->demands.count - 1;
        vec_push(&log->demands, demand);
    }
    if (i > 0) {
        out->exit_demand = out->demand;
        out->demand = (int)log->demands.count - 1;
    }
    return 0;
}

static int read_criteria(struct kept *out, struct explain_log_reader *reader, const json_t *list) {
    size_t i;
    json_t *pair;
    json_array_foreach(list, i, pair) {
        struct explained_tally tally;
        if (to_int(&tally.criterion, json_array_get(pair, 0), 0) != 0 ||
            to_int(&tally.statements, json_array_get(pair, 1), 0) != 0 ||
            tally.criterion >= (int)reader->log->logged)
            return fail(reader, "\"criteria\"");
        vec_push(&out->criteria, tally);
    }
    return 0;
}

static int read_kept(struct explain_log_reader *reader, const json_t *entry) {
    struct log *log = reader->log;
    vec_push(&log->kept, (struct kept){.seconds = -1, .left_without_exits = -1, .exit_demand = -1});
    struct kept *kept = &log->kept.items[log->kept.count - 1];
    kept->kind = json_get_text(entry, "kind");
    kept->file = json_get_text(entry, "file");
    kept->function = json_get_text(entry, "function");
    kept->text = json_get_text(entry, "text");
    kept->kernels = json_get_text(entry, "kernels");
    if (kept->kind == NULL || kept->file == NULL || kept->function == NULL || kept->text == NULL ||
        kept->kernels == NULL)
        return fail(reader, "a text");
    kept->estimate = json_get_number(entry, "estimate", -1);
    if (get_int(&kept->line, entry, "line", 0) != 0 ||
        get_int(&kept->end_line, entry, "end_line", 0) != 0 ||
        get_int(&kept->statements, entry, "statements", 0) != 0 ||
        get_int(&kept->loops, entry, "loops", 0) != 0 || !(kept->estimate >= 0))
        return fail(reader, "a number");
    if (get_int(&kept->demand, entry, "demand", 0) != 0 || kept->demand >= (int)log->demands.count)
        return fail(reader, "\"demand\"");
    if (get_int(&kept->region, entry, "region", -1) != 0 || kept->region >= log->regions.count)
        return fail(reader, "\"region\"");
    if (json_object_get(entry, "left_without_exits") != NULL &&
        get_int(&kept->left_without_exits, entry, "left_without_exits", 0) != 0)
        return fail(reader, "\"left_without_exits\"");
    if (read_chain(kept, reader, json_object_get(entry, "chain_without_exits")) != 0)
        return -1;
    return read_criteria(kept, reader, json_object_get(entry, "criteria"));
}

static int read_assumed(struct explain_log_reader *reader, const json_t *entry) {
    struct assumed assumed = {.name = json_get_text(entry, "name"),
                              .file = json_get_text(entry, "file"),
                              .text = json_get_text(entry, "text"),
                              .effect = json_get_text(entry, "effect")};
    if (assumed.name == NULL || assumed.file == NULL || assumed.text == NULL ||
        assumed.effect == NULL || get_int(&assumed.line, entry, "line", 0) != 0)
        return fail(reader, "a member");
    vec_push(&reader->log->assumed, assumed);
    return 0;
}

static int read_unknown(struct explain_log_reader *reader, const json_t *entry) {
    size_t i;
    json_t *call;
    int line;
    if (json_get_text(entry, "name") == NULL)
        return fail(reader, "\"name\"");
    json_array_foreach(json_object_get(entry, "calls"), i, call) {
        if (!json_is_string(json_array_get(call, 0)) ||
            to_int(&line, json_array_get(call, 1), 0) != 0)
            return fail(reader, "\"calls\"");
    }
    return 0;
}

static int read_list(struct explain_log_reader *reader, const char *member,
                     int read(struct explain_log_reader *, const json_t *)) {
    const json_t *list = json_object_get(reader->log->json, member);
    reader->member = member;
    if (!json_is_array(list))
        return error_set(reader->error,
                         "%s:1:1: error: it has no list \"%s\" and is damaged; make the bundle "
                         "again with `mpiskel generate`",
                         reader->log->path, member);
    if (json_array_size(list) > INT_MAX)
        return fail(reader, "the length");
    for (reader->index = 0; reader->index < json_array_size(list); reader->index++)
        if (read(reader, json_array_get(list, reader->index)) != 0)
            return -1;
    return 0;
}

static int read_reasons(struct log *log, const char *bundle, struct error *error) {
    log->path = path_join(&log->arena, bundle, "reasons.json");
    if (!file_exists(log->path))
        return error_set(error, "%s is missing; make the bundle again with `mpiskel generate`",
                         log->path);
    if (json_read(&log->json, log->path, error) != 0)
        return -1;
    const char *id = json_get_text(log->json, "bundle");
    if (id == NULL || strcmp(id, log->regions.bundle) != 0)
        return error_set(error,
                         "%s:1:1: error: it does not belong to the regions.json beside it; make "
                         "the bundle again with `mpiskel generate`",
                         log->path);
    return 0;
}

static int read_verdict(struct log *log, const char *bundle, struct error *error) {
    struct verdict verdict;
    struct str text = {0};
    if (verdict_read(&verdict, bundle, error) != 0)
        return -1;
    if (verdict.state != VERDICT_NONE)
        verdict_add_text(&text, &verdict);
    log->verdict = str_into(&log->arena, &text);
    verdict_dispose(&verdict);
    return 0;
}

int log_open(struct log *log, const char *bundle, struct error *error) {
    struct explain_log_reader reader = {.log = log, .error = error};
    const char *path = path_join(&log->arena, bundle, "regions.json");
    if (!file_exists(path))
        return error_set(error, "%s is no bundle: make one with mpiskel generate -o %s", bundle,
                         bundle);
    if (regions_read(&log->regions, path, error) != 0 ||
        json_read(&log->regions_json, path, error) != 0 || read_reasons(log, bundle, error) != 0 ||
        read_list(&reader, "demands", read_demand) != 0 ||
        read_list(&reader, "kept", read_kept) != 0 ||
        read_list(&reader, "assumed", read_assumed) != 0 ||
        read_list(&reader, "unknown", read_unknown) != 0 || read_verdict(log, bundle, error) != 0)
        return -1;
    const json_t *estimate = json_object_get(log->json, "estimate");
    log->estimated_all = json_get_number(estimate, "all", 0);
    log->estimated_kept = json_get_number(estimate, "kept", 0);
    const json_t *cuts = json_object_get(log->regions_json, "cuts");
    bool is_counted = json_object_get(cuts, "executions_kept") != NULL &&
                      !json_is_true(json_object_get(cuts, "estimated"));
    log->executions = is_counted ? json_get_number(cuts, "executions", 0) : 0;
    log->executions_kept = json_get_number(cuts, "executions_kept", 0);
    log->assumptions = json_get_text(log->regions_json, "assumptions");
    if (log->assumptions == NULL)
        log->assumptions = "";
    return 0;
}

void log_dispose(struct log *log) {
    for (size_t i = 0; i < log->kept.count; i++)
        vec_dispose(&log->kept.items[i].criteria);
    vec_dispose(&log->kept);
    vec_dispose(&log->demands);
    vec_dispose(&log->assumed);
    json_decref(log->json);
    json_decref(log->regions_json);
    regions_dispose(&log->regions);
    if (log->has_models)
        models_dispose(&log->models);
    arena_dispose(&log->arena);
}

/* Questions */

int log_criterion(const struct log *log, int demand) {
    while (log->demands.items[demand].parent >= 0)
        demand = log->demands.items[demand].parent;
    return demand;
}

bool log_is_joined(const struct log *log, int criterion) {
    static const char *const joined[] = {
        "prints what is known in the skeleton", "frees memory that the skeleton allocates",
        "ends the program where a check fails that costs nothing",
        "is the exit code, and costs nothing", "is part of a region's feature"};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        if (strcmp(log->demands.items[criterion].why, joined[i]) == 0)
            return true;
    return false;
}

bool log_same_file(const char *path, const char *wanted) {
    return path != NULL && wanted[0] != '\0' &&
           (strcmp(path, wanted) == 0 ||
            (text_has_suffix(path, wanted) && path[strlen(path) - strlen(wanted) - 1] == '/'));
}

int log_find_statement(const struct log *log, const char *file, int line) {
    int best = -1;
    for (size_t i = 0; i < log->logged; i++) {
        const struct explained_demand *demand = &log->demands.items[i];
        if (!demand->is_statement || demand->line > line || demand->end_line < line ||
            !log_same_file(demand->file, file))
            continue;
        const struct explained_demand *old = best >= 0 ? &log->demands.items[best] : NULL;
        if (old == NULL || demand->end_line - demand->line < old->end_line - old->line)
            best = (int)i;
    }
    return best;
}

const struct region *log_find_region(const struct log *log, const char *file, int line) {
    for (int i = 0; i < log->regions.count; i++) {
        const struct region *region = &log->regions.items[i];
        if (log_same_file(region->file, file) && region->line <= line && region->end_line >= line)
            return region;
    }
    return NULL;
}

int log_find_kept(const struct log *log, const char *file, int line) {
    int best = -1;
    for (size_t i = 0; i < log->kept.count; i++) {
        const struct kept *kept = &log->kept.items[i];
        if (kept->kind[0] == 'f' || kept->line > line || kept->end_line < line ||
            !log_same_file(kept->file, file))
            continue;
        const struct kept *old = best >= 0 ? &log->kept.items[best] : NULL;
        if (old == NULL || kept->end_line - kept->line < old->end_line - old->line)
            best = (int)i;
    }
    return best;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Why one line is in the skeleton: the whole chain of demands; or, for a removed one, its region,
 * features and latency formula, if the store has a model.
 */
#include "cli/explain/explain.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

static void print_demand(const struct explained_demand *demand) {
    if (demand->file != NULL && demand->line > 0)
        printf("%s:%d: %s\n", demand->file, demand->line, demand->what);
    else
        printf("%s\n", demand->what);
}

static const char *ending(const struct log *log, int index) {
    if (log->demands.items[index].parent >= 0)
        return ":";
    return log_is_joined(log, index) ? "" : " (a criterion)";
}

static void explain_kept(const struct log *log, int index) {
    printf("kept:\n");
    for (int at = index; at >= 0; at = log->demands.items[at].parent) {
        const struct explained_demand *demand = &log->demands.items[at];
        printf("  ");
        print_demand(demand);
        printf("    %s", demand->why);
        if (demand->name[0] != '\0' && strcmp(demand->kind, "argument") == 0)
            printf(" (%s)", demand->name);
        else if (demand->name[0] != '\0' && demand->parent < 0)
            printf(" (%s)", demand->name);
        printf("%s\n", ending(log, at));
    }
}

/* Formulas are a bonus: a bundle without store or fit is explained all the same. */
static void read_models(struct log *log, const char *bundle) {
    struct error ignored = {0};
    const char *path = path_join(&log->arena, bundle, "store.db"), *machines = "";
    struct store *store = NULL;
    if (!file_exists(path) || store_open(&store, path, &ignored) != 0)
        return;
    if (store_machines(&machines, &log->arena, store, &log->regions, &ignored) == 0 &&
        machines[0] != '\0') {
        size_t length = strcspn(machines, " ");
        const char *machine = arena_strndup(&log->arena, machines, length);
        log->has_models = store_models(&log->models, store, &log->regions, machine, &ignored) == 0;
    }
    store_close(store);
}

static char *formula_of(struct log *log, const struct region *region) {
    struct str text = {0};
    for (int i = 0; log->has_models && i < log->models.count; i++)
        if (log->models.items[i].region == region->index && log->models.items[i].fitted)
            latency_formula(&text, &log->models.items[i], region, FORMULA_TEXT);
    if (text.length == 0)
        str_add(&text, "none yet: run the profile, then mpiskel fit");
    char *copy = arena_strdup(&log->arena, text.text);
    str_dispose(&text);
    return copy;
}

static void explain_region(struct log *log, const struct region *region) {
    printf("removed: region %d (%s), %s lines %d-%d: %s\n", region->index, region->id, region->file,
           region->line, region->end_line, region->summary);
    for (int i = 0; i < region->feature_count; i++)
        printf("  feature %s = %s: %s\n", region->features[i].name, region->features[i].expression,
               region->features[i].meaning);
    if (region->feature_count == 0)
        printf("  no feature: its latency is taken as constant\n");
    printf("  latency in seconds: %s\n", formula_of(log, region));
}

static json_t *region_json(struct log *log, const struct region *region) {
    json_t *features = json_array();
    for (int i = 0; i < region->feature_count; i++)
        json_array_append_new(features,
                              json_pack("{s:s, s:s, s:s}", "name", region->features[i].name,
                                        "expression", region->features[i].expression, "meaning",
                                        region->features[i].meaning));
    return json_pack("{s:s, s:i, s:s, s:s, s:i, s:i, s:s, s:o, s:s}", "fate", "removed", "index",
                     region->index, "id", region->id, "file", region->file, "line", region->line,
                     "end_line", region->end_line, "summary", region->summary, "features", features,
                     "latency_s", formula_of(log, region));
}

static bool is_kept_region(const struct log *log, const struct region *region) {
    for (size_t i = 0; i < log->kept.count; i++)
        if (log->kept.items[i].region == region->index)
            return true;
    return false;
}

static void explain_nothing(const struct log *log, const struct explain_options *options,
                            const char *file, int line) {
    int inside = log_find_kept(log, file, line);
    const struct kept *kept = inside >= 0 ? &log->kept.items[inside] : NULL;
    if (kept != NULL && options->format == OUTPUT_JSON)
        explain_print_json(json_pack("{s:s, s:s, s:i, s:i}", "fate", "nothing", "inside",
                                     kept->text, "inside_line", kept->line, "region",
                                     kept->region));
    else if (options->format == OUTPUT_JSON)
        explain_print_json(json_pack("{s:s}", "fate", "nothing"));
    else
        printf("%s:%d holds no statement of the skeleton and none of a region: a declaration, a "
               "comment, a function that is not called, or a few scalar operations that are not "
               "worth a stub\n",
               file, line);
    if (kept != NULL && options->format != OUTPUT_JSON)
        printf("around it stays %s:%d: %s\n", kept->file, kept->line, kept->text);
}

void explain_line(struct log *log, const struct explain_options *options, const char *file,
                  int line) {
    int statement = log_find_statement(log, file, line);
    const struct region *region = log_find_region(log, file, line);
    /* A loop that stays around a removed body covers the line as well: the narrower one wins. */
    bool removed = region != NULL && !is_kept_region(log, region) &&
                   (statement < 0 ||
                    region->end_line - region->line <= log->demands.items[statement].end_line -
                                                           log->demands.items[statement].line);
    if (removed)
        read_models(log, options->bundle);
    if (removed && options->format == OUTPUT_JSON)
        explain_print_json(region_json(log, region));
    else if (removed)
        explain_region(log, region);
    else if (statement >= 0 && options->format == OUTPUT_JSON)
        explain_print_json(
            json_pack("{s:s, s:o}", "fate", "kept", "chain", explain_chain_json(log, statement)));
    else if (statement >= 0)
        explain_kept(log, statement);
    else
        explain_nothing(log, options, file, line);
}

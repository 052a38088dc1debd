/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel explain APP.skel [FILE[:LINE]]`: why a line is kept (the chain of demands up to the MPI
 * argument), or, for a removed one, its region, features and latency formula. With FILE alone, each
 * line's fate; with nothing, what keeps loops in the skeleton.
 *
 * Reads regions.json: "demands" is the log of the slice, each entry with the index of the demand
 * that raised it; a kept statement is one whose entry is there.
 */
#include "cli/commands.h"

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/region.h"
#include "model/store.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *bundle, *place;
    bool json;
};

struct demand {
    const char *file, *what, *why;
    int line, end_line, parent;
    bool is_statement;
};

struct log {
    struct arena arena;
    json_t *json;
    struct regions regions;
    struct models models;
    bool has_models;
    VEC(struct demand) demands;
};

static const struct argp_option argp_options[] = {
    {"format", 'f', "text|json", 0, "How the answer is printed (default: text)", 0}, {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    struct options *options = state->input;
    switch (key) {
    case 'f':
        options->json = strcmp(value, "json") == 0;
        if (!options->json && strcmp(value, "text") != 0)
            argp_error(state, "no format '%s'; there are text and json", value);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            options->bundle = value;
        else if (state->arg_num == 1)
            options->place = value;
        else
            argp_error(state, "unexpected argument '%s'", value);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which bundle? for example: mpiskel explain heat3d.skel main.c:42");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "APP.skel [FILE[:LINE]]",
    "Tell why a line is in the skeleton, or what stands for it.\v"
    "FILE is relative to the application's root, or just its name. Without FILE: what keeps loops "
    "in the skeleton.",
    NULL,
    NULL,
    NULL};

static int read_demands(struct log *log, struct error *error) {
    const json_t *files = json_object_get(log->json, "files");
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(log->json, "demands"), i, entry) {
        struct demand demand = {0};
        const json_t *file =
            json_array_get(files, (size_t)json_integer_value(json_array_get(entry, 0)));
        demand.file = json_string_value(file);
        demand.line = (int)json_integer_value(json_array_get(entry, 1));
        demand.end_line = (int)json_integer_value(json_array_get(entry, 2));
        demand.what = json_string_value(json_array_get(entry, 3));
        demand.why = json_string_value(json_array_get(entry, 4));
        demand.parent = (int)json_integer_value(json_array_get(entry, 5));
        demand.is_statement = json_is_true(json_array_get(entry, 6));
        if (demand.what == NULL || demand.why == NULL || demand.parent >= (int)i)
            return error_set(error,
                             "%s: entry %zu of \"demands\" is broken; generate the bundle "
                             "again",
                             log->regions.path, i + 1);
        vec_push(&log->demands, demand);
    }
    return 0;
}

static int open_log(struct log *log, const char *bundle, struct error *error) {
    const char *path = path_join(&log->arena, bundle, "regions.json");
    if (!file_exists(path))
        return error_set(error, "%s is no bundle: make one with mpiskel generate -o %s", bundle,
                         bundle);
    if (regions_read(&log->regions, path, error) != 0)
        return -1;
    if (json_read(&log->json, path, error) != 0)
        return -1;
    return read_demands(log, error);
}

/* Places */

static bool same_file(const char *path, const char *wanted) {
    return path != NULL &&
           (strcmp(path, wanted) == 0 ||
            (text_has_suffix(path, wanted) && path[strlen(path) - strlen(wanted) - 1] == '/'));
}

static const char *find_file(const struct log *log, const char *wanted) {
    size_t i;
    json_t *file;
    json_array_foreach(json_object_get(log->json, "files"), i, file) {
        if (same_file(json_string_value(file), wanted))
            return json_string_value(file);
    }
    return NULL;
}

/* The narrowest kept statement that covers the line, or -1. */
static int find_statement(const struct log *log, const char *file, int line) {
    int best = -1;
    for (size_t i = 0; i < log->demands.count; i++) {
        const struct demand *demand = &log->demands.items[i];
        if (!demand->is_statement || demand->line > line || demand->end_line < line ||
            !same_file(demand->file, file))
            continue;
        const struct demand *old = best >= 0 ? &log->demands.items[best] : NULL;
        if (old == NULL || demand->end_line - demand->line < old->end_line - old->line)
            best = (int)i;
    }
    return best;
}

static const struct region *find_region(const struct log *log, const char *file, int line) {
    for (int i = 0; i < log->regions.count; i++) {
        const struct region *region = &log->regions.items[i];
        if (same_file(region->file, file) && region->line <= line && region->end_line >= line)
            return region;
    }
    return NULL;
}

/* Answers */

static void print_demand(const struct demand *demand) {
    if (demand->file != NULL && demand->line > 0)
        printf("%s:%d: %s\n", demand->file, demand->line, demand->what);
    else
        printf("%s\n", demand->what);
}

static void explain_kept(const struct log *log, int index) {
    printf("kept:\n  ");
    for (int at = index; at >= 0; at = log->demands.items[at].parent) {
        const struct demand *demand = &log->demands.items[at];
        print_demand(demand);
        printf("    %s%s\n", demand->why, demand->parent >= 0 ? ":" : " (a criterion)");
        if (demand->parent >= 0)
            printf("  ");
    }
}

static json_t *kept_json(const struct log *log, int index) {
    json_t *chain = json_array();
    for (int at = index; at >= 0; at = log->demands.items[at].parent) {
        const struct demand *demand = &log->demands.items[at];
        json_array_append_new(chain,
                              json_pack("{s:s?, s:i, s:s, s:s}", "file", demand->file, "line",
                                        demand->line, "what", demand->what, "why", demand->why));
    }
    return json_pack("{s:s, s:o}", "fate", "kept", "chain", chain);
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
            latency_formula(&text, &log->models.items[i], region);
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

static void print_json(json_t *value) {
    json_dumpf(value, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(value);
}

static void explain_line(struct log *log, const struct options *options, const char *file,
                         int line) {
    int statement = find_statement(log, file, line);
    const struct region *region = find_region(log, file, line);
    /* A loop that stays around a removed body covers the line as well: the narrower one wins. */
    bool removed = region != NULL && (statement < 0 || region->end_line - region->line <=
                                                           log->demands.items[statement].end_line -
                                                               log->demands.items[statement].line);
    if (removed && options->json)
        print_json(region_json(log, region));
    else if (removed)
        explain_region(log, region);
    else if (statement >= 0 && options->json)
        print_json(kept_json(log, statement));
    else if (statement >= 0)
        explain_kept(log, statement);
    else if (options->json)
        print_json(json_pack("{s:s}", "fate", "nothing"));
    else
        printf("%s:%d holds no statement of the skeleton and none of a region: a declaration, a "
               "comment, a function that is not called, or a few scalar operations that are not "
               "worth a stub\n",
               file, line);
}

static int explain_file(struct log *log, const char *file, struct error *error) {
    char *text = NULL, *state = NULL;
    const char *path = path_join(&log->arena, log->regions.root, file);
    int number = 0;
    if (file_read(&text, NULL, path, error) != 0)
        return -1;
    for (char *line = text; line != NULL; line = state) {
        state = strchr(line, '\n');
        if (state != NULL)
            *state++ = '\0';
        if (state == NULL && *line == '\0')
            break;
        number++;
        const struct region *region = find_region(log, file, number);
        int statement = find_statement(log, file, number);
        bool starts = statement >= 0 && log->demands.items[statement].line <= number;
        if (region != NULL)
            printf("%5d  r%-4d| %s\n", number, region->index, line);
        else
            printf("%5d  %-5s| %s\n", number, starts ? "kept" : "", line);
    }
    free(text);
    return 0;
}

/* Statements that span several lines and are kept because of what they contain are loops and ifs;
 * the overview lists every kept statement once per reason at the end of its chain. */
static void explain_all(struct log *log, const struct options *options) {
    json_t *list = json_array();
    int shown = 0;
    for (size_t i = 0; i < log->demands.count; i++) {
        const struct demand *demand = &log->demands.items[i];
        bool loop = demand->is_statement && demand->file != NULL &&
                    strcmp(demand->why, "is the statement around it") == 0;
        bool control = demand->is_statement && demand->file != NULL &&
                       strcmp(demand->why, "decides whether it is executed") == 0;
        if (!loop && !control)
            continue;
        int root = (int)i;
        while (log->demands.items[root].parent >= 0)
            root = log->demands.items[root].parent;
        const struct demand *criterion = &log->demands.items[root];
        if (options->json)
            json_array_append_new(list,
                                  json_pack("{s:s, s:i, s:s, s:s?, s:i, s:s}", "file", demand->file,
                                            "line", demand->line, "what", demand->what,
                                            "criterion_file", criterion->file, "criterion_line",
                                            criterion->line, "criterion", criterion->what));
        else
            printf("%s:%d: %s\n    for %s:%d: %s\n", demand->file, demand->line, demand->what,
                   criterion->file != NULL ? criterion->file : "?", criterion->line,
                   criterion->what);
        shown++;
    }
    if (options->json)
        print_json(list);
    else {
        printf("%d conditions stay, each with the criterion at the end of its chain; `mpiskel "
               "explain %s FILE:LINE` shows the whole chain\n",
               shown, options->bundle);
        json_decref(list);
    }
}

static int answer(struct log *log, const struct options *options, struct error *error) {
    if (options->place == NULL) {
        explain_all(log, options);
        return 0;
    }
    char *place = arena_strdup(&log->arena, options->place);
    char *colon = strrchr(place, ':');
    int line = colon != NULL ? atoi(colon + 1) : 0;
    if (colon != NULL && line < 1)
        return error_set(error, "'%s' is not FILE:LINE", options->place);
    if (colon != NULL)
        *colon = '\0';
    const char *file = find_file(log, place);
    if (file == NULL)
        return error_set(error, "no file '%s' in this bundle's program (its root is %s)", place,
                         log->regions.root);
    read_models(log, options->bundle);
    if (line > 0)
        explain_line(log, options, file, line);
    return line > 0 ? 0 : explain_file(log, file, error);
}

int command_explain(int argc, char **argv) {
    struct options options = {0};
    struct log log = {0};
    struct error error = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    int result = open_log(&log, options.bundle, &error);
    if (result == 0)
        result = answer(&log, &options, &error);
    if (error.set)
        error_print(&error);
    if (log.has_models)
        models_dispose(&log.models);
    if (log.json != NULL) {
        json_decref(log.json);
        regions_dispose(&log.regions);
    }
    vec_dispose(&log.demands);
    arena_dispose(&log.arena);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}

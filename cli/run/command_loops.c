/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel loops`: the loops of a bundle's program, and which of them `mpiskel run --set` and
 * `--iterations` can change.
 *
 * In: loops.json and regions.json of the bundle. Out: a line for each loop with where it went (it
 * stays, or is in a region), what it is called in --set, and why it cannot be set, if so; and a
 * line for each given value, which --set sets by its place, with what its model says.
 */
#include "cli/common/commands.h"

#include "base/file.h"
#include "base/json.h"
#include "base/output_format.h"
#include "cli/common/command_syntax.h"
#include "model/store/model_set.h"
#include "simulator/changes/loop_changes.h"
#include "simulator/run/bundle.h"

#include <stdio.h>
#include <string.h>

struct loops_options {
    const char *bundle, *file; /* file NULL: all */
    enum output_format format;
};

#define OPTIONS struct loops_options

static const struct command_option rows[] = {{COMMON_FORMAT(format)}, {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel loops",
    .usage = "APP.skel [FILE]",
    .about =
        "List the loops of a program (or of one file of it) that mpiskel run can change.\v"
        "Example: mpiskel loops heat3d.skel stencil.c\n"
        "         mpiskel run heat3d.skel -np 64 --set stencil.c:44=trips/2 -- 512 100\n\n"
        "stays:     the loop is in the skeleton; outer: it makes MPI calls and lies in no other "
        "such loop, so that `run --iterations 20` may extrapolate it\n"
        "in FILE:LINE: it is part of the region there, and changes its features\n"
        "Where a loop cannot be set the reason is given.\n"
        "given:     a number that models tell the skeleton, and what they say; `run --set "
        "FILE:LINE=NUMBER` says another one",
    .options = {rows, NULL},
    .arguments = {OPTION_AT(const char *, bundle), OPTION_AT(const char *, file)},
    .argument_count = 2,
    .missing = WHICH_BUNDLE,
    .too_many = "one file, please",
};

static bool is_listed(const struct loop_info *loop, const struct loops_options *options) {
    return options->file == NULL || loops_is_file(loop->file, options->file, strlen(options->file));
}

/* ---- Text ---- */

static void print_where(const struct loop_info *loop, const struct bundle *bundle) {
    if (loop->stays)
        printf(" %s", loop->outermost ? "stays, outer" : "stays");
    for (size_t i = 0; i < loop->region_count; i++)
        if (loop->regions[i] < bundle->regions.count)
            printf("%s in %s:%d", i > 0 || loop->stays ? "," : "",
                   bundle->regions.items[loop->regions[i]].file,
                   bundle->regions.items[loop->regions[i]].line);
}

static void print_limits(const struct loop_info *loop, const struct loop_list *loops,
                         struct arena *arena) {
    const char *sooner = loops_ends_sooner(loop, arena);
    if (loop->obstacle[0] != '\0') {
        printf("; cannot be set: %s", loop->obstacle);
        return;
    }
    if (loop->stays && loop->left[0] == '\0')
        printf("; to a number only, which is then the most");
    else if (sooner != NULL)
        printf("; may end sooner: %s", sooner);
    if (loop->no_longer[0] != '\0')
        printf("; not longer: %s", loop->no_longer);
    for (size_t i = 0; i < loop->together_count; i++) {
        const struct loop_info *other = loops_of_number(loops, loop->together[i]);
        if (other != NULL)
            printf("; together with %s only", loops_label(loops, other, arena));
    }
}

/* ---- Given values ---- */

static bool is_listed_value(const struct region *region, const struct loops_options *options) {
    return region->value != VALUE_NONE &&
           (options->file == NULL ||
            loops_is_file(region->file, options->file, strlen(options->file)));
}

/* False: nothing was fitted here, or the store is not there. */
static bool read_models(struct models *out, const struct bundle *bundle, struct arena *arena) {
    const char *path = path_join(arena, bundle->directory, "store.db");
    struct store *store = NULL;
    struct error error = {0};
    char text[256];
    struct bsim_model *model = NULL;
    if (!file_exists(path) || !file_exists(bundle->model_file) ||
        bsim_model_load(&model, bundle->model_file, bundle->regions.bundle, text, sizeof text) != 0)
        return false;
    bool is_read = bsim_model_machine(model) != NULL && store_open(&store, path, &error) == 0 &&
                   model_set_read(out, store, &bundle->regions, bundle->directory,
                                  bsim_model_machine(model), &error) == 0;
    if (!is_read && error.text[0] != '\0')
        note("warning: what models say is not known: %s", error.text);
    store_close(store);
    bsim_model_free(model);
    return is_read;
}

static const char *formula_of(const struct models *models, int region) {
    const struct latency_model *model =
        models != NULL && region < models->count ? &models->items[region] : NULL;
    return model != NULL && model->fitted && model->value_formula != NULL ? model->value_formula
                                                                          : "";
}

static void print_values(const struct models *models, const struct bundle *bundle,
                         const struct loops_options *options, struct arena *arena) {
    for (int i = 0; i < bundle->regions.count; i++) {
        const struct region *region = &bundle->regions.items[i];
        const char *formula = formula_of(models, i);
        if (is_listed_value(region, options))
            printf("%-24s given %-8s %s: %s; %s%s\n",
                   arena_printf(arena, "%s:%d", region->file, region->line),
                   value_kind_name(region->value), region->function, region->text,
                   formula[0] != '\0' ? "models say " : "no model yet", formula);
    }
}

static void print_text(const struct loop_list *loops, const struct bundle *bundle,
                       const struct loops_options *options, struct arena *arena) {
    size_t listed = 0, settable = 0;
    for (size_t i = 0; i < loops->count; i++) {
        const struct loop_info *loop = &loops->items[i];
        if (!is_listed(loop, options))
            continue;
        listed++;
        settable += loop->obstacle[0] == '\0';
        printf("%-24s %-5s %-8s %s:", loops_label(loops, loop, arena), loop->kind, loop->variable,
               loop->function);
        print_where(loop, bundle);
        print_limits(loop, loops, arena);
        putchar('\n');
    }
    printf("%zu loops, %zu of them can be set\n", listed, settable);
}

/* ---- JSON ---- */

static json_t *json_loop(const struct loop_info *loop) {
    return json_pack(
        "{s:i, s:s, s:i, s:i, s:s, s:s, s:s, s:b, s:b, s:b, s:s, s:s, s:s, s:b, s:o, s:o}",
        "number", loop->number, "file", loop->file, "line", loop->line, "column", loop->column,
        "function", loop->function, "kind", loop->kind, "variable", loop->variable, "stays",
        (int)loop->stays, "outermost", (int)loop->outermost, "can_be_set",
        (int)(loop->obstacle[0] == '\0'), "obstacle", loop->obstacle, "no_longer", loop->no_longer,
        "trips_left", loop->left, "given", (int)loop->given, "regions",
        json_integers(loop->regions, loop->region_count), "together",
        json_integers(loop->together, loop->together_count));
}

static json_t *json_values(const struct models *models, const struct bundle *bundle,
                           const struct loops_options *options) {
    json_t *list = json_array();
    for (int i = 0; i < bundle->regions.count; i++) {
        const struct region *region = &bundle->regions.items[i];
        if (is_listed_value(region, options))
            json_array_append_new(
                list, json_pack("{s:i, s:o, s:i, s:o, s:s, s:o, s:o}", "region", region->index,
                                "file", json_any_text(region->file), "line", region->line,
                                "function", json_any_text(region->function), "kind",
                                value_kind_name(region->value), "text", json_any_text(region->text),
                                "model", json_any_text(formula_of(models, i))));
    }
    return list;
}

static void print_json(const struct loop_list *loops, const struct models *models,
                       const struct bundle *bundle, const struct loops_options *options) {
    json_t *list = json_array();
    for (size_t i = 0; i < loops->count; i++)
        if (is_listed(&loops->items[i], options))
            json_array_append_new(list, json_loop(&loops->items[i]));
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:s, s:o, s:o}", "format", "mpiskel-loops-list", "version", 1,
                  "bundle", bundle->regions.bundle, "program", bundle->regions.program, "loops",
                  list, "values", json_values(models, bundle, options));
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

static void print(struct loop_list *loops, const struct bundle *bundle,
                  const struct loops_options *options) {
    struct models models;
    bool has_models = read_models(&models, bundle, &loops->arena);
    const struct models *read = has_models ? &models : NULL;
    if (options->format == OUTPUT_JSON) {
        print_json(loops, read, bundle, options);
    } else {
        print_values(read, bundle, options, &loops->arena);
        print_text(loops, bundle, options, &loops->arena);
    }
    if (has_models)
        models_dispose(&models);
}

int command_loops(int argc, char **argv) {
    struct loops_options options = {0};
    struct bundle bundle;
    struct loop_list loops;
    struct error error = {0};
    command_syntax_parse(&syntax, &options, argc, argv);
    if (bundle_open(&bundle, options.bundle, &error) != 0) {
        error_print(&error);
        return EXIT_FAILED;
    }
    int result = loops_read(&loops, &bundle, &error);
    if (result == 0) {
        print(&loops, &bundle, &options);
        loops_dispose(&loops);
    } else {
        error_print(&error);
    }
    bundle_close(&bundle);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * regions.json and README of a bundle: the regions, the map of lines, and for each kept statement
 * the chain of demands that keeps it.
 */
#include "skeletonizer/generate.h"

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"

#include <string.h>

/* libclang's texts are bytes; JSON wants UTF-8. */
static json_t *text(const char *bytes) {
    json_t *value = json_string(bytes);
    return value != NULL ? value : json_string("(not UTF-8)");
}

static json_t *describe_features(const struct plan_region *region) {
    json_t *list = json_array();
    for (size_t i = 0; i < region->features.count; i++) {
        const struct plan_feature *feature = &region->features.items[i];
        json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "name", feature->name,
                                              "expression", text(feature->expression), "meaning",
                                              text(feature->meaning)));
    }
    return list;
}

static json_t *describe_regions(struct generation *g) {
    json_t *list = json_array();
    for (size_t i = 0; i < g->plan.regions.count; i++) {
        const struct plan_region *region = g->plan.regions.items[i];
        const char *path = g->program.files.items[region->range.file]->path;
        json_array_append_new(
            list, json_pack("{s:i, s:s, s:s, s:o, s:i, s:i, s:s, s:o}", "index", region->index,
                            "id", region->id, "function", region->function->name, "file",
                            text(generate_relative(g, path)), "line", region->line, "end_line",
                            region->end_line, "summary", region->summary, "features",
                            describe_features(region)));
    }
    return list;
}

static json_t *describe_lines(struct generation *g) {
    json_t *files = json_object();
    for (size_t i = 0; i < g->program.files.count; i++) {
        const struct source_file *file = g->program.files.items[i];
        line_pairs pairs = {0};
        if (!file->in_project)
            continue;
        edits_line_map(&pairs, &g->skeleton, &g->program, (int)i);
        json_t *list = json_array();
        for (size_t k = 0; k < pairs.count; k++)
            json_array_append_new(
                list, json_pack("[i, i]", pairs.items[k].rewritten, pairs.items[k].original));
        json_object_set_new(files, generate_relative(g, file->path), list);
        vec_dispose(&pairs);
    }
    return files;
}

static char *shortened(struct generation *g, struct range range) {
    struct str out = {0};
    const char *source = range.file >= 0 ? program_text(&g->program, range) : "";
    bool blank = false;
    for (; *source != '\0' && out.length < 100; source++) {
        bool space = strchr(" \t\r\n\\", *source) != NULL;
        if (space && !blank && out.length > 0)
            str_addc(&out, ' ');
        if (!space)
            str_addc(&out, *source);
        blank = space;
    }
    if (*source != '\0')
        str_add(&out, "...");
    char *copy = arena_strdup(&g->arena, str_text(&out));
    str_dispose(&out);
    return copy;
}

struct described {
    struct range range;
    int line;
    const char *what;
};

static const char *place_text(struct generation *g, int location) {
    struct location where = g->points_to.locations.items[location];
    const struct object *object = g->program.objects.items[where.object];
    const char *name = object->name != NULL ? object->name : "what a call returned";
    if (object->kind == OBJECT_RESULT)
        return arena_printf(&g->arena, "the result of %s", name);
    if (object->kind == OBJECT_CALL_RESULT)
        return arena_printf(&g->arena, "the value of a call of %s", name);
    return where.offset_bytes == 0
               ? arena_printf(&g->arena, "the contents of %s", name)
               : arena_printf(&g->arena, "the contents of %s, byte %lld", name, where.offset_bytes);
}

static void locate_object(struct described *out, const struct object *object) {
    if (object->declaration != NULL && object->declaration->name_range.file >= 0) {
        out->range = object->declaration->name_range;
        out->line = object->declaration->line;
    } else if (object->call != NULL) {
        out->range = object->call->ast->range;
        out->line = object->call->ast->line;
    }
}

static struct described describe(struct generation *g, const struct demand *demand) {
    struct described out = {.range = {-1, 0, 0}};
    const struct program *program = &g->program;
    const struct node *node = NULL;
    const struct call *call = NULL;
    switch (demand->kind) {
    case DEMAND_NODE:
    case DEMAND_JUMP:
        node = program->nodes.items[demand->subject];
        break;
    case DEMAND_CALL:
    case DEMAND_VALUE:
    case DEMAND_PAYLOAD:
    case DEMAND_ARGUMENT:
        call = program->calls.items[demand->subject];
        break;
    case DEMAND_PLACE: {
        int id = g->points_to.locations.items[demand->subject].object;
        out.what = place_text(g, demand->subject);
        locate_object(&out, program->objects.items[id]);
        break;
    }
    case DEMAND_PARAMETER: {
        const struct function *function = program->functions.items[demand->subject];
        const struct object *parameter = function->parameters.items[demand->detail];
        out.what = arena_printf(&g->arena, "parameter %s of %s", parameter->name, function->name);
        break;
    }
    case DEMAND_CHAIN:
        out.what =
            arena_printf(&g->arena, "calls of %s", program->functions.items[demand->subject]->name);
        break;
    case DEMAND_DECLARE:
        out.what = arena_printf(&g->arena, "the declaration of %s",
                                program->objects.items[demand->subject]->name);
        locate_object(&out, program->objects.items[demand->subject]);
        break;
    }
    if (node != NULL) {
        out.range = node->range;
        out.line = node->line;
    }
    if (call != NULL) {
        bool argument = demand->kind == DEMAND_ARGUMENT;
        const struct ast *ast = argument ? call->arguments.items[demand->detail].ast : call->ast;
        out.range = ast->range;
        out.line = ast->line;
    }
    if (out.what == NULL)
        out.what = shortened(g, out.range);
    return out;
}

/* One entry per demand, in order: [file, line, end line, what, why, parent, kind]. Files are
 * numbers in "files". */
static json_t *describe_demands(struct generation *g) {
    json_t *list = json_array();
    for (size_t i = 0; i < g->slice.demands.count; i++) {
        const struct demand *demand = &g->slice.demands.items[i];
        struct described d = describe(g, demand);
        int end = d.line, column;
        if (d.range.file >= 0 && d.range.end > d.range.begin) {
            struct range last = {d.range.file, d.range.end - 1, d.range.end};
            program_position(&g->program, last, &end, &column);
        }
        bool statement = demand->kind == DEMAND_NODE || demand->kind == DEMAND_JUMP ||
                         demand->kind == DEMAND_CALL;
        json_array_append_new(list,
                              json_pack("[i, i, i, o, s, i, b]", d.range.file, d.line, end,
                                        text(d.what), demand->why, demand->parent, (int)statement));
    }
    return list;
}

static json_t *describe_files(struct generation *g) {
    json_t *list = json_array();
    for (size_t i = 0; i < g->program.files.count; i++)
        json_array_append_new(list, text(generate_relative(g, g->program.files.items[i]->path)));
    return list;
}

int generate_write_regions(struct generation *g, struct error *error) {
    json_t *root = json_pack("{s:s, s:i, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "format",
                             "mpiskel-regions", "version", 1, "bundle", g->bundle_id, "program",
                             text(generate_program_name(g)), "root", text(g->program.root),
                             "assumptions", assumptions_text(&g->arena, &g->options->assumptions),
                             "regions", describe_regions(g), "lines", describe_lines(g), "files",
                             describe_files(g), "demands", describe_demands(g));
    int result = json_write(root, path_join(&g->arena, g->directory, "regions.json"), error);
    json_decref(root);
    return result;
}

int generate_write_readme(struct generation *g, struct error *error) {
    struct str out = {0};
    const char *name = g->options->output;
    str_printf(&out,
               "A bundle of mpiskel (bundle id %s), made from %zu units under\n%s\n"
               "with the compile database %s.\n\n",
               g->bundle_id, g->commands.compiles.count, g->program.root, g->commands.path);
    str_printf(&out, "Assumptions in force: %s\n\n",
               assumptions_text(&g->arena, &g->options->assumptions));
    str_printf(&out,
               "Make it again:  mpiskel generate -p %s%s%s%s%s -o %s\n"
               "Compare calls:  mpiskel verify %s -np 4 -- ARGUMENTS\n"
               "Profile:        mpirun -np 2 %s/profile ARGUMENTS\n"
               "Learn models:   mpiskel fit %s\n"
               "Predict:        mpiskel run %s -np 1024 -- ARGUMENTS\n"
               "By hand:        smpirun -np 1024 -platform p.xml -hostfile h "
               "--cfg=smpi/simulate-computation:no %s/skeleton ARGUMENTS\n\n"
               "docs/formats.md of mpiskel describes each file in here.\n",
               g->commands.path, g->options->executable != NULL ? " --link " : "",
               g->options->executable != NULL ? g->options->executable : "",
               g->hints.path != NULL ? " --hints " : "", g->hints.path != NULL ? g->hints.path : "",
               name, name, name, name, name, name);
    int result =
        file_write(path_join(&g->arena, g->directory, "README"), str_text(&out), out.length, error);
    str_dispose(&out);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * regions.json, reasons.json and README of a bundle. Here: the regions and the map of lines;
 * describe_demands.c has the log of the slice, describe_kept.c what stays and what it weighs,
 * describe_assumed.c what was assumed.
 */
#include "skeletonizer/describe/describe.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "model/samples/region.h"
#include "skeletonizer/plan/code_hash.h"
#include "skeletonizer/plan/device_operations.h"
#include "skeletonizer/plan/given_values.h"

#include <string.h>

static json_t *describe_features(const struct code_region *region) {
    json_t *list = json_array();
    for (size_t i = 0; i < region->features.count; i++) {
        const struct region_feature *feature = &region->features.items[i];
        json_t *object = json_pack("{s:s, s:o, s:o}", "name", feature->name, "expression",
                                   describe_text(feature->expression), "meaning",
                                   describe_text(feature->meaning));
        if (feature->is_category)
            json_object_set_new(object, "category", json_true());
        json_array_append_new(list, object);
    }
    return list;
}

/* The program's own functions with their file, since there may be several static ones of a name. */
static json_t *describe_kernel(struct program *program, const struct call *call) {
    if (call == NULL || call->targets.count == 0)
        return describe_text(call != NULL ? call->name : "");
    const struct function *function = call->targets.items[0];
    const char *path = program->files.items[function->range.file]->path;
    return describe_text(
        arena_printf(&program->arena, "%s:%s", program_relative(program, path), function->name));
}

/* What a device executes is in texts of the program, wherever they are. */
static const char *code_of_all(struct program *program) {
    unsigned long long hash = HASH_SEED;
    for (size_t i = 0; i < program->files.count; i++)
        if (program->files.items[i]->in_project && program->files.items[i]->text != NULL)
            hash = hash_text(hash, program->files.items[i]->text);
    return arena_printf(&program->arena, "%016llx", hash);
}

static json_t *describe_operation(struct program *program, const struct operation_region *operation,
                                  int index, const char *code) {
    const struct ast *ast = operation->call->ast;
    const char *path = program->files.items[ast->range.file]->path;
    char *id = arena_printf(&program->arena, "device-%s", operation->name);
    json_t *features = json_array();
    for (char *at = id; *at != '\0'; at++)
        if (*at == ' ')
            *at = '-';
    for (const char *const *name = operation_features(program, operation); *name != NULL; name++)
        json_array_append_new(features, json_pack("{s:s}", "name", *name));
    return json_pack(
        "{s:i, s:o, s:s, s:o, s:o, s:i, s:i, s:s, s:s, s:s, s:s, s:o}", "index", index, "id",
        describe_text(id), "kind", "operation", "function", describe_text(operation->name), "file",
        describe_text(program_relative(program, path)), "line", ast->line, "end_line", ast->line,
        "summary", "of a device", "kernel", "", "code", code, "family", "", "features", features);
}

static void describe_operations(json_t *out, const struct plan *plan) {
    struct program *program = plan->slice->program;
    const char *code = plan->operations.count > 0 ? code_of_all(program) : "";
    for (size_t i = 0; i < plan->operations.count; i++)
        json_array_append_new(out, describe_operation(program, &plan->operations.items[i],
                                                      (int)(plan->regions.count + i), code));
}

static json_t *describe_regions(const struct description *d) {
    struct program *program = d->plan->slice->program;
    json_t *list = json_array();
    for (size_t i = 0; i < d->plan->regions.count; i++) {
        const struct code_region *region = d->plan->regions.items[i];
        const char *path = program->files.items[region->range.file]->path;
        json_t *object = json_pack(
            "{s:i, s:s, s:s, s:s, s:o, s:i, s:i, s:s, s:o, s:s, s:s, s:o}", "index", region->index,
            "id", region->id, "kind", region->value != NULL ? "value" : "computation", "function",
            region->function->name, "file", describe_text(program_relative(program, path)), "line",
            region->line, "end_line", region->end_line, "summary", region->summary, "kernel",
            describe_kernel(program, region->kernel), "code", region->code, "family",
            region->family, "features", describe_features(region));
        if (region->value != NULL) {
            json_object_set_new(object, "value", json_string(values_kind(region)));
            json_object_set_new(
                object, "text",
                describe_text(describe_value(program, region->value, region->part)));
        }
        if (region->value != NULL && d->preferred != NULL && d->preferred[region->value->id])
            json_object_set_new(object, "asked", json_true());
        if (region->is_late)
            json_object_set_new(object, "late", json_true());
        if (region->value == NULL && code_prints(d->plan, region))
            json_object_set_new(object, "prints", json_true());
        if (region->value != NULL && values_add_up(region))
            json_object_set_new(object, "adds_up", json_true());
        if (region->draw != NULL)
            json_object_set_new(object, "hint",
                                describe_text(describe_draw(d->arena, region->draw)));
        json_array_append_new(list, object);
    }
    describe_operations(list, d->plan);
    return list;
}

static json_t *describe_lines(struct program *program, struct edits *edits) {
    json_t *files = json_object();
    for (size_t i = 0; i < program->files.count; i++) {
        const struct source_file *file = program->files.items[i];
        line_pairs pairs = {0};
        if (!file->in_project)
            continue;
        edits_line_map(&pairs, edits, program, (int)i);
        json_t *list = json_array();
        for (size_t k = 0; k < pairs.count; k++)
            json_array_append_new(
                list, json_pack("[i, i]", pairs.items[k].rewritten, pairs.items[k].original));
        json_object_set_new(files, program_relative(program, file->path), list);
        vec_dispose(&pairs);
    }
    return files;
}

static json_t *describe_sources(struct program *program) {
    struct source_hash *items =
        ARENA_ARRAY(&program->arena, struct source_hash, program->files.count + 1);
    struct source_hashes hashes = {.items = items};
    for (size_t i = 0; i < program->files.count; i++) {
        const struct source_file *file = program->files.items[i];
        if (file->in_project && file->text != NULL)
            items[hashes.count++] =
                (struct source_hash){program_relative(program, file->path),
                                     source_hash_of(&program->arena, file->text, file->length)};
    }
    return source_hashes_to_json(&hashes);
}

static json_t *describe_files(struct program *program) {
    json_t *list = json_array();
    for (size_t i = 0; i < program->files.count; i++)
        json_array_append_new(
            list, describe_text(program_relative(program, program->files.items[i]->path)));
    return list;
}

static int write_member_file(const struct description *d, json_t *root, const char *name,
                             struct error *error) {
    int result = json_write(root, path_join(d->arena, d->directory, name), error);
    json_decref(root);
    return result;
}

int describe_write_regions(const struct description *d, struct error *error) {
    const struct slice *s = d->plan->slice;
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:o, s:o, s:s, s:o, s:o, s:o}", "format", "mpiskel-regions", "version",
        BUNDLE_VERSION, "bundle", d->bundle_id, "program", describe_text(d->program_name), "root",
        describe_text(s->program->root), "assumptions", assumptions_text(d->arena, &s->assumptions),
        "regions", describe_regions(d), "lines", describe_lines(s->program, d->skeleton), "cuts",
        describe_cuts(d));
    json_object_set_new(root, "kept_calls", describe_kept_calls(s));
    json_object_set_new(root, "clocks", describe_clocks(d));
    if (d->plan->reads_clocks)
        json_object_set_new(root, "reads_clocks", json_true());
    json_object_set_new(root, "profile_lines", describe_lines(s->program, d->profile));
    json_object_set_new(root, "sources", describe_sources(s->program));
    if (d->is_one_rank)
        json_object_set_new(root, "one_rank", json_true());
    if (d->counted != NULL)
        json_object_set_new(root, "counted", json_string(d->counted));
    if (d->one_thread != NULL)
        json_object_set_new(root, "one_thread", describe_text(d->one_thread));
    if (d->binary_mpi != NULL)
        json_object_set_new(root, "binary_mpi", describe_text(d->binary_mpi));
    if (d->original != NULL)
        json_object_set_new(root, "original_lines", describe_lines(s->program, d->original));
    return write_member_file(d, root, "regions.json", error);
}

static json_t *next_demand(void *context, size_t index) {
    const struct slice *s = context;
    return index < s->demands.count ? describe_demand(s, (int)index) : NULL;
}

int describe_write_reasons(const struct description *d, struct error *error) {
    const struct slice *s = d->plan->slice;
    json_t *root = json_pack("{s:s, s:i, s:s, s:o, s:[], s:o, s:o, s:o, s:o}", "format",
                             "mpiskel-reasons", "version", 1, "bundle", d->bundle_id, "files",
                             describe_files(s->program), "demands", "estimate",
                             describe_estimate(d->summary), "kept", describe_kept(d->plan),
                             "assumed", describe_assumed(s), "unknown", describe_unknown(s));
    int result = json_write_list(root, "demands", next_demand, (void *)s,
                                 path_join(d->arena, d->directory, "reasons.json"), error);
    json_decref(root);
    return result;
}

int describe_write_readme(const struct description *d, struct error *error) {
    const struct slice *s = d->plan->slice;
    struct str out = {0};
    const char *name = d->output;
    str_printf(&out,
               "A bundle of mpiskel (bundle id %s), made from %zu units under\n%s\n"
               "with the compile database %s.\n\n",
               d->bundle_id, d->commands->compiles.count, s->program->root, d->commands->path);
    str_printf(&out, "Assumptions in force: %s\n\n", assumptions_text(d->arena, &s->assumptions));
    str_printf(&out,
               "Make it again:  mpiskel generate -p %s%s%s%s%s -o %s\n"
               "Compare calls:  mpiskel verify %s%s -- ARGUMENTS\n"
               "Profile:        %s%s/profile ARGUMENTS\n"
               "Learn models:   mpiskel fit %s\n"
               "Predict:        mpiskel run %s%s -- ARGUMENTS\n"
               "By hand:        smpirun -np %d -platform p.xml -hostfile h "
               "--cfg=smpi/simulate-computation:no %s/skeleton ARGUMENTS\n\n"
               "docs/reference/bundle.md of mpiskel describes each file in here.\n",
               d->commands->path, d->executable != NULL ? " --link " : "",
               d->executable != NULL ? d->executable : "", d->hints != NULL ? " --hints " : "",
               d->hints != NULL ? d->hints : "", name, name, d->is_one_rank ? "" : " -np 4",
               d->is_one_rank ? "" : "mpirun -np 2 ", name, name, name,
               d->is_one_rank ? "" : " -np 1024", d->is_one_rank ? 1 : 1024, name);
    int result =
        file_write(path_join(d->arena, d->directory, "README"), str_text(&out), out.length, error);
    str_dispose(&out);
    return result;
}

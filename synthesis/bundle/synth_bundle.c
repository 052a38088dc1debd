/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of the bundle, then the skeleton: the runtime's interpreter linked with the model's text.
 * See synth_bundle.h.
 */
#include "synthesis/bundle/synth_bundle.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "model/samples/records.h"
#include "synthesis/bundle/synth_samples.h"

#include <stdlib.h>
#include <string.h>

struct bundle_writer {
    struct arena arena;
    const char *directory; /* temporary */
    const char *program, *id;
    const struct learned_program *learned;
    const struct recorded_runs *runs;
};

/* ---- Regions ---- */

static const struct call_tree_node *node_of(const struct bundle_writer *w, int region) {
    return &w->learned->tree.nodes.items[w->learned->regions.items[region].node];
}

static const struct recorded_frame *frame_of(const struct bundle_writer *w, int region) {
    return &w->runs->frames.items[node_of(w, region)->frame];
}

static void add_path(struct str *out, const struct bundle_writer *w, uint32_t frame) {
    if (frame == 0)
        return;
    add_path(out, w, w->runs->frames.items[frame].parent);
    str_printf(out, "%s > ", w->runs->frames.items[frame].name);
}

/* What tells it from others of its call, in words. */
static void add_part(struct str *out, const struct bundle_writer *w, int region) {
    static const char *const visits[SYNTH_VISITS] = {"", " again", " in a row"};
    const struct learned_region *of = &w->learned->regions.items[region];
    if (of->apart_from < 0) {
        str_add(out, visits[of->visit]);
        return;
    }
    char where[96];
    bsim_synth_quantity_text(where, sizeof where, bsim_synth_conditions,
                             &w->learned->model.regions[of->apart_from].where);
    add_part(out, w, of->apart_from);
    str_printf(out, " on ranks %s", where);
}

static const char *path_text(struct bundle_writer *w, int region) {
    struct str text = {0};
    add_path(&text, w, node_of(w, region)->frame);
    str_add(&text, bsim_synth_call_name(node_of(w, region)->call));
    add_part(&text, w, region);
    const char *copy = arena_strdup(&w->arena, str_text(&text));
    str_dispose(&text);
    return copy;
}

static const char *region_id(struct bundle_writer *w, int region) {
    struct str text = {0};
    for (uint32_t frame = node_of(w, region)->frame; frame != 0;
         frame = w->runs->frames.items[frame].parent)
        str_printf(&text, " %s", w->runs->frames.items[frame].key);
    const char *call = bsim_synth_call_name(node_of(w, region)->call);
    str_add(&text, call);
    add_part(&text, w, region);
    const char *id = arena_printf(&w->arena, "%s-%08llx", call,
                                  hash_text(HASH_SEED, str_text(&text)) & 0xffffffffu);
    str_dispose(&text);
    return id;
}

static json_t *features_json(const struct synth_region *region) {
    json_t *list = json_array();
    for (int i = 0; i < region->feature_count; i++) {
        char text[96], name[16];
        bsim_synth_quantity_text(text, sizeof text, bsim_synth_quantities, &region->features[i]);
        snprintf(name, sizeof name, "n%d", i + 1);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s}", "name", name, "expression", text, "meaning", text));
    }
    return list;
}

/* As `generate` names regions of operations; NULL: it is computation. */
static const char *operation_name(struct bundle_writer *w, int region) {
    static const char prefix[] = "device_", kernel[] = "kernel_";
    int call = node_of(w, region)->call;
    const char *name = frame_of(w, region)->name;
    if (!bsim_synth_is_operation(call))
        return NULL;
    if (call == SYNTH_device_kernel && text_has_prefix(name, kernel))
        return arena_printf(&w->arena, "kernel %s", name + strlen(kernel));
    char *text = arena_strdup(&w->arena, bsim_synth_call_name(call) + strlen(prefix));
    for (char *at = text; *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    return text;
}

static json_t *region_json(struct bundle_writer *w, int region) {
    const char *operation = operation_name(w, region);
    return json_pack("{s:i, s:s, s:s, s:o, s:o, s:i, s:i, s:o, s:o}", "index", region, "id",
                     region_id(w, region), "kind", operation != NULL ? "operation" : "computation",
                     "function",
                     json_any_text(operation != NULL ? operation : frame_of(w, region)->name),
                     "file", json_any_text(frame_of(w, region)->key), "line", region + 1,
                     "end_line", region + 1, "summary", json_any_text(path_text(w, region)),
                     "features", features_json(&w->learned->model.regions[region]));
}

static json_t *regions_list(struct bundle_writer *w) {
    json_t *list = json_array();
    for (int i = 0; i < w->learned->model.region_count; i++)
        json_array_append_new(list, region_json(w, i));
    return list;
}

static void set_id(struct bundle_writer *w, const json_t *regions) {
    char *text = json_dumps(regions, JSON_COMPACT | JSON_SORT_KEYS);
    unsigned long long hash = hash_text(HASH_SEED, text != NULL ? text : "");
    w->id = arena_printf(&w->arena, "%016llx", hash_text(hash, w->program));
    free(text);
}

static int write_regions(struct bundle_writer *w, struct error *error) {
    json_t *regions = regions_list(w);
    set_id(w, regions);
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:o, s:o, s:s, s:o, s:{}}", "format", "mpiskel-regions",
                  "version", BUNDLE_VERSION, "bundle", w->id, "program", json_any_text(w->program),
                  "root", json_any_text(path_current(&w->arena)), "assumptions", "synthesised",
                  "regions", regions, "lines");
    int result = json_write(root, path_join(&w->arena, w->directory, "regions.json"), error);
    json_decref(root);
    return result;
}

/* ---- Samples ---- */

static void add_line(struct str *out, json_t *line) {
    char *text = json_dumps(line, JSON_COMPACT);
    str_printf(out, "%s\n", text != NULL ? text : "{}");
    free(text);
    json_decref(line);
}

static json_t *arguments_json(const struct bundle_writer *w, const struct recorded_run *run) {
    json_t *list = json_array();
    for (int k = 0; k < w->runs->parameter_count; k++) {
        char text[256];
        snprintf(text, sizeof text, "%s=%.15g", w->runs->parameter_names[k], run->parameters[k]);
        json_array_append_new(list, json_any_text(text));
    }
    return list;
}

static json_t *header_json(const struct bundle_writer *w, size_t number) {
    const struct recorded_run *run = w->runs->items.items[number];
    char id[32];
    snprintf(id, sizeof id, "recorded-%zu", number + 1);
    return json_pack("{s:s, s:i, s:s, s:s, s:i, s:s, s:s, s:o, s:s, s:s, s:f, s:f, s:b}", "format",
                     "mpiskel-samples", "version", 1, "bundle", w->id, "run", id, "ranks",
                     run->ranks, "host", "", "cpu", "", "args", arguments_json(w, run), "clock",
                     run->clock, "cache", "as is", "elapsed_s", run->elapsed_s, "timer_overhead_s",
                     0.0, "complete", 1);
}

static int write_run(struct bundle_writer *w, size_t number, struct error *error) {
    struct str text = {0};
    json_lines lines = {0};
    add_line(&text, header_json(w, number));
    synth_samples_make(&lines, w->learned, w->runs, (uint32_t)number);
    for (size_t i = 0; i < lines.count; i++)
        add_line(&text, lines.items[i]);
    add_line(&text, json_pack("{s:b, s:I}", "end", 1, "lines", (json_int_t)lines.count));
    vec_dispose(&lines);
    const char *path =
        arena_printf(&w->arena, "%s/samples/recorded-%zu.samples", w->directory, number + 1);
    int result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    return result;
}

static int write_samples(struct bundle_writer *w, struct error *error) {
    if (directory_make(path_join(&w->arena, w->directory, "samples"), error) != 0)
        return -1;
    for (size_t i = 0; i < w->runs->items.count; i++)
        if (write_run(w, i, error) != 0)
            return -1;
    return 0;
}

/* ---- The model ---- */

static int write_model(struct bundle_writer *w, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return error_set(error, "not enough memory for the model");
    bsim_synth_model_write(out, &w->learned->model);
    fclose(out);
    int result =
        file_write(path_join(&w->arena, w->directory, SYNTH_MODEL_FILE), text, length, error);
    free(text);
    return result;
}

static int write_all(struct bundle_writer *w, struct error *error) {
    return write_regions(w, error) != 0 || write_samples(w, error) != 0 ||
                   write_model(w, error) != 0
               ? -1
               : 0;
}

int synth_bundle_write(const char *directory, const char *program,
                       const struct learned_program *learned, const struct recorded_runs *runs,
                       struct error *error) {
    struct bundle_writer w = {.program = program, .learned = learned, .runs = runs};
    struct bundle_place place;
    arena_init(&w.arena);
    int result = bundle_place_begin(&place, directory, error);
    w.directory = place.directory;
    if (result == 0)
        result = write_all(&w, error);
    if (result == 0)
        result = bundle_place_link(&place, w.id, SYNTH_MODEL_FILE, error);
    result = bundle_place_end(&place, result, error);
    arena_dispose(&w.arena);
    return result;
}

int synth_bundle_read(struct synth_model **out, const char *directory, struct error *error) {
    struct arena arena;
    char problem[sizeof error->text - 1];
    char *text;
    size_t length;
    arena_init(&arena);
    const char *path = path_join(&arena, directory, SYNTH_MODEL_FILE);
    int result = file_read(&text, &length, path, error);
    if (result == 0) {
        result = bsim_synth_model_read(out, text, length, path, problem, sizeof problem);
        if (result != 0)
            error_set(error, "%s", problem);
        free(text);
    }
    arena_dispose(&arena);
    return result;
}

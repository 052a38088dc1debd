/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of the bundle, then the skeleton: the runtime's interpreter linked with the model's text.
 * See synth_bundle.h.
 */
#include "synthesis/bundle/synth_bundle.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/str.h"
#include "model/eval/context.h"
#include "model/samples/samples_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Processor times between recorded calls as samples of regions: for each region and rank of a run
 * those with the same features together, with the contexts in which they were. */

/* The lines of samples of a run behind the header, each a value of the caller's in `out`. */
typedef VEC(json_t *) json_lines;

#define CONTEXTS_MOST 64 /* of a sample, as in profiling runs */

struct timed_context {
    double numbers[CONTEXT_NUMBERS];
};

struct timed_sample {
    double count, seconds, squares, least, most;
    VEC(struct timed_context) contexts;
};

struct sample_key {
    int region, rank;
    double features[SYNTH_FEATURES_MOST];
};

struct region_past { /* of a region on the rank at hand */
    unsigned long executions, unchanged;
    double features[SYNTH_FEATURES_MOST];
};

struct sample_maker {
    const struct learned_program *learned;
    const struct recorded_runs *runs;
    uint32_t run;
    struct hash_table samples; /* by struct sample_key */
};

static void add_context(struct timed_sample *sample, const struct bsim_context *context,
                        double seconds) {
    const double execution = (double)bsim_bucket_first(bsim_bucket(context->execution));
    const double unchanged = (double)bsim_bucket_first(bsim_bucket(context->unchanged));
    for (size_t i = 0; i < sample->contexts.count; i++) {
        double *numbers = sample->contexts.items[i].numbers;
        if (numbers[0] == execution && numbers[1] == unchanged && numbers[2] == context->before) {
            numbers[3] += 1;
            numbers[4] += seconds;
            return;
        }
    }
    if (sample->contexts.count < CONTEXTS_MOST)
        vec_push(&sample->contexts,
                 (struct timed_context){{execution, unchanged, context->before, 1, seconds}});
}

static void add_time(struct sample_maker *maker, const struct sample_key *key,
                     const struct bsim_context *context, double seconds) {
    struct timed_sample *sample = hash_table_find(&maker->samples, key, sizeof *key);
    if (sample == NULL) {
        sample = hash_table_add(&maker->samples, key, sizeof *key, sizeof *sample);
        sample->least = INFINITY;
    }
    sample->count += 1;
    sample->seconds += seconds;
    sample->squares += seconds * seconds;
    sample->least = fmin(sample->least, seconds);
    sample->most = fmax(sample->most, seconds);
    add_context(sample, context, seconds);
}

/* ---- Calls of a rank in order ---- */

/* Where each call was seen, with its loops, is known by node only: rows of a node come by run, rank
 * and time, so that a rank's calls meet them in order. */
struct region_rows {
    const struct sighting_rows *rows;
    size_t next;
};

static void skip_to(struct region_rows *rows, uint32_t run, int rank) {
    while (rows->next < rows->rows->of.count && (rows->rows->of.items[rows->next].run != run ||
                                                 rows->rows->of.items[rows->next].rank != rank))
        rows->next++;
}

static struct synth_situation next_situation(const struct sample_maker *maker, int rank,
                                             struct region_rows *rows) {
    skip_to(rows, maker->run, rank);
    return sighting_situation(&maker->learned->sightings, rows->rows,
                              &rows->rows->of.items[rows->next++]);
}

static struct sample_key key_of(const struct sample_maker *maker, int region, int rank,
                                const struct synth_situation *at) {
    struct sample_key key;
    memset(&key, 0, sizeof key);
    key.region = region;
    key.rank = rank;
    const struct synth_region *of = &maker->learned->model.regions[region];
    for (int i = 0; i < of->feature_count; i++)
        key.features[i] = bsim_synth_number(at, &of->features[i]) + 0.0;
    return key;
}

struct node_regions {
    int of[SYNTH_VISITS]; /* -1: nothing is computed */
};

static struct node_regions *regions_by_node(const struct learned_program *learned) {
    struct node_regions *regions = xcalloc(learned->tree.nodes.count + 1, sizeof *regions);
    for (size_t i = 0; i < learned->tree.nodes.count; i++)
        for (int k = 0; k < SYNTH_VISITS; k++)
            regions[i].of[k] = -1;
    for (size_t i = 0; i < learned->regions.count; i++) {
        const struct learned_region *of = &learned->regions.items[i];
        if (of->apart_from < 0)
            regions[of->node].of[of->visit] = (int)i;
    }
    return regions;
}

static void add_rank(struct sample_maker *maker, int rank, const struct node_regions *regions,
                     struct region_rows *rows) {
    const struct recorded_rank *of = &maker->runs->items.items[maker->run]->by_rank[rank];
    struct region_past *past =
        xcalloc((size_t)maker->learned->model.region_count + 1, sizeof *past);
    struct bsim_context context = {.before = -1};
    for (size_t i = 0; i < of->calls.count; i++) {
        uint32_t node = program_tree_find(&maker->learned->tree, &of->calls.items[i]);
        const struct synth_situation at = next_situation(maker, rank, &rows[node]);
        int region =
            bsim_synth_region(&maker->learned->model, regions[node].of[synth_visit(&at)], &at);
        if (region < 0)
            continue;
        struct sample_key key = key_of(maker, region, rank, &at);
        struct region_past *before = &past[region];
        bool is_same = before->executions > 0 &&
                       memcmp(before->features, key.features, sizeof key.features) == 0;
        before->unchanged = is_same ? before->unchanged + 1 : 1;
        memcpy(before->features, key.features, sizeof key.features);
        context.execution = ++before->executions;
        context.unchanged = before->unchanged;
        add_time(maker, &key, &context, of->calls.items[i].compute_s);
        context.before = region;
    }
    free(past);
}

/* ---- Lines ---- */

static json_t *contexts_json(const struct timed_sample *sample) {
    json_t *list = json_array();
    for (size_t i = 0; i < sample->contexts.count; i++)
        for (int k = 0; k < CONTEXT_NUMBERS; k++)
            json_array_append_new(list, json_real(sample->contexts.items[i].numbers[k]));
    return list;
}

static json_t *line_of(const struct sample_maker *maker, const struct timed_sample *sample) {
    const struct sample_key *key = hash_table_key(sample);
    return json_pack(
        "{s:i, s:i, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "region", key->region, "rank",
        key->rank, "features",
        json_reals(key->features, (size_t)maker->learned->model.regions[key->region].feature_count),
        "count", sample->count, "timed", sample->count, "seconds", sample->seconds, "squares",
        sample->squares, "min", sample->least, "max", sample->most, "contexts",
        contexts_json(sample));
}

static void synth_samples_make(json_lines *out, const struct learned_program *learned,
                               const struct recorded_runs *runs, uint32_t run) {
    struct sample_maker maker = {.learned = learned, .runs = runs, .run = run};
    struct node_regions *regions = regions_by_node(learned);
    struct region_rows *rows = xcalloc(learned->tree.nodes.count + 1, sizeof *rows);
    for (size_t i = 0; i < learned->tree.nodes.count; i++)
        rows[i].rows = &learned->sightings.nodes[i].calls;
    for (int rank = 0; rank < runs->items.items[run]->ranks; rank++)
        add_rank(&maker, rank, regions, rows);
    for (struct timed_sample *sample = hash_table_first(&maker.samples); sample != NULL;
         sample = hash_table_next(sample)) {
        vec_push(out, line_of(&maker, sample));
        vec_dispose(&sample->contexts);
    }
    hash_table_dispose(&maker.samples);
    free(regions);
    free(rows);
}

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
    return str_into(&w->arena, &text);
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

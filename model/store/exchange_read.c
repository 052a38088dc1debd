/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine file -> store; see exchange.h.
 *
 * Lines are read one by one, so that memory does not grow with the file: regions first, then runs,
 * each with its samples, which go into the store together when the next run or model begins. All is
 * one transaction. A line that is too long, of an unknown kind, or in the wrong order is an error
 * at its place, and so is everything that the readers of records.h refuse.
 */
#include "model/store/exchange.h"

#include "base/file.h"
#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/samples/samples_json.h"
#include "model/samples/translate.h"
#include "model/store/exchange_models.h"
#include "model/store/machine_name.h"
#include "model/store/query.h"
#include "model/store/store_machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exchange_read_reader {
    struct arena arena;
    struct file_place place;
    const char *rest, *end;
    struct store *store;
    const struct regions *now; /* the bundle's */
    struct import_summary *summary;
    struct error *error;

    struct regions regions; /* the file's; the items are a vector's until they are complete */
    VEC(struct region) region_list;
    int *map; /* of the file's regions to the bundle's; NULL: not complete yet */
    VEC(const char *) processors; /* that the machine has had before */
    long long lines;
    bool had_runs; /* the machine, of the bundle, before */

    /* Of one statistic, until the next one or the end; items by region. */
    struct models models;
    bool in_models;

    bool in_run;
    struct arena run_arena;
    struct run run;
    VEC(struct sample) samples;
};

static int fail(struct exchange_read_reader *reader, const char *what) {
    return place_fail(&reader->place, reader->error, what);
}

/* ---- Lines ---- */

/* *out is the caller's (json_decref). */
static int read_line(json_t **out, struct exchange_read_reader *reader) {
    json_error_t where;
    reader->place.line++;
    *out = NULL;
    if (reader->rest == reader->end)
        return fail(reader, reader->place.line == 1 ? "the file is empty"
                                                    : "the file is truncated: it has no end line");
    const char *start = reader->rest;
    const char *stop = memchr(start, '\n', (size_t)(reader->end - start));
    size_t length = stop != NULL ? (size_t)(stop - start) : (size_t)(reader->end - start);
    if (length > MACHINE_FILE_LINE_BYTES)
        return fail(reader, "the line is longer than 16 MiB: this is no machine file");
    reader->rest = stop != NULL ? stop + 1 : reader->end;
    *out = json_loadb(start, length, JSON_REJECT_DUPLICATES, &where);
    if (*out == NULL && stop == NULL)
        return fail(reader, "the file is truncated: it ends within a line");
    if (*out == NULL)
        return error_set(reader->error, "%s:%ld:%d: error: not valid JSON: %s; %s",
                         reader->place.path, reader->place.line, where.column, where.text,
                         reader->place.advice);
    return 0;
}

/* ---- The first line ---- */

static int take_name(struct exchange_read_reader *reader, const json_t *value, const char *name) {
    const char *in_file = json_get_text(value, "machine");
    if (in_file == NULL || !machine_is_name(in_file))
        return fail(reader, "'machine' is missing or no name");
    snprintf(reader->summary->machine, sizeof reader->summary->machine, "%s",
             name != NULL ? name : in_file);
    return 0;
}

static int read_header(struct exchange_read_reader *reader, const json_t *value, const char *name) {
    const char *format = json_get_text(value, "format"), *bundle = json_get_text(value, "bundle");
    const char *program = json_get_text(value, "program");
    if (format == NULL || strcmp(format, "mpiskel-machine") != 0)
        return fail(reader, "this is not a machine file ('format' is not mpiskel-machine)");
    if (json_get_integer(value, "version", -1) != 1)
        return fail(reader, "this version of the format is unknown, known is only 1");
    if (bundle == NULL || strlen(bundle) != 16)
        return fail(reader, "'bundle' is missing or no bundle's id");
    reader->regions.bundle = arena_strdup(&reader->arena, bundle);
    reader->regions.program = arena_strdup(&reader->arena, program != NULL ? program : "");
    reader->summary->same_bundle = strcmp(bundle, reader->now->bundle) == 0;
    return take_name(reader, value, name);
}

/* ---- Regions ---- */

static int read_region(struct exchange_read_reader *reader, const json_t *value) {
    struct region region;
    if (reader->map != NULL)
        return fail(reader, "a region behind the first run or model");
    if (reader->region_list.count == BSIM_REGIONS_MAX)
        return fail(reader, "there are more regions than models can have");
    if (region_from_json(&region, &reader->arena, value, (int)reader->region_list.count,
                         &reader->place, reader->error) != 0)
        return -1;
    vec_push(&reader->region_list, region);
    return 0;
}

static bool is_same_region(const struct region *one, const struct region *other) {
    return strcmp(one->id, other->id) == 0 && one->feature_count == other->feature_count &&
           one->value == other->value;
}

/* The bundle's id is a hash over its regions: it does not have others. */
static int map_same_bundle(struct exchange_read_reader *reader) {
    const struct regions *now = reader->now;
    if (reader->regions.count != now->count)
        return fail(reader, "the file has the id of this bundle, but not as many regions");
    for (int i = 0; i < now->count; i++) {
        if (!is_same_region(&reader->regions.items[i], &now->items[i]))
            return fail(reader, "the file has the id of this bundle, but other regions");
        reader->map[i] = i;
    }
    reader->summary->regions_taken = now->count;
    return 0;
}

static int map_other_bundle(struct exchange_read_reader *reader) {
    int found = regions_map(reader->map, &reader->regions, reader->now, SAME_CODE);
    reader->summary->regions_taken = found;
    if (found > 0)
        return 0;
    return error_set(
        reader->error,
        "%s:1: error: these runs are foreign: they are of bundle %s of %s, and none of "
        "its %d regions has the code of one of bundle %s; export them from a bundle of "
        "the same source",
        reader->place.path, reader->regions.bundle, reader->regions.program, reader->regions.count,
        reader->now->bundle);
}

/* The first line that is no region: they are complete. */
static int complete_regions(struct exchange_read_reader *reader) {
    if (reader->map != NULL)
        return 0;
    reader->regions.items = reader->region_list.items;
    reader->regions.count = (int)reader->region_list.count;
    reader->summary->regions_in_file = reader->regions.count;
    reader->map = ARENA_ARRAY(&reader->arena, int, (size_t)reader->regions.count);
    return reader->summary->same_bundle ? map_same_bundle(reader) : map_other_bundle(reader);
}

/* ---- Runs ---- */

static int read_processors(struct exchange_read_reader *reader) {
    struct query query = query_prepare(
        reader->store,
        "SELECT DISTINCT cpu, max(bundle = ?) FROM runs JOIN machines ON machines.id = "
        "runs.machine WHERE name = ? GROUP BY cpu",
        reader->error);
    query_bind_text(&query, reader->now->bundle);
    query_bind_text(&query, reader->summary->machine);
    while (query_step(&query)) {
        vec_push(&reader->processors, arena_strdup(&reader->arena, query_text(&query, 0)));
        reader->had_runs |= query_integer(&query, 1) != 0;
    }
    return query_finish(&query);
}

static int check_processor(struct exchange_read_reader *reader) {
    for (size_t i = 0; i < reader->processors.count; i++)
        if (strcmp(reader->processors.items[i], reader->run.cpu) == 0)
            return 0;
    if (reader->processors.count == 0)
        return 0;
    return error_set(reader->error,
                     "%s:%ld: error: this run is of processor '%.100s', but machine '%s' of the "
                     "store has '%.100s'; import it under another name with --as NAME",
                     reader->place.path, reader->place.line, reader->run.cpu,
                     reader->summary->machine, reader->processors.items[0]);
}

/* Puts the run with its samples into the store. */
static int finish_run(struct exchange_read_reader *reader) {
    bool added = false;
    int result = 0;
    if (!reader->in_run)
        return 0;
    reader->in_run = false;
    struct samples samples = {.runs = &reader->run,
                              .run_count = 1,
                              .items = reader->samples.items,
                              .count = reader->samples.count};
    bool has_samples = samples.count > 0 || reader->summary->same_bundle;
    if (has_samples)
        result = store_add_run(&added, reader->store, &samples, reader->now,
                               reader->summary->machine, reader->error);
    reader->summary->runs += added;
    reader->summary->runs_known += has_samples && !added;
    reader->summary->samples += added ? (long long)samples.count : 0;
    reader->samples.count = 0;
    arena_dispose(&reader->run_arena);
    return result;
}

static int read_run(struct exchange_read_reader *reader, const json_t *value) {
    if (finish_run(reader) != 0)
        return -1;
    arena_init(&reader->run_arena);
    reader->in_run = true;
    if (run_from_json(&reader->run, &reader->run_arena, value, &reader->place, reader->error) != 0)
        return -1;
    return check_processor(reader);
}

/* The regions that were executed before have other numbers in another bundle. */
static void map_contexts(struct sample *sample, struct exchange_read_reader *reader) {
    struct sample_context *copy =
        ARENA_ARRAY(&reader->run_arena, struct sample_context, sample->context_count);
    for (size_t i = 0; i < sample->context_count; i++) {
        copy[i] = sample->contexts[i];
        if (copy[i].before >= reader->regions.count)
            copy[i].before = CONTEXT_LOST;
        else if (copy[i].before >= 0)
            copy[i].before =
                reader->map[copy[i].before] >= 0 ? reader->map[copy[i].before] : CONTEXT_LOST;
    }
    sample->contexts = copy;
}

static int read_sample(struct exchange_read_reader *reader, const json_t *value) {
    struct sample sample;
    if (!reader->in_run)
        return fail(reader, "a sample that belongs to no run");
    if (sample_from_json(&sample, &reader->run_arena, value, &reader->regions, &reader->run,
                         &reader->place, reader->error) != 0)
        return -1;
    sample.region = reader->map[sample.region];
    if (sample.region < 0)
        return 0;
    map_contexts(&sample, reader);
    vec_push(&reader->samples, sample);
    return 0;
}

/* ---- Models ---- */

/* Models of this bundle are taken if the machine has the file's runs and no others. */
static bool takes_models(const struct exchange_read_reader *reader) {
    return reader->summary->same_bundle && !reader->had_runs;
}

static int finish_models(struct exchange_read_reader *reader) {
    if (!reader->in_models)
        return 0;
    reader->in_models = false;
    int result = takes_models(reader) ? store_replace_models(reader->store, &reader->models,
                                                             reader->now, reader->error)
                                      : 0;
    models_dispose(&reader->models);
    return result;
}

static void begin_models(struct exchange_read_reader *reader, enum statistic statistic) {
    const struct regions *regions = &reader->regions;
    reader->models = (struct models){.count = regions->count, .statistic = statistic};
    reader->in_models = true;
    arena_init(&reader->models.arena);
    struct arena *arena = &reader->models.arena;
    reader->models.bundle = arena_strdup(arena, regions->bundle);
    reader->models.machine = arena_strdup(arena, reader->summary->machine);
    reader->models.items = ARENA_ARRAY(arena, struct latency_model, (size_t)regions->count);
}

static int read_model(struct exchange_read_reader *reader, const json_t *value) {
    struct latency_model model;
    enum statistic statistic = STATISTIC_MEDIAN;
    if (finish_run(reader) != 0 ||
        model_from_json(&model, &statistic, &reader->arena, value, &reader->regions, &reader->place,
                        reader->error) != 0)
        return -1;
    if (reader->in_models && reader->models.statistic != statistic && finish_models(reader) != 0)
        return -1;
    if (!reader->in_models)
        begin_models(reader, statistic);
    if (reader->models.items[model.region].fitted)
        return fail(reader, "this region has a model of this statistic already");
    reader->models.items[model.region] = model;
    reader->summary->models += takes_models(reader);
    reader->summary->models_left += !takes_models(reader);
    return 0;
}

/* ---- Network and noise ---- */

/* The one that was measured last is kept. */
static int read_network(struct exchange_read_reader *reader, const json_t *value) {
    struct stored_network network;
    const struct stored_network *known = NULL;
    if (finish_run(reader) != 0 ||
        network_from_json(&network, &reader->arena, value, &reader->place, reader->error) != 0 ||
        store_read_network(&known, &reader->arena, reader->store, reader->summary->machine,
                           reader->error) != 0)
        return -1;
    if (known != NULL && strcmp(known->made, network.made) >= 0)
        return 0;
    reader->summary->network = true;
    return store_replace_network(reader->store, reader->summary->machine, &network, reader->error);
}

static int read_noise(struct exchange_read_reader *reader, const json_t *value) {
    struct stored_noise noise;
    const struct stored_noise *known = NULL;
    const char *machine = reader->summary->machine;
    if (finish_run(reader) != 0 ||
        noise_from_json(&noise, &reader->arena, value, &reader->place, reader->error) != 0 ||
        store_read_noise(&known, &reader->arena, reader->store, machine, reader->error) != 0)
        return -1;
    if (known != NULL && strcmp(known->made, noise.made) >= 0)
        return 0;
    reader->summary->noise = true;
    return store_replace_noise(reader->store, machine, &noise, reader->error);
}

/* ---- The whole file ---- */

static int read_record(struct exchange_read_reader *reader, const json_t *value) {
    const json_t *region = json_object_get(value, "region"), *run = json_object_get(value, "run");
    const json_t *sample = json_object_get(value, "sample");
    const json_t *model = json_object_get(value, "model");
    const json_t *network = json_object_get(value, "network");
    const json_t *noise = json_object_get(value, "noise");
    reader->lines++;
    if (region != NULL)
        return read_region(reader, region);
    if (complete_regions(reader) != 0)
        return -1;
    if (run != NULL)
        return read_run(reader, run);
    if (sample != NULL)
        return read_sample(reader, sample);
    if (model != NULL)
        return read_model(reader, model);
    if (network != NULL)
        return read_network(reader, network);
    if (noise != NULL)
        return read_noise(reader, noise);
    return fail(reader, "the line is no region, run, sample, model, network or noise");
}

static int check_end(struct exchange_read_reader *reader, const json_t *value) {
    if (json_get_integer(value, "lines", -1) != reader->lines)
        return fail(reader, "the end line does not tell how many lines are before it: some were "
                            "lost");
    if (reader->rest != reader->end)
        return fail(reader, "there is something after the end line");
    if (complete_regions(reader) != 0 || finish_run(reader) != 0)
        return -1;
    return finish_models(reader);
}

static int read_records(struct exchange_read_reader *reader) {
    bool end = false;
    int result = 0;
    while (result == 0 && !end) {
        json_t *value = NULL;
        result = read_line(&value, reader);
        end = result == 0 && json_is_true(json_object_get(value, "end"));
        if (end)
            result = check_end(reader, value);
        else if (result == 0)
            result = read_record(reader, value);
        json_decref(value);
    }
    return result;
}

static int read_file(struct exchange_read_reader *reader, const char *name) {
    json_t *value = NULL;
    int result = read_line(&value, reader);
    if (result == 0)
        result = read_header(reader, value, name);
    json_decref(value);
    if (result == 0)
        result = read_processors(reader);
    return result == 0 ? read_records(reader) : -1;
}

static void dispose(struct exchange_read_reader *reader) {
    if (reader->in_run)
        arena_dispose(&reader->run_arena);
    if (reader->in_models)
        models_dispose(&reader->models);
    vec_dispose(&reader->region_list);
    vec_dispose(&reader->processors);
    vec_dispose(&reader->samples);
    arena_dispose(&reader->arena);
}

int machine_import(struct import_summary *out, const char *path, struct store *store,
                   const struct regions *regions, const char *name, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    *out = (struct import_summary){0};
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    struct exchange_read_reader reader = {
        .place = {.path = path,
                  .advice = "export the machine again with `mpiskel machines export`"},
        .rest = text,
        .end = text + length,
        .store = store,
        .now = regions,
        .summary = out,
        .error = error};
    arena_init(&reader.arena);
    int result = store_begin(store, error);
    if (result == 0)
        result = store_end(store, read_file(&reader, name), error);
    dispose(&reader);
    free(text);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * regions.json -> struct regions; see region.h. Every member that models or reports use is checked
 * here, once: indices without gaps, ids that are one word, at most as many features as the
 * evaluator takes. Places in error texts are regions by number, since jansson keeps no lines.
 */
#include "model/samples/region.h"

#include "base/file.h"
#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/samples/samples_json.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct region_reader {
    struct arena *arena;
    struct file_place place;
    struct error *error;
    bool any_version;
};

#define BUNDLE_ID_DIGITS 16
#define LONGEST_ID 200

static int fail(struct region_reader *reader, const char *what) {
    return place_fail(&reader->place, reader->error, what);
}

static int fail_region(struct region_reader *reader, int index, const char *what) {
    char text[256];
    snprintf(text, sizeof text, "region number %d: %s", index, what);
    return fail(reader, text);
}

static const char *copy_text(struct region_reader *reader, const json_t *object, const char *key) {
    const char *text = json_get_text(object, key);
    return text != NULL ? arena_strdup(reader->arena, text) : NULL;
}

/* A text that reports can do without. */
static const char *copy_optional(struct region_reader *reader, const json_t *object,
                                 const char *key) {
    const char *text = copy_text(reader, object, key);
    return text != NULL ? text : "";
}

/* Words of the flat model file end at blanks and line ends. */
static bool is_word(const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == 127)
            return false;
    return length > 0 && length <= LONGEST_ID;
}

static int read_line_number(int *out, const json_t *object, const char *key) {
    long long line = json_get_integer(object, key, -1);
    *out = (int)line;
    return line >= 0 && line <= INT_MAX ? 0 : -1;
}

static int read_feature(struct feature *out, struct region_reader *reader, const json_t *value,
                        int index) {
    out->name = copy_text(reader, value, "name");
    out->expression = copy_optional(reader, value, "expression");
    out->meaning = copy_optional(reader, value, "meaning");
    out->is_category = json_is_true(json_object_get(value, "category"));
    if (out->name == NULL || !is_word(out->name))
        return fail_region(reader, index, "a feature has no name that is one word");
    return 0;
}

static int read_features(struct region *out, struct region_reader *reader, const json_t *value) {
    if (!json_is_array(value))
        return fail_region(reader, out->index, "'features' is missing or no array");
    size_t count = json_array_size(value);
    if (count > BSIM_FEATURES_MAX)
        return fail_region(reader, out->index, "it has more features than models can have");
    struct feature *features = ARENA_ARRAY(reader->arena, struct feature, count);
    for (size_t i = 0; i < count; i++)
        if (read_feature(&features[i], reader, json_array_get(value, i), out->index) != 0)
            return -1;
    out->features = features;
    out->feature_count = (int)count;
    return 0;
}

const char *value_kind_name(enum value_kind kind) {
    return kind == VALUE_NONE ? ""
                              : bsim_value_kind_name((enum bsim_value_kind)(kind - VALUE_INTEGER));
}

static int read_kind(struct region *out, const json_t *value) {
    const char *kind = json_get_text(value, "kind"), *name = json_get_text(value, "value");
    out->is_operation = kind != NULL && strcmp(kind, "operation") == 0;
    if (kind == NULL || strcmp(kind, "value") != 0)
        return 0;
    for (int i = VALUE_INTEGER; name != NULL && i <= VALUE_TRIPS; i++)
        if (strcmp(name, value_kind_name((enum value_kind)i)) == 0)
            out->value = (enum value_kind)i;
    return out->value != VALUE_NONE ? 0 : -1;
}

static int read_region(struct region *out, struct region_reader *reader, const json_t *value,
                       int index) {
    out->index = index;
    if (json_get_integer(value, "index", -1) != index)
        return fail_region(reader, index, "its 'index' is not its position");
    out->id = copy_text(reader, value, "id");
    if (out->id == NULL || !is_word(out->id))
        return fail_region(reader, index, "its 'id' is missing or not one word");
    out->function = copy_optional(reader, value, "function");
    out->summary = copy_optional(reader, value, "summary");
    out->text = copy_optional(reader, value, "text");
    out->kernel = copy_optional(reader, value, "kernel");
    out->prints = json_is_true(json_object_get(value, "prints"));
    out->code = copy_optional(reader, value, "code");
    out->family = copy_optional(reader, value, "family");
    out->hint = copy_text(reader, value, "hint");
    if (read_kind(out, value) != 0)
        return fail_region(reader, index, "its 'value' is not integer, floating, branch or trips");
    out->is_asked = json_is_true(json_object_get(value, "asked"));
    out->adds_up = json_is_true(json_object_get(value, "adds_up"));
    out->file = copy_text(reader, value, "file");
    if (out->file == NULL || read_line_number(&out->line, value, "line") != 0 ||
        read_line_number(&out->end_line, value, "end_line") != 0)
        return fail_region(reader, index, "'file', 'line' or 'end_line' is missing");
    return read_features(out, reader, json_object_get(value, "features"));
}

int region_from_json(struct region *out, struct arena *arena, const json_t *value, int index,
                     const struct file_place *place, struct error *error) {
    struct region_reader reader = {.arena = arena, .place = *place, .error = error};
    *out = (struct region){0};
    return read_region(out, &reader, value, index);
}

static int check_version(struct region_reader *reader, const json_t *value) {
    long long version = json_get_integer(value, "version", 0);
    if (version == BUNDLE_VERSION || reader->any_version)
        return 0;
    return error_set(
        reader->error, "%s:1:1: error: bundle of %s mpiskel (format %lld, this one needs %d): %s",
        reader->place.path, version > BUNDLE_VERSION ? "a newer" : "an older", version,
        BUNDLE_VERSION,
        version > BUNDLE_VERSION ? "use that one, or generate again" : "generate again");
}

static int read_header(struct regions *out, struct region_reader *reader, const json_t *value) {
    const char *format = json_get_text(value, "format");
    if (format == NULL || strcmp(format, "mpiskel-regions") != 0)
        return fail(reader, "this is not a regions file ('format' is not mpiskel-regions)");
    if (check_version(reader, value) != 0)
        return -1;
    out->bundle = copy_text(reader, value, "bundle");
    if (out->bundle == NULL || strlen(out->bundle) != BUNDLE_ID_DIGITS ||
        strspn(out->bundle, "0123456789abcdef") != BUNDLE_ID_DIGITS)
        return fail(reader, "'bundle' is not 16 hexadecimal digits");
    out->program = copy_optional(reader, value, "program");
    out->root = copy_optional(reader, value, "root");
    const char *assumptions = json_get_text(value, "assumptions");
    out->is_synthesised = assumptions != NULL && strcmp(assumptions, "synthesised") == 0;
    out->reads_clocks = json_is_true(json_object_get(value, "reads_clocks"));
    out->is_one_rank = json_is_true(json_object_get(value, "one_rank"));
    out->one_thread = copy_text(reader, value, "one_thread");
    out->binary_mpi = copy_text(reader, value, "binary_mpi");
    out->counted = copy_text(reader, value, "counted");
    source_hashes_from_json(&out->sources, reader->arena, json_object_get(value, "sources"));
    return 0;
}

/* They are told of only; what is no such call is left out. */
static void read_kept_calls(struct regions *out, struct region_reader *reader, const json_t *list) {
    size_t i;
    const json_t *value;
    out->kept_calls = ARENA_ARRAY(reader->arena, struct kept_call, json_array_size(list));
    json_array_foreach(list, i, value) {
        struct kept_call call = {copy_text(reader, value, "function"),
                                 copy_text(reader, value, "file"), 0,
                                 json_is_true(json_object_get(value, "unknown"))};
        if (call.function != NULL && call.file != NULL &&
            read_line_number(&call.line, value, "line") == 0)
            out->kept_calls[out->kept_call_count++] = call;
    }
}

/* Likewise. */
static void read_clocks(struct regions *out, struct region_reader *reader, const json_t *list) {
    size_t i;
    const json_t *value;
    out->clocks = ARENA_ARRAY(reader->arena, struct clock_pair, json_array_size(list));
    json_array_foreach(list, i, value) {
        struct clock_pair pair = {.file = copy_text(reader, value, "file"),
                                  .text = copy_text(reader, value, "text")};
        pair.is_kept = json_is_true(json_object_get(value, "kept"));
        if (pair.file != NULL && pair.text != NULL &&
            read_line_number(&pair.begin_line, value, "begin") == 0 &&
            read_line_number(&pair.end_line, value, "end") == 0)
            out->clocks[out->clock_count++] = pair;
    }
}

static int read_regions(struct regions *out, struct region_reader *reader, const json_t *value) {
    if (read_header(out, reader, value) != 0)
        return -1;
    const json_t *list = json_object_get(value, "regions");
    if (!json_is_array(list))
        return fail(reader, "'regions' is missing or no array");
    if (json_array_size(list) > BSIM_REGIONS_MAX)
        return fail(reader, "there are more regions than models can have");
    read_kept_calls(out, reader, json_object_get(value, "kept_calls"));
    read_clocks(out, reader, json_object_get(value, "clocks"));
    out->count = (int)json_array_size(list);
    out->items = ARENA_ARRAY(reader->arena, struct region, (size_t)out->count);
    for (int i = 0; i < out->count; i++)
        if (read_region(&out->items[i], reader, json_array_get(list, (size_t)i), i) != 0)
            return -1;
    return 0;
}

static int read_file(struct regions *out, const char *path, bool any_version, struct error *error) {
    json_t *value = NULL;
    *out = (struct regions){0};
    if (json_read(&value, path, error) != 0)
        return -1;
    arena_init(&out->arena);
    out->path = arena_strdup(&out->arena, path);
    struct region_reader reader = {
        .arena = &out->arena,
        .place = {path, 0, "write the bundle again with `mpiskel generate`"},
        .error = error,
        .any_version = any_version};
    int result = read_regions(out, &reader, value);
    json_decref(value);
    if (result != 0)
        regions_dispose(out);
    return result;
}

int regions_read(struct regions *out, const char *path, struct error *error) {
    return read_file(out, path, false, error);
}

int regions_read_any_version(struct regions *out, const char *path, struct error *error) {
    return read_file(out, path, true, error);
}

int regions_read_bundle(struct regions *out, const char *directory, struct error *error) {
    struct arena arena = {0};
    const char *file = path_join(&arena, directory, "regions.json");
    int result = 0;
    if (!directory_exists(directory))
        result = error_set(error, "there is no bundle %s: make one with `mpiskel generate -o %s`",
                           directory, directory);
    else if (!file_exists(file))
        result = error_set(error,
                           "%s is not a bundle (it has no regions.json): give the directory that "
                           "`mpiskel generate` wrote",
                           directory);
    else
        result = regions_read(out, file, error);
    arena_dispose(&arena);
    return result;
}

int regions_need_source(const struct regions *regions, const char *instead, struct error *error) {
    return !regions->is_synthesised
               ? 0
               : error_set(error, "%s was synthesised from recordings, without source: %s",
                           regions->program != NULL ? regions->program : "the program", instead);
}

void regions_dispose(struct regions *regions) {
    arena_dispose(&regions->arena);
    *regions = (struct regions){0};
}

int region_number_of_vector(const struct region *region) {
    for (int i = 0; i < region->feature_count; i++)
        if (strcmp(region->features[i].expression, "BSIM_NUMBER_OF_VECTOR") == 0)
            return i;
    return -1;
}

const char *regions_launcher(const struct regions *regions) {
    return regions->is_one_rank ? "" : "mpirun --oversubscribe -np 2 ";
}

const char *scout_example(bool is_one_rank) {
    return is_one_rank ? "--scout '{} ARGUMENTS'"
                       : "--scout 'mpirun --oversubscribe -np 4 {} ARGUMENTS'";
}

bool regions_give_values(const struct regions *regions) {
    for (int i = 0; i < regions->count; i++)
        if (regions->items[i].value != VALUE_NONE)
            return true;
    return false;
}

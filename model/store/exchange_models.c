/* SPDX-License-Identifier: Apache-2.0
 *
 * Models <-> JSON; see exchange_models.h. The lines of model.bsim come from who knows where: they
 * are put into a model file of their own and read by the skeleton's reader before anything else is
 * done with them.
 */
#include "model/store/exchange_models.h"

#include "base/file.h"
#include "model/eval/eval.h"
#include "model/eval/eval_value.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- Writing ---- */

json_t *model_to_json(const struct latency_model *model, const struct region *region,
                      enum statistic statistic) {
    struct str formula = {0};
    latency_formula(&formula, model, region, FORMULA_TEXT);
    json_t *value =
        json_pack("{s:i, s:s, s:I, s:i, s:f, s:s, s:f, s:f, s:s, s:s, s:o, s:o, s:s}", "region",
                  model->region, "statistic", statistic_name(statistic), "points",
                  (json_int_t)model->point_count, "runs", model->run_count, "error", model->error,
                  "left_out", validation_name(model->validation), "total_s", model->total_s,
                  "share", model->share, "note", model->note, "formula", str_text(&formula), "min",
                  json_reals(model->min, (size_t)model->feature_count), "max",
                  json_reals(model->max, (size_t)model->feature_count), "lines", model->lines);
    str_dispose(&formula);
    return value;
}

/* ---- Reading ---- */

struct exchange_models_reader {
    struct arena *arena;
    const json_t *value;
    const struct file_place *place;
    struct error *error;
};

static int fail(const struct exchange_models_reader *reader, const char *what) {
    return place_fail(reader->place, reader->error, what);
}

static int read_numbers(const double **out, const struct exchange_models_reader *reader,
                        const char *key, int count) {
    const json_t *list = json_object_get(reader->value, key);
    double *numbers = ARENA_ARRAY(reader->arena, double, (size_t)count);
    if (!json_is_array(list) || json_array_size(list) != (size_t)count)
        return fail(reader, "'min' or 'max' of a model has not one number for each feature");
    for (int i = 0; i < count; i++) {
        const json_t *number = json_array_get(list, (size_t)i);
        numbers[i] = json_number_value(number);
        if (!json_is_number(number) || !(fabs(numbers[i]) <= SAMPLE_NUMBER_MAX))
            return fail(reader, "a number in 'min' or 'max' of a model is no number of a sample");
    }
    *out = numbers;
    return 0;
}

static int read_time(double *out, const struct exchange_models_reader *reader, const char *key) {
    *out = json_get_number(reader->value, key, -1);
    return *out >= 0 && *out <= SAMPLE_NUMBER_MAX
               ? 0
               : fail(reader, "'error', 'total_s' or 'share' of a model is missing or negative");
}

static int read_count(long long *out, const struct exchange_models_reader *reader,
                      const char *key) {
    *out = json_get_integer(reader->value, key, -1);
    return *out >= 0 && *out <= INT_MAX
               ? 0
               : fail(reader, "'points' or 'runs' of a model is missing or out of range");
}

static int read_validation(struct latency_model *out, const struct exchange_models_reader *reader) {
    const char *name = json_get_text(reader->value, "left_out");
    for (int i = VALIDATION_NONE; name != NULL && i <= VALIDATION_RUNS; i++)
        if (strcmp(name, validation_name((enum latency_validation)i)) == 0) {
            out->validation = (enum latency_validation)i;
            return 0;
        }
    return fail(reader, "'left_out' of a model is not none, features or runs");
}

static int read_measures(struct latency_model *out, const struct exchange_models_reader *reader) {
    long long points = 0, runs = 0;
    const char *note = json_get_text(reader->value, "note");
    if (read_count(&points, reader, "points") != 0 || read_count(&runs, reader, "runs") != 0 ||
        read_time(&out->error, reader, "error") != 0 ||
        read_time(&out->total_s, reader, "total_s") != 0 ||
        read_time(&out->share, reader, "share") != 0 || read_validation(out, reader) != 0)
        return -1;
    out->point_count = (size_t)points;
    out->run_count = (int)runs;
    out->note = arena_strdup(reader->arena, note != NULL ? note : "");
    return 0;
}

static int check_loaded(const struct bsim_model *model, const struct region *region) {
    const struct bsim_region_model *latency = bsim_model_region(model, region->index);
    const struct bsim_value_model *value = bsim_model_value(model, region->index);
    if (region->value != VALUE_NONE)
        return value != NULL && bsim_value_feature_count(value) == region->feature_count ? 0 : -1;
    return latency != NULL && strcmp(bsim_region_id(latency), region->id) == 0 &&
                   bsim_region_feature_count(latency) == region->feature_count
               ? 0
               : -1;
}

/* Does a model file of these lines hold a model of the region? */
static int load(const char *lines, const struct region *region, const char *path) {
    struct str text = {0};
    struct error ignored = {0};
    struct bsim_model *model = NULL;
    char why[256];
    str_printf(&text, "mpiskel-model 1\nbundle 0000000000000000\nmachine m\n%send 1\n", lines);
    int result = file_write(path, text.text, text.length, &ignored);
    if (result == 0)
        result = bsim_model_load(&model, path, NULL, why, sizeof why);
    if (result == 0)
        result = check_loaded(model, region);
    bsim_model_free(model);
    str_dispose(&text);
    return result;
}

static int check_lines(const struct exchange_models_reader *reader, const char *lines,
                       const struct region *region) {
    const char *directory = directory_temporary(reader->arena, "mpiskel-model", reader->error);
    if (directory == NULL)
        return -1;
    int result = load(lines, region, path_join(reader->arena, directory, "model.bsim"));
    if (result != 0)
        fail(reader, "'lines' are not those of a model of the region");
    if (directory_remove(directory, reader->error) != 0)
        result = -1;
    return result;
}

static int read_lines(struct latency_model *out, const struct exchange_models_reader *reader,
                      const struct region *region) {
    const char *lines = json_get_text(reader->value, "lines");
    const char *formula = json_get_text(reader->value, "formula");
    if (lines == NULL)
        return fail(reader, "'lines' of a model are missing");
    if (check_lines(reader, lines, region) != 0)
        return -1;
    if (region->value != VALUE_NONE)
        out->value_formula = arena_strdup(reader->arena, formula != NULL ? formula : "");
    if (latency_read_lines(out, reader->arena, lines) != 0)
        return fail(reader, "'lines' are not those of a model of the region");
    return 0;
}

int model_from_json(struct latency_model *out, enum statistic *statistic, struct arena *arena,
                    const json_t *value, const struct regions *regions,
                    const struct file_place *place, struct error *error) {
    struct exchange_models_reader reader = {arena, value, place, error};
    const char *name = json_get_text(value, "statistic");
    long long index = json_get_integer(value, "region", -1);
    if (index < 0 || index >= regions->count)
        return fail(&reader, "'region' of a model is missing or the bundle has no such region");
    if (name == NULL || !statistic_parse(statistic, name))
        return fail(&reader, "'statistic' of a model is not median, minimum or mean");
    const struct region *region = &regions->items[index];
    *out = (struct latency_model){
        .region = region->index, .fitted = true, .feature_count = region->feature_count};
    if (read_measures(out, &reader) != 0 ||
        read_numbers(&out->min, &reader, "min", out->feature_count) != 0 ||
        read_numbers(&out->max, &reader, "max", out->feature_count) != 0)
        return -1;
    return read_lines(out, &reader, region);
}

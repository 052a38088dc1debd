/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader and evaluator of model.bsim; see eval.h.
 *
 * Each region's terms become a flat list of factors: exponents of zero are dropped and the usual
 * exponents are told apart once, here, so that evaluation is a few multiplications. Numbers are
 * read in the "C" locale, whatever the application has set. All sizes are checked against limits
 * before memory is asked for, and memory that is not given is an error text, not an abort.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval.h"

#include "model/eval/eval_gap.h"
#include "model/eval/eval_latency.h"
#include "model/eval/eval_read.h"
#include "model/eval/eval_value.h"

#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct bsim_model {
    char *machine;
    struct bsim_region_model **regions; /* by index; NULL: no model */
    struct bsim_value_model **values;   /* likewise */
    int region_count;
    struct bsim_gaps gaps;
    struct bsim_region_model *latest; /* that lines behind it belong to; NULL: none does */
};

/* ---- Regions and values ---- */

static void *enlarge(void *old, size_t old_count, size_t count, size_t size) {
    char *items = realloc(old, count * size);
    if (items != NULL)
        memset(items + old_count * size, 0, (count - old_count) * size);
    return items;
}

static int model_reserve(struct bsim_model *model, int index) {
    if (index < model->region_count)
        return 0;
    size_t had = (size_t)model->region_count, count = (size_t)index + (size_t)index / 2 + 16;
    void *regions = enlarge(model->regions, had, count, sizeof *model->regions);
    if (regions == NULL)
        return -1;
    model->regions = regions;
    void *values = enlarge(model->values, had, count, sizeof *model->values);
    if (values == NULL)
        return -1;
    model->values = values;
    model->region_count = (int)count;
    return 0;
}

static int read_index(int *out, struct bsim_model *model, struct bsim_reader *reader) {
    if (bsim_reader_count(out, reader, "a region's index", BSIM_REGIONS_MAX - 1) != 0)
        return -1;
    if (model_reserve(model, *out) != 0)
        return bsim_reader_fail(reader, "out of memory");
    if (model->regions[*out] != NULL || model->values[*out] != NULL)
        return bsim_reader_fail(reader, "region %d is there twice", *out);
    return 0;
}

/* The line's first word has been read. */
static int read_region(struct bsim_model *model, struct bsim_reader *reader) {
    int index = 0;
    model->latest = NULL;
    if (read_index(&index, model, reader) != 0 ||
        bsim_region_read(&model->regions[index], reader) != 0)
        return -1;
    model->latest = model->regions[index];
    return 0;
}

static int read_value(struct bsim_model *model, struct bsim_reader *reader) {
    int index = 0;
    model->latest = NULL;
    if (read_index(&index, model, reader) != 0)
        return -1;
    return bsim_value_read(&model->values[index], reader);
}

/* ---- The whole file ---- */

static int read_header(struct bsim_model *model, struct bsim_reader *reader,
                       const char *bundle_id) {
    int version = 0;
    char *bundle = NULL, *machine = NULL;
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "mpiskel-model") != 0 ||
        bsim_reader_count(&version, reader, "the version", INT_MAX) != 0)
        return -1;
    if (version != 1)
        return bsim_reader_fail(reader, "this is version %d of the format, known is only 1",
                                version);
    if (bsim_reader_line_end(reader) != 0 || bsim_reader_need_line(reader) != 0 ||
        bsim_reader_keyword(reader, "bundle") != 0 ||
        bsim_reader_text(&bundle, reader, "the bundle's id") != 0)
        return -1;
    if (bundle_id != NULL && strcmp(bundle, bundle_id) != 0)
        return bsim_reader_fail(reader, "this model belongs to bundle %.40s, not to %.40s", bundle,
                                bundle_id);
    if (bsim_reader_line_end(reader) != 0 || bsim_reader_need_line(reader) != 0 ||
        bsim_reader_keyword(reader, "machine") != 0 ||
        bsim_reader_text(&machine, reader, "the machine's name") != 0 ||
        bsim_reader_line_end(reader) != 0)
        return -1;
    model->machine = strdup(machine);
    return model->machine != NULL ? 0 : bsim_reader_fail(reader, "out of memory");
}

static int read_end(struct bsim_reader *reader, int found) {
    int count = 0;
    if (bsim_reader_count(&count, reader, "the number of regions", BSIM_REGIONS_MAX) != 0 ||
        bsim_reader_line_end(reader) != 0)
        return -1;
    if (count != found)
        return bsim_reader_fail(reader, "the file has %d regions, its end line says %d", found,
                                count);
    return bsim_reader_next_line(reader)
               ? bsim_reader_fail(reader, "there is something after the end line")
               : 0;
}

/* Regions and values, which the end line counts. */
static const struct {
    const char *word;
    int (*read)(struct bsim_model *model, struct bsim_reader *reader);
} line_kinds[] = {{"region", read_region}, {"value", read_value}};

/* Lines behind a region's terms that not every region has. */
static const struct {
    const char *word;
    int (*read)(struct bsim_region_model *region, struct bsim_reader *reader);
} region_lines[] = {{"step", bsim_region_read_step},     {"rest", bsim_region_read_rest},
                    {"plain", bsim_region_read_plain},   {"shares", bsim_region_read_shares},
                    {"spread", bsim_region_read_spread}, {"scale", bsim_region_read_scale},
                    {"ratio", bsim_region_read_ratio}};

static int read_lines(int *found, struct bsim_model *model, const char *word,
                      struct bsim_reader *reader) {
    if (strcmp(word, "gap") == 0)
        return bsim_gaps_read(&model->gaps, reader);
    for (size_t i = 0; i < sizeof line_kinds / sizeof line_kinds[0]; i++)
        if (strcmp(word, line_kinds[i].word) == 0) {
            ++*found;
            return line_kinds[i].read(model, reader);
        }
    for (size_t i = 0; i < sizeof region_lines / sizeof region_lines[0]; i++)
        if (strcmp(word, region_lines[i].word) == 0)
            return model->latest != NULL
                       ? region_lines[i].read(model->latest, reader)
                       : bsim_reader_fail(reader, "a '%s' that follows no region", word);
    return bsim_reader_fail(reader,
                            "'%.40s' instead of 'region', 'value' or 'end' (of a newer mpiskel? "
                            "then run `mpiskel generate` first)",
                            word);
}

static int read_model(struct bsim_model *model, struct bsim_reader *reader, const char *bundle_id) {
    int found = 0;
    if (read_header(model, reader, bundle_id) != 0)
        return -1;
    for (;;) {
        char *word = NULL;
        if (bsim_reader_need_line(reader) != 0 ||
            bsim_reader_text(&word, reader, "'region', 'value' or 'end'") != 0)
            return -1;
        if (strcmp(word, "end") == 0)
            return read_end(reader, found);
        if (read_lines(&found, model, word, reader) != 0)
            return -1;
    }
}

static int read_model_in_c_locale(struct bsim_model *model, struct bsim_reader *reader,
                                  const char *bundle_id) {
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return bsim_reader_fail_file(reader, "out of memory");
    locale_t before = uselocale(c_locale);
    int result = read_model(model, reader, bundle_id);
    uselocale(before);
    freelocale(c_locale);
    return result;
}

int bsim_model_load(struct bsim_model **out, const char *path, const char *bundle_id,
                    char *error_text, size_t error_size) {
    struct bsim_reader reader = {.path = path, .error_text = error_text, .error_size = error_size};
    char *text = NULL;
    *out = NULL;
    if (bsim_reader_file(&text, &reader) != 0)
        return -1;
    reader.rest = text;
    struct bsim_model *model = calloc(1, sizeof *model);
    int result = model != NULL ? read_model_in_c_locale(model, &reader, bundle_id)
                               : bsim_reader_fail_file(&reader, "out of memory");
    free(text);
    if (result == 0)
        *out = model;
    else
        bsim_model_free(model);
    return result;
}

void bsim_model_free(struct bsim_model *model) {
    if (model == NULL)
        return;
    for (int i = 0; i < model->region_count; i++)
        bsim_region_free(model->regions[i]);
    for (int i = 0; i < model->region_count; i++)
        bsim_value_free(model->values[i]);
    bsim_gaps_free(&model->gaps);
    free(model->regions);
    free(model->values);
    free(model->machine);
    free(model);
}

/* ---- Questions ---- */

const struct bsim_region_model *bsim_model_region(const struct bsim_model *model, int region) {
    return region >= 0 && region < model->region_count ? model->regions[region] : NULL;
}

const struct bsim_value_model *bsim_model_value(const struct bsim_model *model, int region) {
    return region >= 0 && region < model->region_count ? model->values[region] : NULL;
}

const struct bsim_gaps *bsim_model_gaps(const struct bsim_model *model) {
    return &model->gaps;
}

const char *bsim_model_machine(const struct bsim_model *model) {
    return model->machine;
}

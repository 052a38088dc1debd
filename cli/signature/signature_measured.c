/* SPDX-License-Identifier: Apache-2.0
 *
 * See signature_measured.h. Samples are read anew for each count, since a fit changes them.
 */
#include "cli/signature/signature_measured.h"

#include "base/str.h"
#include "cli/common/opened.h"
#include "model/fit.h"

#include <stdio.h>
#include <string.h>

static bool is_something(const struct samples *samples, int region) {
    for (size_t i = 0; i < samples->count; i++)
        if (samples->items[i].region == region && samples->items[i].seconds > 0)
            return true;
    return false;
}

static const char *formula_of(struct arena *arena, const struct latency_model *model,
                              const struct region *region, enum formula_style style) {
    struct str text = {0};
    latency_formula(&text, model, region, style);
    return str_into(arena, &text);
}

static int measure_one(struct measured_count *out, int which, struct arena *arena,
                       const struct opened *opened, const char *machine, struct error *error) {
    const struct regions *regions = &opened->regions;
    struct samples samples;
    struct models models;
    if (store_samples(&samples, opened->store, regions, machine, error) != 0)
        return -1;
    samples_take_count(&samples, which);
    models_fit(&models, &samples, regions, machine);
    out->formulas = ARENA_ARRAY(arena, const char *, (size_t)regions->count + 1);
    out->python = ARENA_ARRAY(arena, const char *, (size_t)regions->count + 1);
    for (int i = 0; i < regions->count; i++) {
        const struct region *region = &regions->items[i];
        const struct latency_model *model = &models.items[i];
        if (region->value != VALUE_NONE || !model->fitted || !is_something(&samples, i))
            continue;
        out->formulas[i] = formula_of(arena, model, region, FORMULA_TEXT);
        out->python[i] = formula_of(arena, model, region, FORMULA_PYTHON);
    }
    models_dispose(&models);
    samples_dispose(&samples);
    return 0;
}

static int processor_of(struct processor *out, const struct opened *opened, const char *machine,
                        struct error *error) {
    struct samples runs;
    if (store_runs(&runs, opened->store, &opened->regions, machine, error) != 0)
        return -1;
    int result = samples_processor(out, &runs, error);
    samples_dispose(&runs);
    return result;
}

/* Of those in the store. */
static int find_machine(const char **out, struct processor *processor, struct arena *arena,
                        const struct opened *opened, struct error *error) {
    const char *names = "";
    struct error last = {0};
    error_set(&last, "there are no runs; profile, then mpiskel fit %s", opened->bundle);
    if (store_machines(&names, arena, opened->store, &opened->regions, error) != 0)
        return -1;
    for (size_t length; *names != '\0'; names += length + (names[length] == ' ')) {
        length = strcspn(names, " ");
        *out = arena_strndup(arena, names, length);
        last = (struct error){0};
        if (processor_of(processor, opened, *out, &last) == 0)
            return 0;
    }
    return error_set(error, "%s", last.text);
}

static int measure(struct signature_measured *out, struct arena *arena, const struct opened *opened,
                   const char *machine, struct error *error) {
    struct processor processor;
    char text[PROCESSOR_TEXT];
    out->machine = machine;
    if (machine == NULL ? find_machine(&out->machine, &processor, arena, opened, error) != 0
                        : processor_of(&processor, opened, machine, error) != 0)
        return -1;
    processor_text(text, sizeof text, &processor);
    out->processor = arena_strdup(arena, text);
    for (const char *name; (name = processor_count_name(arena, &processor, out->count)) != NULL;
         out->count++) {
        out->counts[out->count].name = name;
        if (measure_one(&out->counts[out->count], out->count, arena, opened, out->machine, error) !=
            0)
            return -1;
    }
    return 0;
}

int signature_measure(struct signature_measured *out, struct arena *arena, const char *bundle,
                      const char *machine, struct error *error) {
    struct opened opened = {0};
    *out = (struct signature_measured){0};
    int result = opened_open(&opened, bundle, false, error);
    if (result == 0)
        result = measure(out, arena, &opened, machine, error);
    opened_close(&opened);
    return result;
}

void signature_measured_print(const struct signature_measured *measured, int region) {
    for (int i = 0; i < measured->count; i++)
        if (measured->counts[i].formulas[region] != NULL)
            printf("  measured %s: %s\n", measured->counts[i].name,
                   measured->counts[i].formulas[region]);
}

json_t *signature_measured_to_json(const struct signature_measured *measured, int region) {
    json_t *list = json_array();
    for (int i = 0; i < measured->count; i++)
        if (measured->counts[i].formulas[region] != NULL)
            json_array_append_new(list, json_pack("{s:s, s:s}", "count", measured->counts[i].name,
                                                  "formula", measured->counts[i].python[region]));
    return list;
}

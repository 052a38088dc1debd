/* SPDX-License-Identifier: Apache-2.0
 *
 * Options, and a model file that differs from the bundle's; see latencies.h.
 */
#include "simulator/changes/latencies.h"

#include "base/file.h"
#include "base/str.h"
#include "model/fit.h"
#include "model/kernel.h"
#include "model/latency/latency.h"
#include "model/processor/processor.h"
#include "model/samples/told_again.h"
#include "model/store/model_set.h"
#include "model/store/model_text.h"
#include "model/store/store.h"
#include "simulator/changes/region_name.h"
#include "simulator/changes/value_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Models of a counted machine as if it were another processor: its samples, told again
 * (model/samples/told_again.h) and fitted anew. Nothing is written.
 * As `mpiskel fit` does it, regions that call one function share a model. */

static int other_processor_read(struct processor *out, const char *file, struct error *error) {
    char message[PROCESSOR_TEXT];
    return processor_read(out, file, message, sizeof message) == 0
               ? 0
               : error_set(error, "%s", message);
}

static int read_samples(struct samples *out, const struct bundle *bundle, const char *machine,
                        const char *file, struct error *error) {
    struct arena arena = {0};
    struct store *store = NULL;
    const char *path = path_join(&arena, bundle->directory, "store.db");
    int result = file_exists(path)
                     ? store_open(&store, path, error)
                     : error_set(error,
                                 "--processor %s: %s has no store: `mpiskel fit` makes it of the "
                                 "samples",
                                 file, bundle->directory);
    if (result == 0)
        result = store_samples(out, store, &bundle->regions, machine, error);
    store_close(store);
    arena_dispose(&arena);
    return result;
}

/* `machine` is one of the bundle's store, `file` describes the processor. *out is the caller's
 * (models_dispose); -1: nothing is to be disposed. */
static int other_processor_fit(struct models *out, const struct bundle *bundle, const char *machine,
                               const char *file, struct error *error) {
    struct processor processor;
    struct samples samples;
    if (regions_need_source(&bundle->regions,
                            "what was counted in its regions is not kept; record it with "
                            "--clock=counted:FILE of that processor",
                            error) != 0 ||
        other_processor_read(&processor, file, error) != 0 ||
        read_samples(&samples, bundle, machine, file, error) != 0)
        return -1;
    int result = samples_tell_again(&samples, &processor, file, error);
    if (result == 0) {
        models_fit(out, &samples, &bundle->regions, machine);
        kernels_share(out, &samples, &bundle->regions, NULL);
    }
    samples_dispose(&samples);
    return result;
}

#define FACTOR_MAX 1e9 /* and at least the reciprocal */
#define NAMED_MOST 3   /* regions in a report's line */

struct speed {
    const char *name; /* of the regions */
    double factor;    /* INFINITY: they take no time */
};

/* ---- Options ---- */

/* 2x, 0.5x, +10%, -10%, free. */
static bool parse_factor(double *out, const char *text) {
    char *end = NULL;
    if (strcmp(text, "free") == 0) {
        *out = INFINITY;
        return true;
    }
    *out = strtod(text, &end);
    if (end == text || strspn(text, "0123456789.eE+-") != (size_t)(end - text))
        return false;
    if ((text[0] == '+' || text[0] == '-') && strcmp(end, "%") == 0)
        *out = 1 + *out / 100;
    else if (strcmp(end, "x") != 0)
        return false;
    return *out >= 1 / FACTOR_MAX && *out <= FACTOR_MAX;
}

static int parse_speed(struct speed *out, struct arena *arena, const char *text,
                       struct error *error) {
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text || !parse_factor(&out->factor, equals + 1))
        return error_set(error,
                         "--speed takes REGION=FACTOR, such as all=2x, relax=+10%% or "
                         "solver.c:120=free, not '%s'",
                         text);
    out->name = arena_strndup(arena, text, (size_t)(equals - text));
    return 0;
}

int latency_speed_check(const char *text, struct error *error) {
    struct arena arena = {0};
    struct speed speed;
    int result = parse_speed(&speed, &arena, text, error);
    arena_dispose(&arena);
    return result;
}

bool latency_options_given(const struct latency_options *options) {
    return options->machine != NULL || options->processor != NULL || options->speeds.count > 0;
}

void latency_options_dispose(struct latency_options *options) {
    vec_dispose(&options->speeds);
}

/* ---- Another machine ---- */

static void take_models(struct model_text *text, const struct models *models,
                        const struct regions *regions) {
    for (int i = 0; i < models->count; i++) {
        const struct latency_model *model = &models->items[i];
        bool is_value = regions->items[i].value != VALUE_NONE;
        if (model->fitted)
            model_text_put(text, i, is_value, model->lines);
    }
    text->machine = arena_strdup(&text->arena, models->machine);
    text->gaps = models->gaps != NULL ? arena_strdup(&text->arena, models->gaps) : NULL;
}

/* The bundle's own values come last: they replace the other machine's. */
static void keep_values(struct model_text *text, const struct model_text *own) {
    for (size_t i = 0; i < own->pieces.count; i++)
        if (own->pieces.items[i].is_value)
            model_text_put(text, own->pieces.items[i].index, true, own->pieces.items[i].lines);
}

static int read_machine(struct models *out, const struct bundle *bundle, const char *name,
                        struct error *error) {
    struct arena arena = {0};
    struct store *store = NULL;
    const char *path = path_join(&arena, bundle->directory, "store.db");
    int result = -1;
    if (!file_exists(path))
        error_set(error,
                  "--machine %s: %s has no store: `mpiskel fit` or `mpiskel machines import` "
                  "makes it",
                  name, bundle->directory);
    else
        result = store_open_to_read(&store, path, error);
    if (result == 0)
        result = model_set_read(out, store, &bundle->regions, bundle->directory, name, error);
    if (result == 0 && store_model_gaps(out, store, &bundle->regions, error) != 0) {
        models_dispose(out);
        result = -1;
    }
    store_close(store);
    arena_dispose(&arena);
    return result;
}

/* Of the models all latencies, and none of the values; disposes them. */
static void use_models(struct model_text *text, struct models *models,
                       const struct bundle *bundle) {
    struct model_text other = {0};
    other.bundle = arena_strdup(&other.arena, bundle->regions.bundle);
    take_models(&other, models, &bundle->regions);
    keep_values(&other, text);
    model_text_dispose(text);
    *text = other;
    models_dispose(models);
}

static int use_machine(struct model_text *text, const struct bundle *bundle, const char *name,
                       struct scenario *scenario, struct error *error) {
    struct models models;
    struct str effect = {0};
    if (read_machine(&models, bundle, name, error) != 0)
        return -1;
    str_printf(&effect, "latencies of %s (%s)", models.machine, statistic_name(models.statistic));
    if (text->machine != NULL)
        str_printf(&effect, " instead of those of %s", text->machine);
    use_models(text, &models, bundle);
    scenario_add(scenario, "--machine", name, str_text(&effect));
    str_dispose(&effect);
    return 0;
}

/* ---- Another processor ---- */

/* Behind use_machine: `text` has the models of the machine. */
static int use_processor(struct model_text *text, const struct bundle *bundle, const char *file,
                         struct scenario *scenario, struct error *error) {
    struct models models;
    if (text->machine == NULL)
        return error_set(
            error, "--processor %s: there are no models to tell again; profile and fit", file);
    if (other_processor_fit(&models, bundle, text->machine, file, error) != 0)
        return -1;
    use_models(text, &models, bundle);
    scenario_add(scenario, "--processor", file,
                 "latencies told again for this processor, from what profiling runs counted");
    return 0;
}

const char *latencies_processor(const struct latency_options *options, const struct run *run,
                                struct arena *arena) {
    struct processor processor;
    struct error ignored = {0}; /* the run would have failed */
    char text[PROCESSOR_TEXT];
    const char *described = strchr(run->clock, ' ');
    if (options->processor == NULL)
        return described != NULL ? described + 1 : NULL;
    if (other_processor_read(&processor, options->processor, &ignored) != 0)
        return NULL;
    processor_text(text, sizeof text, &processor);
    return arena_strdup(arena, text);
}

/* ---- Another speed ---- */

static const char *count_text(struct arena *arena, int count) {
    return count == 1 ? "1 region" : arena_printf(arena, "%d regions", count);
}

static const char *describe(struct arena *arena, const bool *chosen, const struct regions *regions,
                            double factor) {
    struct str places = {0};
    int count = 0;
    for (int i = 0; i < regions->count; i++) {
        const struct region *region = &regions->items[i];
        if (chosen[i] && count++ < NAMED_MOST)
            str_printf(&places, "%s%s:%d %s", count > 1 ? ", " : "", region->file, region->line,
                       region->function);
    }
    if (count > NAMED_MOST)
        str_add(&places, ", ...");
    const char *how =
        isinf(factor) ? "without any time" : arena_printf(arena, "%.6gx as fast", factor);
    const char *text =
        arena_printf(arena, "%s %s (%s)", count_text(arena, count), how, str_text(&places));
    str_dispose(&places);
    return text;
}

static int speed_up(struct model_text *text, const struct bundle *bundle, const char *option,
                    struct scenario *scenario, struct error *error) {
    struct arena arena = {0};
    struct speed speed = {0};
    const struct regions *regions = &bundle->regions;
    bool *chosen = ARENA_ARRAY(&arena, bool, (size_t)regions->count + 1);
    int result = parse_speed(&speed, &arena, option, error);
    struct error inner = {0};
    if (result == 0 && region_name_find(chosen, speed.name, regions, &inner) != 0)
        result = error_set(error, "--speed %s: %s", option, inner.text);
    for (int i = 0; i < regions->count && result == 0; i++)
        if (chosen[i])
            model_text_speed_up(text, i, speed.factor);
    if (result == 0)
        scenario_add(scenario, "--speed", option, describe(&arena, chosen, regions, speed.factor));
    arena_dispose(&arena);
    return result;
}

/* ---- All of it ---- */

static int change(struct model_text *text, struct bundle *bundle,
                  const struct latency_options *options, struct scenario *scenario,
                  struct error *error) {
    if (options->machine != NULL &&
        use_machine(text, bundle, options->machine, scenario, error) != 0)
        return -1;
    if (options->processor != NULL &&
        use_processor(text, bundle, options->processor, scenario, error) != 0)
        return -1;
    for (size_t i = 0; i < options->speeds.count; i++)
        if (speed_up(text, bundle, options->speeds.items[i], scenario, error) != 0)
            return -1;
    return 0;
}

int latencies_prepare(struct bundle *bundle, const struct latency_options *options,
                      const struct change_options *changes, const char *directory,
                      struct scenario *scenario, struct error *error) {
    struct model_text text = {0};
    bool has_own = options->machine == NULL || file_exists(bundle->model_file);
    if (has_own && bundle_load_model(bundle, error) != 0)
        return -1;
    if (!latency_options_given(options) && (changes == NULL || changes->values.count == 0))
        return 0;
    int result = bundle->model != NULL ? model_text_read(&text, bundle->model_file, error) : 0;
    if (result == 0)
        result = change(&text, bundle, options, scenario, error);
    if (result == 0 && changes != NULL)
        value_changes_apply(&text, changes, &bundle->regions, scenario);
    bsim_model_free(bundle->model);
    bundle->model = NULL;
    bundle->model_file = path_join(&bundle->arena, directory, "model.bsim");
    if (result == 0 && bundle->regions.count > 0)
        result = model_text_write(&text, bundle->model_file, error);
    model_text_dispose(&text);
    return result == 0 ? bundle_load_model(bundle, error) : -1;
}

/* ---- What a run says of them ---- */

static bool is_executed(const bool *chosen, const struct run_stats *stats, int count) {
    for (size_t i = 0; i < stats->region_count; i++)
        if (stats->regions[i].index < (size_t)count && chosen[stats->regions[i].index])
            return true;
    return false;
}

void latencies_tell_unused(const struct latency_options *options, const struct bundle *bundle,
                           const struct run_stats *stats) {
    struct arena arena = {0};
    const struct regions *regions = &bundle->regions;
    bool *chosen = ARENA_ARRAY(&arena, bool, (size_t)regions->count + 1);
    for (size_t i = 0; i < options->speeds.count; i++) {
        struct speed speed = {0};
        struct error error = {0};
        if (parse_speed(&speed, &arena, options->speeds.items[i], &error) == 0 &&
            region_name_find(chosen, speed.name, regions, &error) == 0 &&
            !is_executed(chosen, stats, regions->count))
            note("warning: --speed %s changes nothing: none of its regions is executed in this run",
                 options->speeds.items[i]);
    }
    arena_dispose(&arena);
}

void latencies_tell_missing(const struct latency_options *options, const struct bundle *bundle) {
    struct str places = {0};
    int count = 0;
    if (options->machine == NULL || bundle->model == NULL)
        return;
    for (int i = 0; i < bundle->regions.count; i++) {
        const struct region *region = &bundle->regions.items[i];
        if (region->value == VALUE_NONE && bsim_model_region(bundle->model, i) == NULL &&
            count++ < NAMED_MOST)
            str_printf(&places, "%s%s:%d %s", count > 1 ? ", " : "", region->file, region->line,
                       region->function);
    }
    if (count > 0)
        note("note: machine %s has no model of %d of %d regions (%s%s): profile there what reaches "
             "them, then mpiskel fit",
             options->machine, count, bundle->regions.count, str_text(&places),
             count > NAMED_MOST ? ", ..." : "");
    str_dispose(&places);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/fit/fit_steps.h"

#include "base/file.h"
#include "base/str.h"
#include "model/values/untold.h"
#include "model/varied/varied.h"

#include <math.h>

#define HARDLY_TOLD 0.3     /* error of runs that were left out */
#define HARDLY_TOLD_MOST 99 /* of what is printed */
#define HARDLY_TOLD_NAMES 4

struct hard_values {
    struct str names;
    double largest;
    int count;
};

static void add_hard_value(struct hard_values *out, const struct region *region, double error) {
    if (!(error > HARDLY_TOLD))
        return;
    if (out->count < HARDLY_TOLD_NAMES)
        str_printf(&out->names, "%s%s:%d", out->count > 0 ? ", " : "", region->file, region->line);
    else if (out->count == HARDLY_TOLD_NAMES)
        str_add(&out->names, ", ...");
    out->largest = fmax(out->largest, error);
    out->count++;
}

void fit_values_tell(const struct models *models, const struct regions *regions) {
    struct hard_values by_size = {.count = 0}, by_rank = {.count = 0};
    for (int i = 0; i < models->count; i++) {
        const struct latency_model *model = &models->items[i];
        if (regions->items[i].value == VALUE_NONE || !model->fitted)
            continue;
        add_hard_value(&by_size, &regions->items[i], model->error);
        add_hard_value(&by_rank, &regions->items[i], model->rank_spread);
    }
    const char *names = str_text(&by_size.names), *were = by_size.count > 1 ? "s are" : " is";
    double percent = 100 * fmin(by_size.largest, HARDLY_TOLD_MOST);
    if (by_size.count > 0)
        note(
            "%d value%s hardly told by any size, with errors of up to %.0f%% (%s): communication "
            "depends on %s; other sizes of runs may tell more, --keep-untold has %s computed, or a "
            "hint gives another number (docs/explanation/cuts.md)",
            by_size.count, were, percent, names, by_size.count > 1 ? "them" : "it",
            by_size.count > 1 ? "them" : "it");
    if (by_rank.count > 0)
        note("%d value%s from rank to rank, by up to %.0f%%, as nothing tells (%s): each rank gets "
             "the mean of all; --keep-untold has %s computed",
             by_rank.count, by_rank.count > 1 ? "s differ" : " differs", 100 * by_rank.largest,
             str_text(&by_rank.names), by_rank.count > 1 ? "them" : "it");
    str_dispose(&by_size.names);
    str_dispose(&by_rank.names);
}

/* As reports warn of (model/values/value_fit.c). */
#define UNCERTAIN 0.1

bool fit_values_tell_uncertain(const struct models *models, const struct regions *regions,
                               const struct verdict *verdict) {
    bool any = false;
    for (int i = 0; i < models->count; i++) {
        const struct latency_model *model = &models->items[i];
        const struct region *region = &regions->items[i];
        if (region->value != VALUE_TRIPS || region->hint != NULL || !model->fitted ||
            !(model->error > UNCERTAIN) || verdict->why[0] == '\0')
            continue;
        any = true;
        note("warning: %s:%d (%s): how often this loop iterates was %.1f %% off on runs that were "
             "left out, and no check says what comes of it (%s): times are as uncertain, as "
             "intervals tell; profile more sizes, or say it with `mpiskel run --set %s:%d=NUMBER`",
             region->file, region->line, region->text, 100 * model->error, verdict->why,
             region->file, region->line);
    }
    return any;
}

int fit_values_keep(const char *bundle, const struct samples *samples,
                    const struct regions *regions, struct error *error) {
    struct varied varied;
    varied_make(&varied, samples, regions);
    int result = varied_write(&varied, bundle, error);
    varied_dispose(&varied);
    return result;
}

static void tell_of_untold(const char *bundle, const struct regions *regions, double percent,
                           int count) {
    int given = 0, asked = 0;
    for (int i = 0; i < regions->count; i++) {
        given += regions->items[i].value != VALUE_NONE;
        asked += regions->items[i].is_asked || regions->items[i].hint != NULL;
    }
    if (given == 0)
        note("the skeleton takes no value as given: all that communication depends on is computed");
    else if (count == 0)
        note("models tell all values that the skeleton takes as given%s to within %g%%",
             asked > 0 ? ", but those that hints ask for," : "", percent);
    else
        note(
            "%d value%s not told to within %g%%, and %s to be computed (%s/%s): generate %s again, "
            "then profile it and fit it with --keep-untold, since others may be given instead",
            count, count == 1 ? " is" : "s are", percent, count == 1 ? "is" : "are", bundle,
            UNTOLD_FILE, bundle);
}

int fit_values_keep_untold(const char *bundle, const struct models *models,
                           const struct regions *regions, double percent, struct error *error) {
    struct arena arena;
    struct untold untold = {0};
    arena_init(&arena);
    const char *path = path_join(&arena, bundle, UNTOLD_FILE);
    int result = untold_read(&untold, path, error);
    size_t before = untold.items.count;
    int count = result == 0 ? untold_add(&untold, models, regions, percent / 100) : 0;
    if (result == 0 && untold.items.count > before)
        result = untold_write(&untold, path, error);
    if (result == 0)
        tell_of_untold(bundle, regions, percent, count);
    untold_dispose(&untold);
    arena_dispose(&arena);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "model/findings/region_findings.h"

#include "base/str.h"

static const char more_sizes[] = "profile more sizes near the target (mpiskel plan), each twice, "
                                 "then mpiskel fit";
static const char more_recordings[] = "record more sizes near the target (mpiskel record), then "
                                      "mpiskel synthesize and fit";
static const char three_sizes[] = "profile three sizes or more (mpiskel plan), then mpiskel fit";

static bool is_large_error(const struct latency_model *model) {
    return model->validation != VALIDATION_NONE && model->error > FINDING_ERROR_LEAST;
}

/* Without features there is nothing to vary. */
static bool has_few_configurations(const struct latency_model *model) {
    return model->feature_count > 0 && model->point_count <= FINDING_CONFIGURATIONS_FEW;
}

static void look_at(struct findings *out, const struct latency_model *model,
                    const struct region *region, double share, const char *whose,
                    bool is_synthesised) {
    if (has_few_configurations(model))
        findings_add(out, "configurations", share, is_synthesised ? more_recordings : three_sizes,
                     "%s:%d %s, %.0f %% of %s, was profiled in %zu configuration%s only",
                     region->file, region->line, region->function, 100 * share, whose,
                     model->point_count, text_plural(model->point_count));
    else if (is_large_error(model))
        findings_add(out, "error", share, is_synthesised ? more_recordings : more_sizes,
                     "%s:%d %s, %.0f %% of %s, is predicted with an error of %.0f %%", region->file,
                     region->line, region->function, 100 * share, whose, 100 * model->error);
}

void region_findings_add(struct findings *out, const struct models *models,
                         const struct regions *regions, const double *shares, const char *whose) {
    for (int i = 0; i < models->count && i < regions->count; i++)
        if (models->items[i].fitted && regions->items[i].value == VALUE_NONE &&
            shares[i] > FINDING_SHARE_LEAST)
            look_at(out, &models->items[i], &regions->items[i], shares[i], whose,
                    regions->is_synthesised);
}

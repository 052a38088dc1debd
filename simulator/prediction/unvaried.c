/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/prediction/unvaried.h"

#include <math.h>
#include <stddef.h>

/* What the summary is weighed by. */
struct unvaried_search {
    const struct run_stats *stats;
    double region_s; /* of all regions */
    struct unvaried *out;
};

static double weight_of(const struct unvaried_search *search, const struct region_stats *seen,
                        double difference) {
    const struct run_stats *stats = search->stats;
    double share = search->region_s > 0 ? seen->seconds / search->region_s : 0, largest = 1;
    for (size_t j = 0; j < seen->feature_count; j++)
        largest = fmax(largest, seen->features_max[j]);
    double units_s = UNVARIED_UNIT_S * difference * seen->executions / (double)stats->ranks;
    return fmax(share * difference / largest,
                stats->makespan_s > 0 ? units_s / stats->makespan_s : 0);
}

static void look_at(struct unvaried_search *search, const struct region_stats *seen,
                    const struct region *region, const struct bsim_region_model *model) {
    for (int j = 0; j < (int)seen->feature_count; j++) {
        double profiled = bsim_region_feature_min(model, j);
        double seen_min = seen->features_min[j], seen_max = seen->features_max[j];
        double difference = fmax(fabs(seen_min - profiled), fabs(seen_max - profiled));
        if (profiled < bsim_region_feature_max(model, j) || difference == 0)
            continue;
        double weight = weight_of(search, seen, difference);
        if (search->out->region == NULL || weight > search->out->weight)
            *search->out = (struct unvaried){region, j, profiled, seen_min, seen_max, weight};
    }
}

void unvaried_find(struct unvaried *out, const struct run_stats *stats,
                   const struct regions *regions, const struct bsim_model *model) {
    struct unvaried_search search = {stats, run_stats_region_seconds(stats), out};
    *out = (struct unvaried){0};
    for (size_t i = 0; model != NULL && i < stats->region_count; i++) {
        const struct region_stats *seen = &stats->regions[i];
        const struct bsim_region_model *fitted = bsim_model_region(model, (int)seen->index);
        if (fitted != NULL)
            look_at(&search, seen, &regions->items[seen->index], fitted);
    }
}

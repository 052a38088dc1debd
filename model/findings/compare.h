/* SPDX-License-Identifier: Apache-2.0
 *
 * Two sets of models of the same regions side by side: of two machines, or of two statistics.
 *
 * Both are asked for the same work: the executions that the samples of both tell of, with their
 * features. So it does not matter that the machines were profiled with different runs. Values are
 * left out, and so are regions that only one side has a model of.
 */
#pragma once

#include "model/latency/latency.h"
#include "model/samples/sample.h"

struct compared_side {
    double time_s;  /* of the work, as predicted */
    double share;   /* of the time of all regions that both sides have */
    size_t outside; /* feature vectors that its own samples do not reach */
};

struct compared_region {
    bool on_a, on_b; /* is there a model? */
    struct compared_side a, b;
    double ratio;                /* time of b over time of a; NAN: a takes none */
    double ratio_min, ratio_max; /* over the feature vectors */
    size_t vector_count;         /* distinct feature vectors */
};

struct models_comparison {
    struct arena arena;            /* owns everything below */
    struct compared_region *items; /* by region */
    int count;
    double a_s, b_s; /* of all regions that both sides have */
    int only_on_a, only_on_b;
};

/* `work_a` and `work_b` are the samples of both sides (of the same machine: `work_b` is NULL), of
 * these regions; their order is changed. */
void models_compare(struct models_comparison *out, const struct models *a, const struct models *b,
                    const struct samples *work_a, const struct samples *work_b,
                    const struct regions *regions);
void models_comparison_dispose(struct models_comparison *comparison);

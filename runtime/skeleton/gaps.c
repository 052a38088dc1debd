/* SPDX-License-Identifier: Apache-2.0
 *
 * What kept code takes before a call, where profiling runs counted it (model/eval/eval_gap.h): it
 * is charged with what regions have left pending. Without it, calls in a row would begin in the
 * same instant.
 */
#include "model/eval/eval_gap.h"
#include "runtime/smpi/runtime.h"

#include <stdbool.h>
#include <string.h>

static const struct bsim_gap no_gap;

static bool has_gaps(struct bsim__shared *shared) {
    if (shared->gap_count == 0) {
        const struct bsim_model *model = bsim__model_if_any();
        if (model == NULL || bsim_model_gaps(model)->count == 0)
            shared->gap_count = -1;
    }
    return shared->gap_count >= 0;
}

static bool is_of(const struct bsim_gap *gap, const struct bsim__site *site) {
    return gap->line == site->line && strcmp(gap->file, site->file) == 0 &&
           strcmp(gap->name, bsim__functions[site->id].name) == 0;
}

static const struct bsim_gap *find(const struct bsim_gaps *gaps, const struct bsim__site *site) {
    for (int i = 0; i < gaps->count; i++)
        if (is_of(&gaps->of[i], site))
            return &gaps->of[i];
    return &no_gap;
}

static const struct bsim_gap *gap_at(struct bsim__shared *shared, int number,
                                     const struct bsim__site *site) {
    if (number >= shared->gap_count) {
        int count = 2 * number + 16;
        shared->gaps = bsim__grow(shared->gaps, (size_t)shared->gap_count * sizeof *shared->gaps,
                                  (size_t)count * sizeof *shared->gaps);
        shared->gap_count = count;
    }
    if (shared->gaps[number] == NULL)
        shared->gaps[number] = find(bsim_model_gaps(shared->model), site);
    return shared->gaps[number];
}

static bool is_first(struct bsim__rank *rank, int number) {
    if (number >= rank->has_called_count) {
        int count = 2 * number + 16;
        rank->has_called =
            bsim__grow(rank->has_called, (size_t)rank->has_called_count, (size_t)count);
        rank->has_called_count = count;
    }
    bool is = !rank->has_called[number];
    rank->has_called[number] = true;
    return is;
}

void bsim__charge_gap(struct bsim__rank *rank, const struct bsim__call *call) {
    struct bsim__shared *shared = bsim__shared();
    if (!shared->charges_latencies || !has_gaps(shared))
        return;
    struct bsim__site site = {.id = call->id, .file = call->file, .line = call->line};
    int number = bsim__site_number(&shared->sites, &site);
    const struct bsim_gap *gap = gap_at(shared, number, &site);
    if (gap != &no_gap)
        bsim__own.pending_s +=
            bsim__host_factor(rank) * (is_first(rank, number) ? gap->first_s : gap->again_s);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See fixed_numbers.h.
 */
#include "simulator/experiments/fixed_numbers.h"

#include <string.h>

/* How a number was met in the runs so far. */
struct met_number {
    const char *name;
    size_t runs; /* in which it was */
    double number;
    bool varies;
};

static void look_at(struct met_number *met, struct words words) {
    struct bsim_argument found[BSIM_ARGUMENTS_MAX];
    int count = bsim_arguments_find(found, BSIM_ARGUMENTS_MAX, words.items, (int)words.count);
    for (int i = 0; i < count; i++) {
        if (strcmp(found[i].name, met->name) != 0)
            continue;
        met->varies |= met->runs > 0 && found[i].number != met->number;
        met->number = found[i].number;
        met->runs++;
    }
}

void fixed_numbers_find(struct experiments *plan, const struct experiments_options *options) {
    struct bsim_argument target[BSIM_ARGUMENTS_MAX];
    struct words words = options->target.words;
    int count = bsim_arguments_find(target, BSIM_ARGUMENTS_MAX, words.items, (int)words.count);
    plan->fixed = ARENA_ARRAY(&plan->arena, struct fixed_number, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        struct met_number met = {.name = target[i].name};
        for (size_t k = 0; k < options->profiled_count; k++)
            look_at(&met, options->profiled[k].words);
        for (size_t k = 0; k < plan->run_count; k++)
            look_at(&met, plan->runs[k].candidate->trial.configuration.words);
        if (met.runs > 0 && !met.varies)
            plan->fixed[plan->fixed_count++] = (struct fixed_number){
                arena_strdup(&plan->arena, met.name), met.number, target[i].number};
    }
}

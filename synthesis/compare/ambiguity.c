/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through the calls of the target with all hypotheses, then through those of small runs until
 * each doubt is decided; see ambiguity.h.
 */
#include "synthesis/compare/ambiguity.h"

#include "synthesis/eval/synth_actions.h"

#include <string.h>

#define RANKS_TRIED                                                                                \
    36 /* most ranks of a run that decides: what a workstation can oversubscribe                   \
        */
#define RUNS_TRIED 300
#define VALUES 3      /* of a parameter: the least and the largest recorded, twice that */
#define VARIED_MOST 3 /* parameters that are varied: the others stay at their least */

struct doubts_walk {
    const struct learned_program *learned;
    struct hash_table by_expression; /* the doubt's number plus 1 */
    struct ambiguity *found;         /* by doubt; rank -1: not ambiguous */
};

static const struct synth_expression *expression_of(const struct learned_doubt *doubt) {
    return doubt->is_peer ? doubt->peers.items[0].value : doubt->numbers.items[0];
}

static int count_of(const struct learned_doubt *doubt) {
    return doubt->is_peer ? doubt->peers.count : doubt->numbers.count;
}

static bool differ(const struct learned_doubt *doubt, const struct synth_situation *at, int group) {
    for (int i = 1; i < count_of(doubt); i++) {
        bool same = doubt->is_peer ? bsim_synth_peer(at, &doubt->peers.items[i], group) ==
                                         bsim_synth_peer(at, &doubt->peers.items[0], group)
                                   : bsim_synth_value(at, doubt->numbers.items[i]) ==
                                         bsim_synth_value(at, doubt->numbers.items[0]);
        if (!same)
            return true;
    }
    return false;
}

static void look(void *context, const struct synth_situation *at, const struct synth_expression *of,
                 int group) {
    struct doubts_walk *walk = context;
    const size_t *number = hash_table_find(&walk->by_expression, &of, sizeof of);
    if (number == NULL || walk->found[*number].rank >= 0)
        return;
    struct ambiguity *found = &walk->found[*number];
    if (differ(&walk->learned->doubts.items[*number], at, group)) {
        found->rank = at->rank;
        found->iteration = at->depth > 0 ? at->loops[0].index : 0;
    }
}

static void begin(struct doubts_walk *walk) {
    for (size_t i = 0; i < walk->learned->doubts.count; i++)
        walk->found[i] = (struct ambiguity){.doubt = &walk->learned->doubts.items[i], .rank = -1};
}

static int go_through(struct doubts_walk *walk, int ranks, const double *parameters,
                      struct error *error) {
    const struct synth_visitor visitor = {look, walk};
    struct synth_run run;
    char problem[sizeof error->text - 1];
    begin(walk);
    int result = bsim_synth_run_visit(&run, &walk->learned->model, ranks, parameters, &visitor,
                                      problem, sizeof problem);
    bsim_synth_run_dispose(&run);
    return result == 0 ? 0 : error_set(error, "%s", problem + strlen("error: "));
}

static void prepare(struct doubts_walk *walk) {
    size_t count = walk->learned->doubts.count;
    walk->found = xcalloc(count + 1, sizeof *walk->found);
    for (size_t i = 0; i < count; i++) {
        const struct learned_doubt *doubt = &walk->learned->doubts.items[i];
        const struct synth_expression *of = expression_of(doubt);
        if (count_of(doubt) > 1 && doubt->right == 1 &&
            hash_table_find(&walk->by_expression, &of, sizeof of) == NULL)
            *(size_t *)hash_table_add(&walk->by_expression, &of, sizeof of, sizeof(size_t)) = i;
    }
}

/* ---- Runs that decide ---- */

static double value_tried(const struct synth_parameter *of, int which) {
    return which == 0 ? of->least : which == 1 ? of->most : 2 * of->most;
}

/* The run with this number, false: there are no more with so many ranks. */
static bool parameters_tried(double *out, const struct synth_model *model, int number) {
    for (int i = 0; i < model->parameter_count; i++) {
        int varied = i < VARIED_MOST;
        out[i] = value_tried(&model->parameters[i], varied ? number % VALUES : 0);
        number /= varied ? VALUES : 1;
    }
    return number == 0;
}

static void settle(ambiguity_list *list, const struct doubts_walk *walk, int ranks,
                   const double *parameters) {
    for (size_t i = 0; i < list->count; i++) {
        struct ambiguity *of = &list->items[i];
        size_t number = (size_t)(of->doubt - walk->learned->doubts.items);
        if (of->decided_by > 0 || walk->found[number].rank < 0)
            continue;
        of->decided_by = ranks;
        memcpy(of->parameters, parameters,
               (size_t)walk->learned->model.parameter_count * sizeof *parameters);
    }
}

static bool all_are_decided(const ambiguity_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].decided_by == 0)
            return false;
    return true;
}

static void find_deciding(ambiguity_list *list, struct doubts_walk *walk, int ranks) {
    double parameters[SYNTH_PARAMETERS_MOST];
    int most = ranks - 1 < RANKS_TRIED ? ranks - 1 : RANKS_TRIED, tried = 0;
    for (int of = 1; of <= most; of++)
        for (int number = 0; parameters_tried(parameters, &walk->learned->model, number);
             number++) {
            struct error ignored = {0};
            if (all_are_decided(list) || tried++ == RUNS_TRIED)
                return;
            if (go_through(walk, of, parameters, &ignored) == 0)
                settle(list, walk, of, parameters);
        }
}

int ambiguities_find(ambiguity_list *out, const struct learned_program *learned, int ranks,
                     const double *parameters, struct error *error) {
    struct doubts_walk walk = {.learned = learned};
    prepare(&walk);
    int result = go_through(&walk, ranks, parameters, error);
    for (size_t i = 0; i < learned->doubts.count && result == 0; i++)
        if (walk.found[i].rank >= 0)
            vec_push(out, walk.found[i]);
    if (result == 0 && out->count > 0)
        find_deciding(out, &walk, ranks);
    hash_table_dispose(&walk.by_expression);
    free(walk.found);
    return result;
}

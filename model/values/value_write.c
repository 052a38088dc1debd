/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_write.h, and docs/reference/model.md for the lines of model.bsim.
 */
#include "model/values/value_write.h"

#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/samples/points.h"
#include "model/values/value_draw.h"
#include "model/values/value_nearest.h"
#include "model/values/value_range.h"

#include <math.h>
#include <stdlib.h>

#define LONGER_MAX 1024 /* runs that are looked at for how another one goes on */

/* Of vectors that were not seen. */
static double error_of(const struct value_solution *solution) {
    return solution->alike < solution->dimension && !solution->stretch.is_found
               ? fmin(solution->error, VALUE_ALIKE_ERROR)
               : solution->error;
}

static void print_formula(struct str *out, const struct value_formula *formula,
                          const struct value_data *data, const struct region *region) {
    for (int k = 0; k < formula->fit.term_count; k++) {
        str_printf(out, "%s%.4g", k > 0 ? " + " : "", formula->fit.coefficients[k] + 0.0);
        for (int v = 0; v < formula->form.variable_count; v++) {
            double exponent = formula->fit.exponents[k][v];
            if (exponent == BSIM_VALUE_LOGARITHM)
                str_printf(out, "*log2(%s)",
                           value_data_name(data, region, formula->form.variables[v]));
            else if (exponent != 0)
                str_printf(out, "*%s", value_data_name(data, region, formula->form.variables[v]));
            if (exponent != 0 && exponent != 1 && exponent != BSIM_VALUE_LOGARITHM)
                str_printf(out, "^%.3g", exponent);
        }
    }
}

static bool has_draws(const struct value_solution *solution) {
    return solution->draws.level_count > 0 || solution->draws.is_uniform ||
           solution->draws.one != BSIM_ONE_NONE;
}

static void print_one(struct str *out, enum bsim_one one) {
    static const char *const ranks[] = {
        [BSIM_ONE_FIRST] = "the first one", "the last one", "any of them, drawn for all ranks"};
    str_printf(out, "1 on one rank, %s", ranks[one]);
}

static void print_number(struct str *out, struct bsim_number number, const struct value_data *data,
                         const struct region *region) {
    if (number.place < 0) {
        str_printf(out, "%g", number.beyond);
        return;
    }
    str_add(out, value_data_name(data, region, number.place));
    if (number.beyond != 0)
        str_printf(out, " %c %g", number.beyond < 0 ? '-' : '+', fabs(number.beyond));
}

static void print_bound(struct str *out, const struct bsim_bound *bound,
                        const struct value_data *data, const struct region *region) {
    print_number(out, bound->from, data, region);
    if (!value_bound_rises(bound))
        return;
    str_add(out, " (1 more each time, ");
    print_number(out, bound->draws, data, region);
    str_add(out, " times)");
}

static void print_uniform(struct str *out, const struct bsim_draws *draws,
                          const struct value_data *data, const struct region *region) {
    str_add(out, "any from ");
    print_bound(out, &draws->low, data, region);
    str_add(out, " to ");
    print_bound(out, &draws->high, data, region);
    str_add(out, ", drawn for all ranks");
}

static bool is_relevant(const struct value_solution *solution, int place) {
    for (int i = 0; i < solution->relevance.relevant_count; i++)
        if (solution->relevance.relevant[i] == place)
            return true;
    return false;
}

/* What is drawn from a range goes by nothing but what is relevant; formulas have their own note.
 */
static bool is_irrelevant(const struct value_solution *solution, const struct value_data *data,
                          int place) {
    if (place < data->feature_count)
        return value_relevance_leaves_out(&solution->relevance, place, data->feature_count);
    return solution->draws.is_uniform && solution->relevance.relevant_count > 0 &&
           !is_relevant(solution, place);
}

static void print_irrelevant(struct str *out, const struct value_solution *solution,
                             const struct value_data *data, const struct region *region) {
    int count = 0;
    for (int j = 0; j < data->feature_count + data->plain_count && j < solution->dimension; j++)
        if (is_irrelevant(solution, data, j))
            str_printf(out, "%s%s", count++ > 0 ? ", " : "; whatever ",
                       value_data_name(data, region, j));
    str_add(out, count == 0 ? "" : count > 1 ? " are" : " is");
}

void value_solution_print(struct str *out, const struct value_solution *solution,
                          const struct value_data *data, const struct region *region) {
    if (solution->draws.one != BSIM_ONE_NONE) {
        print_one(out, solution->draws.one);
        return;
    }
    if (solution->draws.is_uniform) {
        print_uniform(out, &solution->draws, data, region);
        print_irrelevant(out, solution, data, region);
        return;
    }
    for (int i = 0; i < solution->count; i++) {
        if (solution->split >= 0)
            str_printf(out, "%s%s=%g: ", i > 0 ? "; " : "", region->features[solution->split].name,
                       solution->formulas[i].number);
        print_formula(out, &solution->formulas[i], data, region);
    }
    if (solution->positions != NULL) {
        str_add(out, ", times ");
        value_positions_print(out, solution->positions, region);
    }
    if (solution->follows)
        str_add(out, ", up and down as what was seen of the nearest");
    if (solution->relevance.relevant_count > 0)
        str_add(out, "; on other ranks as it was with the same arguments");
    if (solution->is_decided)
        str_add(out, "; as it was where that was the same");
    if (solution->stretch.is_found)
        value_stretch_print(out, &solution->stretch, data, region);
    else if (solution->alike < solution->dimension)
        str_add(out, "; features that were seen as in the run with the nearest sizes");
    else if (solution->is_as_nearest && solution->total >= 0)
        str_printf(out, "; with other sizes as the run with the nearest %s of all ranks",
                   value_data_name(data, region, solution->total));
    else if (solution->is_as_nearest)
        str_add(out, "; with other sizes as the run with the nearest");
    if (has_draws(solution)) {
        str_add(out, ", ");
        value_draws_print(out, &solution->draws);
    }
    print_irrelevant(out, solution, data, region);
}

static void add_formula(struct str *out, const struct value_formula *formula, int dimension) {
    str_printf(out, "formula %.17g terms %d\n", formula->number, formula->fit.term_count);
    for (int k = 0; k < formula->fit.term_count; k++) {
        str_printf(out, "term %.17g", formula->fit.coefficients[k]);
        for (int j = 0; j < dimension; j++) {
            double exponent = 0;
            for (int v = 0; v < formula->form.variable_count; v++)
                if (formula->form.variables[v] == j)
                    exponent = formula->fit.exponents[k][v];
            str_printf(out, " %.17g", exponent);
        }
        str_addc(out, '\n');
    }
}

static void add_seen(struct str *out, const struct value_seen *seen, size_t count, int dimension) {
    for (; count > 0; count--, seen++) {
        str_add(out, "seen");
        for (int j = 0; j < dimension; j++)
            str_printf(out, " %.17g", seen->vector[j]);
        str_printf(out, " mean %.17g pattern %zu", seen->mean, seen->repeat_count);
        for (size_t i = 0; i < seen->repeat_count; i++)
            str_printf(out, " %.17g %.17g", seen->repeats[i].number, seen->repeats[i].times);
        str_addc(out, '\n');
    }
}

/* What was seen, by vectors as the formula has them; and, where these lump together runs that only
 * sizes of other regions tell apart, first of each such run by itself. Where features decide alone,
 * by these. */
struct seen_lists {
    value_seen_list exact, seen;
    int dimension, prefix_dimension; /* the latter is of `seen`; -1: there is no other list */
};

struct length {
    struct value_seen *seen;
    double executions;
};

/* Of those before `end`, which took longer, the nearest that begins alike; NULL: there is none. */
static const struct value_seen *nearest_longer(const struct length *order, size_t end, int alike,
                                               int dimension,
                                               const struct bsim_value_metric *metric) {
    const struct value_seen *seen = order[end].seen, *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < end; i += end / LONGER_MAX + 1) {
        const struct value_seen *longer = order[i].seen;
        double distance = bsim_value_distance(longer->vector, seen->vector, dimension, metric);
        if (distance >= least || features_compare(longer->vector, seen->vector, alike) != 0)
            continue;
        best = longer;
        least = distance;
    }
    return best;
}

static int compare_lengths(const void *left, const void *right) {
    const struct length *a = left, *b = right;
    if (a->executions != b->executions)
        return a->executions > b->executions ? -1 : 1;
    return (a->seen > b->seen) - (a->seen < b->seen);
}

/* Where a run ends, its numbers go on as those of the nearest one that took longer, as time steps
 * do; that one may go on as another, which took longer still. */
static void go_on(struct seen_lists *lists, struct arena *arena, const struct value_data *data,
                  const struct value_solution *solution) {
    size_t count = lists->exact.count;
    struct length *order = ARENA_ARRAY(arena, struct length, count + 1);
    const struct bsim_value_metric metric = value_data_metric(data, solution->total);
    for (size_t i = 0; i < count; i++)
        order[i] =
            (struct length){&lists->exact.items[i], value_seen_executions(&lists->exact.items[i])};
    qsort(order, count, sizeof *order, compare_lengths);
    for (size_t i = 1; i < count; i++) {
        const struct value_seen *longer =
            nearest_longer(order, i, solution->alike, lists->dimension, &metric);
        if (longer != NULL)
            value_seen_go_on(order[i].seen, arena, longer);
    }
}

static void seen_lists_make(struct seen_lists *out, struct arena *arena,
                            const struct value_data *data, const struct value_solution *solution) {
    int whole = data->feature_count + data->context_count;
    *out = (struct seen_lists){.dimension = solution->dimension, .prefix_dimension = -1};
    if (solution->without_seen)
        return;
    bool have_prefix = solution->alike >= data->feature_count;
    if (have_prefix)
        value_data_seen(&out->seen, arena, data, solution->alike);
    if (whole == solution->alike)
        return;
    value_data_seen(&out->exact, arena, data, whole);
    if (out->exact.count > out->seen.count &&
        out->exact.count + out->seen.count <= BSIM_VALUE_SEEN_MAX) {
        out->dimension = whole;
        out->prefix_dimension = solution->alike;
    } else {
        out->exact.count = out->seen.count = 0;
        value_data_seen(&out->seen, arena, data, solution->dimension);
    }
    if (solution->stretch.is_found && out->prefix_dimension >= 0)
        value_stretch_go_on(&out->exact, arena, &solution->stretch);
    else if (data->kind == VALUE_FLOATING)
        go_on(out, arena, data, solution);
}

static size_t at_most(size_t count) {
    return count < BSIM_VALUE_SEEN_MAX ? count : BSIM_VALUE_SEEN_MAX;
}

static void add_relevance(struct str *out, const struct value_relevance *relevance,
                          int feature_count) {
    if (relevance->irrelevant_count > 0) {
        str_printf(out, " irrelevant %d", relevance->irrelevant_count);
        for (int j = 0; j < feature_count; j++)
            if (relevance->irrelevant[j])
                str_printf(out, " %d", j);
    }
    if (relevance->relevant_count > 0) {
        str_printf(out, " relevant %d", relevance->relevant_count);
        for (int i = 0; i < relevance->relevant_count; i++)
            str_printf(out, " %d", relevance->relevant[i]);
    }
    if (relevance->once.is_once) {
        str_printf(out, " once %d", relevance->once.place_count);
        for (int i = 0; i < relevance->once.place_count; i++)
            str_printf(out, " %d", relevance->once.places[i]);
    }
}

void value_solution_add_lines(struct str *out, struct arena *arena,
                              const struct value_solution *solution, const struct value_data *data,
                              const struct region *region) {
    struct seen_lists lists;
    seen_lists_make(&lists, arena, data, solution);
    const value_seen_list *first = lists.prefix_dimension >= 0 ? &lists.exact : &lists.seen;
    size_t first_count = at_most(first->count), prefix_count = at_most(lists.seen.count);
    int context = lists.dimension - data->feature_count;
    str_printf(out, "value %d %s %s features %d context %d", region->index, region->id,
               value_kind_name(data->kind), data->feature_count, context);
    for (int i = 0; i < context; i++)
        str_printf(out, " %s", data->context[i]);
    str_printf(out, " unit %.17g least %.17g split %d formulas %d seen %zu", data->unit,
               data->least, solution->split, solution->count, first_count);
    if (data->is_binary)
        str_add(out, " binary");
    if (solution->is_clock)
        str_add(out, " clock");
    if (solution->untold > 0)
        str_printf(out, " untold %s %.17g", solution->differs ? "ranks" : "runs",
                   fmin(solution->untold, BSIM_SPREAD_MAX));
    if (lists.prefix_dimension >= 0)
        str_printf(out, " prefixes %zu %d%s", prefix_count, lists.prefix_dimension,
                   solution->is_as_nearest ? " nearest" : "");
    if (solution->positions != NULL)
        value_positions_add_count(out, solution->positions);
    str_add(out, solution->follows ? " follows" : "");
    str_add(out, solution->is_decided ? " decided" : "");
    if (solution->validation != VALIDATION_NONE && solution->error <= BSIM_SPREAD_MAX)
        str_printf(out, " error %.17g", error_of(solution));
    if (lists.prefix_dimension >= 0 && solution->total >= 0)
        str_printf(out, " total %d", solution->total);
    add_relevance(out, &solution->relevance, data->feature_count);
    if (solution->stretch.is_found && lists.prefix_dimension >= 0)
        value_stretch_add(out, &solution->stretch);
    str_add(out, has_draws(solution) ? " draws\n" : "\n");
    for (int i = 0; i < solution->count; i++)
        add_formula(out, &solution->formulas[i], lists.dimension);
    add_seen(out, first->items, first_count, lists.dimension);
    if (lists.prefix_dimension >= 0)
        add_seen(out, lists.seen.items, prefix_count, lists.prefix_dimension);
    if (solution->positions != NULL)
        value_positions_add_lines(out, solution->positions);
    if (has_draws(solution))
        value_draws_add_line(out, &solution->draws);
    vec_dispose(&lists.exact);
    vec_dispose(&lists.seen);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs are numbered: the digits of a number choose the value of each parameter. See small_runs.h.
 */
#include "synthesis/compare/small_runs.h"

#include <math.h>
#include <string.h>

#define VALUES 3      /* of a parameter */
#define VARIED_MOST 3 /* parameters that are varied: the others stay at their least */

struct grid_parameters {
    bool is_known;
    int rows, columns;
};

static bool multiply_to_ranks(const struct recorded_runs *recorded, int one, int other) {
    for (size_t i = 0; i < recorded->items.count; i++) {
        const struct recorded_run *run = recorded->items.items[i];
        if (run->parameters[one] * run->parameters[other] != run->ranks)
            return false;
    }
    return true;
}

static struct grid_parameters find_grid(const struct recorded_runs *recorded) {
    for (int other = 1; other < recorded->parameter_count; other++)
        for (int one = 0; one < other; one++)
            if (multiply_to_ranks(recorded, one, other))
                return (struct grid_parameters){true, one, other};
    return (struct grid_parameters){0};
}

static double value_of(const struct recorded_runs *recorded, int parameter, int choice) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < recorded->items.count; i++) {
        least = fmin(least, recorded->items.items[i]->parameters[parameter]);
        most = fmax(most, recorded->items.items[i]->parameters[parameter]);
    }
    return choice == 0 ? least : choice == 1 ? most : 2 * most;
}

/* False: there are no more with so many ranks. Rows times columns may be others than the ranks. */
static bool choose(struct small_run *run, const struct recorded_runs *recorded,
                   const struct grid_parameters *grid) {
    int number = run->number, varied = 0;
    for (int i = 0; i < recorded->parameter_count; i++) {
        bool is_side = grid->is_known && (i == grid->rows || i == grid->columns);
        int choices = is_side ? run->ranks : varied++ < VARIED_MOST ? VALUES : 1;
        run->parameters[i] =
            is_side ? number % choices + 1 : value_of(recorded, i, number % choices);
        number /= choices;
    }
    return number == 0;
}

/* ---- Numbers of ranks ---- */

static bool is_power(int ranks, int exponent) {
    long side = lround(pow(ranks, 1.0 / exponent)), product = 1;
    for (int i = 0; i < exponent; i++)
        product *= side;
    return product == ranks;
}

/* 3 or 2 if all runs were on cubes or squares of ranks, which may be all that the program takes;
 * else 1. */
static int exponent_of(const struct recorded_runs *recorded) {
    for (int exponent = 3; exponent > 1; exponent--) {
        int most = 1;
        size_t i = 0;
        for (; i < recorded->items.count && is_power(recorded->items.items[i]->ranks, exponent);
             i++)
            most = recorded->items.items[i]->ranks > most ? recorded->items.items[i]->ranks : most;
        if (i == recorded->items.count && most > 1)
            return exponent;
    }
    return 1;
}

/* ---- Runs ---- */

static bool is_recorded(const struct recorded_runs *recorded, const struct small_run *run) {
    size_t bytes = (size_t)recorded->parameter_count * sizeof *run->parameters;
    for (size_t i = 0; i < recorded->items.count; i++)
        if (recorded->items.items[i]->ranks == run->ranks &&
            memcmp(recorded->items.items[i]->parameters, run->parameters, bytes) == 0)
            return true;
    return false;
}

static bool is_possible(const struct small_run *run, const struct grid_parameters *grid,
                        int exponent) {
    return grid->is_known
               ? run->parameters[grid->rows] * run->parameters[grid->columns] == run->ranks
               : is_power(run->ranks, exponent);
}

bool small_run_next(struct small_run *run, const struct recorded_runs *recorded, int ranks_most) {
    const struct grid_parameters grid = find_grid(recorded);
    int exponent = exponent_of(recorded);
    for (run->number++; run->ranks <= ranks_most; run->number++) {
        if (run->ranks == 0 || !choose(run, recorded, &grid)) {
            run->ranks++;
            run->number = -1;
        } else if (is_possible(run, &grid, exponent) && !is_recorded(recorded, run))
            return true;
    }
    return false;
}

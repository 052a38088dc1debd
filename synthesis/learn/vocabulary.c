/* SPDX-License-Identifier: Apache-2.0 */
#include "synthesis/learn/vocabulary.h"

#include <string.h>

#define DIRECTIONS 8 /* of as many a loop may be: of a line 2, of a plane 4 or 8, of a space 6 */

static bool lie_alike(const struct recorded_run *run, int one, int other) {
    struct synth_situation at = recorded_situation(run, 0);
    for (at.rank = 0; at.rank < run->ranks; at.rank++) {
        struct synth_place a = bsim_synth_place(&at, one), b = bsim_synth_place(&at, other);
        if (a.position != b.position || a.size != b.size)
            return false;
    }
    return true;
}

static bool is_known(const struct vocabulary *of, const struct recorded_runs *runs, int axis) {
    for (int i = 0; i < of->axis_count; i++) {
        size_t alike = 0;
        while (alike < runs->items.count && lie_alike(runs->items.items[alike], of->axes[i], axis))
            alike++;
        if (alike == runs->items.count)
            return true;
    }
    return false;
}

static void add_axis(struct vocabulary *out, const struct recorded_runs *runs, int axis) {
    if (out->axis_count < VOCABULARY_AXES_MOST && !is_known(out, runs, axis))
        out->axes[out->axis_count++] = axis;
}

/* Of all runs; -1: they differ. */
static int dimensions_of(const struct recorded_runs *runs, int group) {
    int count = runs->items.items[0]->groups[group].dimension_count;
    for (size_t i = 1; i < runs->items.count; i++)
        if (runs->items.items[i]->groups[group].dimension_count != count)
            return -1;
    return count;
}

/* ---- Parameters ---- */

static bool is_size_of(const struct recorded_run *run, int parameter, int axis) {
    struct synth_situation at = recorded_situation(run, 0);
    for (at.rank = 0; at.rank < run->ranks; at.rank++)
        if (bsim_synth_place(&at, axis).size != run->parameters[parameter])
            return false;
    return true;
}

static bool is_axis(const struct vocabulary *of, const struct recorded_runs *runs, int parameter) {
    for (int i = 0; i < of->axis_count; i++) {
        size_t alike = 0;
        while (alike < runs->items.count &&
               is_size_of(runs->items.items[alike], parameter, of->axes[i]))
            alike++;
        if (alike == runs->items.count)
            return true;
    }
    return false;
}

static bool is_never_smaller(const struct recorded_runs *runs, int one, int other) {
    for (size_t i = 0; i < runs->items.count; i++)
        if (runs->items.items[i]->parameters[one] < runs->items.items[i]->parameters[other])
            return false;
    return one != other;
}

static void add_parameters(struct vocabulary *out, const struct recorded_runs *runs) {
    for (int i = 0; i < runs->parameter_count; i++)
        if (!is_axis(out, runs, i))
            out->parameters[out->parameter_count++] = i;
    for (int i = 0; i < runs->parameter_count; i++)
        for (int k = 0; k < runs->parameter_count; k++)
            out->is_block[i][k] = is_never_smaller(runs, i, k);
}

/* ---- Counts ---- */

static void add_count(struct vocabulary *out, int count) {
    if (out->count_count < VOCABULARY_COUNTS_MOST)
        out->counts[out->count_count++] = count;
}

/* What inner loops may iterate: a few, directions, or as parameters and numbers of ranks say. */
static void add_counts(struct vocabulary *out) {
    for (int number = 1; number <= DIRECTIONS; number++)
        add_count(out, SYNTH_COUNT_NUMBER(number));
    for (int i = 0; i < out->parameter_count; i++)
        add_count(out, SYNTH_COUNT_PARAMETER(out->parameters[i]));
    for (int i = 0; i < out->axis_count; i++)
        add_count(out, SYNTH_COUNT_SIZE(out->axes[i]));
    for (int i = 0; i < out->parameter_count; i++)
        for (int k = 0; k < out->parameter_count; k++)
            if (out->is_block[out->parameters[i]][out->parameters[k]])
                add_count(out, SYNTH_COUNT_RATIO(out->parameters[i], out->parameters[k]));
}

void vocabulary_make(struct vocabulary *out, const struct recorded_runs *runs, int group_count) {
    *out = (struct vocabulary){0};
    for (size_t i = 0; i < runs->items.count; i++)
        if (runs->items.items[i]->world.group_count < group_count)
            group_count = runs->items.items[i]->world.group_count;
    for (int group = 0; group < group_count && runs->items.count > 0; group++) {
        int dimensions = dimensions_of(runs, group);
        if (group != 1)
            add_axis(out, runs, SYNTH_AXIS(group, 0));
        for (int k = 0; k < dimensions; k++)
            add_axis(out, runs, SYNTH_AXIS(group, k + 1));
        if (dimensions > 0 && out->grid_count < VOCABULARY_AXES_MOST)
            out->grids[out->grid_count++] = group;
    }
    add_parameters(out, runs);
    add_counts(out);
}

/* ---- All arguments of a kind ---- */

static int choices(const struct vocabulary *of, char takes, int depth) {
    return takes == 'P'   ? of->parameter_count
           : takes == 'A' ? of->axis_count
           : takes == 'G' ? of->grid_count
           : takes == 'L' ? depth
                          : VOCABULARY_CONSTANTS;
}

static short choice(const struct vocabulary *of, char takes, int number) {
    return (short)(takes == 'P'   ? of->parameters[number]
                   : takes == 'A' ? of->axes[number]
                   : takes == 'G' ? of->grids[number]
                                  : number);
}

static bool has_no_blocks(const struct vocabulary *of, const struct synth_quantity_kind *kind,
                          const short *arguments) {
    return strncmp(kind->takes, "PP", 2) == 0 && !of->is_block[arguments[0]][arguments[1]];
}

static void add_with(quantity_list *out, const struct vocabulary *of, int depth,
                     const struct synth_quantity_kind *kinds, int number, short *arguments,
                     size_t at) {
    const struct synth_quantity_kind *kind = &kinds[number];
    if (kind->takes[at] == '\0') {
        if (!has_no_blocks(of, kind, arguments))
            vec_push(out, (struct synth_quantity){(short)number, arguments[0], arguments[1],
                                                  arguments[2], 0});
        return;
    }
    for (int i = 0; i < choices(of, kind->takes[at], depth); i++) {
        arguments[at] = choice(of, kind->takes[at], i);
        add_with(out, of, depth, kinds, number, arguments, at + 1);
        arguments[at] = 0;
    }
}

static void add_all(quantity_list *out, const struct vocabulary *of, int depth,
                    const struct synth_quantity_kind *kinds) {
    for (int i = 0; kinds[i].name != NULL; i++) {
        short arguments[4] = {0};
        /* Periods and digits come from what was seen. */
        if (strcmp(kinds[i].name, "in-period") != 0 && strncmp(kinds[i].name, "digit", 5) != 0)
            add_with(out, of, depth, kinds, i, arguments, 0);
    }
}

void vocabulary_quantities(quantity_list *out, const struct vocabulary *of, int depth) {
    add_all(out, of, depth, bsim_synth_quantities);
}

/* The first or last of anything before the second: of three the last is also the third. */
static int number_in(const struct synth_quantity *condition) {
    const short arguments[] = {condition->a, condition->b, condition->c, condition->d};
    const char *takes = bsim_synth_conditions[condition->kind].takes, *number = strchr(takes, 'N');
    return number != NULL ? arguments[number - takes] : 0;
}

void vocabulary_conditions(quantity_list *out, const struct vocabulary *of, int depth) {
    quantity_list all = {0};
    add_all(&all, of, depth, bsim_synth_conditions);
    for (int number = 0; number < VOCABULARY_CONSTANTS; number++)
        for (size_t i = 0; i < all.count; i++)
            if (number_in(&all.items[i]) == number)
                vec_push(out, all.items[i]);
    vec_dispose(&all);
}

bool vocabulary_is_of_scale(const struct synth_quantity *condition) {
    const struct synth_quantity_kind *kind = &bsim_synth_conditions[condition->kind];
    if (strncmp(kind->name, "digit", 5) == 0)
        return condition->b >= SYNTH_COUNT_PARAMETER(0) || condition->c >= SYNTH_COUNT_PARAMETER(0);
    return strchr(kind->takes, 'P') != NULL || strncmp(kind->name, "size-", 5) == 0 ||
           strcmp(kind->name, "wide-dimension") == 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups one after the other, since the rule of a group may ask where a rank is in earlier ones;
 * see synth_world.h. All are made as MPI_Comm_split makes them.
 */
#include "synthesis/eval/synth_world.h"

#include <stdlib.h>
#include <string.h>

/* ---- Splitting ---- */

struct synth_split_member {
    int parent, rank; /* the first member of its parent; in MPI_COMM_WORLD */
    long long colour, key;
    int position; /* in its parent */
};

static int compare_members(const void *left, const void *right) {
    const struct synth_split_member *a = left, *b = right;
    if (a->parent != b->parent)
        return (a->parent > b->parent) - (a->parent < b->parent);
    if (a->colour != b->colour)
        return (a->colour > b->colour) - (a->colour < b->colour);
    if (a->key != b->key)
        return (a->key > b->key) - (a->key < b->key);
    return (a->position > b->position) - (a->position < b->position);
}

static int collect(struct synth_split_member *out, int ranks, const struct synth_group *parent,
                   const long long *colours, const long long *keys) {
    int count = 0;
    for (int rank = 0; rank < ranks; rank++)
        if (parent->places[rank].size > 0 && colours[rank] >= 0)
            out[count++] = (struct synth_split_member){.parent = parent->members[rank][0],
                                                       .rank = rank,
                                                       .colour = colours[rank],
                                                       .key = keys[rank],
                                                       .position = parent->places[rank].position};
    qsort(out, (size_t)count, sizeof *out, compare_members);
    return count;
}

static bool are_together(const struct synth_split_member *a, const struct synth_split_member *b) {
    return a->parent == b->parent && a->colour == b->colour;
}

int bsim_synth_group_split(struct synth_group *out, struct synth_pool *pool, int ranks,
                           const struct synth_group *parent, const long long *colours,
                           const long long *keys) {
    struct synth_split_member *sorted = bsim_synth_take(pool, (size_t)ranks * sizeof *sorted);
    struct synth_place *places = bsim_synth_take(pool, (size_t)ranks * sizeof *places);
    const int **members = bsim_synth_take(pool, (size_t)ranks * sizeof *members);
    int *order = bsim_synth_take(pool, (size_t)ranks * sizeof *order);
    if (sorted == NULL || places == NULL || members == NULL || order == NULL)
        return -1;
    int count = collect(sorted, ranks, parent, colours, keys);
    for (int rank = 0; rank < ranks; rank++)
        places[rank] = (struct synth_place){-1, 0};
    for (int begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && are_together(&sorted[begin], &sorted[end]); end++)
            order[end] = sorted[end].rank;
        for (int i = begin; i < end; i++) {
            places[order[i]] = (struct synth_place){i - begin, end - begin};
            members[order[i]] = order + begin;
        }
    }
    out->places = places;
    out->members = members;
    return 0;
}

/* ---- Rules ---- */

static int fail(char *error_text, size_t error_size, const char *what) {
    snprintf(error_text, error_size, "error: %s", what);
    return -1;
}

static const char *const no_memory = "not enough memory for the communicators";

/* Of the first rank that has a part in it. */
static void set_dimensions(struct synth_group *group, const struct synth_group_rule *rule,
                           struct synth_situation *at, const struct synth_group *parent) {
    group->dimension_count = rule->dimension_count;
    for (at->rank = 0; parent->places[at->rank].size == 0 && at->rank + 1 < at->world->ranks;)
        at->rank++;
    int size = parent->places[at->rank].size;
    if (rule->sides != SYNTH_LEARNED_SIDES && size > 0)
        bsim_synth_balanced(group->dimensions, rule->dimension_count, size,
                            rule->sides == SYNTH_RISING_SIDES);
    for (int k = 0; k < rule->dimension_count && rule->sides == SYNTH_LEARNED_SIDES; k++) {
        long long sides = bsim_synth_value(at, rule->dimensions[k]);
        group->dimensions[k] = sides >= 1 && sides <= size ? (int)sides : 0;
    }
}

static long long cells(const struct synth_group *group) {
    long long product = 1;
    for (int k = 0; k < group->dimension_count; k++)
        product *= group->dimensions[k];
    return product;
}

static int add_cartesian(struct synth_group *group, struct synth_made_world *out,
                         const struct synth_group_rule *rule, struct synth_situation *at,
                         long long *colours, const long long *keys) {
    const struct synth_group *parent = &out->groups[rule->parent];
    set_dimensions(group, rule, at, parent);
    for (int rank = 0; rank < out->world.ranks; rank++)
        colours[rank] = parent->places[rank].position < cells(group) ? 0 : -1;
    return bsim_synth_group_split(group, &out->pool, out->world.ranks, parent, colours, keys);
}

/* Dimensions whose bit is set stay; those who share all others are together. */
static int add_subgrid(struct synth_group *group, struct synth_made_world *out,
                       const struct synth_group_rule *rule, struct synth_situation *at,
                       long long *colours, const long long *keys) {
    const struct synth_group *parent = &out->groups[rule->parent];
    long long bits = bsim_synth_value(at, rule->colour);
    for (int rank = 0; rank < out->world.ranks; rank++) {
        int coordinates[SYNTH_DIMENSIONS_MOST];
        colours[rank] = parent->places[rank].size > 0 ? 0 : -1;
        if (colours[rank] < 0 || parent->dimension_count == 0)
            continue;
        bsim_synth_coordinates(coordinates, parent, parent->places[rank].position);
        for (int k = 0; k < parent->dimension_count; k++)
            if ((bits >> k & 1) == 0)
                colours[rank] = colours[rank] * parent->dimensions[k] + coordinates[k];
    }
    for (int k = 0; k < parent->dimension_count; k++)
        if ((bits >> k & 1) != 0)
            group->dimensions[group->dimension_count++] = parent->dimensions[k];
    return bsim_synth_group_split(group, &out->pool, out->world.ranks, parent, colours, keys);
}

static int add_split(struct synth_group *group, struct synth_made_world *out,
                     const struct synth_group_rule *rule, struct synth_situation *at,
                     long long *colours, long long *keys) {
    const struct synth_group *parent = &out->groups[rule->parent];
    bool is_copy = rule->making == SYNTH_DUPLICATE;
    for (at->rank = 0; at->rank < out->world.ranks; at->rank++) {
        colours[at->rank] = is_copy ? 0 : bsim_synth_value(at, rule->colour);
        keys[at->rank] = is_copy ? 0 : bsim_synth_value(at, rule->key);
    }
    if (is_copy) {
        group->dimension_count = parent->dimension_count;
        memcpy(group->dimensions, parent->dimensions, sizeof group->dimensions);
    }
    return bsim_synth_group_split(group, &out->pool, out->world.ranks, parent, colours, keys);
}

static int add_group(struct synth_made_world *out, const struct synth_group_rule *rule,
                     char *error_text, size_t error_size) {
    struct synth_group group = {0};
    struct synth_situation at = {.world = &out->world};
    size_t bytes = (size_t)out->world.ranks * sizeof(long long);
    long long *colours = bsim_synth_take(&out->pool, bytes);
    long long *keys = bsim_synth_take(&out->pool, bytes);
    if (colours == NULL || keys == NULL)
        return fail(error_text, error_size, no_memory);
    int result =
        rule->making == SYNTH_CARTESIAN ? add_cartesian(&group, out, rule, &at, colours, keys)
        : rule->making == SYNTH_SUBGRID ? add_subgrid(&group, out, rule, &at, colours, keys)
                                        : add_split(&group, out, rule, &at, colours, keys);
    if (result != 0)
        return fail(error_text, error_size, no_memory);
    if (rule->making == SYNTH_CARTESIAN && (cells(&group) < 1 || cells(&group) > out->world.ranks))
        return fail(error_text, error_size,
                    "the grid of ranks that was learned does not fit this number of ranks: give "
                    "parameters whose product it is, or record runs on other numbers of ranks");
    out->groups[out->world.group_count++] = group;
    return 0;
}

/* MPI_COMM_WORLD and MPI_COMM_SELF. */
static int add_predefined(struct synth_made_world *out) {
    int ranks = out->world.ranks;
    long long *zero = bsim_synth_take(&out->pool, (size_t)ranks * sizeof *zero);
    long long *own = bsim_synth_take(&out->pool, (size_t)ranks * sizeof *own);
    struct synth_place *places = bsim_synth_take(&out->pool, (size_t)ranks * sizeof *places);
    const int **members = bsim_synth_take(&out->pool, (size_t)ranks * sizeof *members);
    int *order = bsim_synth_take(&out->pool, (size_t)ranks * sizeof *order);
    if (zero == NULL || own == NULL || places == NULL || members == NULL || order == NULL)
        return -1;
    for (int rank = 0; rank < ranks; rank++) {
        order[rank] = rank;
        own[rank] = rank;
        places[rank] = (struct synth_place){rank, ranks};
        members[rank] = order;
    }
    out->groups[0] = (struct synth_group){.places = places, .members = members};
    out->world.group_count = 2;
    return bsim_synth_group_split(&out->groups[1], &out->pool, ranks, &out->groups[0], own, zero);
}

int bsim_synth_world_make(struct synth_made_world *out, const struct synth_model *model, int ranks,
                          const double *parameters, char *error_text, size_t error_size) {
    *out = (struct synth_made_world){
        .world = {.ranks = ranks, .parameter_count = model->parameter_count}};
    memcpy(out->parameters, parameters, (size_t)model->parameter_count * sizeof *parameters);
    out->world.parameters = out->parameters;
    out->world.groups = out->groups;
    if (add_predefined(out) != 0)
        return fail(error_text, error_size, no_memory);
    for (int i = 0; i < model->rule_count; i++)
        if (add_group(out, &model->rules[i], error_text, error_size) != 0)
            return -1;
    return 0;
}

void bsim_synth_world_dispose(struct synth_made_world *world) {
    bsim_synth_pool_dispose(&world->pool);
}

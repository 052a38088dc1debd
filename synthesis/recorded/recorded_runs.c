/* SPDX-License-Identifier: Apache-2.0 */
#include "synthesis/recorded/recorded_runs.h"

#include <string.h>

void recorded_runs_init(struct recorded_runs *out) {
    *out = (struct recorded_runs){0};
    arena_init(&out->arena);
    vec_push(&out->frames, (struct recorded_frame){.name = "", .key = ""});
}

void recorded_runs_dispose(struct recorded_runs *runs) {
    for (size_t i = 0; i < runs->items.count; i++)
        for (int rank = 0; rank < runs->items.items[i]->ranks; rank++)
            vec_dispose(&runs->items.items[i]->by_rank[rank].calls);
    vec_dispose(&runs->items);
    vec_dispose(&runs->frames);
    hash_table_dispose(&runs->by_frame);
    bsim_synth_pool_dispose(&runs->pool);
    arena_dispose(&runs->arena);
}

uint32_t recorded_frame(struct recorded_runs *runs, uint32_t parent, const char *key,
                        const char *name, uint64_t offset) {
    const char *text = arena_printf(&runs->arena, "%u %s", parent, key);
    uint32_t *known = hash_table_find_text(&runs->by_frame, text);
    if (known != NULL)
        return *known;
    known = hash_table_add_text(&runs->by_frame, text, sizeof *known);
    *known = (uint32_t)runs->frames.count;
    vec_push(&runs->frames, (struct recorded_frame){.parent = parent,
                                                    .name = arena_strdup(&runs->arena, name),
                                                    .key = arena_strdup(&runs->arena, key),
                                                    .offset = offset});
    return *known;
}

/* The first two groups are as in a world that a model without rules makes. */
static void add_predefined(struct recorded_runs *runs, struct recorded_run *run) {
    const struct synth_model none = {.ranks_least = 1};
    struct synth_made_world *made = ARENA_NEW(&runs->arena, struct synth_made_world);
    char text[256];
    if (bsim_synth_world_make(made, &none, run->ranks, run->parameters, text, sizeof text) != 0)
        abort(); /* out of memory */
    memcpy(run->groups, made->groups, sizeof run->groups);
    run->world = made->world;
    run->world.groups = run->groups;
    run->world.parameters = run->parameters;
    run->world.parameter_count = runs->parameter_count;
    bsim_synth_pool_join(&runs->pool, &made->pool);
}

struct recorded_run *recorded_run_add(struct recorded_runs *runs, const char *name, int ranks,
                                      const double *parameters) {
    struct recorded_run *run = ARENA_NEW(&runs->arena, struct recorded_run);
    double *copy = ARENA_ARRAY(&runs->arena, double, SYNTH_PARAMETERS_MOST);
    memcpy(copy, parameters, (size_t)runs->parameter_count * sizeof *copy);
    run->name = arena_strdup(&runs->arena, name);
    run->ranks = ranks;
    run->parameters = copy;
    run->by_rank = ARENA_ARRAY(&runs->arena, struct recorded_rank, (size_t)ranks);
    add_predefined(runs, run);
    vec_push(&runs->items, run);
    return run;
}

int recorded_group_add(struct recorded_runs *runs, struct recorded_run *run,
                       const struct recorded_making *making) {
    int number = run->world.group_count;
    if (number == SYNTH_GROUPS_MOST)
        return -1;
    run->groups[number] = (struct synth_group){0};
    run->makings[number] = *making;
    if (bsim_synth_group_split(&run->groups[number], &runs->pool, run->ranks,
                               &run->groups[making->parent], making->colours, making->keys) != 0)
        abort(); /* out of memory */
    run->world.group_count++;
    return number;
}

struct synth_situation recorded_situation(const struct recorded_run *run, int rank) {
    return (struct synth_situation){.world = &run->world, .rank = rank};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See assumed_grid.h. Grids that a program makes itself are better: where one has a topology,
 * nothing is assumed.
 */
#include "synthesis/recorded/assumed_grid.h"

#include <string.h>

#define NUMBER 2 /* of the grid's group: behind MPI_COMM_WORLD and MPI_COMM_SELF */

struct grid_search {
    const struct recorded_runs *runs;
    int group_count; /* that all runs have */
    int slow, fast;  /* groups along which a rank's number changes slowly and fast; 0: a cube */
};

static bool has_topology(const struct recorded_run *run) {
    for (int i = 0; i < run->world.group_count; i++)
        if (run->groups[i].dimension_count > 0)
            return true;
    return false;
}

/* ---- Rows and columns ---- */

static bool cross_in(const struct recorded_run *run, int slow, int fast) {
    for (int rank = 0; rank < run->ranks; rank++) {
        struct synth_place a = run->groups[slow].places[rank], b = run->groups[fast].places[rank];
        if (a.size * b.size != run->ranks || a.position * b.size + b.position != rank)
            return false;
    }
    return true;
}

/* Groups of all ranks, or of single ones, cross with each other, too: of one run at least both have
 * to be more. */
static bool cross(const struct grid_search *search, int slow, int fast) {
    bool is_grid = false;
    for (size_t i = 0; i < search->runs->items.count; i++) {
        const struct recorded_run *run = search->runs->items.items[i];
        if (!cross_in(run, slow, fast))
            return false;
        is_grid |= run->groups[slow].places[0].size > 1 && run->groups[fast].places[0].size > 1;
    }
    return is_grid;
}

static bool find_crossing(struct grid_search *search) {
    for (search->slow = NUMBER; search->slow < search->group_count; search->slow++)
        for (search->fast = NUMBER; search->fast < search->group_count; search->fast++)
            if (search->slow != search->fast && cross(search, search->slow, search->fast))
                return true;
    return false;
}

/* ---- A cube ---- */

static bool are_cubes(const struct recorded_runs *runs) {
    bool has_several = false;
    for (size_t i = 0; i < runs->items.count; i++) {
        int ranks = runs->items.items[i]->ranks, side = 1;
        while (side * side * side < ranks)
            side++;
        if (side * side * side != ranks)
            return false;
        has_several |= ranks > 1;
    }
    return has_several;
}

/* ---- All ---- */

static bool find_grid(struct grid_search *search) {
    search->group_count = SYNTH_GROUPS_MOST;
    for (size_t i = 0; i < search->runs->items.count; i++) {
        const struct recorded_run *run = search->runs->items.items[i];
        if (has_topology(run) || run->world.group_count == SYNTH_GROUPS_MOST)
            return false;
        if (run->world.group_count < search->group_count)
            search->group_count = run->world.group_count;
    }
    if (find_crossing(search))
        return true;
    search->slow = search->fast = 0;
    return are_cubes(search->runs);
}

static void move_call(struct recorded_call *call) {
    call->group = (int16_t)(call->group + (call->group >= NUMBER));
    call->made = (int16_t)(call->made + (call->made >= NUMBER));
}

/* All groups behind the predefined ones get the next number. */
static void make_room(struct recorded_run *run) {
    size_t behind = (size_t)(run->world.group_count - NUMBER);
    memmove(run->groups + NUMBER + 1, run->groups + NUMBER, behind * sizeof *run->groups);
    memmove(run->makings + NUMBER + 1, run->makings + NUMBER, behind * sizeof *run->makings);
    run->world.group_count++;
    for (int i = NUMBER + 1; i < run->world.group_count; i++)
        run->makings[i].parent += run->makings[i].parent >= NUMBER;
    for (int rank = 0; rank < run->ranks; rank++)
        for (size_t i = 0; i < run->by_rank[rank].calls.count; i++)
            move_call(&run->by_rank[rank].calls.items[i]);
}

static void add_grid(struct recorded_runs *runs, struct recorded_run *run,
                     const struct grid_search *search) {
    size_t ranks = (size_t)run->ranks;
    struct synth_group grid = {.places = run->groups[0].places, .members = run->groups[0].members};
    if (search->slow > 0) {
        grid.dimension_count = 2;
        grid.dimensions[0] = run->groups[search->slow].places[0].size;
        grid.dimensions[1] = run->groups[search->fast].places[0].size;
    } else {
        grid.dimension_count = 3;
        bsim_synth_balanced(grid.dimensions, 3, run->ranks, false);
    }
    make_room(run);
    run->groups[NUMBER] = grid;
    run->makings[NUMBER] =
        (struct recorded_making){.making = SYNTH_CARTESIAN,
                                 .colours = ARENA_ARRAY(&runs->arena, long long, ranks),
                                 .keys = ARENA_ARRAY(&runs->arena, long long, ranks),
                                 .bits = ARENA_ARRAY(&runs->arena, long long, ranks)};
}

bool recorded_runs_assume_grid(struct recorded_runs *runs) {
    struct grid_search search = {.runs = runs};
    if (!find_grid(&search))
        return false;
    for (size_t i = 0; i < runs->items.count; i++)
        add_grid(runs, runs->items.items[i], &search);
    runs->assumed_groups = 1;
    return true;
}

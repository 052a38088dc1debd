/* SPDX-License-Identifier: Apache-2.0
 *
 * See guard_models.h. The samples that are left are copied, since a fit changes their order.
 */
#include "simulator/guard/guard_models.h"

#include "model/fit.h"

static bool is_left_out(const struct run *run, const struct profiled *size, int ranks) {
    return size != NULL ? run_has_input_of(run, size->arguments, size->directory)
                        : run->ranks == ranks;
}

/* In the arena; `out->arena` itself has nothing. */
static void take_others(struct samples *out, struct arena *arena, const struct samples *all,
                        const struct profiled *size, int ranks) {
    int *number = ARENA_ARRAY(arena, int, (size_t)all->run_count + 1);
    *out = (struct samples){
        .without_ratio = true, /* which values have none of */
        .statistic = all->statistic,
        .runs = ARENA_ARRAY(arena, struct run, (size_t)all->run_count + 1),
        .items = ARENA_ARRAY(arena, struct sample, all->count + 1),
    };
    for (int i = 0; i < all->run_count; i++) {
        number[i] = -1;
        if (is_left_out(&all->runs[i], size, ranks))
            continue;
        number[i] = out->run_count;
        out->runs[out->run_count++] = all->runs[i];
    }
    for (size_t i = 0; i < all->count; i++) {
        if (number[all->items[i].run] < 0)
            continue;
        out->items[out->count] = all->items[i];
        out->items[out->count++].run = number[all->items[i].run];
    }
}

static int write_mixed(const struct guard_models *of, const struct models *values, const char *path,
                       struct arena *arena, struct error *error) {
    struct models mixed = *of->models;
    mixed.items = ARENA_ARRAY(arena, struct latency_model, (size_t)mixed.count + 1);
    for (int i = 0; i < mixed.count; i++) {
        bool is_value = of->regions->items[i].value != VALUE_NONE && values->items[i].fitted;
        mixed.items[i] = is_value ? values->items[i] : of->models->items[i];
    }
    return models_write(&mixed, path, error);
}

int guard_models_write(const struct guard_models *of, const char *path, const struct profiled *size,
                       int ranks, struct error *error) {
    struct arena arena;
    struct samples others;
    struct models values;
    arena_init(&arena);
    take_others(&others, &arena, of->samples, size, ranks);
    models_fit_values(&values, &others, of->regions, of->models->machine);
    int result = write_mixed(of, &values, path, &arena, error);
    models_dispose(&values);
    arena_dispose(&arena);
    return result;
}

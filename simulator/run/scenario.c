/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/run/scenario.h"

void scenario_add(struct scenario *scenario, const char *option, const char *value,
                  const char *effect) {
    struct arena *arena = &scenario->arena;
    vec_push(&scenario->changes,
             (struct change){arena_strdup(arena, option), arena_strdup(arena, value),
                             arena_strdup(arena, effect)});
}

void scenario_dispose(struct scenario *scenario) {
    vec_dispose(&scenario->changes);
    arena_dispose(&scenario->arena);
}

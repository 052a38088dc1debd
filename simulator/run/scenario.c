/* SPDX-License-Identifier: Apache-2.0
 *
 * The list and its forms; see scenario.h.
 */
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

void scenario_print_text(FILE *out, const struct scenario *scenario) {
    for (size_t i = 0; i < scenario->changes.count; i++) {
        const struct change *change = &scenario->changes.items[i];
        fprintf(out, "%s%s%s%s: %s\n", i == 0 ? "changed: " : "         ", change->option,
                change->value[0] != '\0' ? " " : "", change->value, change->effect);
    }
    if (scenario->changes.count > 0)
        fputc('\n', out);
}

json_t *scenario_json(const struct scenario *scenario) {
    json_t *array = json_array();
    for (size_t i = 0; i < scenario->changes.count; i++) {
        const struct change *change = &scenario->changes.items[i];
        json_array_append_new(array,
                              json_pack("{s:o, s:o, s:o}", "option", json_any_text(change->option),
                                        "value", json_any_text(change->value), "effect",
                                        json_any_text(change->effect)));
    }
    return array;
}

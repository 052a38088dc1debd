/* SPDX-License-Identifier: Apache-2.0
 *
 * System V's rules for ELF: a strong definition before a weak one, of weak ones the first that is
 * linked. Compilers are asked only about units that define a function that another one defines in
 * another place, too (weak_symbols.c).
 *
 * Variables need none of this: what any of their initialisers says is taken for possible, and the
 * skeleton's own link chooses as the application's does.
 */
#include "frontend/overridden.h"

#include "base/hash_table.h"
#include "frontend/commands/weak_symbols.h"

#include <stdlib.h>

struct overridden_search {
    struct program *program;
    const struct compile_command *commands;
    const char **assemblies; /* by unit; NULL: not asked */
};

struct external_definition {
    struct definition *definition;
    int unit;
};

static bool is_weak(struct overridden_search *s, const struct external_definition *one) {
    const char **assembly = &s->assemblies[one->unit];
    if (*assembly == NULL)
        *assembly = weak_symbols_read(&s->program->arena, &s->commands[one->unit]);
    return weak_symbols_has(*assembly, one->definition->declaration->name);
}

static bool is_in_same_text(const struct definition *one, const struct definition *other) {
    return one->range.file == other->range.file && one->range.begin == other->range.begin;
}

static void override(struct overridden_search *s, const struct external_definition *one) {
    struct arena *arena = &s->program->arena;
    struct declaration *copy = ARENA_NEW(arena, struct declaration);
    *copy = *one->definition->declaration;
    copy->key = arena_printf(arena, "%s overridden in %d", copy->key, one->unit);
    one->definition->declaration = copy;
}

/* *taken is what is taken so far. */
static void choose(struct overridden_search *s, struct external_definition *taken,
                   struct external_definition other) {
    bool taken_is_weak = is_weak(s, taken), other_is_weak = is_weak(s, &other);
    bool is_before = s->commands[other.unit].link_position < s->commands[taken->unit].link_position;
    if (!taken_is_weak && !other_is_weak)
        return;
    if (taken_is_weak && (!other_is_weak || is_before)) {
        override(s, taken);
        *taken = other;
    } else {
        override(s, &other);
    }
}

static void look_at(struct overridden_search *s, struct hash_table *table, struct unit *unit,
                    int index) {
    for (int i = 0; i < unit->definition_count; i++) {
        struct external_definition one = {&unit->definitions[i], index};
        if (one.definition->body == NULL || !one.definition->declaration->external_linkage)
            continue;
        const char *key = one.definition->declaration->key;
        struct external_definition *known = hash_table_find_text(table, key);
        if (known == NULL)
            *(struct external_definition *)hash_table_add_text(table, key, sizeof one) = one;
        else if (!is_in_same_text(known->definition, one.definition))
            choose(s, known, one);
    }
}

void overridden_find(struct program *program, const struct compile_command *commands, int count) {
    struct overridden_search s = {.program = program, .commands = commands};
    struct hash_table table = {0};
    s.assemblies = ARENA_ARRAY(&program->arena, const char *, (size_t)count + 1);
    for (int i = 0; (int)program->units.count == count && i < count; i++)
        look_at(&s, &table, program->units.items[i], i);
    hash_table_dispose(&table);
}

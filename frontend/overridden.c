/* SPDX-License-Identifier: Apache-2.0
 *
 * System V's rules for ELF: a strong definition before a weak one, of weak ones the first that is
 * linked. An inline definition may have no symbol at all (C11, 6.7.4; gcc's gnu_inline): compilers
 * call it or the one that has, which are meant to do the same, and the latter is taken. Compilers
 * are asked only about units that define a function that another one defines in another place, too
 * (weak_symbols.c).
 *
 * Variables need none of this: what any of their initialisers says is taken for possible, and the
 * skeleton's own link chooses as the application's does.
 */
#include "frontend/overridden.h"

#include "base/hash_table.h"
#include "frontend/commands/weak_symbols.h"

#include <stdlib.h>
#include <string.h>

struct overridden_search {
    struct program *program;
    const struct compile_command *commands;
    const char **assemblies; /* by unit; NULL: not asked */
};

struct external_definition {
    struct definition *definition;
    int unit;
};

/* What a definition gives to the linker. */
enum linkage { NO_SYMBOL, WEAK_SYMBOL, STRONG_SYMBOL };

static const char *symbol_of(const struct declaration *declaration) {
    return declaration->symbol != NULL ? declaration->symbol : declaration->name;
}

/* A gnu_inline definition may come before the function itself, which the unit's symbol is then. */
static bool is_redefined(const struct overridden_search *s, const struct external_definition *one) {
    const struct unit *unit = s->program->units.items[one->unit];
    for (const struct definition *other = one->definition + 1;
         other < unit->definitions + unit->definition_count; other++)
        if (other->body != NULL &&
            strcmp(other->declaration->key, one->definition->declaration->key) == 0)
            return true;
    return false;
}

static enum linkage linkage_of(struct overridden_search *s, const struct external_definition *one) {
    const char **assembly = &s->assemblies[one->unit];
    const char *name = symbol_of(one->definition->declaration);
    if (*assembly == NULL)
        *assembly = weak_symbols_read(&s->program->arena, &s->commands[one->unit]);
    if (is_redefined(s, one))
        return NO_SYMBOL;
    if (weak_symbols_has(*assembly, name))
        return WEAK_SYMBOL;
    return weak_symbols_defines(*assembly, name) ? STRONG_SYMBOL : NO_SYMBOL;
}

static bool is_in_same_text(const struct definition *one, const struct definition *other) {
    return one->range.file == other->range.file && one->range.begin == other->range.begin;
}

/* *taken is what is taken so far. */
static void choose(struct overridden_search *s, struct external_definition *taken,
                   struct external_definition other) {
    enum linkage old = linkage_of(s, taken), new = linkage_of(s, &other);
    bool is_before = s->commands[other.unit].link_position < s->commands[taken->unit].link_position;
    if (new > old || (new == WEAK_SYMBOL &&old == WEAK_SYMBOL &&is_before))
        *taken = other;
}

static void take(struct overridden_search *s, struct hash_table *table,
                 struct external_definition one) {
    const char *key = one.definition->declaration->key;
    struct external_definition *known = hash_table_find_text(table, key);
    if (known == NULL)
        *(struct external_definition *)hash_table_add_text(table, key, sizeof one) = one;
    else if (!is_in_same_text(known->definition, one.definition))
        choose(s, known, one);
}

/* The same text has the same key in all units, and is one function. */
static void override(struct overridden_search *s, struct hash_table *table,
                     struct external_definition one) {
    struct arena *arena = &s->program->arena;
    const struct declaration *declaration = one.definition->declaration;
    const struct external_definition *taken = hash_table_find_text(table, declaration->key);
    if (is_in_same_text(taken->definition, one.definition))
        return;
    enum linkage linkage = linkage_of(s, &one);
    if (linkage == STRONG_SYMBOL || (linkage == NO_SYMBOL && linkage_of(s, taken) == NO_SYMBOL))
        return;
    struct declaration *copy = ARENA_NEW(arena, struct declaration);
    *copy = *declaration;
    copy->overridden_by = copy->key;
    copy->key = arena_printf(arena, "%s overridden at %d:%u", copy->key, one.definition->range.file,
                             one.definition->range.begin);
    one.definition->declaration = copy;
}

typedef void visit(struct overridden_search *s, struct hash_table *table,
                   struct external_definition one);

static void for_each(struct overridden_search *s, struct hash_table *table, int count,
                     visit *each) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < s->program->units.items[i]->definition_count; k++) {
            struct definition *definition = &s->program->units.items[i]->definitions[k];
            if (definition->body != NULL && definition->declaration->external_linkage)
                each(s, table, (struct external_definition){definition, i});
        }
}

void overridden_find(struct program *program, const struct compile_command *commands, int count) {
    struct overridden_search s = {.program = program, .commands = commands};
    struct hash_table table = {0};
    s.assemblies = ARENA_ARRAY(&program->arena, const char *, (size_t)count + 1);
    if ((int)program->units.count == count) {
        for_each(&s, &table, count, take);
        for_each(&s, &table, count, override);
    }
    hash_table_dispose(&table);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * In: units. Out: names of the kind "alias", from keys to the declarations that they stand for. A
 * function that is defined under the name is what is called, whatever a weak alias says.
 *
 * Not handled: ifunc, which is refused; aliases in assembly.
 */
#include "frontend/program/aliases.h"

#include "frontend/program/names.h"

#include <string.h>

static const struct definition *definition_of(const struct program *program, const char *key) {
    for (size_t u = 0; u < program->units.count; u++) {
        const struct unit *unit = program->units.items[u];
        for (int i = 0; i < unit->definition_count; i++) {
            const struct definition *definition = &unit->definitions[i];
            bool defines = definition->body != NULL ||
                           (definition->variable != NULL && !definition->is_extern);
            if (defines && strcmp(definition->declaration->key, key) == 0)
                return definition;
        }
    }
    return NULL;
}

/* What nobody defines may be a function of a library. */
static const struct declaration *declaration_of(struct program *program, const char *symbol,
                                                const struct declaration *alias) {
    const struct definition *definition = definition_of(program, symbol);
    if (definition != NULL)
        return definition->declaration;
    struct declaration *declaration = ARENA_NEW(&program->arena, struct declaration);
    *declaration = (struct declaration){.kind = alias->kind,
                                        .name = symbol,
                                        .type = alias->type,
                                        .key = symbol,
                                        .external_linkage = true,
                                        .name_range = {-1, 0, 0}};
    return declaration;
}

static void add_alias(struct program *program, const char *key, const struct declaration *target) {
    if (strcmp(key, target->key) == 0)
        return;
    names_put(program->names, "alias", key, (void *)target);
    program->has_aliases = true;
}

static void note_attribute(struct program *program, const struct alias *alias) {
    const struct declaration *declaration = alias->declaration;
    if (alias->is_resolved) {
        program_report(program, alias->range, "error",
                       "which function '%s' is, '%s' decides while the program is loaded (ifunc), "
                       "which cannot be followed; set a pointer to a function in main instead",
                       declaration->name, alias->symbol);
        return;
    }
    if (!alias->is_reference && alias->target != NULL && declaration->kind == DECLARATION_FUNCTION)
        vec_push(&program->targets, alias->target);
    const struct definition *defined = definition_of(program, declaration->key);
    if (defined == NULL || (defined->variable != NULL && defined->declaration == declaration))
        add_alias(program, declaration->key,
                  alias->target != NULL ? alias->target
                                        : declaration_of(program, alias->symbol, declaration));
}

static bool is_name(int c) {
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static const char *take_name(struct program *program, const char **at) {
    *at += strspn(*at, " \t=");
    const char *begin = *at;
    while (is_name((unsigned char)**at))
        ++*at;
    return arena_strndup(&program->arena, begin, (size_t)(*at - begin));
}

/* `#pragma weak name = target`, of which the parser tells nothing. */
static void note_pragmas(struct program *program, const char *text) {
    for (const char *at = text; (at = strstr(at, "pragma")) != NULL;) {
        at += strlen("pragma");
        at += strspn(at, " \t");
        if (strncmp(at, "weak", strlen("weak")) != 0)
            continue;
        at += strlen("weak");
        const char *name = take_name(program, &at), *target = take_name(program, &at);
        const struct definition *definition =
            name[0] != '\0' && target[0] != '\0' ? definition_of(program, target) : NULL;
        if (definition != NULL && definition->body != NULL)
            vec_push(&program->targets, definition->declaration);
        if (definition != NULL && definition_of(program, name) == NULL)
            add_alias(program, name, definition->declaration);
    }
}

void aliases_note(struct program *program) {
    for (size_t u = 0; u < program->units.count; u++)
        for (int i = 0; i < program->units.items[u]->alias_count; i++)
            note_attribute(program, &program->units.items[u]->aliases[i]);
    for (size_t i = 0; i < program->files.count; i++)
        if (program->files.items[i]->in_project)
            note_pragmas(program, program->files.items[i]->text);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * In: units. Out: names of the kind "section". A pointer to a bound may point to any variable of
 * the section, and a bound that stays keeps all of them, since they are counted.
 *
 * Not handled: names that a linker script gives to sections; sections of functions that run before
 * main or at the end, which are refused.
 */
#include "frontend/program/sections.h"

#include "base/str.h"
#include "frontend/program/names.h"

#include <string.h>

static bool runs_by_itself(const char *section) {
    static const char *const sections[] = {".init_array", ".preinit_array", ".fini_array", ".ctors",
                                           ".dtors"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (text_has_prefix(section, sections[i]))
            return true;
    return false;
}

static void add(struct program *program, const struct declaration *variable) {
    struct section *section = names_get(program->names, "section", variable->section);
    if (runs_by_itself(variable->section))
        program_report(program, variable->name_range, "error",
                       "what is called from section '%s' is not followed; use the attribute "
                       "constructor, or call it in main",
                       variable->section);
    if (section == NULL) {
        section = ARENA_NEW(&program->arena, struct section);
        names_put(program->names, "section", variable->section, section);
        vec_push(&program->sections, section);
    }
    for (size_t i = 0; i < section->variables.count; i++)
        if (strcmp(section->variables.items[i]->key, variable->key) == 0)
            return;
    vec_push(&section->variables, variable);
}

static void add_all(struct program *program, const struct ast *ast) {
    if (ast == NULL)
        return;
    if (ast->kind == AST_VARIABLE && ast->declaration->section != NULL)
        add(program, ast->declaration);
    for (int i = 0; i < ast->kid_count; i++)
        add_all(program, ast->kids[i]);
}

void sections_note(struct program *program) {
    for (size_t u = 0; u < program->units.count; u++) {
        const struct unit *unit = program->units.items[u];
        for (int i = 0; i < unit->definition_count; i++) {
            add_all(program, unit->definitions[i].variable);
            add_all(program, unit->definitions[i].body);
        }
    }
}

const struct section *sections_bounded_by(const struct program *program,
                                          const struct declaration *variable) {
    static const char *const bounds[] = {"__start_", "__stop_"};
    for (size_t i = 0; program->sections.count > 0 && variable->external_linkage &&
                       i < sizeof bounds / sizeof *bounds;
         i++)
        if (text_has_prefix(variable->name, bounds[i]))
            return names_get(program->names, "section", variable->name + strlen(bounds[i]));
    return NULL;
}

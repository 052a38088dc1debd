/* SPDX-License-Identifier: Apache-2.0
 *
 * Each unit is parsed, or taken from the cache, and modelled; then what only the whole program
 * shows is checked (a function defined twice, no main).
 */
#include "frontend/load.h"

#include "frontend/cache/unit_cache.h"
#include "frontend/clang/clang.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/program/aliases.h"
#include "frontend/program/build.h"
#include "frontend/program/names.h"
#include "frontend/program/sections.h"
#include "frontend/program/unit_record.h"

static void check_main(struct program *program) {
    struct range nowhere = {-1, 0, 0};
    if (program_function(program, "main") == NULL && program->error_count == 0)
        program_report(program, nowhere, "error",
                       "none of the %zu units defines main; name the executable with --link",
                       program->units.count);
}

static struct unit *load_unit(struct program *program, struct unit_cache *cache,
                              const struct compile_command *command,
                              const struct compile_arguments *arguments) {
    struct unit_record record = {0};
    struct unit *unit = cache != NULL ? unit_cache_take(cache, program, command, arguments) : NULL;
    if (unit != NULL)
        return unit;
    unit = clang_parse(program, command->file, arguments->items, arguments->count, &record);
    if (unit != NULL && cache != NULL)
        unit_cache_keep(cache, program, command, arguments, unit, &record);
    unit_record_dispose(&record);
    return unit;
}

int program_load(struct program *out, const struct compile_command *commands, int command_count,
                 const char *root, struct externs *libraries, struct unit_cache *cache) {
    *out = (struct program){0};
    out->names = names_new();
    out->root = arena_strdup(&out->arena, root);
    out->libraries = libraries;
    struct builder builder = {.program = out};
    for (int i = 0; i < command_count; i++) {
        struct compile_arguments arguments = {0};
        commands_parse_arguments(&arguments, &out->arena, &commands[i]);
        out->unit_being_read = i;
        struct unit *unit = load_unit(out, cache, &commands[i], &arguments);
        if (unit == NULL)
            continue;
        vec_push(&out->units, unit);
    }
    aliases_note(out);
    sections_note(out);
    for (size_t i = 0; i < out->units.count; i++) {
        out->unit_being_read = (int)i;
        build_unit(&builder, out->units.items[i], (int)i);
    }
    build_callees(&builder);
    vec_dispose(&builder.gotos);
    check_main(out);
    return out->error_count > 0 ? -1 : 0;
}

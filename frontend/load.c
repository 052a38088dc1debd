/* SPDX-License-Identifier: Apache-2.0
 *
 * Each unit is parsed, or taken from the cache; of functions that several define the linker's is
 * chosen; then units are modelled, and what only the whole program shows is checked (no main).
 */
#include "frontend/load.h"

#include "base/status_line.h"
#include "frontend/cache/unit_cache.h"
#include "frontend/clang/clang.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/commands/predefined_macros.h"
#include "frontend/overridden.h"
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
                              const struct parse_task *task) {
    struct unit_record record = {0};
    struct unit *unit =
        cache != NULL ? unit_cache_take(cache, program, task->command, &task->arguments) : NULL;
    if (unit != NULL)
        return unit;
    unit = clang_parse(program, task, &record);
    if (unit != NULL && cache != NULL)
        unit_cache_keep(cache, program, task->command, &task->arguments, unit, &record);
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
    struct predefined_answers answers = {0};
    for (int i = 0; i < command_count; i++) {
        const struct predefined_macros *predefined = predefined_macros_of(&answers, &commands[i]);
        struct parse_task task = {.command = &commands[i], .is_for_gcc = predefined->is_gcc};
        commands_parse_arguments(&task.arguments, &out->arena, &commands[i], predefined);
        out->unit_being_read = i;
        status_line_show("parsing %d of %d units", i + 1, command_count);
        struct unit *unit = load_unit(out, cache, &task);
        if (unit == NULL)
            continue;
        if (unit->stays_whole)
            program_report(out, (struct range){-1, 0, 0}, "note",
                           "%s is C++ that cannot be read; it makes no MPI call and keeps "
                           "nothing of its own: it stays as it is",
                           program_relative(out, unit->path));
        vec_push(&out->units, unit);
    }
    overridden_find(out, commands, command_count);
    aliases_note(out);
    sections_note(out);
    for (size_t i = 0; i < out->units.count; i++) {
        out->unit_being_read = (int)i;
        build_unit(&builder, out->units.items[i], (int)i);
    }
    build_check_names(&builder);
    build_forwarders(&builder);
    build_own_mpi(&builder);
    predefined_answers_dispose(&answers); /* after the last unit was read */
    build_callees(&builder);
    vec_dispose(&builder.gotos);
    check_main(out);
    return out->error_count > 0 ? -1 : 0;
}

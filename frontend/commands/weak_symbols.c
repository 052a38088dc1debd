/* SPDX-License-Identifier: Apache-2.0
 *
 * The recorded command with -S in place of -c, without optimizing and without -flto, which would
 * leave no symbols. In ELF's assembly a line `.weak NAME` makes a symbol weak, and one
 * that begins with `NAME:` defines it.
 */
#include "frontend/commands/weak_symbols.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

const char *weak_symbols_read(struct arena *arena, const struct compile_command *unit) {
    struct compile_arguments arguments;
    struct error ignored = {0};
    struct process_result result;
    char *text = NULL;
    const char *out = NULL;
    const char *directory = directory_temporary(arena, "mpiskel-weak", &ignored);
    if (directory == NULL)
        return NULL;
    const char *assembly = path_join(arena, directory, "unit.s");
    const char *log = path_join(arena, directory, "log");
    const char *const rest[] = {"-w", "-O0", "-fno-lto", "-S", unit->file, "-o", assembly};
    commands_build_arguments(&arguments, arena, unit);
    VEC(const char *) command = {0};
    for (const char *const *word = unit->environment; word != NULL && *word != NULL; word++)
        vec_push(&command, *word);
    vec_push(&command, unit->arguments.items[0]);
    for (int i = 0; i < arguments.count; i++)
        vec_push(&command, arguments.items[i]);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        vec_push(&command, rest[i]);
    vec_push(&command, NULL);
    struct process_options options = {
        .directory = unit->directory, .stdout_file = log, .stderr_file = log};
    if (process_run(&result, command.items, &options, &ignored) == 0 && result.exit_code == 0 &&
        file_read(&text, NULL, assembly, &ignored) == 0)
        out = arena_strdup(arena, text);
    free(text);
    vec_dispose(&command);
    directory_remove(directory, &ignored);
    return out;
}

bool weak_symbols_has(const char *assembly, const char *name) {
    const char *directive = ".weak", *at = assembly;
    while (at != NULL && (at = strstr(at, directive)) != NULL) {
        at += strlen(directive);
        at += strspn(at, " \t");
        size_t length = strcspn(at, " \t\n,;");
        if (length == strlen(name) && strncmp(at, name, length) == 0)
            return true;
    }
    return false;
}

bool weak_symbols_defines(const char *assembly, const char *name) {
    size_t length = strlen(name);
    for (const char *at = assembly; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, name, length) == 0 && at[length] == ':')
            return true;
    }
    return assembly == NULL;
}

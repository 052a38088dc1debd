/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the directory of the database, and of each entry the directory and the source. Out: an error
 * where the project was copied.
 *
 * A database lies above, in, or below the directories of its entries, or it was written somewhere
 * else on purpose
 * (`capture -o`). If none of its entries is near, and a source is also there by the end of its path
 * as seen from the database, then another file than that of the database would be meant.
 *
 * Not handled: a copy inside of the project itself, where the database is near both.
 */
#include "frontend/commands/copied_project.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>

static bool is_near(const char *directory, const struct compile_command *command) {
    return path_inside(directory, command->directory) ||
           path_inside(command->directory, directory) || path_inside(directory, command->file);
}

/* Two names of one file are no copy: links, mounts. */
static bool is_other_file(const char *one, const char *other) {
    struct stat first, second;
    if (stat(one, &first) != 0)
        return false;
    return stat(other, &second) != 0 || first.st_dev != second.st_dev ||
           first.st_ino != second.st_ino;
}

/* A source below the directory that ends as the named one does; NULL: none. */
static const char *copy_below(struct arena *arena, const char *directory, const char *source) {
    for (const char *end = strchr(source, '/'); end != NULL; end = strchr(end + 1, '/')) {
        const char *copy = path_join(arena, directory, end + 1);
        if (is_other_file(copy, source))
            return copy;
    }
    return NULL;
}

/* Below the database's directory, and those above it as long as names are those of the entry's:
 * copy/build of project/build. */
static const char *copy_of(struct arena *arena, const char *directory,
                           const struct compile_command *command) {
    const char *copy = copy_below(arena, directory, command->file), *entry = command->directory;
    while (copy == NULL && strcmp(path_base(directory), path_base(entry)) == 0) {
        directory = path_directory(arena, directory);
        entry = path_directory(arena, entry);
        copy = copy_below(arena, directory, command->file);
    }
    return copy;
}

int copied_project_check(struct commands *commands, struct error *error) {
    struct arena *arena = &commands->arena;
    const char *directory = path_directory(arena, commands->path);
    for (size_t i = 0; i < commands->compiles.count; i++)
        if (is_near(directory, &commands->compiles.items[i]))
            return 0;
    for (size_t i = 0; i < commands->compiles.count; i++) {
        const struct compile_command *command = &commands->compiles.items[i];
        const char *copy = copy_of(arena, directory, command);
        if (copy != NULL)
            return error_set(
                error,
                "%s:1:1: error: this database names %s, but lies beside %s: the project was "
                "copied or moved; build it here with `mpiskel capture`, or configure it "
                "anew",
                commands->path, command->file, copy);
    }
    return 0;
}

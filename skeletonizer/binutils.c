/* SPDX-License-Identifier: Apache-2.0
 *
 * See binutils.h. A line of `nm -P` is `NAME KIND ...`, and that of a shared library's symbol may
 * have @VERSION behind the name.
 */
#include "skeletonizer/binutils.h"

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

bool binutils_run(const char **out_text, const struct binutils *b, const char *directory,
                  binutils_words *command) {
    struct arena *arena = b->arena;
    const char *log = path_join(arena, b->directory, "log");
    struct process_options options = {
        .directory = directory, .stdout_file = log, .stderr_file = log};
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL;
    vec_push(command, NULL);
    bool is_run = process_run(&result, command->items, &options, &ignored) == 0 &&
                  file_read(&text, NULL, log, &ignored) == 0;
    *out_text = arena_strdup(arena, is_run ? text : "");
    free(text);
    vec_dispose(command);
    return is_run && result.exit_code == 0;
}

const char *binutils_symbols(const struct binutils *b, const char *const *options,
                             const char *file) {
    binutils_words command = {0};
    const char *text;
    vec_push(&command, "nm");
    vec_push(&command, "-P");
    for (; *options != NULL; options++)
        vec_push(&command, *options);
    vec_push(&command, file);
    return binutils_run(&text, b, b->directory, &command) ? text : "";
}

const char *binutils_find(struct arena *arena, const char *text, const char *name, bool is_whole) {
    for (const char *line = text; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, " @\n");
        if (text_has_prefix(line, name) && (!is_whole || length == strlen(name)))
            return arena_strndup(arena, line, length);
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return NULL;
}

const char *binutils_find_mpi(struct arena *arena, const char *text) {
    static const char *const prefixes[] = {"MPI_", "PMPI_", "mpi_", "pmpi_", "ompi_"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && found == NULL; i++)
        found = binutils_find(arena, text, prefixes[i], false);
    return found;
}

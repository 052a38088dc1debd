/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the wrappers, see smpi_compiler.h. What they print is split at blanks: SimGrid's and MPI's
 * own flags hold none.
 */
#include "skeletonizer/smpi_compiler.h"

#include "base/file.h"
#include "base/process.h"

#include <stdlib.h>
#include <string.h>

static const char *const blanks = " \t\r\n";

/* What a wrapper prints with -show, split into words; NULL: it does not know the option. */
static const char **shown(struct arena *arena, const char *wrapper, const char *option) {
    const char *const command[] = {wrapper, "-show", option, NULL};
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL, *rest = NULL;
    if (process_capture(&result, &text, command, false, &ignored) != 0 || result.exit_code != 0) {
        free(text);
        return NULL;
    }
    const char **words = ARENA_ARRAY(arena, const char *, strlen(text) / 2 + 2);
    size_t count = 0;
    for (char *word = strtok_r(text, blanks, &rest); word != NULL;
         word = strtok_r(NULL, blanks, &rest))
        words[count++] = arena_strdup(arena, word);
    free(text);
    return count > 0 ? words : NULL;
}

static bool is_same_program(struct arena *arena, const char *one, const char *other) {
    const char *names[] = {one, other};
    char *paths[2];
    for (int i = 0; i < 2; i++) {
        const char *found =
            strchr(names[i], '/') != NULL ? names[i] : program_find(arena, names[i]);
        paths[i] = found != NULL ? realpath(found, NULL) : NULL;
    }
    bool same = paths[0] != NULL && paths[1] != NULL && strcmp(paths[0], paths[1]) == 0;
    free(paths[0]);
    free(paths[1]);
    return same;
}

static bool takes_our_options(const char *compiler) {
    return strstr(path_base(compiler), "gcc") != NULL ||
           strstr(path_base(compiler), "clang") != NULL;
}

static struct smpi_compiler plain(struct arena *arena) {
    static const char *const nothing[] = {NULL};
    const char **compile = ARENA_ARRAY(arena, const char *, 2);
    compile[0] = "smpicc";
    return (struct smpi_compiler){compile, compile[0], nothing};
}

struct smpi_compiler smpi_compiler_choose(struct arena *arena, const char *name) {
    const char **compile = shown(arena, "smpicc", "-c"), **link = shown(arena, "smpicc", NULL);
    if (strstr(path_base(name), "mpi") != NULL) {
        const char **words = shown(arena, name, NULL);
        name = words != NULL ? words[0] : "";
    }
    if (compile == NULL || link == NULL || !takes_our_options(name) ||
        is_same_program(arena, name, compile[0]))
        return plain(arena);
    compile[0] = name;
    return (struct smpi_compiler){compile, name, link + 1};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the first word of a compile command. Out: what -show prints, see mpi_wrapper.h. Not handled:
 * wrappers that do not know -show (Cray's cc).
 */
#include "skeletonizer/compiler/mpi_wrapper.h"

#include "base/file.h"
#include "base/process.h"

#include <stdlib.h>
#include <string.h>

static const char *const blanks = " \t\r\n";

bool mpi_wrapper_is_one(const char *name) {
    return strstr(path_base(name), "mpi") != NULL;
}

const char **mpi_wrapper_shown(struct arena *arena, const char *wrapper, const char *option) {
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

const char *mpi_wrapper_compiler(struct arena *arena, const char *name) {
    if (!mpi_wrapper_is_one(name))
        return name;
    const char **words = mpi_wrapper_shown(arena, name, NULL);
    return words != NULL ? words[0] : "";
}

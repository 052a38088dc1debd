/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles a program of ours from the sources that were installed with mpiskel; see calibrate.h.
 */
#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "cli/calibrate/calibrate.h"

#include <stdlib.h>

int calibrate_compile(const struct calibrate_build *build, const char *program, struct arena *arena,
                      struct error *error) {
    const char *here = path_directory(arena, path_executable(arena));
    const char *sources = path_absolute(arena, here, build->directory);
    const char *const *words = NULL;
    size_t count = 0;
    VEC(const char *) line = {0};
    char *text = NULL;
    struct process_result result;
    if (words_split(&words, &count, arena, build->command, error) != 0)
        return -1;
    bool is_told = false; /* how much is optimised */
    for (size_t i = 0; i < count; i++) {
        vec_push(&line, words[i]);
        is_told = is_told || text_has_prefix(words[i], "-O");
    }
    if (!is_told)
        vec_push(&line, "-O2");
    for (const char *const *source = build->sources; *source != NULL; source++)
        vec_push(&line, path_join(arena, sources, *source));
    vec_push(&line, "-o");
    vec_push(&line, program);
    if (build->library != NULL && words_split(&words, &count, arena, build->library, error) != 0) {
        vec_dispose(&line);
        return -1;
    }
    for (size_t i = 0; build->library != NULL && i < count; i++)
        vec_push(&line, words[i]);
    vec_push(&line, NULL);
    int status = process_capture(&result, &text, line.items, true, error);
    if (status == 0 && result.exit_code != 0)
        status = error_set(error,
                           "%s cannot compile the benchmark in %s; another compiler is named by "
                           "--compiler\n%.600s",
                           build->command, sources, text);
    free(text);
    vec_dispose(&line);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * One library stands for all of them, in a group with itself, so that their order does not matter.
 */
#include "skeletonizer/compile/archive.h"

#include "base/process.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

const char *archive_path(struct arena *arena, const char *directory, const char *program) {
    return arena_printf(arena, "%s/%s.members.a", directory, program);
}

/* Such objects are nothing to `ar` without the compiler's plugin. */
static bool is_optimized_by_linker(const struct commands *commands) {
    for (size_t i = 0; i < commands->compiles.count; i++) {
        const struct compile_command *unit = &commands->compiles.items[i];
        for (size_t k = 0; k < unit->arguments.count; k++)
            if (text_has_prefix(unit->arguments.items[k], "-flto"))
                return true;
    }
    return false;
}

static int run_ar(const char *path, const compiler_words *members, struct error *error) {
    struct process_result result;
    compiler_words words = {0};
    char *text = NULL;
    vec_push(&words, "ar");
    vec_push(&words, "qcs"); /* also several of one name */
    vec_push(&words, path);
    for (size_t i = 0; i < members->count; i++)
        vec_push(&words, members->items[i]);
    vec_push(&words, NULL);
    remove(path);
    int status = process_capture(&result, &text, words.items, true, error);
    if (status == 0 && result.exit_code != 0)
        status = error_set(error, "ar ended with %d: %.300s", result.exit_code, text);
    free(text);
    vec_dispose(&words);
    return status;
}

int archive_add(compiler_words *command, const struct commands *commands, const char *path,
                const compiler_words *members, struct error *error) {
    bool takes_all = members->count == 0 || is_optimized_by_linker(commands);
    for (size_t i = 0; takes_all && i < members->count; i++)
        vec_push(command, members->items[i]);
    if (takes_all)
        return 0;
    if (run_ar(path, members, error) != 0)
        return -1;
    vec_push(command, "-Wl,--undefined=main"); /* perhaps a member, of what is no executable */
    vec_push(command, "-Wl,--start-group");
    vec_push(command, path);
    vec_push(command, "-Wl,--end-group");
    return 0;
}

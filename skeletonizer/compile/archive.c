/* SPDX-License-Identifier: Apache-2.0
 *
 * One library stands for all of them, in a group with itself, so that their order does not matter.
 */
#include "skeletonizer/compile/archive.h"

#include "base/str.h"

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

void archive_add(compiler_words *out, compiler_words *command, const struct commands *commands,
                 const char *path, const compiler_words *members) {
    bool takes_all = members->count == 0 || is_optimized_by_linker(commands);
    for (size_t i = 0; takes_all && i < members->count; i++)
        vec_push(command, members->items[i]);
    if (takes_all)
        return;
    vec_push(out, "ar");
    vec_push(out, "qcs"); /* also several of one name */
    vec_push(out, path);
    for (size_t i = 0; i < members->count; i++)
        vec_push(out, members->items[i]);
    vec_push(out, NULL);
    vec_push(command, "-Wl,--undefined=main"); /* perhaps a member, of what is no executable */
    vec_push(command, "-Wl,--start-group");
    vec_push(command, path);
    vec_push(command, "-Wl,--end-group");
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The library, and which functions the linker replaces by those in it, lie with the runtimes:
 * libbsim_counted.so and libbsim_counted.functions.
 */
#include "skeletonizer/compiler/counting.h"

#include "base/file.h"
#include "base/process.h"
#include "skeletonizer/compiler/mpi_wrapper.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [COUNTING_NOT] = NULL, [COUNTING_BLOCKS] = "blocks", [COUNTING_ACCESSES] = "accesses"};

const char *counting_name(enum counting counting) {
    return names[counting];
}

int counting_choose(struct replacement *out, struct arena *arena, const char *name,
                    struct error *error) {
    const char *compiler = mpi_wrapper_compiler(arena, name);
    *out = (struct replacement){.arena = arena, .name = "clang"};
    if (compiler_kind_of(compiler) == COMPILER_CLANG) {
        out->name = compiler;
        return 0;
    }
    out->replaced = compiler[0] != '\0' ? compiler : name;
    return compiler_kind_of("clang") == COMPILER_CLANG
               ? 0
               : error_set(error, "what a program executes is counted by clang, which is not "
                                  "installed; install it with `apt install clang`");
}

/* -fsanitize-coverage=trace-pc,no-prune,trace-loads,trace-stores; type 3 is every edge. */
void counting_add_options(compiler_words *out, enum counting counting) {
    static const char *const options[] = {
        "-fsanitize-coverage-type=3", "-fsanitize-coverage-trace-pc",
        "-fsanitize-coverage-no-prune", "-fsanitize-coverage-trace-loads",
        "-fsanitize-coverage-trace-stores"};
    size_t count = counting == COUNTING_ACCESSES ? 5 : counting == COUNTING_BLOCKS ? 3 : 0;
    for (size_t i = 0; i < count; i++) {
        vec_push(out, "-Xclang");
        vec_push(out, options[i]);
    }
}

int counting_add_link(compiler_words *out, struct arena *arena, const char *libraries,
                      struct error *error) {
    char *text = NULL, *rest = NULL;
    if (file_read(&text, NULL, path_join(arena, libraries, "libbsim_counted.functions"), error) !=
        0)
        return -1;
    for (char *name = strtok_r(text, "\n", &rest); name != NULL; name = strtok_r(NULL, "\n", &rest))
        vec_push(out, arena_printf(arena, "-Wl,--wrap=%s", name));
    free(text);
    vec_push(out, "-Wl,--push-state,--no-as-needed");
    vec_push(out, path_join(arena, libraries, "libbsim_counted.so"));
    vec_push(out, "-Wl,--pop-state");
    return 0;
}

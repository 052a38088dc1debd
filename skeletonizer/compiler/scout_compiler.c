/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the application's compiler, as its commands name it. Out: the compiler for counting, and the
 * program that reads its counters. A clang counts itself if it has its profiling
 * runtime and llvm-cov is there. In the place of any other compiler gcc is called (replacement.h);
 * options that it refuses do not change what is counted.
 *
 * OpenMP is switched off, as the slice does not see it either: gcov passes over the functions that
 * gcc makes of parallel regions. Its library is still linked.
 *
 * Not handled: units that are built with different compilers (the first one's is looked at), and
 * wrappers that follow neither variable: gcov then finds nothing to read, and says so.
 */
#include "skeletonizer/compiler/scout_compiler.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "frontend/commands/openmp_option.h"
#include "skeletonizer/compiler/mpi_wrapper.h"

#include <stdlib.h>
#include <string.h>

/* The tool of the same version: gcc-11 writes what gcov-11 reads. */
static const char *tool_of(struct arena *arena, const char *compiler, const char *part,
                           const char *tool) {
    const char *base = path_base(compiler), *at = strstr(base, part);
    if (at == NULL)
        return tool;
    const char *name =
        arena_printf(arena, "%.*s%s%s", (int)(at - base), base, tool, at + strlen(part));
    return program_find(arena, name) != NULL ? name : tool;
}

/* llvm-cov may lie beside clang only, in a directory that is not on PATH. */
static const char *llvm_cov_of(struct arena *arena, const char *clang) {
    const char *named = tool_of(arena, clang, "clang", "llvm-cov");
    const char *path = strchr(clang, '/') != NULL ? clang : program_find(arena, clang);
    char *real = path != NULL ? realpath(path, NULL) : NULL;
    const char *beside =
        real != NULL ? path_join(arena, path_directory(arena, real), "llvm-cov") : NULL;
    free(real);
    if (beside != NULL && file_exists(beside))
        return beside;
    return program_find(arena, named) != NULL ? named : NULL;
}

/* clang without its runtime compiles and does not link. */
static bool can_link_counters(struct arena *arena, const char *clang, const char *directory) {
    const char *source = path_join(arena, directory, "try.c");
    const char *const command[] = {
        clang, "--coverage", source, "-o", path_join(arena, directory, "try"), NULL};
    static const char text[] = "int main(void) { return 0; }\n";
    struct process_options options = {.directory = directory,
                                      .stdout_file = path_join(arena, directory, "try.log"),
                                      .stderr_file = path_join(arena, directory, "try.log")};
    struct process_result result;
    struct error ignored = {0};
    return file_write(source, text, strlen(text), &ignored) == 0 &&
           process_run(&result, command, &options, &ignored) == 0 && result.exit_code == 0;
}

int scout_compiler_choose(struct scout_compiler *out, struct arena *arena, const char *name,
                          const char *directory, struct error *error) {
    const char *compiler = mpi_wrapper_compiler(arena, name);
    enum compiler_kind kind = compiler_kind_of(compiler);
    *out = (struct scout_compiler){.replacement = {.arena = arena, .name = "gcc"}};
    if (kind == COMPILER_CLANG && can_link_counters(arena, compiler, directory))
        out->llvm_cov = llvm_cov_of(arena, compiler);
    out->optimizes = out->llvm_cov != NULL; /* clang counts before it optimizes */
    if (out->llvm_cov != NULL)
        return 0;
    if (kind != COMPILER_GCC)
        out->replacement.replaced = compiler[0] != '\0' ? compiler : name;
    out->gcov = kind == COMPILER_GCC ? tool_of(arena, compiler, "gcc", "gcov") : "gcov";
    if (kind == COMPILER_GCC || compiler_kind_of("gcc") == COMPILER_GCC)
        return 0;
    return error_set(error,
                     "--scout counts with gcc, or with a clang that has llvm-cov and its "
                     "profiling runtime; the application is compiled by %s, and there is no gcc "
                     "to take its place; install it with `apt install gcc`",
                     out->replacement.replaced);
}

void scout_compiler_dispose(struct scout_compiler *compiler) {
    replacement_dispose(&compiler->replacement);
}

void scout_compiler_serialize(const char **words, int count) {
    for (int i = 0; i < count; i++)
        if (openmp_option_is_on(words[i]))
            words[i] = "-D_OPENMP=201511";
}

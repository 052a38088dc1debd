/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the application's compiler, as its commands name it. Out: the compiler for counting, and the
 * program that reads its counters. What a compiler is its predefined macros say. A clang counts
 * itself if it has its profiling runtime and llvm-cov is there. In the place of any other compiler
 * gcc is called; wrappers are told by OMPI_CC and MPICH_CC. Options of the kinds that compilers
 * differ in are tried, each once, on an empty file, and left out if gcc refuses them: they do not
 * change what is counted.
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

static bool defines(const char *macros, const char *name) {
    const char *at = strstr(macros, name);
    return at != NULL && at[strlen(name)] == ' ';
}

enum scout_compiler_kind { KIND_GCC, KIND_CLANG, KIND_OTHER };

static enum scout_compiler_kind kind_of(const char *compiler) {
    const char *const command[] = {compiler, "-dM", "-E", "-x", "c", "/dev/null", NULL};
    struct process_result result;
    struct error ignored = {0};
    char *macros = NULL;
    enum scout_compiler_kind kind = KIND_OTHER;
    if (compiler[0] == '\0')
        return kind;
    if (process_capture(&result, &macros, command, false, &ignored) == 0 && result.exit_code == 0) {
        bool other = defines(macros, "__INTEL_COMPILER") || defines(macros, "__NVCOMPILER") ||
                     defines(macros, "__PGI");
        if (defines(macros, "__clang__"))
            kind = KIND_CLANG;
        else if (defines(macros, "__GNUC__") && !other)
            kind = KIND_GCC;
    }
    free(macros);
    return kind;
}

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
    enum scout_compiler_kind kind = kind_of(compiler);
    *out = (struct scout_compiler){.arena = arena};
    if (kind == KIND_CLANG && can_link_counters(arena, compiler, directory))
        out->llvm_cov = llvm_cov_of(arena, compiler);
    out->optimizes = out->llvm_cov != NULL; /* clang counts before it optimizes */
    if (out->llvm_cov != NULL)
        return 0;
    if (kind != KIND_GCC)
        out->replaced = compiler[0] != '\0' ? compiler : name;
    out->gcov = kind == KIND_GCC ? tool_of(arena, compiler, "gcc", "gcov") : "gcov";
    if (kind == KIND_GCC || kind_of("gcc") == KIND_GCC)
        return 0;
    return error_set(error,
                     "--scout counts with gcc, or with a clang that has llvm-cov and its "
                     "profiling runtime; the application is compiled by %s, and there is no gcc "
                     "to take its place; install it with `apt install gcc`",
                     out->replaced);
}

void scout_compiler_dispose(struct scout_compiler *compiler) {
    vec_dispose(&compiler->asked);
}

void scout_compiler_add(const struct scout_compiler *compiler, const char *name,
                        compiler_words *out) {
    if (compiler->replaced == NULL) {
        vec_push(out, name);
    } else if (mpi_wrapper_is_one(name)) {
        vec_push(out, "env");
        vec_push(out, "OMPI_CC=gcc");
        vec_push(out, "MPICH_CC=gcc");
        vec_push(out, name);
    } else {
        vec_push(out, "gcc");
    }
}

static bool starts_with_one_of(const char *word, const char *const *prefixes) {
    for (; *prefixes != NULL; prefixes++)
        if (text_has_prefix(word, *prefixes))
            return true;
    return false;
}

/* Kinds of options that compilers differ in; their values are never words of their own. */
static bool is_doubtful(const char *word) {
    static const char *const kinds[] = {"-f", "-m", "-g", "-O", "-W", "-std", "-rtlib", "--", NULL};
    static const char *const passed_on[] = {"-Wl,", "-Wa,", "-Wp,", "--param", NULL};
    return starts_with_one_of(word, kinds) && !starts_with_one_of(word, passed_on);
}

static bool is_known_to_gcc(const char *word) {
    const char *const command[] = {"gcc", word, "-w",        "-fsyntax-only",
                                   "-x",  "c",  "/dev/null", NULL};
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL;
    int status = process_capture(&result, &text, command, true, &ignored);
    free(text);
    return status == 0 && result.exit_code == 0;
}

static bool takes(struct scout_compiler *compiler, const char *word) {
    if (!is_doubtful(word))
        return true;
    for (size_t i = 0; i < compiler->asked.count; i++)
        if (strcmp(compiler->asked.items[i].word, word) == 0)
            return compiler->asked.items[i].is_known;
    struct asked_option asked = {word, is_known_to_gcc(word)};
    vec_push(&compiler->asked, asked);
    return asked.is_known;
}

void scout_compiler_serialize(const char **words, int count) {
    for (int i = 0; i < count; i++)
        if (openmp_option_is_on(words[i]))
            words[i] = "-D_OPENMP=201511";
}

void scout_compiler_filter(struct scout_compiler *compiler, const char **words, int *count) {
    static const char *const pairs[] = {"-Xclang", "-mllvm", "-target", NULL};
    int kept = 0;
    for (int i = 0; compiler->replaced != NULL && i < *count; i++) {
        if (starts_with_one_of(words[i], pairs))
            i++;
        else if (takes(compiler, words[i]))
            words[kept++] = words[i];
    }
    if (compiler->replaced != NULL)
        *count = kept;
}

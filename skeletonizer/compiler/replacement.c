/* SPDX-License-Identifier: Apache-2.0
 *
 * See replacement.h. Not handled: wrappers that follow neither variable.
 */
#include "skeletonizer/compiler/replacement.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "skeletonizer/compiler/mpi_wrapper.h"

#include <stdlib.h>
#include <string.h>

static bool defines(const char *macros, const char *name) {
    const char *at = strstr(macros, name);
    return at != NULL && at[strlen(name)] == ' ';
}

enum compiler_kind compiler_kind_of(const char *compiler) {
    const char *const command[] = {compiler, "-dM", "-E", "-x", "c", "/dev/null", NULL};
    struct process_result result;
    struct error ignored = {0};
    char *macros = NULL;
    enum compiler_kind kind = COMPILER_OTHER;
    if (compiler[0] == '\0')
        return kind;
    if (process_capture(&result, &macros, command, false, &ignored) == 0 && result.exit_code == 0) {
        bool other = defines(macros, "__INTEL_COMPILER") || defines(macros, "__NVCOMPILER") ||
                     defines(macros, "__PGI");
        if (defines(macros, "__clang__"))
            kind = COMPILER_CLANG;
        else if (defines(macros, "__GNUC__") && !other)
            kind = COMPILER_GCC;
    }
    free(macros);
    return kind;
}

void replacement_dispose(struct replacement *replacement) {
    vec_dispose(&replacement->asked);
}

const char *replacement_for_cxx(struct arena *arena, const char *compiler) {
    static const char *const pairs[][2] = {{"gcc", "g++"}, {"clang", "clang++"}};
    const char *base = path_base(compiler);
    for (size_t i = 0; i < 2 && strstr(base, "++") == NULL; i++) {
        const char *at = strstr(base, pairs[i][0]);
        if (at != NULL)
            return arena_printf(arena, "%.*s%s%s", (int)(at - compiler), compiler, pairs[i][1],
                                at + strlen(pairs[i][0]));
    }
    return strcmp(base, "cc") == 0 ? "c++" : compiler;
}

void replacement_add(const struct replacement *replacement, const char *name, bool is_cxx,
                     compiler_words *out) {
    struct arena *arena = replacement->arena;
    if (replacement->replaced == NULL) {
        vec_push(out, name);
        return;
    }
    const char *own = is_cxx ? replacement_for_cxx(arena, replacement->name) : replacement->name;
    if (mpi_wrapper_is_one(name)) {
        const char *language = is_cxx ? "CXX" : "CC";
        vec_push(out, "env");
        vec_push(out, arena_printf(arena, "OMPI_%s=%s", language, own));
        vec_push(out, arena_printf(arena, "MPICH_%s=%s", language, own));
        vec_push(out, name);
    } else {
        vec_push(out, own);
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

static bool is_known_to(const char *compiler, const char *word) {
    const char *const command[] = {compiler, word, "-w",        "-fsyntax-only",
                                   "-x",     "c",  "/dev/null", NULL};
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL;
    int status = process_capture(&result, &text, command, true, &ignored);
    free(text);
    return status == 0 && result.exit_code == 0;
}

static bool takes(struct replacement *replacement, const char *word) {
    if (!is_doubtful(word))
        return true;
    for (size_t i = 0; i < replacement->asked.count; i++)
        if (strcmp(replacement->asked.items[i].word, word) == 0)
            return replacement->asked.items[i].is_known;
    struct asked_option asked = {word, is_known_to(replacement->name, word)};
    vec_push(&replacement->asked, asked);
    return asked.is_known;
}

void replacement_filter(struct replacement *replacement, const char **words, int *count) {
    static const char *const pairs[] = {"-Xclang", "-mllvm", "-target", NULL};
    int kept = 0;
    for (int i = 0; replacement->replaced != NULL && i < *count; i++) {
        if (starts_with_one_of(words[i], pairs))
            i++;
        else if (takes(replacement, words[i]))
            words[kept++] = words[i];
    }
    if (replacement->replaced != NULL)
        *count = kept;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the wrappers (mpi_wrapper.h), see smpi_compiler.h.
 */
#include "skeletonizer/compiler/smpi_compiler.h"

#include "base/file.h"
#include "base/str.h"
#include "skeletonizer/compiler/mpi_wrapper.h"

#include <stdlib.h>
#include <string.h>

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
           strstr(path_base(compiler), "g++") != NULL ||
           strstr(path_base(compiler), "clang") != NULL;
}

static struct smpi_compiler plain(struct arena *arena, const char *cxx) {
    static const char *const nothing[] = {NULL};
    const char **compile = ARENA_ARRAY(arena, const char *, 2);
    compile[0] = "smpicc";
    return (struct smpi_compiler){compile, cxx != NULL ? "smpicxx" : NULL,
                                  cxx != NULL ? "smpicxx" : compile[0], nothing};
}

/* The program's own; smpicxx would ask for another standard than its options do. */
static const char *choose_cxx(struct arena *arena, const char *name) {
    const char *compiler = mpi_wrapper_compiler(arena, name);
    return takes_our_options(compiler) ? compiler : "c++";
}

static bool leads_to_mpi_header(struct arena *arena, const char *word) {
    return text_has_prefix(word, "-I") && file_exists(path_join(arena, word + 2, "mpi.h"));
}

/* smpi_helpers.h and SimGrid's mpi.h take names from programs: there are headers that do not in
 * their places (runtime/parse/mpi.h, bsim_libc.h). */
static void drop_headers(struct arena *arena, const char **words) {
    size_t kept = 0;
    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], "-include") == 0 && words[i + 1] != NULL)
            i++;
        else if (!leads_to_mpi_header(arena, words[i]))
            words[kept++] = words[i];
    words[kept] = NULL;
}

struct smpi_compiler smpi_compiler_choose(struct arena *arena, const char *name, const char *cxx) {
    const char **compile = mpi_wrapper_shown(arena, "smpicc", "-c");
    const char **link = mpi_wrapper_shown(arena, "smpicc", NULL);
    name = name != NULL ? mpi_wrapper_compiler(arena, name) : "";
    if (compile == NULL || link == NULL)
        return plain(arena, cxx);
    if (takes_our_options(name) && !is_same_program(arena, name, compile[0]))
        compile[0] = name;
    drop_headers(arena, compile);
    drop_headers(arena, link);
    const char *compile_cxx = cxx != NULL ? choose_cxx(arena, cxx) : NULL;
    return (struct smpi_compiler){compile, compile_cxx, cxx != NULL ? compile_cxx : compile[0],
                                  link + 1};
}

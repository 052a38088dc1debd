/* SPDX-License-Identifier: Apache-2.0
 *
 * See unlinked.h. Bear writes the compiler behind mpicc with the options that mpicc gives it.
 */
#include "skeletonizer/compiler/unlinked.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/commands/openmp_option.h"
#include "skeletonizer/compiler/mpi_wrapper.h"

#include <stdlib.h>
#include <string.h>

static const char *const nothing[] = {NULL};

/* The directory of the mpi.h that a command gives; NULL: it gives none. */
static const char *mpi_include(struct arena *arena, const struct compile_command *command) {
    static const char *const options[] = {"-isystem", "-I"};
    for (size_t i = 1; i < command->arguments.count; i++)
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            const char *word = command->arguments.items[i];
            if (!text_has_prefix(word, options[k]))
                continue;
            word += strlen(options[k]);
            if (*word == '\0' && i + 1 < command->arguments.count)
                word = command->arguments.items[i + 1];
            const char *directory = path_absolute(arena, command->directory, word);
            if (file_exists(path_join(arena, directory, "mpi.h")))
                return directory;
        }
    return NULL;
}

static bool includes(const char *const *words, const char *directory) {
    for (; directory != NULL && *words != NULL; words++)
        if (text_has_prefix(*words, "-I") && strcmp(*words + strlen("-I"), directory) == 0)
            return true;
    return directory == NULL;
}

static const char *const *linker_words(struct arena *arena, const char *const *shown) {
    static const char *const prefixes[] = {"-L", "-l", "-Wl,", "-pthread"};
    size_t count = 0, kept = 0;
    while (shown[count] != NULL)
        count++;
    const char **out = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
            if (text_has_prefix(shown[i], prefixes[k])) {
                out[kept++] = shown[i];
                break;
            }
    return out;
}

/* Of the mpi.h that the profiling runtime was built with. */
static const char *own_include(struct arena *arena, const char *libraries) {
    char *text = NULL;
    struct error unread = {0};
    if (file_read(&text, NULL, path_join(arena, libraries, "libbsim_profile.header"), &unread) != 0)
        return NULL;
    text[strcspn(text, "\n")] = '\0';
    const char *directory = path_directory(arena, text);
    free(text);
    return directory;
}

static int find_mpi(struct unlinked *out, struct arena *arena, const struct commands *commands,
                    const char *libraries, struct error *error) {
    static const char *const wrappers[] = {"mpicc", "mpicc.openmpi", "mpicc.mpich"};
    const char *directory = NULL;
    for (size_t i = 0; i < commands->compiles.count && directory == NULL; i++)
        directory = mpi_include(arena, &commands->compiles.items[i]);
    if (directory == NULL)
        directory = own_include(arena, libraries);
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        const char *const *shown = (const char *const *)mpi_wrapper_shown(arena, wrappers[i], NULL);
        if (shown != NULL && includes(shown, directory)) {
            out->mpi = linker_words(arena, shown);
            return 0;
        }
    }
    return error_set(error,
                     "%s:1:1: error: it does not tell how the program is linked with MPI, and no "
                     "mpicc was found that has %s; capture the build instead (`mpiskel capture -- "
                     "make`)",
                     commands->path, directory != NULL ? directory : "an mpi.h");
}

static bool has_openmp(const struct commands *commands) {
    for (size_t i = 0; i < commands->compiles.count; i++)
        if (openmp_option_is_given(&commands->compiles.items[i]))
            return true;
    return false;
}

int unlinked_options(struct unlinked *out, struct arena *arena, const struct commands *commands,
                     const char *linker, const char *libraries, struct error *error) {
    static const char *const openmp[] = {"-fopenmp", NULL};
    *out = (struct unlinked){nothing, has_openmp(commands) ? openmp : nothing};
    if (mpi_wrapper_is_one(linker))
        return 0;
    return find_mpi(out, arena, commands, libraries, error);
}

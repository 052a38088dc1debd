/* SPDX-License-Identifier: Apache-2.0
 *
 * See mpi_program.h. The loader is asked (ldd), since programs are often linked with MPI only
 * through libraries of their own.
 */
#include "cli/common/mpi_program.h"

#include "base/file.h"
#include "base/process.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_elf(const char *path) {
    char magic[SELFMAG];
    FILE *file = fopen(path, "rb");
    bool result = file != NULL && fread(magic, 1, sizeof magic, file) == sizeof magic &&
                  memcmp(magic, ELFMAG, sizeof magic) == 0;
    if (file != NULL)
        fclose(file);
    return result && access(path, X_OK) == 0;
}

/* What the loader would load; the caller frees it. NULL: it is no program. */
static char *list_libraries(const char *path, bool *is_static) {
    struct process_result done;
    struct error ignored = {0};
    char *text = NULL;
    const char *const words[] = {"ldd", path, NULL};
    if (!is_elf(path) || process_capture(&done, &text, words, true, &ignored) != 0)
        return NULL;
    *is_static = strstr(text, "not a dynamic executable") != NULL ||
                 strstr(text, "statically linked") != NULL;
    return text;
}

/* False: it has none of MPI. */
static bool find_mpi(enum mpi_library *out, const char *libraries) {
    bool is_mpich =
        strstr(libraries, "libmpich.so") != NULL || strstr(libraries, "libmpi.so.12") != NULL;
    bool is_open_mpi = strstr(libraries, "libmpi.so.40") != NULL ||
                       strstr(libraries, "libopen-rte.so") != NULL ||
                       strstr(libraries, "libopen-pal.so") != NULL;
    if (!is_mpich && strstr(libraries, "libmpi") == NULL)
        return false;
    *out = is_mpich ? MPI_LIBRARY_MPICH : is_open_mpi ? MPI_LIBRARY_OPEN_MPI : MPI_LIBRARY_OTHER;
    return true;
}

void mpi_program_find(struct mpi_program *out, struct arena *arena, char *const *words) {
    *out = (struct mpi_program){.mpi = MPI_LIBRARY_OPEN_MPI};
    for (; *words != NULL && out->path == NULL; words++) {
        const char *path = strchr(*words, '/') != NULL ? *words : program_find(arena, *words);
        bool is_static = false;
        char *libraries = path != NULL ? list_libraries(path, &is_static) : NULL;
        if (libraries != NULL && find_mpi(&out->mpi, libraries))
            out->path = path;
        else
            out->is_static |= is_static;
        free(libraries);
    }
}

/* ---- What starts it ---- */

static bool is_mpirun(const char *name, struct arena *arena) {
    const char *one = program_find(arena, name), *other = program_find(arena, "mpirun");
    char paths[2][PATH_MAX];
    return one != NULL && other != NULL && realpath(one, paths[0]) != NULL &&
           realpath(other, paths[1]) != NULL && strcmp(paths[0], paths[1]) == 0;
}

/* Debian's names first, since mpirun may be that of another MPI. */
static const char *launcher_of(enum mpi_library mpi, struct arena *arena) {
    static const char *const open_mpi[] = {"mpirun.openmpi", "mpirun", NULL};
    static const char *const mpich[] = {"mpirun.mpich", "mpiexec.hydra", "mpirun", NULL};
    const char *const *names = mpi == MPI_LIBRARY_MPICH ? mpich : open_mpi;
    for (; *names != NULL; names++)
        if (program_find(arena, *names) != NULL)
            return is_mpirun(*names, arena) ? "mpirun" : *names;
    return "mpirun";
}

struct mpi_program mpi_program_started(struct real_command *command, const struct bundle *bundle,
                                       const char *path, struct arena *arena) {
    struct mpi_program program;
    char *words[] = {arena_strdup(arena, path), NULL};
    mpi_program_find(&program, arena, words);
    if (command->launcher_count > 0 || bundle->regions.is_one_rank)
        return program;
    const char **launcher = ARENA_ARRAY(arena, const char *, 2);
    launcher[0] = launcher_of(program.mpi, arena);
    launcher[1] = "--oversubscribe";
    command->launcher = launcher;
    command->launcher_count = program.mpi == MPI_LIBRARY_MPICH ? 1 : 2;
    return program;
}

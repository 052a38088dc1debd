/* SPDX-License-Identifier: Apache-2.0
 *
 * See record_program.h. The loader is asked (ldd), since programs are often linked with MPI only
 * through libraries of their own.
 */
#include "cli/record/record_program.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "base/vec.h"

#include <elf.h>
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
static bool find_mpi(enum record_mpi *out, const char *libraries) {
    bool is_mpich =
        strstr(libraries, "libmpich.so") != NULL || strstr(libraries, "libmpi.so.12") != NULL;
    bool is_open_mpi = strstr(libraries, "libmpi.so.40") != NULL ||
                       strstr(libraries, "libopen-rte.so") != NULL ||
                       strstr(libraries, "libopen-pal.so") != NULL;
    if (!is_mpich && strstr(libraries, "libmpi") == NULL)
        return false;
    *out = is_mpich ? RECORD_MPICH : is_open_mpi ? RECORD_OPEN_MPI : RECORD_OTHER_MPI;
    return true;
}

void record_program_find(struct record_program *out, struct arena *arena, char *const *words) {
    *out = (struct record_program){.mpi = RECORD_OPEN_MPI};
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

/* ---- The library ---- */

static const char *installed(struct arena *arena, enum record_mpi mpi, struct error *error) {
    const char *name = mpi == RECORD_MPICH ? "libbsim_record_mpich.so" : "libbsim_record.so";
    const char *path = path_of_library(arena, name);
    if (mpi != RECORD_OTHER_MPI && file_exists(path))
        return path;
    error_set(error, "the program is of an MPI that mpiskel was not built with; name its compiler: "
                     "--mpicc mpicc");
    return NULL;
}

static const char *compile(struct arena *arena, const char *mpicc, const char *directory,
                           struct error *error) {
    const char *out = path_join(arena, directory, "libbsim_record.so");
    const char *sources = path_of_library(arena, "record");
    struct process_result done = {0};
    const char *const words[] = {"sh",
                                 "-c",
                                 "exec \"$1\" -shared -fPIC -O2 -w -D_GNU_SOURCE -I\"$2\" -o "
                                 "\"$3\" $(find \"$2\" -name '*.c') -lunwind -ldl",
                                 "sh",
                                 mpicc,
                                 sources,
                                 out,
                                 NULL};
    if (process_run(&done, words, &(struct process_options){0}, error) != 0)
        return NULL;
    if (done.exit_code == 0)
        return out;
    error_set(error, "--mpicc %s: the recorder cannot be compiled with it; is it an MPI compiler?",
              mpicc);
    return NULL;
}

const char *record_library(struct arena *arena, const struct record_program *program,
                           const char *mpicc, const char *directory, struct error *error) {
    if (program->path == NULL && program->is_static) {
        error_set(error, "the program is linked statically, so that nothing can be loaded before "
                         "it; link it with MPI's shared library");
        return NULL;
    }
    return mpicc != NULL ? compile(arena, mpicc, directory, error)
                         : installed(arena, program->mpi, error);
}

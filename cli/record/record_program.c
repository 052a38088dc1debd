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

/* What is compiled, from lib/mpiskel/record; 0 or -1. */
static int list_sources(path_list *out, struct arena *arena, struct error *error) {
    char *text = NULL, *rest, *line;
    size_t length;
    if (file_read(&text, &length, path_of_library(arena, "libbsim_record.sources"), error) != 0)
        return -1;
    rest = arena_strdup(arena, text);
    free(text);
    while ((line = strsep(&rest, "\n")) != NULL)
        if (line[0] != '\0')
            vec_push(out, path_join(arena, path_of_library(arena, "record"), line));
    return 0;
}

static void list_options(path_list *out, struct arena *arena, const char *mpicc,
                         const char *library) {
    const char *const options[] = {
        mpicc,           "-shared", "-fPIC", "-O2", "-w",
        "-D_GNU_SOURCE", "-o",      library, "-I",  path_of_library(arena, "record")};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        vec_push(out, options[i]);
}

static int run_compiler(struct process_result *out, struct arena *arena, const char *mpicc,
                        const char *library, struct error *error) {
    path_list words = {0};
    list_options(&words, arena, mpicc, library);
    int result = list_sources(&words, arena, error);
    vec_push(&words, "-lunwind");
    vec_push(&words, "-ldl");
    vec_push(&words, NULL);
    if (result == 0)
        result = process_run(out, words.items, &(struct process_options){0}, error);
    vec_dispose(&words);
    return result;
}

static const char *compile(struct arena *arena, const char *mpicc, const char *directory,
                           struct error *error) {
    const char *library = path_join(arena, directory, "libbsim_record.so");
    struct process_result done = {0};
    if (run_compiler(&done, arena, mpicc, library, error) != 0)
        return NULL;
    if (done.exit_code == 0)
        return library;
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

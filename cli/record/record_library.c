/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/record/record_library.h"

#include "base/file.h"
#include "base/process.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *installed(struct arena *arena, enum mpi_library mpi, struct error *error) {
    const char *name = mpi == MPI_LIBRARY_MPICH ? "libbsim_record_mpich.so" : "libbsim_record.so";
    const char *path = path_of_library(arena, name);
    if (mpi != MPI_LIBRARY_OTHER && file_exists(path))
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

const char *record_library(struct arena *arena, const struct mpi_program *program,
                           const char *mpicc, const char *directory, struct error *error) {
    if (program->path == NULL && program->is_static) {
        error_set(error, "the program is linked statically, so that nothing can be loaded before "
                         "it; link it with MPI's shared library");
        return NULL;
    }
    return mpicc != NULL ? compile(arena, mpicc, directory, error)
                         : installed(arena, program->mpi, error);
}

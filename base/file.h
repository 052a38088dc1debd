/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and paths. Readers take whole files; writers write beside the target and rename, so that a
 * reader never sees half a file and a failed write leaves the old one as it was.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

typedef VEC(const char *) path_list;

/* The whole file with a terminating zero (not counted in *out_length); the caller frees *out.
 * Directories and files over 1 GiB are refused. */
int file_read(char **out, size_t *out_length, const char *path, struct error *error);

int file_write(const char *path, const char *text, size_t length, struct error *error);

/* Behind what wrote `beside`, a file in the same directory, with that `result`: 0: it takes the
 * place of `path`; else it is removed. Returns the result, or -1 where it cannot take the place. */
int file_take_place(const char *path, const char *beside, int result, struct error *error);

/* The file was last changed when `other` was. */
int file_take_time(const char *path, const char *other, struct error *error);

bool file_exists(const char *path);
bool directory_exists(const char *path);

/* mkdir -p and rm -rf. Removing what is not there is fine. */
int directory_make(const char *path, struct error *error);
int directory_remove(const char *path, struct error *error);

/* Paths, allocated from the arena. path_absolute resolves `.` and `..` by text, not links;
 * path_relative tells `path` as seen from directory `from` (both absolute). */
char *path_join(struct arena *arena, const char *directory, const char *name);
char *path_absolute(struct arena *arena, const char *directory, const char *path);
char *path_relative(struct arena *arena, const char *from, const char *path);
char *path_directory(struct arena *arena, const char *path);
const char *path_base(const char *path);
/* By its name: an archive or a shared library. */
bool path_is_library(const char *path);
char *path_current(struct arena *arena);
/* Where this very program lies, and the path of the running executable itself. */
char *path_executable(struct arena *arena);
/* A file or directory that is installed with the libraries, for a program in bin/. */
char *path_of_library(struct arena *arena, const char *name);
/* True if `path` lies in `directory` (both absolute) or is it. */
bool path_inside(const char *directory, const char *path);

/* A new empty directory under $TMPDIR; the caller removes it. */
char *directory_temporary(struct arena *arena, const char *stem, struct error *error);

/* The full path of a program on the PATH, or NULL. */
char *program_find(struct arena *arena, const char *name);

#endif

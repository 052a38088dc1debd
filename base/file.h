/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and paths. Readers take whole files; writers go through struct output_file, at the end.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

typedef VEC(const char *) path_list;

/* The whole file with a terminating zero (not counted in *out_length); the caller frees *out.
 * Directories and files over 1 GiB are refused. */
int file_read(char **out, size_t *out_length, const char *path, struct error *error);

/* Through links, into devices and pipes, see below. */
int file_write(const char *path, const char *text, size_t length, struct error *error);

/* All of it, to an open descriptor; -1: errno says why. */
int file_write_all(int fd, const char *text, size_t length);

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
/* Where docs/ and examples/ are installed, or lead to in a build tree; NULL: nowhere. */
char *path_of_documents(struct arena *arena);
/* True if `path` lies in `directory` (both absolute) or is it. */
bool path_inside(const char *directory, const char *path);

/* The name of a file or directory that mkstemp or mkdtemp makes under $TMPDIR. */
char *path_temporary(struct arena *arena, const char *stem);

/* A new empty directory under $TMPDIR; the caller removes it. */
char *directory_temporary(struct arena *arena, const char *stem, struct error *error);

/* The same in memory, for files of about so many bytes in all; NULL: they are too many for it, or
 * there is no such place. */
char *directory_in_memory(struct arena *arena, const char *stem, double bytes);

/* Whether the disk of a file or directory has less than a megabyte left. */
bool disk_is_full(const char *path);

/* The full path of a program on the PATH, or NULL. */
char *program_find(struct arena *arena, const char *name);

/* ---- Outputs ---- */

/* A file that a user names for an output, wherever it is: the one way in which the tool replaces
 * files. What is written is a regular file; closing brings it to where links lead. A regular file
 * there is replaced as a whole (rename), so that a reader never sees half a file and a failed write
 * leaves the old one; a device, a pipe or a descriptor (/dev/stdout) stays and is written to. */
struct output_file {
    struct arena arena;
    const char *path;   /* as the user names it */
    const char *target; /* where its links lead; need not be there */
    const char *file;   /* to be written */
    bool is_kept;       /* the target stays, and gets what `file` has */
};

/* Nothing is to be closed if it fails. */
int output_file_open(struct output_file *out, const char *path, struct error *error);

/* Behind what wrote `file`, with that `result`: 0: the target gets it; else nothing changes.
 * Returns the result, or -1 if it does not get there. */
int output_file_close(struct output_file *output, int result, struct error *error);

/* Whether it could be written, before work of hours; nothing changes. */
int output_file_check(const char *path, struct error *error);

/* It is a device, a pipe or a descriptor: nothing lies beside it, and it cannot be read. */
bool output_file_is_kept(const char *path);

/* Where a link leads, for those that make a directory there or move away what is there; a path that
 * is no link, as it is. */
const char *output_target(struct arena *arena, const char *path, struct error *error);

/* A descriptor that writes to it from now on, emptied if it is a regular file; -1: errno says why.
 */
int output_file_descriptor(const char *path);

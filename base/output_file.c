/* SPDX-License-Identifier: Apache-2.0
 *
 * Outputs; see the end of file.h. Links are followed one by one, since the last may lead to what is
 * not there yet, and since those of /proc/PID/fd name no file: a descriptor of this process is
 * written by a copy of itself, which shares its position with all else that is printed there.
 */

#include "base/file.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 40 /* as the system's own limit, path_resolution(7) */

static int fail(const char *path, struct error *error) {
    return error_set(error, "cannot write %s: %s", path, strerror(errno));
}

static bool holds_descriptors(const char *directory) {
    return text_has_prefix(directory, "/proc/") && text_has_suffix(directory, "/fd");
}

/* The same path in a directory without links. */
static const char *place(struct arena *arena, const char *path) {
    char directory[PATH_MAX];
    if (realpath(path_directory(arena, path), directory) == NULL)
        return NULL;
    return path_join(arena, directory, path_base(path));
}

static const char *target_of(struct arena *arena, const char *path, struct error *error) {
    const char *at = path;
    for (int i = 0; i < MOST_LINKS; i++) {
        char link[PATH_MAX];
        if ((at = place(arena, at)) == NULL)
            break;
        const char *directory = path_directory(arena, at);
        ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0 || holds_descriptors(directory))
            return at;
        at = path_join(arena, directory, arena_strndup(arena, link, (size_t)length));
    }
    if (at != NULL)
        errno = ELOOP;
    fail(path, error);
    return NULL;
}

const char *output_target(struct arena *arena, const char *path, struct error *error) {
    struct stat info;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    const char *plain = arena_strndup(arena, path, length);
    bool is_link = lstat(plain, &info) == 0 && S_ISLNK(info.st_mode);
    return is_link ? target_of(arena, plain, error) : plain;
}

static bool is_kept(struct arena *arena, const char *target) {
    struct stat info;
    return holds_descriptors(path_directory(arena, target)) ||
           (stat(target, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

bool output_file_is_kept(const char *path) {
    struct arena arena = {0};
    struct error ignored = {0};
    const char *target = target_of(&arena, path, &ignored);
    bool result = target != NULL && is_kept(&arena, target);
    arena_dispose(&arena);
    return result;
}

/* An empty file in $TMPDIR: beside a device nothing can be made. */
static const char *make_temporary(struct output_file *out, struct error *error) {
    char *name = path_temporary(&out->arena, "mpiskel-output");
    int fd = mkstemp(name);
    if (fd < 0) {
        error_set(error, "cannot create a temporary file %s: %s", name, strerror(errno));
        return NULL;
    }
    close(fd);
    return name;
}

static int open_target(struct output_file *out, struct error *error) {
    out->target = target_of(&out->arena, out->path, error);
    if (out->target == NULL)
        return -1;
    if (directory_exists(out->target)) {
        errno = EISDIR;
        return fail(out->path, error);
    }
    out->is_kept = is_kept(&out->arena, out->target);
    out->file = out->is_kept ? make_temporary(out, error)
                             : arena_printf(&out->arena, "%s.tmp%ld", out->target, (long)getpid());
    return out->file != NULL ? 0 : -1;
}

int output_file_open(struct output_file *out, const char *path, struct error *error) {
    *out = (struct output_file){.path = path};
    int result = open_target(out, error);
    if (result != 0)
        arena_dispose(&out->arena);
    return result;
}

/* What this process has printed so far stands before it. */
static int copy_descriptor(const char *target) {
    fflush(stdout);
    return fcntl(atoi(path_base(target)), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static int open_kept(struct arena *arena, const char *target) {
    char own[64];
    snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    if (access(target, F_OK) == 0 && strcmp(path_directory(arena, target), own) == 0)
        return copy_descriptor(target);
    return open(target, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
}

int output_file_descriptor(const char *path) {
    struct arena arena = {0};
    struct error ignored = {0};
    const char *target = target_of(&arena, path, &ignored);
    int fd = target == NULL ? -1
             : is_kept(&arena, target)
                 ? open_kept(&arena, target)
                 : open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int why = errno;
    arena_dispose(&arena);
    errno = why;
    return fd;
}

static int copy(int from, int to) {
    char chunk[65536];
    ssize_t got;
    while ((got = read(from, chunk, sizeof chunk)) > 0)
        if (file_write_all(to, chunk, (size_t)got) != 0)
            return -1;
    return got < 0 ? -1 : 0;
}

static int send(struct output_file *output, struct error *error) {
    int from = open(output->file, O_RDONLY | O_CLOEXEC);
    int to = from >= 0 ? open_kept(&output->arena, output->target) : -1;
    int result = to >= 0 ? copy(from, to) : -1;
    if (to >= 0 && close(to) != 0)
        result = -1;
    if (result != 0)
        fail(output->path, error);
    if (from >= 0)
        close(from);
    return result;
}

int output_file_close(struct output_file *output, int result, struct error *error) {
    if (result == 0 && output->is_kept)
        result = send(output, error);
    else if (result == 0 && rename(output->file, output->target) != 0)
        result = fail(output->path, error);
    if (result != 0 || output->is_kept)
        unlink(output->file);
    arena_dispose(&output->arena);
    return result;
}

static int check_target(struct output_file *output, struct error *error) {
    if (holds_descriptors(path_directory(&output->arena, output->target)))
        return 0;
    if (access(output->target, F_OK) == 0 && access(output->target, W_OK) != 0)
        return fail(output->path, error);
    int fd = open(output->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    return fd < 0 || close(fd) != 0 ? fail(output->path, error) : 0;
}

int output_file_check(const char *path, struct error *error) {
    struct output_file output;
    if (output_file_open(&output, path, error) != 0)
        return -1;
    int result = check_target(&output, error);
    unlink(output.file);
    arena_dispose(&output.arena);
    return result;
}

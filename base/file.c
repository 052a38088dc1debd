/* SPDX-License-Identifier: Apache-2.0
 *
 * POSIX files and paths; see file.h. Outputs are replaced by output_file alone.
 */
#include "base/file.h"

#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define LARGEST_FILE_BYTES ((off_t)1 << 30)
#define MEMORY_DISK "/dev/shm"
#define MEMORY_STEM "mpiskel-"
#define FULL_DISK_BYTES 1e6 /* what did not fit was removed meanwhile: a simulation's files */
#define MEMORY_DISK_PART 8  /* of what is free there: others keep files in it as well */
#define MEMORY_DISK_MOST_BYTES 256e6

static int check_readable(int fd, const char *path, struct error *error) {
    struct stat info;
    if (fstat(fd, &info) != 0)
        return error_set(error, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return error_set(error, "cannot read %s: it is a directory, not a file", path);
    if (info.st_size > LARGEST_FILE_BYTES)
        return error_set(error, "cannot read %s: it is larger than 1 GiB", path);
    return 0;
}

static int read_all(struct str *out, int fd, const char *path, struct error *error) {
    char chunk[65536];
    ssize_t got;
    while ((got = read(fd, chunk, sizeof chunk)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(error, "cannot read %s: %s", path, strerror(errno));
        str_addn(out, chunk, (size_t)got);
        if (out->length > (size_t)LARGEST_FILE_BYTES)
            return error_set(error, "cannot read %s: it is larger than 1 GiB", path);
    }
    return 0;
}

int file_read(char **out, size_t *out_length, const char *path, struct error *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(error, "cannot read %s: %s", path, strerror(errno));
    struct str text = {0};
    str_addn(&text, "", 0);
    int result = check_readable(fd, path, error);
    if (result == 0)
        result = read_all(&text, fd, path, error);
    close(fd);
    if (result != 0) {
        str_dispose(&text);
        return -1;
    }
    *out = text.text;
    if (out_length != NULL)
        *out_length = text.length;
    return 0;
}

int file_write_all(int fd, const char *text, size_t length) {
    while (length > 0) {
        ssize_t done = write(fd, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        text += done;
        length -= (size_t)done;
    }
    return 0;
}

static int write_file(const char *path, const char *text, size_t length) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int result = fd < 0 ? -1 : file_write_all(fd, text, length);
    if (fd >= 0 && close(fd) != 0)
        result = -1;
    return result;
}

int file_write(const char *path, const char *text, size_t length, struct error *error) {
    struct output_file output;
    if (output_file_open(&output, path, error) != 0)
        return -1;
    int result = write_file(output.file, text, length);
    if (result != 0)
        error_set(error, "cannot write %s: %s", path, strerror(errno));
    return output_file_close(&output, result, error);
}

int file_take_time(const char *path, const char *other, struct error *error) {
    struct stat info;
    if (stat(other, &info) != 0)
        return error_set(error, "cannot read %s: %s", other, strerror(errno));
    const struct timespec times[] = {info.st_atim, info.st_mtim};
    if (utimensat(AT_FDCWD, path, times, 0) != 0)
        return error_set(error, "cannot write %s: %s", path, strerror(errno));
    return 0;
}

bool file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

bool directory_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int directory_make(const char *path, struct error *error) {
    char *copy = xstrdup(path);
    int result = 0;
    for (char *slash = copy + 1; result == 0 && slash != NULL; slash++) {
        slash = strchr(slash, '/');
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(copy, 0777) != 0 && !(errno == EEXIST && directory_exists(copy)))
            result = error_set(error, "cannot create directory %s: %s", copy, strerror(errno));
        if (slash == NULL)
            break;
        *slash = '/';
    }
    free(copy);
    return result;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk) {
    (void)info, (void)type, (void)walk;
    return remove(path);
}

int directory_remove(const char *path, struct error *error) {
    struct stat info;
    if (lstat(path, &info) != 0 && errno == ENOENT)
        return 0;
    if (nftw(path, remove_entry, 32, FTW_DEPTH | FTW_PHYS) != 0)
        return error_set(error, "cannot remove %s: %s", path, strerror(errno));
    return 0;
}

char *path_join(struct arena *arena, const char *directory, const char *name) {
    if (name[0] == '/' || directory[0] == '\0')
        return arena_strdup(arena, name);
    const char *slash = text_has_suffix(directory, "/") ? "" : "/";
    return arena_printf(arena, "%s%s%s", directory, slash, name);
}

char *path_current(struct arena *arena) {
    char buffer[PATH_MAX];
    if (getcwd(buffer, sizeof buffer) == NULL)
        return arena_strdup(arena, "/");
    return arena_strdup(arena, buffer);
}

char *path_absolute(struct arena *arena, const char *directory, const char *path) {
    char *joined = path_join(arena, directory, path);
    if (joined[0] != '/')
        joined = path_join(arena, path_current(arena), joined);
    char *out = arena_alloc(arena, strlen(joined) + 2);
    size_t length = 0;
    for (const char *part = joined; *part != '\0';) {
        part += strspn(part, "/");
        size_t size = strcspn(part, "/");
        if (size == 2 && part[0] == '.' && part[1] == '.') {
            while (length > 0 && out[--length] != '/')
                continue;
        } else if (size > 0 && !(size == 1 && part[0] == '.')) {
            out[length++] = '/';
            memcpy(out + length, part, size);
            length += size;
        }
        part += size;
    }
    if (length == 0)
        out[length++] = '/';
    out[length] = '\0';
    return out;
}

bool path_is_library(const char *path) {
    return text_has_suffix(path, ".a") || strstr(path_base(path), ".so") != NULL;
}

char *path_of_library(struct arena *arena, const char *name) {
    const char *bin = path_directory(arena, path_executable(arena));
    return path_absolute(arena, path_join(arena, bin, "../lib/mpiskel"), name);
}

char *path_of_documents(struct arena *arena) {
    char *here = path_directory(arena, path_executable(arena));
    for (int levels = 0; levels < 2; levels++) { /* bin, or lib/mpiskel */
        here = path_directory(arena, here);
        char *documents = path_join(arena, here, "share/doc/mpiskel");
        if (file_exists(path_join(arena, documents, "docs/README.md")))
            return documents;
    }
    return NULL;
}

bool path_inside(const char *directory, const char *path) {
    size_t length = strlen(directory);
    if (length > 0 && directory[length - 1] == '/')
        length--;
    return strncmp(directory, path, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

char *path_relative(struct arena *arena, const char *from, const char *path) {
    struct str out = {0};
    char *base = arena_strdup(arena, from);
    while (!path_inside(base, path)) {
        char *slash = strrchr(base, '/');
        str_add(&out, "../");
        *slash = '\0';
    }
    const char *rest = path + strlen(base);
    str_add(&out, rest[0] == '/' ? rest + 1 : rest);
    if (out.length == 0)
        str_add(&out, ".");
    char *copy = arena_strdup(arena, out.text);
    str_dispose(&out);
    return copy;
}

char *path_directory(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return arena_strdup(arena, ".");
    if (slash == path)
        return arena_strdup(arena, "/");
    return arena_strndup(arena, path, (size_t)(slash - path));
}

const char *path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *path_executable(struct arena *arena) {
    char buffer[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", buffer, sizeof buffer - 1);
    return arena_strndup(arena, buffer, length > 0 ? (size_t)length : 0);
}

/* The dynamic linker parts names of libraries at blanks and colons, SimGrid its options at commas,
 * Make and shells what they are given at the others. */
static const char *parent_of_temporary(struct arena *arena) {
    static bool is_noted;
    const char *given = getenv("TMPDIR");
    if (given == NULL || given[0] == '\0')
        return "/tmp";
    const char *parent = path_absolute(arena, "", given);
    const char *parting = strpbrk(parent, " \t\r\n:,;'\"\\$`*?#&|()<>[]{}");
    if (parting == NULL)
        return parent;
    if (!is_noted)
        note("note: temporary files go to /tmp: TMPDIR (%s) has %s in it", given,
             isspace((unsigned char)*parting) ? "a blank"
                                              : arena_printf(arena, "a '%c'", *parting));
    is_noted = true;
    return "/tmp";
}

char *path_temporary(struct arena *arena, const char *stem) {
    return arena_printf(arena, "%s/%s-XXXXXX", parent_of_temporary(arena), stem);
}

char *directory_temporary(struct arena *arena, const char *stem, struct error *error) {
    char *name = path_temporary(arena, stem);
    if (mkdtemp(name) == NULL) {
        error_set(error, "cannot create a temporary directory %s: %s", name, strerror(errno));
        return NULL;
    }
    return name;
}

/* ---- In memory ----
 *
 * A directory's name says which process made it: its space of process ids, its number and the tick
 * at which it began. Making one removes those of processes that have ended, by a kill say. Those of
 * other spaces (containers) stay, since nobody here can see whether their process lives. */

/* 0: unknown; then names tell nothing, and nothing is removed. */
static unsigned long long space_of_processes(void) {
    struct stat info;
    return stat("/proc/self/ns/pid", &info) == 0 ? (unsigned long long)info.st_ino : 0;
}

/* Where /proc cannot be read it is taken for alive. */
static bool is_alive(long long pid, long long began) {
    long long found = clock_process_began(pid);
    return found >= 0 ? found == began : kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

static bool is_left_behind(const char *name, unsigned long long space) {
    unsigned long long of_space = 0;
    long long pid = 0, began = 0;
    const char *owner = strstr(name, "-ns");
    return text_has_prefix(name, MEMORY_STEM) && owner != NULL &&
           sscanf(owner, "-ns%llu.%lld.%lld-", &of_space, &pid, &began) == 3 && of_space == space &&
           !is_alive(pid, began);
}

/* Another process may remove the same one, and others' directories cannot be removed. */
static void remove_left_behind(unsigned long long space) {
    struct arena arena = {0};
    struct error ignored = {0};
    DIR *directory = opendir(MEMORY_DISK);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (is_left_behind(entry->d_name, space))
            directory_remove(path_join(&arena, MEMORY_DISK, entry->d_name), &ignored);
    if (directory != NULL)
        closedir(directory);
    arena_dispose(&arena);
}

static bool has_room(double bytes) {
    struct statvfs disk;
    return bytes <= MEMORY_DISK_MOST_BYTES && statvfs(MEMORY_DISK, &disk) == 0 &&
           bytes * MEMORY_DISK_PART <= (double)disk.f_bavail * (double)disk.f_frsize;
}

char *directory_in_memory(struct arena *arena, const char *stem, double bytes) {
    unsigned long long space = space_of_processes();
    long long pid = getpid(), began = clock_process_began(pid);
    if (space == 0 || began < 0)
        return NULL;
    remove_left_behind(space);
    char *name =
        arena_printf(arena, MEMORY_DISK "/%s-ns%llu.%lld.%lld-XXXXXX", stem, space, pid, began);
    return has_room(bytes) ? mkdtemp(name) : NULL;
}

bool disk_is_full(const char *path) {
    struct statvfs disk;
    return statvfs(path, &disk) == 0 &&
           (double)disk.f_bavail * (double)disk.f_frsize < FULL_DISK_BYTES;
}

char *program_find(struct arena *arena, const char *name) {
    const char *path = getenv("PATH");
    for (const char *part = path != NULL ? path : "/usr/bin:/bin"; *part != '\0';) {
        size_t length = strcspn(part, ":");
        char *directory = length > 0 ? arena_strndup(arena, part, length) : ".";
        char *candidate = path_join(arena, directory, name);
        if (file_exists(candidate) && access(candidate, X_OK) == 0)
            return candidate;
        part += length + (part[length] == ':');
    }
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Files on disk, one object for each path. An original does with them what MPI says. A skeleton
 * spares them (bsim__io_spares_disk): what it would create, lengthen, shorten or delete is only
 * noted, so that sizes and errors are right and nobody's results are lost. It reads them; and where
 * it writes contents that something reads back, what was noted is done first, and from then on the
 * file is as in the original.
 *
 * Not handled: two names of one file (links).
 */
#include "runtime/smpi/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bsim__io_store {
    char *path;
    int users, descriptor; /* -1: not open */
    bool is_writable;      /* the descriptor */
    bool is_spared;        /* and if it has been changed, not on disk: */
    bool is_changed;
    bool exists;
    MPI_Offset size, from_disk; /* the first bytes are those on disk; behind them are zeros */
    struct bsim__io_store *next;
};

static int code_of_errno(void) {
    switch (errno) {
    case ENOENT:
    case ENOTDIR:
        return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
        return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
        return MPI_ERR_ACCESS;
    case EROFS:
        return MPI_ERR_READ_ONLY;
    case ENAMETOOLONG:
    case ELOOP:
    case EISDIR:
        return MPI_ERR_BAD_FILE;
    case ENOSPC:
        return MPI_ERR_NO_SPACE;
    case EDQUOT:
        return MPI_ERR_QUOTA;
    default:
        return MPI_ERR_IO;
    }
}

/* ---- Which one ---- */

static struct bsim__io_store **list(void) {
    return &bsim__shared()->stores;
}

/* The directory's real path; the file need not be there. */
char *bsim__io_absolute_path(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *directory = strndup(length > 0 ? path : ".", length > 0 ? length : 1);
    char *real = directory != NULL ? realpath(directory, NULL) : NULL;
    size_t bytes = (real != NULL ? strlen(real) : 0) + strlen(path) + 2;
    char *out = bsim__grow(NULL, 0, bytes);
    if (real != NULL)
        snprintf(out, bytes, "%s/%s", strcmp(real, "/") == 0 ? "" : real,
                 slash != NULL ? slash + 1 : path);
    else
        strcpy(out, path);
    free(directory);
    free(real);
    return out;
}

static struct bsim__io_store *store_of(const char *path) {
    char *absolute = bsim__io_absolute_path(path);
    struct bsim__io_store *store = *list();
    while (store != NULL && strcmp(store->path, absolute) != 0)
        store = store->next;
    if (store != NULL) {
        free(absolute);
        return store;
    }
    store = bsim__grow(NULL, 0, sizeof *store);
    store->path = absolute;
    store->descriptor = -1;
    store->is_spared = bsim__io_spares_disk();
    store->next = *list();
    *list() = store;
    return store;
}

static void close_descriptor(struct bsim__io_store *store) {
    if (store->descriptor >= 0)
        close(store->descriptor);
    store->descriptor = -1;
}

/* Kept as long as it says something that the disk does not, or is real in a skeleton. */
static void forget_if_unused(struct bsim__io_store *store) {
    struct bsim__io_store **at = list();
    if (store->users > 0 || store->is_changed || store->is_spared != bsim__io_spares_disk())
        return;
    while (*at != store)
        at = &(*at)->next;
    *at = store->next;
    close_descriptor(store);
    free(store->path);
    free(store);
}

/* ---- What there is ---- */

static bool exists(const struct bsim__io_store *store) {
    struct stat status;
    return store->is_changed ? store->exists : stat(store->path, &status) == 0;
}

static MPI_Offset size_on_disk(const struct bsim__io_store *store) {
    struct stat status;
    bool known = store->descriptor >= 0 ? fstat(store->descriptor, &status) == 0
                                        : stat(store->path, &status) == 0;
    return known ? status.st_size : 0;
}

MPI_Offset bsim__io_store_size(const struct bsim__io_store *store) {
    return store->is_changed ? store->size : size_on_disk(store);
}

const char *bsim__io_store_path(const struct bsim__io_store *store) {
    return store->path;
}

/* Before something is noted of a file that is spared. */
static void change(struct bsim__io_store *store) {
    if (store->is_changed)
        return;
    store->exists = exists(store);
    store->size = store->from_disk = size_on_disk(store);
    store->is_changed = true;
}

/* ---- Opening ---- */

static int open_descriptor(struct bsim__io_store *store, int flags) {
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (store->descriptor >= 0 && (store->is_writable || !writes) && (flags & O_EXCL) == 0)
        return MPI_SUCCESS;
    int descriptor = open(store->path, flags | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return code_of_errno();
    close_descriptor(store);
    store->descriptor = descriptor;
    store->is_writable = writes;
    return MPI_SUCCESS;
}

/* Whether the file, or its directory, may be written to. */
static int ask_disk(const struct bsim__io_store *store, const char *path, int mode) {
    if (access(path, mode) == 0 || (store->is_changed && store->from_disk == 0))
        return MPI_SUCCESS;
    return code_of_errno();
}

static int ask_directory(const struct bsim__io_store *store) {
    char path[PATH_MAX];
    const char *slash = strrchr(store->path, '/');
    int length = slash == NULL ? 1 : slash == store->path ? 1 : (int)(slash - store->path);
    snprintf(path, sizeof path, "%.*s", length, slash == NULL ? "." : store->path);
    return access(path, W_OK | X_OK) == 0 ? MPI_SUCCESS : code_of_errno();
}

static int open_spared(struct bsim__io_store *store, int amode) {
    bool there = exists(store), writes = (amode & MPI_MODE_RDONLY) == 0;
    if (there && (amode & MPI_MODE_CREATE) != 0 && (amode & MPI_MODE_EXCL) != 0)
        return MPI_ERR_FILE_EXISTS;
    if (there)
        return ask_disk(store, store->path,
                        ((amode & MPI_MODE_WRONLY) == 0 ? R_OK : 0) | (writes ? W_OK : 0));
    if ((amode & MPI_MODE_CREATE) == 0)
        return MPI_ERR_NO_SUCH_FILE;
    int code = ask_directory(store);
    if (code == MPI_SUCCESS) {
        change(store);
        store->exists = true;
    }
    return code;
}

static int open_real(struct bsim__io_store *store, int amode) {
    int flags = (amode & MPI_MODE_RDONLY) != 0 ? O_RDONLY : O_RDWR;
    flags |= (amode & MPI_MODE_CREATE) != 0 ? O_CREAT : 0;
    flags |= (amode & MPI_MODE_EXCL) != 0 ? O_EXCL : 0;
    int code = open_descriptor(store, flags);
    if (code == MPI_ERR_ACCESS && (amode & MPI_MODE_WRONLY) != 0) /* who may only write */
        code = open_descriptor(store, (flags & ~O_ACCMODE) | O_WRONLY);
    return code;
}

int bsim__io_store_open(struct bsim__io_store **out, const char *path, int amode) {
    struct bsim__io_store *store = store_of(path);
    struct stat status;
    int code = MPI_SUCCESS;
    if (!store->is_changed && stat(store->path, &status) == 0 && S_ISDIR(status.st_mode))
        code = MPI_ERR_BAD_FILE;
    if (code == MPI_SUCCESS)
        code = store->is_spared ? open_spared(store, amode) : open_real(store, amode);
    store->users += code == MPI_SUCCESS;
    *out = code == MPI_SUCCESS ? store : NULL;
    if (code != MPI_SUCCESS)
        forget_if_unused(store);
    return code;
}

void bsim__io_store_close(struct bsim__io_store *store) {
    if (--store->users == 0)
        close_descriptor(store);
    forget_if_unused(store);
}

int bsim__io_store_delete(const char *path) {
    struct bsim__io_store *store = store_of(path);
    int code = MPI_SUCCESS;
    if (!exists(store)) {
        code = MPI_ERR_NO_SUCH_FILE;
    } else if (store->is_spared) {
        change(store);
        store->exists = false;
        store->size = store->from_disk = 0;
    } else if (unlink(store->path) != 0) {
        code = code_of_errno();
    }
    forget_if_unused(store);
    return code;
}

/* ---- Contents ---- */

int bsim__io_store_set_size(struct bsim__io_store *store, MPI_Offset size) {
    if (!store->is_spared)
        return ftruncate(store->descriptor, size) == 0 ? MPI_SUCCESS : code_of_errno();
    change(store);
    store->size = size;
    store->from_disk = size < store->from_disk ? size : store->from_disk;
    return MPI_SUCCESS;
}

static MPI_Offset read_disk(char *out, struct bsim__io_store *store, MPI_Offset place,
                            MPI_Offset bytes) {
    MPI_Offset done = 0;
    if (open_descriptor(store, O_RDONLY) != MPI_SUCCESS)
        return -1;
    while (done < bytes) {
        ssize_t more = pread(store->descriptor, out + done, (size_t)(bytes - done), place + done);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return more < 0 ? -1 : done;
        done += more;
    }
    return done;
}

MPI_Offset bsim__io_store_read(void *out, struct bsim__io_store *store, MPI_Offset place,
                               MPI_Offset bytes) {
    MPI_Offset left = bsim__io_store_size(store) - place;
    if (bytes > left)
        bytes = left > 0 ? left : 0;
    if (out == NULL || bytes == 0)
        return bytes;
    if (!store->is_changed)
        return read_disk(out, store, place, bytes);
    MPI_Offset there = store->from_disk - place;
    there = there < 0 ? 0 : there < bytes ? there : bytes;
    if (there > 0 && read_disk(out, store, place, there) < 0)
        return -1;
    memset((char *)out + there, 0, (size_t)(bytes - there));
    return bytes;
}

/* What was noted is done. */
static int make_real(struct bsim__io_store *store) {
    int code = open_descriptor(store, O_RDWR | O_CREAT);
    if (code == MPI_SUCCESS && store->is_changed &&
        (ftruncate(store->descriptor, store->from_disk) != 0 ||
         ftruncate(store->descriptor, store->size) != 0))
        code = code_of_errno();
    store->is_changed = store->is_spared = false;
    return code;
}

static int write_disk(const struct bsim__io_store *store, MPI_Offset place, const char *data,
                      MPI_Offset bytes) {
    MPI_Offset done = 0;
    while (done < bytes) {
        ssize_t more = pwrite(store->descriptor, data + done, (size_t)(bytes - done), place + done);
        if (more < 0 && errno != EINTR)
            return code_of_errno();
        done += more > 0 ? more : 0;
    }
    return MPI_SUCCESS;
}

int bsim__io_store_write(struct bsim__io_store *store, MPI_Offset place, const void *data,
                         MPI_Offset bytes) {
    if (data == NULL)
        return place + bytes > bsim__io_store_size(store)
                   ? bsim__io_store_set_size(store, place + bytes)
                   : MPI_SUCCESS;
    int code = store->is_spared ? make_real(store) : MPI_SUCCESS;
    return code == MPI_SUCCESS ? write_disk(store, place, data, bytes) : code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy of a pipe's contents lies in a file without a name, as long as the tool runs.
 */
#include "simulator/run/standard_input.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGINS_MS 1000 /* until something comes, or nothing is expected to */
#define PATIENCE_MS 5000
#define LOOK_MS 200 /* whether a signal came */
#define MOST_BYTES (64 << 20)

/* What a program that reads standard input refers to, as in a table of symbols. */
static bool names_input(const char *text, size_t size) {
    static const char *const names[] = {"stdin",   "scanf", "__isoc99_scanf", "__isoc23_scanf",
                                        "getchar", "gets",  "__gets_chk",     "getchar_unlocked",
                                        "vscanf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str wanted = {0};
        str_addc(&wanted, '\0');
        str_addn(&wanted, names[i], strlen(names[i]) + 1);
        bool found = memmem(text, size, wanted.text, wanted.length) != NULL;
        str_dispose(&wanted);
        if (found)
            return true;
    }
    return false;
}

bool standard_input_is_read(const char *program) {
    struct stat status;
    bool reads = false;
    int file = open(program, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        size_t size = (size_t)status.st_size;
        void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (map != MAP_FAILED) {
            reads = names_input(map, size);
            munmap(map, size);
        }
    }
    if (file >= 0)
        close(file);
    return reads;
}

/* Also when it ends; false also when a signal comes. */
static bool comes_within(int milliseconds) {
    struct pollfd wanted = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&wanted, 1, milliseconds) > 0;
}

/* Reads what comes next, however long that takes; 0: the end, -1: interrupted. */
static ssize_t read_next(char *piece, size_t size, bool *has_warned) {
    for (int waited_ms = 0; !comes_within(LOOK_MS); waited_ms += LOOK_MS) {
        if (process_interrupted())
            return -1;
        if (!*has_warned && waited_ms >= PATIENCE_MS)
            note("the program reads standard input: waiting for its end");
        *has_warned = *has_warned || waited_ms >= PATIENCE_MS;
    }
    ssize_t length = read(STDIN_FILENO, piece, size);
    return length > 0 ? length : 0;
}

static bool write_all(int file, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

static int new_file(void) {
    FILE *kept = tmpfile();
    int file = kept != NULL ? fcntl(fileno(kept), F_DUPFD_CLOEXEC, 3) : -1;
    if (kept != NULL)
        fclose(kept);
    return file;
}

/* The number of bytes; -1: there is an error. */
static long long copy_to(int file, struct error *error) {
    char piece[16384];
    long long bytes = 0;
    bool has_warned = false;
    for (;;) {
        ssize_t length = read_next(piece, sizeof piece, &has_warned);
        if (length < 0)
            return error_set(error, "interrupted");
        if (length == 0)
            return bytes;
        bytes += length;
        if (bytes > MOST_BYTES || !write_all(file, piece, (size_t)length))
            return error_set(error,
                             "standard input is more than can be kept for several runs (%d MiB, or "
                             "what there is room for): have it come from a file, or from /dev/null",
                             MOST_BYTES >> 20);
    }
}

/* *out is 0 where there is nothing. */
static int copy_pipe(int *out, struct error *error) {
    *out = 0;
    bool comes = comes_within(BEGINS_MS);
    if (process_interrupted())
        return error_set(error, "interrupted");
    if (!comes) {
        note("nothing comes on standard input so far: if several runs read it, each gets a part; "
             "have "
             "it come from a file");
        return 0;
    }
    int file = new_file();
    if (file < 0)
        return error_set(error, "cannot keep standard input for several runs: %s", strerror(errno));
    long long bytes = copy_to(file, error);
    if (bytes > 0)
        note("%lld bytes of standard input are kept for all runs, as the program may read them",
             bytes);
    if (bytes < 0)
        close(file);
    *out = bytes < 0 ? 0 : file;
    return bytes < 0 ? -1 : 0;
}

/* 0: it cannot be opened once more. */
static int open_again(void) {
    int again = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    if (again >= 0)
        close(again);
    return again >= 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : 0;
}

int standard_input_set(struct process_options *options, const char *program, bool several,
                       struct error *error) {
    static bool is_kept;
    static int file; /* 0: none */
    static off_t offset;
    struct stat status;
    bool known = fstat(STDIN_FILENO, &status) == 0;
    if (!is_kept && known && S_ISREG(status.st_mode)) {
        is_kept = true;
        offset = lseek(STDIN_FILENO, 0, SEEK_CUR);
        file = open_again();
    }
    if (!is_kept && several && known && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) &&
        standard_input_is_read(program)) {
        is_kept = true;
        if (copy_pipe(&file, error) != 0)
            return -1;
    }
    if (file > 0) {
        options->input = file;
        options->input_offset = offset;
    }
    return 0;
}

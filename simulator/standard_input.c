/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy of a pipe's contents lies in a file without a name, as long as the tool runs.
 */
#include "simulator/standard_input.h"

#include "base/str.h"
#include "base/vec.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGINS_MS 1000 /* until something comes, or nothing is expected to */
#define PATIENCE_MS 5000
#define PIECE_BYTES 65536

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

static bool reads_input(const char *program) {
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

static bool comes_within(int milliseconds) {
    struct pollfd wanted = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&wanted, 1, milliseconds) > 0;
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

/* -1: there is nothing, or no room. */
static int copy_pipe(void) {
    char *piece = xmalloc(PIECE_BYTES);
    bool comes = comes_within(BEGINS_MS);
    FILE *kept = comes ? tmpfile() : NULL;
    int file = kept != NULL ? fcntl(fileno(kept), F_DUPFD_CLOEXEC, 3) : -1;
    bool told = false;
    if (kept != NULL)
        fclose(kept);
    for (ssize_t length = 1; file >= 0 && length > 0;) {
        if (!told && !comes_within(PATIENCE_MS)) {
            told = true;
            note("the program reads standard input: waiting for its end");
        }
        length = read(STDIN_FILENO, piece, PIECE_BYTES);
        if (length > 0 && !write_all(file, piece, (size_t)length)) {
            note("standard input is not kept, there is no room for it: only one run can read it");
            close(file);
            file = -1;
        }
    }
    if (!comes)
        note("nothing comes on standard input so far: if more than one run reads it, each gets a "
             "part; have it come from a file");
    free(piece);
    return file;
}

void standard_input_set(struct process_options *options, const char *program) {
    static int file; /* 0: not asked yet, below: none is kept */
    static off_t offset;
    struct stat status;
    if (file == 0 && (fstat(STDIN_FILENO, &status) != 0 || isatty(STDIN_FILENO)))
        file = -1;
    if (file == 0 && S_ISREG(status.st_mode)) {
        offset = lseek(STDIN_FILENO, 0, SEEK_CUR);
        file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    } else if (file == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) {
        if (!reads_input(program))
            return;
        file = copy_pipe();
    }
    if (file > 0) {
        options->input = file;
        options->input_offset = offset;
    }
}

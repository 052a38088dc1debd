/* SPDX-License-Identifier: Apache-2.0
 *
 * Appends one JSON line with directory and arguments to the log that capture named in the
 * environment, keeps the sources that the line names, then runs the real program. Compiler wrappers
 * call further compilers: those see MPISKEL_CAPTURE_INSIDE and only pass on.
 */
#include "base/hash.h"
#include "cli/capture/capture.h"

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool capture_is_stand_in(const char *argv0) {
    return getenv("MPISKEL_CAPTURE_LOG") != NULL && strcmp(path_base(argv0), "mpiskel") != 0 &&
           getenv("MPISKEL_CAPTURE_PATH") != NULL;
}

char *capture_kept_source(struct arena *arena, const char *log, const char *source) {
    unsigned long long hash = hash_bytes(0, source, strlen(source));
    return arena_printf(arena, "%s.%016llx.c", log, hash);
}

/* Some builds remove what they generated. A source that cannot be read is the compiler's to tell.
 */
static void keep_sources(struct arena *arena, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct error ignored = {0};
        char *text = NULL;
        size_t length;
        const char *source = path_absolute(arena, path_current(arena), argv[i]);
        if (argv[i][0] == '-' || !text_has_suffix(argv[i], ".c") ||
            file_read(&text, &length, source, &ignored) != 0)
            continue;
        const char *kept = capture_kept_source(arena, getenv("MPISKEL_CAPTURE_LOG"), source);
        file_write(kept, text, length, &ignored);
        free(text);
    }
}

static void record(int argc, char **argv) {
    struct arena arena = {0};
    json_t *words = json_array();
    for (int i = 0; i < argc; i++)
        json_array_append_new(words, json_string(i == 0 ? path_base(argv[0]) : argv[i]));
    json_t *entry = json_pack("{s:s, s:o}", "directory", path_current(&arena), "arguments", words);
    char *line = json_dumps(entry, JSON_COMPACT);
    int fd = open(getenv("MPISKEL_CAPTURE_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (line == NULL || fd < 0)
        fprintf(stderr, "mpiskel: capture cannot record a call of %s\n", argv[0]);
    else
        dprintf(fd, "%s\n", line);
    if (fd >= 0)
        close(fd);
    keep_sources(&arena, argc, argv);
    free(line);
    json_decref(entry);
    arena_dispose(&arena);
}

int capture_stand_in(int argc, char **argv) {
    if (getenv("MPISKEL_CAPTURE_INSIDE") == NULL)
        record(argc, argv);
    setenv("MPISKEL_CAPTURE_INSIDE", "1", 1);
    setenv("PATH", getenv("MPISKEL_CAPTURE_PATH"), 1);
    const char *name = path_base(argv[0]);
    argv[0] = (char *)name;
    execvp(name, argv);
    fprintf(stderr, "mpiskel: capture found no '%s' on the PATH\n", name);
    return 127;
}

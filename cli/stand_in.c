/* SPDX-License-Identifier: Apache-2.0
 *
 * Appends one JSON line with directory and arguments to the log that capture named in the
 * environment, then runs the real program. Compiler wrappers call further compilers: those see
 * MPISKEL_CAPTURE_INSIDE and only pass on.
 */
#include "cli/capture.h"

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the smpirun script as text; see smpi.h. It is never run for this.
 */
#include "simulator/run/smpi.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path that ends in /smpimain between two quotes. */
static const char *quoted_smpimain(struct arena *arena, const char *script) {
    const char *end = strstr(script, "/smpimain\"");
    const char *start = end;
    while (start != NULL && start > script && start[-1] != '"' && start[-1] != '\n')
        start--;
    if (start == NULL || start[0] != '/')
        return NULL;
    return arena_strndup(arena, start, (size_t)(end - start) + strlen("/smpimain"));
}

static const char *version_of(struct arena *arena, const char *script) {
    static const char mark[] = "SIMGRID_VERSION=\"SimGrid version ";
    const char *start = strstr(script, mark);
    if (start == NULL)
        return "unknown";
    start += sizeof mark - 1;
    return arena_strndup(arena, start, strcspn(start, "\"\n"));
}

/* As the file in it says of which SimGrid they are; another one may need more of ns-3. */
static const char *find_without_ns3(struct arena *arena, const char *library_directory) {
    const char *directory = path_of_library(arena, "without-ns3");
    struct stat library;
    long long size = -1, time = -1;
    FILE *file = fopen(path_join(arena, directory, "simgrid"), "r");
    if (file == NULL)
        return NULL;
    bool is_read = fscanf(file, "%lld %lld", &size, &time) == 2;
    fclose(file);
    bool same = stat(path_join(arena, library_directory, "libsimgrid.so"), &library) == 0 &&
                library.st_size == size && library.st_mtime == time;
    bool can_be_named = strpbrk(directory, ":;") == NULL; /* in LD_LIBRARY_PATH */
    return is_read && same && can_be_named ? directory : NULL;
}

int smpi_find(struct smpi *out, struct arena *arena, struct error *error) {
    char *script = NULL;
    const char *smpirun = program_find(arena, "smpirun");
    if (smpirun == NULL)
        return error_set(error, "smpirun is not on the PATH: install SimGrid (apt install "
                                "libsimgrid-dev), or see mpiskel doctor");
    if (file_read(&script, NULL, smpirun, error) != 0)
        return -1;
    *out = (struct smpi){.smpirun = smpirun,
                         .smpimain = quoted_smpimain(arena, script),
                         .version = version_of(arena, script)};
    free(script);
    if (out->smpimain == NULL || access(out->smpimain, X_OK) != 0)
        return error_set(error,
                         "%s names no smpimain that can be run: SimGrid is not completely "
                         "installed (apt install --reinstall libsimgrid-dev)",
                         smpirun);
    out->library_directory = path_directory(arena, path_directory(arena, out->smpimain));
    out->without_ns3 = find_without_ns3(arena, out->library_directory);
    return 0;
}

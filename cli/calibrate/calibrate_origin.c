/* SPDX-License-Identifier: Apache-2.0
 *
 * Where and when something was measured, and where it goes; see calibrate.h.
 */
#include "cli/calibrate/calibrate.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *calibrate_processor(struct arena *arena) {
    char line[256];
    const char *name = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && name[0] == '\0' && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            const char *value = strchr(line, ':') + 1;
            value += strspn(value, " \t");
            name = arena_strndup(arena, value, strcspn(value, "\n"));
        }
    if (file != NULL)
        fclose(file);
    return name;
}

const char *calibrate_host(struct arena *arena) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return arena_strdup(arena, host);
}

const char *calibrate_now(struct arena *arena) {
    char made[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    strftime(made, sizeof made, "%Y-%m-%d %H:%M", gmtime_r(&now, &utc));
    return arena_strdup(arena, made);
}

int calibrate_check_targets(const struct calibrate_options *options, const char *path,
                            struct arena *arena, struct error *error) {
    struct opened opened;
    const char *directory = path_directory(arena, path);
    if (!directory_exists(directory))
        return error_set(error, "%s: there is no directory %s", path, directory);
    if (options->bundle == NULL)
        return 0;
    int result = opened_open(&opened, options->bundle, true, error);
    opened_close(&opened);
    return result;
}

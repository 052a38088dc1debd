/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/convert/conversion.h"

#include "analysis/convert/import_target.h"
#include "base/file.h"

#include <errno.h>
#include <string.h>

static const struct conversion table[] = {
    {"otf2", ".otf2", true, to_otf2, from_otf2, "a directory in Score-P's Open Trace Format 2"},
    {"paje", ".paje", false, to_paje, from_paje, "Paje, which vite, pj_dump and SMPI know"},
    {"chrome", ".json.gz .json", false, to_chrome, NULL,
     "Chrome's trace events, for Perfetto and chrome://tracing; packed where the name ends in .gz"},
    {"csv", ".csv", false, to_csv, NULL, "a line for each event"},
    {"stacks", ".stacks .folded", false, to_stacks, NULL,
     "collapsed stacks with nanoseconds, for flame graphs"},
    {"smpi", ".smpi .ti", false, to_smpi, from_smpi,
     "time-independent actions, which `smpirun -replay` executes"},
    {"records", ".records .txt", false, NULL, from_records,
     "text records that define themselves: SEND { long time; int peer; }, then SEND 1000 1"},
    {0}};

const struct conversion *conversions(void) {
    return table;
}

/* Whether the path ends with one of the endings, which blanks separate. */
static bool ends_with(const char *path, const char *endings) {
    size_t length = strlen(path);
    for (const char *at = endings; *at != '\0'; at += strspn(at, " ")) {
        size_t part = strcspn(at, " ");
        if (length > part && strncmp(path + length - part, at, part) == 0)
            return true;
        at += part;
    }
    return false;
}

const struct conversion *conversion_find(const char *name, const char *path) {
    for (const struct conversion *one = table; one->name != NULL; one++)
        if (name != NULL ? strcmp(one->name, name) == 0 : ends_with(path, one->endings))
            return one;
    return NULL;
}

static int write_file(const struct output_file *output, const struct conversion *conversion,
                      const struct trace *trace, const struct trace_settings *settings,
                      struct error *error) {
    FILE *out = fopen(output->file, "wb");
    if (out == NULL)
        return error_set(error, "%s: error: cannot be written: %s", output->path, strerror(errno));
    int result = conversion->write(out, output->path, trace, settings, error);
    bool failed = ferror(out) != 0;
    if ((fclose(out) != 0 || failed) && result == 0)
        result = error_set(error, "%s: error: cannot be written", output->path);
    return result;
}

static int write_directory(const char *path, const struct conversion *conversion,
                           const struct trace *trace, const struct trace_settings *settings,
                           struct error *error) {
    struct arena arena = {0};
    const char *target = output_target(&arena, path, error);
    int result = target != NULL ? conversion->write(NULL, target, trace, settings, error) : -1;
    arena_dispose(&arena);
    return result;
}

int conversion_export(const char *path, const struct conversion *conversion,
                      const struct trace *trace, const struct trace_settings *settings,
                      struct error *error) {
    struct output_file output;
    if (conversion->is_directory)
        return write_directory(path, conversion, trace, settings, error);
    if (output_file_open(&output, path, error) != 0)
        return -1;
    int result = write_file(&output, conversion, trace, settings, error);
    return output_file_close(&output, result, error);
}

int conversion_import(uint64_t *events, const char *output, const char *path,
                      const struct conversion *conversion, struct error *error) {
    struct import_target target = {0};
    struct output_file file;
    if (output_file_open(&file, output, error) != 0)
        return -1;
    target.path = file.file;
    int result = conversion->read(&target, path, error);
    if (import_target_close(events, &target, result == 0, error) != 0)
        result = -1;
    return output_file_close(&file, result, error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What reads traces and files of other tools, on mutated files (libFuzzer): the first byte says
 * which one. Checksums are not looked at here (FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION), or no
 * mutated block would be decoded.
 */
#include "analysis/convert/conversion.h"
#include "analysis/trace/trace_summary.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_trace(const char *path) {
    struct trace *trace;
    struct trace_summary summary;
    struct trace_settings settings;
    struct error error = {0};
    trace_settings_init(&settings);
    if (trace_open(&trace, path, &error) != 0)
        return;
    if (trace_summary_make(&summary, trace, &settings, &error) == 0)
        trace_summary_dispose(&summary);
    trace_close(trace);
}

/* A file of this process. */
static const char *temporary(char out[PATH_MAX], const char *ending) {
    const char *directory = getenv("TMPDIR");
    snprintf(out, PATH_MAX, "%s/fuzz_traces.%ld%s", directory != NULL ? directory : "/tmp",
             (long)getpid(), ending);
    return out;
}

static void import(const char *name, const char *path) {
    uint64_t events;
    struct error error = {0};
    char out[PATH_MAX];
    temporary(out, "");
    conversion_import(&events, out, path, conversion_find(name, ""), &error);
    unlink(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"records", "smpi", "paje"};
    char path[PATH_MAX];
    if (size == 0)
        return 0;
    temporary(path, ".in");
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(data + 1, 1, size - 1, out) != size - 1 || fclose(out) != 0)
        abort();
    if (data[0] % 4 == 0)
        read_trace(path);
    else
        import(names[data[0] % 4 - 1], path);
    unlink(path);
    return 0;
}

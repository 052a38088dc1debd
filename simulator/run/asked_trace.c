/* SPDX-License-Identifier: Apache-2.0
 *
 * See recording.h. The members of the header are described in docs/reference/trace.md.
 */
#include "simulator/run/asked_trace.h"

#include "analysis/writer/trace_settings.h"
#include "base/file.h"
#include "base/json.h"

#include <math.h>

#define LIBRARY "libbsim_trace.so"

bool asked_trace_is_partial(const struct asked_trace *recording) {
    return recording->window != NULL || recording->ranks != NULL || recording->every != NULL;
}

int asked_trace_check(const struct asked_trace *recording, struct error *error) {
    struct trace_settings settings;
    char why[256];
    trace_settings_init(&settings);
    if (recording->file == NULL && asked_trace_is_partial(recording))
        return error_set(error, "--trace-window, --trace-ranks and --trace-every go with --trace");
    if (recording->window != NULL &&
        trace_settings_window(&settings, recording->window, why, sizeof why) != 0)
        return error_set(error, "--trace-window %s: %s", recording->window, why);
    if (recording->ranks != NULL &&
        trace_settings_ranks(&settings, recording->ranks, why, sizeof why) != 0)
        return error_set(error, "--trace-ranks %s: %s", recording->ranks, why);
    if (recording->every != NULL &&
        trace_settings_every(&settings, recording->every, why, sizeof why) != 0)
        return error_set(error, "--trace-every %s: %s", recording->every, why);
    return 0;
}

/* Only what names of events need. */
static json_t *describe_region(const json_t *region) {
    json_t *out = json_object();
    static const char *const members[] = {"index", "id", "function", "file", "line"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        json_object_set(out, members[i], json_object_get(region, members[i]));
    return out;
}

static int describe_bundle(json_t **out, const char *regions_file, struct error *error) {
    json_t *bundle = NULL, *region;
    size_t i;
    if (json_read(&bundle, regions_file, error) != 0)
        return -1;
    json_t *regions = json_array();
    json_array_foreach(json_object_get(bundle, "regions"), i, region)
        json_array_append_new(regions, describe_region(region));
    *out = json_pack("{s:O?, s:O?, s:O?, s:O?, s:o}", "bundle", json_object_get(bundle, "bundle"),
                     "program", json_object_get(bundle, "program"), "root",
                     json_object_get(bundle, "root"), "lines", json_object_get(bundle, "lines"),
                     "regions", regions);
    json_decref(bundle);
    return 0;
}

static void set_text(json_t *header, const char *key, const char *text) {
    if (text != NULL)
        json_object_set_new(header, key, json_any_text(text));
}

static int write_header(const char *path, const struct launch *launch,
                        const struct asked_trace *recording, const char *regions_file,
                        const char *network, struct error *error) {
    json_t *bundle = NULL, *arguments = json_array();
    if (describe_bundle(&bundle, regions_file, error) != 0) {
        json_decref(arguments);
        return -1;
    }
    for (size_t i = 0; i < launch->argument_count; i++)
        json_array_append_new(arguments, json_any_text(launch->arguments[i]));
    json_t *header = json_pack(
        "{s:s, s:i, s:I, s:s, s:b, s:o, s:o, s:O}", "format", "mpiskel-trace", "version", 1,
        "ranks", (json_int_t)launch->ranks, "source", "simulated", "waits", 1, "application",
        json_any_text(json_get_text(bundle, "program") != NULL ? json_get_text(bundle, "program")
                                                               : ""),
        "arguments", arguments, "bundle", bundle);
    set_text(header, "network", network);
    set_text(header, "window_s", recording->window);
    set_text(header, "ranks_kept", recording->ranks);
    set_text(header, "every", recording->every);
    json_decref(bundle);
    int result = json_write(header, path, error);
    json_decref(header);
    return result;
}

int asked_trace_prepare(struct launch *launch, const struct asked_trace *recording,
                        const char *regions_file, const char *network, struct arena *arena,
                        struct error *error) {
    if (recording->file == NULL)
        return 0;
    launch->trace_library = path_of_library(arena, LIBRARY);
    launch->trace_header = path_join(arena, launch->work_directory, "trace.json");
    launch->trace = recording;
    if (!file_exists(launch->trace_library))
        return error_set(error, "%s is missing; install mpiskel again", launch->trace_library);
    if (file_write(recording->file, "", 0, error) != 0)
        return -1;
    return write_header(launch->trace_header, launch, recording, regions_file, network, error);
}

int recording_tell_ideal(const struct launch *launch, double ideal_s, struct error *error) {
    json_t *header = NULL;
    if (json_read(&header, launch->trace_header, error) != 0)
        return -1;
    json_object_set_new(header, "ideal_ns", json_integer((json_int_t)llround(1e9 * ideal_s)));
    int result = json_write(header, launch->trace_header, error);
    json_decref(header);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens recordings, checks whether they are of one program, and takes as parameters the settings
 * that are numbers; see recorded_load.h.
 */
#include "synthesis/recorded/recorded_load.h"

#include <string.h>

struct opened_recordings {
    struct run_recording **items;
    size_t count;
};

static int open_all(struct opened_recordings *out, const char *const *directories, size_t count,
                    struct error *error) {
    out->items = xcalloc(count + 1, sizeof *out->items);
    for (size_t i = 0; i < count; i++, out->count++)
        if (run_recording_open(&out->items[i], directories[i], error) != 0)
            return -1;
    return 0;
}

static void close_all(struct opened_recordings *recordings) {
    for (size_t i = 0; i < recordings->count; i++)
        run_recording_close(recordings->items[i]);
    free(recordings->items);
}

int recorded_check_same(const char **machines, struct arena *arena, const char *const *directories,
                        size_t count, struct error *error) {
    struct opened_recordings recordings = {0};
    int result = open_all(&recordings, directories, count, error);
    const struct run_recording *const *runs = (const struct run_recording *const *)recordings.items;
    if (result == 0)
        result = run_recording_check_same(runs, count, error);
    if (result == 0)
        *machines = run_recording_other_machine(arena, runs, count);
    close_all(&recordings);
    return result;
}

/* Of the first recording; those of more runs, with the same names, join the same parameters. */
static int name_parameters(struct recorded_runs *runs, const struct run_recording *first,
                           struct error *error) {
    for (size_t i = 0; i < run_recording_setting_count(first); i++) {
        const struct run_recording_setting *setting = run_recording_setting(first, i);
        if (!setting->is_number)
            continue;
        if (runs->parameter_count == SYNTH_PARAMETERS_MOST)
            return error_set(error, "%s has more than %d settings that are numbers",
                             run_recording_directory(first), SYNTH_PARAMETERS_MOST);
        runs->parameter_names[runs->parameter_count++] = arena_strdup(&runs->arena, setting->name);
    }
    return 0;
}

static int value_of(double *out, const struct run_recording *run, const char *name,
                    struct error *error) {
    for (size_t i = 0; i < run_recording_setting_count(run); i++) {
        const struct run_recording_setting *setting = run_recording_setting(run, i);
        if (setting->is_number && strcmp(setting->name, name) == 0) {
            *out = setting->number;
            return 0;
        }
    }
    return error_set(error,
                     "%s does not say what %s is, as other recordings do: record it again with "
                     "--set %s=NUMBER",
                     run_recording_directory(run), name, name);
}

static int load_one(struct recorded_runs *runs, struct recorded_left_out *left_out,
                    const struct run_recording *run, struct error *error) {
    double values[SYNTH_PARAMETERS_MOST];
    for (int i = 0; i < runs->parameter_count; i++)
        if (value_of(&values[i], run, runs->parameter_names[i], error) != 0)
            return -1;
    return recorded_load_trace(runs, left_out, run_recording_trace(run),
                               run_recording_directory(run), values, error);
}

int recorded_load(struct recorded_runs *runs, struct recorded_left_out *left_out,
                  const char *const *directories, size_t count, struct error *error) {
    struct opened_recordings recordings = {0};
    int result = open_all(&recordings, directories, count, error);
    if (result == 0 && count > 0 && runs->items.count == 0)
        result = name_parameters(runs, recordings.items[0], error);
    for (size_t i = 0; i < count && result == 0; i++)
        result = load_one(runs, left_out, recordings.items[i], error);
    close_all(&recordings);
    return result;
}

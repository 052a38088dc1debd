/* SPDX-License-Identifier: Apache-2.0
 *
 * See run_recording.h. What a recording has to be is looked at when it is opened, in the order in
 * which it can go wrong: no recording, of another version, not ended, ended with an error, another
 * run's trace, a trace that is not whole, ranks with different builds of the program.
 */
#include "analysis/recording/run_recording.h"

#include "analysis/trace/trace_reader.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

/* ---- Recording end ---- */

/*
 * How the ranks of a recording came to their ends: one called MPI_Abort, or some never called
 * MPI_Finalize. What is not in the file, since its rank was killed, is not known.
 */

struct rank_end {
    uint64_t events;
    const struct trace_site *site; /* of the last one; NULL: there is none */
};

static struct rank_end end_of(const struct trace *trace, int32_t rank) {
    struct rank_end end = {0};
    struct trace_cursor *cursor;
    struct trace_event event;
    struct error ignored = {0};
    if (trace_cursor_open(&cursor, trace, rank, TRACE_FROM_START, TRACE_TO_END, &ignored) != 0)
        return end;
    for (; trace_cursor_next(&event, cursor, &ignored) == 1; end.events++)
        end.site = trace_site(trace, event.site);
    trace_cursor_close(cursor);
    return end;
}

static bool ends_with(const struct rank_end *end, const char *function) {
    return end->site != NULL && strcmp(end->site->function, function) == 0;
}

static const char *last_call(struct arena *arena, const struct rank_end *end) {
    return end->site == NULL ? "with nothing recorded"
                             : arena_printf(arena, "with %llu events, the last one %s at %s",
                                            (unsigned long long)end->events, end->site->function,
                                            end->site->file);
}

/* In words, such as "rank 1 called MPI_Abort at main+0x1f"; of several ranks without an end that
 * with the most events is told. NULL: all ranks came to MPI_Finalize.
 * Reads all events; a block that is damaged ends those of its rank. */
static const char *recording_end(struct arena *arena, const struct trace *trace) {
    struct rank_end furthest = {0};
    int32_t its_rank = -1, count = 0;
    for (int32_t rank = 0; rank < trace_ranks(trace); rank++) {
        struct rank_end end = end_of(trace, rank);
        if (ends_with(&end, "MPI_Abort"))
            return arena_printf(arena, "rank %d called MPI_Abort at %s", rank, end.site->file);
        if (ends_with(&end, "MPI_Finalize"))
            continue;
        if (count++ == 0 || end.events > furthest.events) {
            furthest = end;
            its_rank = rank;
        }
    }
    return count == 0
               ? NULL
               : arena_printf(arena, "%d of %d ranks are without MPI_Finalize: rank %d %s", count,
                              trace_ranks(trace), its_rank, last_call(arena, &furthest));
}

/* ---- Run recording ---- */

#define VERSION 1

struct run_recording {
    struct arena arena;
    const char *directory, *facts_path, *damage; /* damage: NULL: none */
    json_t *facts;
    struct trace *trace;
    VEC(struct run_recording_setting) settings;
};

/* ---- Questions ---- */

const char *run_recording_damage(const struct run_recording *recording) {
    return recording->damage;
}

const char *run_recording_directory(const struct run_recording *recording) {
    return recording->directory;
}

const struct trace *run_recording_trace(const struct run_recording *recording) {
    return recording->trace;
}

size_t run_recording_setting_count(const struct run_recording *recording) {
    return recording->settings.count;
}

const struct run_recording_setting *run_recording_setting(const struct run_recording *recording,
                                                          size_t number) {
    return &recording->settings.items[number];
}

bool run_recording_is_poll(const char *function) {
    return mpi_function_is(function, MPI_IS_POLL);
}

/* ---- Opening ---- */

static int read_facts(struct run_recording *recording, struct error *error) {
    const char *path = recording->facts_path;
    if (!file_exists(path))
        return error_set(error,
                         "%s: error: there is no recording; `mpiskel record -o %s -- mpirun -np "
                         "4 PROGRAM` makes one",
                         recording->directory, recording->directory);
    if (json_read(&recording->facts, path, error) != 0)
        return -1;
    const char *format = json_get_text(recording->facts, "format");
    if (format == NULL || strcmp(format, "mpiskel-recording") != 0)
        return error_set(error, "%s:1:1: error: this is not of a recording", path);
    if (json_get_integer(recording->facts, "version", 0) != VERSION)
        return error_set(error,
                         "%s:1:1: error: the recording is of another version of mpiskel; record "
                         "it again",
                         path);
    return 0;
}

static int read_settings(struct run_recording *recording, struct error *error) {
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(recording->facts, "settings"), i, one) {
        const char *name = json_get_text(one, "name"), *value = json_get_text(one, "value");
        char *end = NULL;
        if (name == NULL || value == NULL)
            return json_fail_at(error, recording->facts_path, "settings", i,
                                "a setting has a name and a value, both texts");
        struct run_recording_setting setting = {.name = name, .value = value};
        setting.number = strtod(value, &end);
        setting.is_number = end != value && *end == '\0';
        vec_push(&recording->settings, setting);
    }
    return 0;
}

/* Why it is not of a run that ended well, by what `mpiskel record` saw of it; NULL: it is. */
static const char *find_bad_end(struct run_recording *recording) {
    const json_t *code = json_object_get(recording->facts, "exit_code");
    if (!json_is_integer(code))
        return "`mpiskel record` itself was ended before the run";
    if (json_integer_value(code) != 0)
        return arena_printf(&recording->arena, "the run ended with exit code %lld",
                            (long long)json_integer_value(code));
    return NULL;
}

/* Behind the path and the kind of the message. */
static const char *without_path(const char *damage) {
    static const char kind[] = ": warning: ";
    const char *text = strstr(damage, kind);
    return text != NULL ? text + sizeof kind - 1 : damage;
}

/* The same by the trace as well: which rank did not come to its end. */
static const char *find_loss(struct run_recording *recording) {
    struct arena *arena = &recording->arena;
    const char *end = find_bad_end(recording), *damage = trace_damage(recording->trace);
    if (end == NULL && damage == NULL)
        return NULL;
    const char *ranks = recording_end(arena, recording->trace);
    if (ranks == NULL && damage == NULL)
        return arena_printf(arena,
                            "%s: error: %s, though all ranks came to MPI_Finalize; record one that "
                            "ends with 0, by a shell if that code is no failure: -- sh -c "
                            "'COMMAND || true'",
                            recording->directory, end);
    return arena_printf(arena, "%s: error: %s%s%s; record a run that ends well",
                        recording->directory, end != NULL ? end : without_path(damage),
                        ranks != NULL ? ": " : "", ranks != NULL ? ranks : "");
}

/* Two files of one name and different build ids, or NULL. */
static const struct trace_module *find_other_build(const struct trace *trace,
                                                   const struct trace_module *of) {
    for (uint32_t i = 0; i < trace_module_count(trace); i++) {
        const struct trace_module *one = trace_module(trace, i);
        if (strcmp(one->name, of->name) == 0 && strcmp(one->build_id, of->build_id) != 0)
            return one;
    }
    return NULL;
}

static const char *build_id(const struct trace_module *module) {
    return module->build_id[0] != '\0' ? module->build_id : "none";
}

static const char *find_two_builds(struct run_recording *recording) {
    for (uint32_t i = 0; i < trace_module_count(recording->trace); i++) {
        const struct trace_module *one = trace_module(recording->trace, i);
        const struct trace_module *another = find_other_build(recording->trace, one);
        if (another != NULL)
            return arena_printf(&recording->arena,
                                "%s: error: ranks ran different builds of %s (%s and %s); record "
                                "a run of one",
                                recording->directory, one->name, build_id(one), build_id(another));
    }
    return NULL;
}

static const char *find_bad_trace(struct run_recording *recording) {
    const char *run = json_get_text(recording->facts, "run");
    const char *of = json_get_text(trace_header(recording->trace), "run");
    if (run == NULL || of == NULL || strcmp(run, of) != 0)
        return arena_printf(&recording->arena,
                            "%s: error: the trace is not of this recording; record the run again",
                            trace_path(recording->trace));
    return find_two_builds(recording);
}

static int fail_without_trace(const struct run_recording *recording, const char *path,
                              const char *bad_end, struct error *error) {
    if (bad_end != NULL)
        return error_set(error,
                         "%s: error: %s, and nothing was recorded; record one that ends well",
                         recording->directory, bad_end);
    return error_set(error, "%s: error: there is no trace in the recording; record the run again",
                     path);
}

static int open_trace(struct run_recording *recording, struct error *error) {
    const char *path = path_join(&recording->arena, recording->directory, "run.trace");
    if (!file_exists(path))
        return fail_without_trace(recording, path, find_bad_end(recording), error);
    if (trace_open(&recording->trace, path, error) != 0)
        return -1;
    if (!trace_has_details(recording->trace))
        return error_set(error, "%s: error: the trace has no call paths: it is no recording's",
                         path);
    recording->damage = find_loss(recording);
    if (recording->damage == NULL)
        recording->damage = find_bad_trace(recording);
    return 0;
}

int run_recording_open_damaged(struct run_recording **out, const char *directory,
                               struct error *error) {
    struct run_recording *recording = memset(xmalloc(sizeof *recording), 0, sizeof *recording);
    recording->directory = arena_strdup(&recording->arena, directory);
    recording->facts_path = path_join(&recording->arena, directory, "recording.json");
    if (read_facts(recording, error) == 0 && read_settings(recording, error) == 0 &&
        open_trace(recording, error) == 0) {
        *out = recording;
        return 0;
    }
    run_recording_close(recording);
    return -1;
}

int run_recording_open(struct run_recording **out, const char *directory, struct error *error) {
    if (run_recording_open_damaged(out, directory, error) != 0)
        return -1;
    if ((*out)->damage == NULL)
        return 0;
    error_set(error, "%s", (*out)->damage);
    run_recording_close(*out);
    return -1;
}

void run_recording_close(struct run_recording *recording) {
    if (recording->trace != NULL)
        trace_close(recording->trace);
    json_decref(recording->facts);
    vec_dispose(&recording->settings);
    struct arena arena = recording->arena;
    free(recording);
    arena_dispose(&arena);
}

/* ---- Several ---- */

static const char *application(const struct run_recording *recording) {
    const char *name = json_get_text(trace_header(recording->trace), "application");
    return name != NULL ? name : "?";
}

static int check_two(const struct run_recording *one, const struct run_recording *other,
                     struct error *error) {
    if (strcmp(application(one), application(other)) != 0)
        return error_set(error, "%s: error: this is a run of %s, and %s one of %s", one->directory,
                         application(one), other->directory, application(other));
    for (uint32_t i = 0; i < trace_module_count(one->trace); i++) {
        const struct trace_module *module = trace_module(one->trace, i);
        const struct trace_module *another = find_other_build(other->trace, module);
        if (another != NULL)
            return error_set(error,
                             "%s: error: %s is of another build (%s) than in %s (%s); record all "
                             "runs with the same one",
                             other->directory, module->name, build_id(another), one->directory,
                             build_id(module));
    }
    return 0;
}

int run_recording_check_same(const struct run_recording *const *recordings, size_t count,
                             struct error *error) {
    for (size_t i = 1; i < count; i++)
        if (check_two(recordings[0], recordings[i], error) != 0)
            return -1;
    return 0;
}

/* ---- Machines ---- */

static bool differ(const char **one, const char **other, const struct run_recording *first,
                   const struct run_recording *second, const char *member) {
    *one = json_get_text(trace_header(first->trace), member);
    *other = json_get_text(trace_header(second->trace), member);
    return *one != NULL && *other != NULL && strcmp(*one, *other) != 0;
}

const char *run_recording_other_machine(struct arena *arena,
                                        const struct run_recording *const *recordings,
                                        size_t count) {
    static const char *const members[] = {"cpu", "mpi"};
    const char *one, *other;
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            if (differ(&one, &other, recordings[0], recordings[i], members[k]))
                return arena_printf(arena, "%s was recorded with %s, and %s with %s",
                                    recordings[0]->directory, one, recordings[i]->directory, other);
    return NULL;
}

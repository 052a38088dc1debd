/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run of a point left; see point.h. A report counts whatever the exit code, which is the
 * application's own then.
 */
#include "base/clock.h"
#include "simulator/sweep/point.h"

#include "base/file.h"
#include "base/json.h"
#include "simulator/sweep/driver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONGEST_MESSAGE_BYTES 2000
#define NO_MESSAGE "it left no message"

static const char *const end_names[] = {"fine", "failed", "lost", "misused"};

static const char *time_now(struct arena *arena) {
    time_t now = (time_t)clock_realtime_s();
    struct tm parts;
    char text[32] = "";
    if (gmtime_r(&now, &parts) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return arena_strdup(arena, text);
}

/* ---- Reports ---- */

static double mean_of(const json_t *spreads, const char *name) {
    return json_get_number(json_object_get(spreads, name), "mean", NAN);
}

static void read_report(struct point_outcome *out, struct arena *arena, const json_t *report) {
    const json_t *interval = json_object_get(report, "interval");
    const json_t *per_rank = json_object_get(report, "per_rank");
    const json_t *simulation = json_object_get(report, "simulation");
    struct point_result *result = &out->result;
    char *text = json_dumps(report, JSON_COMPACT);
    result->predicted_s = json_get_number(report, "predicted_s", NAN);
    result->low_s = json_get_number(interval, "low_s", NAN);
    result->high_s = json_get_number(interval, "high_s", NAN);
    result->compute_s = mean_of(per_rank, "compute_s");
    result->mpi_s = mean_of(per_rank, "mpi_s");
    result->memory_kib = json_get_integer(simulation, "peak_memory_kib", 0);
    result->report = arena_strdup(arena, text != NULL ? text : "");
    free(text);
}

/* NULL: there is none; the caller's. */
static json_t *load_report(const char *file) {
    struct error error = {0};
    json_t *report = NULL;
    if (json_read(&report, file, &error) != 0)
        return NULL;
    const char *format = json_get_text(report, "format");
    if (format != NULL && strcmp(format, "mpiskel-prediction") == 0 &&
        json_is_number(json_object_get(report, "predicted_s")))
        return report;
    json_decref(report);
    return NULL;
}

/* ---- Messages ---- */

/* Where the last line with "error: " begins (error texts of several lines end with the file), else
 * the last line, but for argp's advice. */
static const char *last_error(const char *text) {
    const char *from = text;
    bool found = false;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool has = memmem(line, length, "error: ", 7) != NULL;
        if (has || (!found && length > 0 && strncmp(line, "Try `", 5) != 0))
            from = line;
        found = found || has;
        line += length + (line[length] == '\n');
    }
    return from;
}

static const char *read_message(struct arena *arena, const char *file) {
    struct error error = {0};
    char *text = NULL;
    size_t length = 0;
    if (file_read(&text, &length, file, &error) != 0)
        return NO_MESSAGE;
    const char *message = last_error(text);
    if (text_has_prefix(message, "mpiskel: error: "))
        message += strlen("mpiskel: error: ");
    length = strlen(message);
    while (length > 0 && (message[length - 1] == '\n' || message[length - 1] == ' '))
        length--;
    if (length > LONGEST_MESSAGE_BYTES)
        length = LONGEST_MESSAGE_BYTES;
    const char *copy = length > 0 ? arena_strndup(arena, message, length) : NO_MESSAGE;
    json_t *utf8 = json_string(copy);
    if (utf8 == NULL)
        copy = "its message is not UTF-8";
    json_decref(utf8);
    free(text);
    return copy;
}

/* The simulation below `run` was killed, or ended because others took the memory, or `run` was told
 * to end (outcome.c's words). */
static bool tells_of_a_kill(const char *message) {
    return strstr(message, "was ended by signal 9 ") != NULL ||
           strstr(message, "was ended by signal 15 ") != NULL ||
           text_has_prefix(message, "memory ran out: ") || strcmp(message, "interrupted") == 0;
}

/* Whatever fails there fails for that, and what it says may not be in its log. */
static void tell_if_full(struct point_outcome *out, struct arena *arena, const char *file) {
    const char *directory = path_directory(arena, file);
    if (out->end == POINT_MISUSED || !disk_is_full(directory))
        return;
    out->end = POINT_LOST;
    bool has_message = strcmp(out->result.message, NO_MESSAGE) != 0;
    out->result.message = arena_printf(arena,
                                       "no space is left for temporary files in %s: free some "
                                       "there, or choose another place with TMPDIR%s%s",
                                       path_directory(arena, directory), has_message ? "; " : "",
                                       has_message ? out->result.message : "");
}

static void read_failure(struct point_outcome *out, struct arena *arena,
                         const struct point_traces *traces) {
    int code = traces->exit_code;
    out->end = code == EXIT_USAGE ? POINT_MISUSED : POINT_FAILED;
    out->result.failed = true;
    out->result.message = read_message(arena, traces->stderr_file);
    if (traces->timed_out) {
        out->end = POINT_FAILED;
        out->result.message =
            arena_printf(arena, "it took longer than %g s (--timeout)", traces->timeout_s);
    } else if (traces->signal != 0) {
        out->end = POINT_LOST;
        out->result.message =
            arena_printf(arena, "mpiskel run was ended by signal %d", traces->signal);
    } else if (tells_of_a_kill(out->result.message)) {
        out->end = POINT_LOST;
    }
    tell_if_full(out, arena, traces->stderr_file);
}

/* "": all iterations were simulated. */
static const char *extrapolation(struct arena *arena, const json_t *report) {
    const json_t *iterations = json_object_get(report, "iterations");
    const char *loop = json_get_text(iterations, "loop");
    double simulated = json_get_number(iterations, "simulated", 0);
    return simulated > 0 && loop != NULL
               ? arena_printf(arena, POINT_EXTRAPOLATED "%.9g of %.9g iterations of %s simulated",
                              simulated, json_get_number(iterations, "total", 0), loop)
               : "";
}

void point_outcome_read(struct point_outcome *out, struct arena *arena,
                        const struct point_traces *traces) {
    struct driver self = driver_self(arena);
    *out = (struct point_outcome){.end = POINT_FINE,
                                  .result = {.predicted_s = NAN,
                                             .low_s = NAN,
                                             .high_s = NAN,
                                             .compute_s = NAN,
                                             .mpi_s = NAN,
                                             .wall_s = traces->wall_s,
                                             .host = self.host,
                                             .finished = time_now(arena),
                                             .message = "",
                                             .report = ""}};
    json_t *report = traces->timed_out ? NULL : load_report(traces->stdout_file);
    if (report == NULL) {
        read_failure(out, arena, traces);
        return;
    }
    read_report(out, arena, report);
    out->result.message = extrapolation(arena, report);
    json_decref(report);
    if (traces->exit_code != 0)
        out->result.message = arena_printf(arena, "the application returned %d", traces->exit_code);
}

/* ---- Files from worker to driver ---- */

json_t *point_outcome_to_json(const struct point_outcome *outcome, const char *id) {
    const struct point_result *result = &outcome->result;
    json_t *report = result->report[0] != '\0' ? json_loads(result->report, 0, NULL) : NULL;
    return json_pack("{s:s, s:i, s:s, s:s, s:f, s:s, s:s, s:s, s:o}", "format",
                     "mpiskel-point-result", "version", 1, "point", id, "end",
                     end_names[outcome->end], "wall_s", result->wall_s, "host", result->host,
                     "finished", result->finished, "message", result->message, "report",
                     report != NULL ? report : json_null());
}

static bool read_end(enum point_end *out, const char *name) {
    for (int i = POINT_FINE; i <= POINT_MISUSED; i++)
        if (strcmp(end_names[i], name) == 0) {
            *out = (enum point_end)i;
            return true;
        }
    return false;
}

static const char *text_of(struct arena *arena, const json_t *json, const char *key) {
    const char *text = json_get_text(json, key);
    return arena_strdup(arena, text != NULL ? text : "");
}

int point_outcome_of_json(struct point_outcome *out, struct arena *arena, const json_t *json,
                          const char *id) {
    const json_t *report = json_object_get(json, "report");
    *out = (struct point_outcome){.result = {.predicted_s = NAN,
                                             .low_s = NAN,
                                             .high_s = NAN,
                                             .compute_s = NAN,
                                             .mpi_s = NAN,
                                             .wall_s = json_get_number(json, "wall_s", 0),
                                             .host = text_of(arena, json, "host"),
                                             .finished = text_of(arena, json, "finished"),
                                             .message = text_of(arena, json, "message"),
                                             .report = ""}};
    if (strcmp(text_of(arena, json, "format"), "mpiskel-point-result") != 0 ||
        strcmp(text_of(arena, json, "point"), id) != 0 ||
        !read_end(&out->end, text_of(arena, json, "end")))
        return -1;
    out->result.failed = out->end != POINT_FINE;
    if (out->end == POINT_FINE) {
        read_report(out, arena, report);
        return isfinite(out->result.predicted_s) ? 0 : -1;
    }
    return 0;
}

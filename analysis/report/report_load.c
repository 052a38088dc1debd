/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/report_load.h"

#include "analysis/trace/trace_reader.h"
#include "analysis/views/run_view.h"
#include "base/file.h"
#include "base/json.h"
#include "model/store/model_text.h"
#include "model/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A trace file as a view. */

/* A recording has no regions: what a rank computed before a call is one, by its processor time. */
static void add_computation(struct run_view *out, const struct trace *trace,
                            const struct trace_event *call, int64_t last_end_ns) {
    int64_t gap_ns = call->begin_ns - last_end_ns;
    int64_t length_ns = call->cpu_ns < gap_ns ? call->cpu_ns : gap_ns;
    if (call->kind == TRACE_PART || length_ns <= 0)
        return;
    struct trace_event region = trace_event_of(call->rank, trace_site_count(trace),
                                               call->begin_ns - length_ns, call->begin_ns);
    region.kind = TRACE_REGION;
    run_view_add_event(out, &region);
}

static int add_rank(struct run_view *out, const struct trace *trace, int rank,
                    struct error *error) {
    struct trace_cursor *cursor = NULL;
    struct trace_event event;
    int64_t last_end_ns = 0;
    int result;
    if (trace_cursor_open(&cursor, trace, rank, TRACE_FROM_START, TRACE_TO_END, error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1) {
        if (trace_has_details(trace))
            add_computation(out, trace, &event, last_end_ns);
        run_view_add_event(out, &event);
        last_end_ns = event.end_ns;
    }
    trace_cursor_close(cursor);
    return result;
}

static int add_lane(struct run_view *out, const struct trace *trace, int32_t lane,
                    struct error *error) {
    struct trace_cursor *cursor = NULL;
    struct trace_event event;
    int result;
    char *name = trace_lane_name(trace, lane);
    run_view_add_lane(out, name, *trace_lane(trace, lane));
    free(name);
    if (trace_cursor_open(&cursor, trace, trace_ranks(trace) + lane, TRACE_FROM_START, TRACE_TO_END,
                          error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1)
        run_view_add_operation(out, &event);
    trace_cursor_close(cursor);
    return result;
}

/* A rank or lane whose block is damaged has the events before it. */
static int fill(struct run_view *out, const struct trace *trace, struct error *error) {
    for (uint32_t i = 0; i < trace_site_count(trace); i++)
        run_view_add_site(out, trace_site(trace, i));
    if (trace_has_details(trace))
        run_view_add_site(
            out, &(struct trace_site){.kind = TRACE_REGION, .function = "computation", .file = ""});
    for (int rank = 0; rank < out->ranks; rank++) {
        struct error damage = {0};
        if (add_rank(out, trace, rank, &damage) != 0)
            note("warning: %s", damage.text);
    }
    for (int32_t lane = 0; lane < trace_lane_count(trace); lane++) {
        struct error damage = {0};
        if (add_lane(out, trace, lane, &damage) != 0)
            note("warning: %s", damage.text);
    }
    return run_view_finish(out, error);
}

/* *out is the caller's (run_view_dispose); *arguments is that of the trace's header, the caller's,
 * or NULL. What is truncated is read as far as it is whole, with a note. */
static int trace_load(struct run_view *out, json_t **arguments, const char *path,
                      struct error *error) {
    struct trace *trace = NULL;
    *arguments = NULL;
    if (trace_open(&trace, path, error) != 0)
        return -1;
    const json_t *header = trace_header(trace);
    const char *program = json_get_text(header, "program");
    if (program == NULL)
        program = json_get_text(header, "application");
    if (trace_damage(trace) != NULL)
        note("%s", trace_damage(trace));
    run_view_init(out, program != NULL ? program : "", trace_ranks(trace));
    int result = fill(out, trace, error);
    if (result == 0)
        *arguments = json_incref(json_object_get(header, "arguments"));
    else
        run_view_dispose(out);
    trace_close(trace);
    return result;
}

/* ---- The bundle ---- */

static const char *in_bundle(struct report_input *input, const char *name) {
    return path_join(&input->arena, input->bundle, name);
}

/* What the run took its latencies from: the machine that model.bsim names. */
static int read_models(struct report_input *out, struct store *store, struct error *error) {
    struct model_text text;
    int result = model_text_read(&text, in_bundle(out, "model.bsim"), error);
    if (result == 0)
        result = store_models(&out->models, store, &out->regions, text.machine, error);
    if (result == 0) {
        out->has_models = true;
        result = store_samples(&out->samples, store, &out->regions, text.machine, error);
    }
    model_text_dispose(&text);
    return result;
}

/* A bundle without models can be looked at, too; where they cannot be read that is told. */
static void open_models(struct report_input *out) {
    struct store *store = NULL;
    struct error error = {0};
    const char *path = in_bundle(out, "store.db");
    if (!file_exists(path) || !file_exists(in_bundle(out, "model.bsim")))
        return;
    if (store_open(&store, path, &error) != 0 || read_models(out, store, &error) != 0)
        note("warning: the report has no models: %s", error.text);
    store_close(store);
}

int report_open(struct report_input *out, const char *bundle, struct error *error) {
    struct error no_reasons = {0};
    *out = (struct report_input){0};
    out->bundle = arena_strdup(&out->arena, bundle);
    if (regions_read_bundle(&out->regions, bundle, error) != 0 ||
        json_read(&out->described, in_bundle(out, "regions.json"), error) != 0)
        return -1;
    if (json_read(&out->reasons, in_bundle(out, "reasons.json"), &no_reasons) != 0)
        out->reasons = NULL;
    open_models(out);
    return 0;
}

int report_open_without_bundle(struct report_input *out, const char *path, struct error *error) {
    struct trace *trace = NULL;
    *out = (struct report_input){0};
    if (trace_open(&trace, path, error) != 0)
        return -1;
    const char *application = json_get_text(trace_header(trace), "application");
    out->regions.program =
        arena_strdup(&out->arena, application != NULL ? application : path_base(path));
    trace_close(trace);
    return report_add_file(out, path, error);
}

void report_dispose(struct report_input *input) {
    for (size_t i = 0; i < input->runs.count; i++) {
        json_decref(input->runs.items[i].prediction);
        if (input->runs.items[i].has_view)
            run_view_dispose(&input->runs.items[i].view);
    }
    vec_dispose(&input->runs);
    regions_dispose(&input->regions);
    if (input->has_models) {
        models_dispose(&input->models);
        samples_dispose(&input->samples);
    }
    json_decref(input->described);
    json_decref(input->reasons);
    json_decref(input->scaling);
    json_decref(input->whatif);
    json_decref(input->validation);
    arena_dispose(&input->arena);
}

/* ---- Runs ---- */

/* "fast: 64 ranks"; a number behind it where another run is called so. */
static const char *name_run(struct report_input *input, const char *name, long long ranks) {
    const char *text = arena_printf(&input->arena, "%s: %lld ranks", name, ranks);
    size_t same = 1;
    for (size_t i = 0; i < input->runs.count; i++)
        same += text_has_prefix(input->runs.items[i].name, text);
    return same == 1 ? text : arena_printf(&input->arena, "%s (%zu)", text, same);
}

int report_add_prediction(struct report_input *input, json_t *prediction, const char *name,
                          const char *path, struct error *error) {
    const char *program = json_get_text(prediction, "program");
    long long ranks = json_get_integer(prediction, "ranks", 0);
    int result = 0;
    if (program == NULL || ranks < 1 || !json_is_number(json_object_get(prediction, "predicted_s")))
        result = error_set(error,
                           "%s:1:1: error: no whole report of a run: program, ranks or "
                           "predicted_s is missing; make it again by mpiskel run --format=json",
                           path);
    else if (strcmp(program, input->regions.program) != 0)
        result = error_set(error,
                           "%s:1:1: error: this is a run of %s, and %s is a bundle of %s; give "
                           "runs of this bundle",
                           path, program, input->bundle, input->regions.program);
    if (result != 0) {
        json_decref(prediction);
        return -1;
    }
    const char *unique = name_run(input, name, ranks);
    vec_push(&input->runs, (struct report_run){.name = unique, .prediction = prediction});
    return 0;
}

static bool may_be_of(const struct report_run *run, const struct run_view *view,
                      const json_t *arguments) {
    return run->prediction != NULL && !run->has_view &&
           json_get_integer(run->prediction, "ranks", 0) == view->ranks &&
           (!json_is_array(arguments) ||
            json_equal(arguments, json_object_get(run->prediction, "arguments")));
}

/* Of the runs that the trace may be of that which ends nearest to it: runs that differ in their
 * network or in what they change have the same ranks and arguments. NULL: there is none. */
static struct report_run *run_of_trace(struct report_input *input, const struct run_view *view,
                                       const json_t *arguments) {
    struct report_run *nearest = NULL;
    double least_s = INFINITY;
    for (size_t i = 0; i < input->runs.count; i++) {
        struct report_run *run = &input->runs.items[i];
        double off_s =
            fabs(input_number(run->prediction, "predicted_s") - 1e-9 * (double)view->end_ns);
        if (may_be_of(run, view, arguments) && off_s < least_s) {
            least_s = off_s;
            nearest = run;
        }
    }
    return nearest;
}

int report_add_trace(struct report_input *input, const char *name, const char *path,
                     struct error *error) {
    struct run_view view;
    json_t *arguments = NULL;
    if (trace_load(&view, &arguments, path, error) != 0)
        return -1;
    struct report_run *run = run_of_trace(input, &view, arguments);
    json_decref(arguments);
    if (run == NULL) {
        const char *unique = name_run(input, name, view.ranks);
        vec_push(&input->runs, (struct report_run){.name = unique});
        run = &input->runs.items[input->runs.count - 1];
    }
    run->view = view;
    run->has_view = true;
    return 0;
}

/* ---- Files ---- */

/* The file's name without its directory and what is behind the last point. */
static const char *name_of_file(struct report_input *input, const char *path) {
    const char *base = path_base(path);
    const char *point = strrchr(base, '.');
    size_t length = point != NULL && point > base ? (size_t)(point - base) : strlen(base);
    return arena_strndup(&input->arena, base, length);
}

static int keep(json_t **out, json_t *report, const char *what, const char *path,
                struct error *error) {
    if (*out != NULL) {
        json_decref(report);
        return error_set(error, "%s:1:1: error: a second report of mpiskel %s; give one", path,
                         what);
    }
    *out = report;
    return 0;
}

static int add_json(struct report_input *input, const char *path, struct error *error) {
    json_t *report = NULL;
    if (json_read(&report, path, error) != 0)
        return -1;
    const char *format = json_get_text(report, "format");
    format = format != NULL ? format : "";
    if (strcmp(format, "mpiskel-prediction") == 0)
        return report_add_prediction(input, report, name_of_file(input, path), path, error);
    if (strcmp(format, "mpiskel-scaling") == 0)
        return keep(&input->scaling, report, "scale", path, error);
    if (strcmp(format, "mpiskel-whatif") == 0)
        return keep(&input->whatif, report, "whatif", path, error);
    if (strcmp(format, "mpiskel-validation") == 0)
        return keep(&input->validation, report, "validate", path, error);
    json_decref(report);
    return error_set(error,
                     "%s:1:1: error: neither a trace nor a report of mpiskel run, scale, whatif or "
                     "validate (--format=json); give one of these",
                     path);
}

int report_add_file(struct report_input *input, const char *path, struct error *error) {
    if (trace_is_one(path))
        return report_add_trace(input, name_of_file(input, path), path, error);
    return add_json(input, path, error);
}

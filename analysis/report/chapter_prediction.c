/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer first: the predicted time, how sure it is, and what was simulated.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/quantity.h"

#include <math.h>
#include <string.h>

/* ---- How sure it is ---- */

static void add_loop(struct document *document, const json_t *loop) {
    double error = input_number(loop, "error");
    if (loop == NULL)
        return;
    document_notice(
        document,
        "%s, %s of the time, iterates as often as a formula says, not a profiling run; %s. "
        "A profiling run with these arguments would tell: on any number of ranks, unless how often "
        "it iterates varies with that.",
        input_place(&document->arena, loop),
        quantity_text(&document->arena, UNIT_SHARE, input_number(loop, "share")),
        isnan(error) ? "nothing is known of its error"
                     : arena_printf(&document->arena, "it was off by %.1f %% on runs left out",
                                    100 * error));
}

static void add_unknown(struct document *document, const json_t *interval) {
    double unknown = input_number(interval, "unknown_share");
    double factor = input_number(interval, "extrapolation");
    if (unknown > 0)
        document_notice(document,
                        "Nothing is known of the error of %s of the computation; profile other "
                        "problem sizes, then mpiskel fit.",
                        quantity_text(&document->arena, UNIT_SHARE, unknown));
    if (factor > 1)
        document_notice(document,
                        "A feature leaves the range that the models were fitted on by a factor "
                        "of %.3g; see the models below.",
                        factor);
}

static void add_untold(struct document *document, const json_t *prediction) {
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(prediction, "untold"), index, row)
        document_notice(document,
                        "%s: %.0f numbers that steer the program were given by a model that is "
                        "off by %s.",
                        input_place(&document->arena, row), input_number(row, "count"),
                        quantity_text(&document->arena, UNIT_SHARE, input_number(row, "error")));
}

/* What `run` itself warns of, a feature that never varied among it. */
static void add_findings(struct document *document, const json_t *prediction) {
    size_t index;
    json_t *finding;
    json_array_foreach(json_object_get(prediction, "findings"), index, finding) document_notice(
        document, "%s; %s.", input_text(finding, "text"), input_text(finding, "remedy"));
}

static void add_doubts(struct document *document, const json_t *prediction) {
    const json_t *interval = json_object_get(prediction, "interval");
    add_findings(document, prediction);
    add_unknown(document, interval);
    add_loop(document, json_object_get(interval, "loop"));
    add_untold(document, prediction);
}

/* ---- The answer ---- */

static const char *tell_interval(struct arena *arena, const json_t *prediction) {
    const json_t *interval = json_object_get(prediction, "interval");
    double low = input_number(interval, "low_s"), high = input_number(interval, "high_s");
    if (json_is_true(json_object_get(prediction, "original")))
        return "the application itself was simulated";
    if (isnan(low) || isnan(high))
        return "no 95 % interval: not enough is known of the models' errors";
    double network = input_number(json_object_get(interval, "parts"), "network");
    return arena_printf(arena, "95 %% interval %s to %s, from the models' errors%s",
                        quantity_text(arena, UNIT_SECONDS, low),
                        quantity_text(arena, UNIT_SECONDS, high),
                        network > 0 ? " and the network's" : "");
}

static void add_answer(struct document *document, const json_t *prediction) {
    struct arena *arena = &document->arena;
    double predicted = input_number(prediction, "predicted_s");
    const json_t *interval = json_object_get(prediction, "interval");
    document_headline(document, quantity_text(arena, UNIT_SECONDS, predicted),
                      arena_printf(arena, "predicted time of %s on %lld ranks; %s",
                                   input_text(prediction, "program"),
                                   json_get_integer(prediction, "ranks", 0),
                                   tell_interval(arena, prediction)));
    if (json_is_number(json_object_get(interval, "low_s")) &&
        json_is_number(json_object_get(interval, "high_s")))
        document_figure(document, "interval", "The predicted time within its 95 % interval",
                        json_pack("{s:f, s:f, s:f}", "predicted_s", predicted, "low_s",
                                  input_number(interval, "low_s"), "high_s",
                                  input_number(interval, "high_s")));
}

/* ---- Why the interval is as wide as it is ---- */

static const struct document_column doubt_columns[] = {
    {"reason", UNIT_TEXT, .member = "reason"},
    {"longer by", UNIT_SECONDS, "above_s",
     "by how much the run may be longer for this reason alone", true},
    {0}};

/* ---- What was simulated ---- */

static const struct document_column fact_columns[] = {
    {"what", .unit = UNIT_TEXT}, {"is", .unit = UNIT_TEXT}, {0}};

static void add_fact(struct document *document, struct document_table *table, const char *what,
                     const char *value) {
    if (value == NULL || value[0] == '\0')
        return;
    document_cells(document, table, CELL(what), CELL(value));
}

static const char *join_arguments(struct arena *arena, const json_t *prediction) {
    const char *joined = "";
    size_t index;
    json_t *argument;
    json_array_foreach(json_object_get(prediction, "arguments"), index,
                       argument) if (json_is_string(argument)) joined =
        arena_printf(arena, "%s%s%s", joined, index > 0 ? " " : "", json_string_value(argument));
    return joined;
}

static void add_changes(struct document *document, struct document_table *table,
                        const json_t *prediction) {
    size_t index;
    json_t *change;
    json_array_foreach(json_object_get(prediction, "scenario"), index, change)
        add_fact(document, table, "changed",
                 arena_printf(&document->arena, "%s %s: %s", input_text(change, "option"),
                              input_text(change, "value"), input_text(change, "effect")));
}

static void add_cost(struct document *document, struct document_table *table,
                     const json_t *prediction) {
    const json_t *cost = json_object_get(prediction, "simulation");
    struct arena *arena = &document->arena;
    if (cost != NULL)
        add_fact(document, table, "simulated in",
                 arena_printf(arena, "%s with %s of memory",
                              quantity_text(arena, UNIT_SECONDS, input_number(cost, "wall_s")),
                              quantity_text(arena, UNIT_BYTES,
                                            1024 * input_number(cost, "peak_memory_kib"))));
}

static void add_facts(struct document *document, const json_t *prediction) {
    struct arena *arena = &document->arena;
    const json_t *messages = json_object_get(prediction, "messages");
    struct document_table *table =
        document_table_begin(document, "facts", "What was simulated", "facts", fact_columns);
    add_fact(document, table, "program", input_text(prediction, "program"));
    add_fact(document, table, "arguments", join_arguments(arena, prediction));
    add_fact(document, table, "ranks",
             quantity_text(arena, UNIT_COUNT, input_number(prediction, "ranks")));
    add_fact(document, table, "network", input_text(prediction, "network"));
    const json_t *verdict = json_object_get(prediction, "verdict");
    if (json_is_object(verdict))
        add_fact(document, table, "checked", input_text(verdict, "text"));
    add_changes(document, table, prediction);
    if (json_is_object(messages))
        add_fact(document, table, "messages",
                 arena_printf(arena, "%s of %s together, those inside collectives too",
                              quantity_text(arena, UNIT_COUNT, input_number(messages, "count")),
                              quantity_text(arena, UNIT_BYTES, input_number(messages, "bytes"))));
    add_cost(document, table, prediction);
}

/* A run of which only the trace is known. */
static void add_traced(struct document *document, const struct run_view *view) {
    struct arena *arena = &document->arena;
    document_headline(
        document, quantity_text(arena, UNIT_SECONDS, 1e-9 * (double)run_view_duration_ns(view)),
        arena_printf(arena, "from the first to the last event of the trace of %s on %d ranks",
                     view->program, view->ranks));
}

static void add_run(struct document *document, const struct report_run *run) {
    if (run->prediction == NULL) {
        add_traced(document, &run->view);
        return;
    }
    add_answer(document, run->prediction);
    add_doubts(document, run->prediction);
    document_table_of(document, "doubts", "What makes the interval wide", "reasons", doubt_columns,
                      json_object_get(json_object_get(run->prediction, "interval"), "reasons"));
    add_facts(document, run->prediction);
}

const struct chapter chapter_prediction = {
    "prediction", "Prediction", "How long the run takes, how sure that is, and what was simulated.",
    .add_run = add_run};

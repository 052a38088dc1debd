/* SPDX-License-Identifier: Apache-2.0
 *
 * The three forms of the report; see prediction_print.h. What they say is described in
 * prediction_fields.c and prediction_rows.c. Infinite factors are written as "inf" in text and CSV,
 * and as null in JSON, which has no infinity.
 */
#include "cli/report/prediction_print.h"

#include "cli/report/field/report_csv.h"
#include "cli/report/field/report_json.h"
#include "cli/report/findings_print.h"
#include "cli/report/prediction_text.h"

#include <string.h>

/* ---- CSV ---- */

static const char *const columns[] = {"kind",  "name",  "place", "count",
                                      "value", "share", "bytes", NULL};

static void csv_rows(FILE *out, const char *kind, const struct report_field *fields,
                     const void *rows, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++)
        report_csv_kind_row(out, columns, kind, fields, (const char *)rows + i * size);
}

static void csv_conditions(FILE *out, const struct run_report *report) {
    const struct scenario *scenario = report->of.scenario;
    if (report->of.network != NULL)
        report_csv_kind_row(out, columns, "network", network_fields, report);
    if (scenario != NULL)
        csv_rows(out, "change", change_fields, scenario->changes.items, scenario->changes.count,
                 sizeof *scenario->changes.items);
}

static void csv_interval(FILE *out, const struct interval *interval) {
    report_csv_value_rows(out, columns, "interval", interval_fields, interval);
    report_csv_kind_row(out, columns, "interval_unknown", unknown_share_fields, interval);
}

/* One of the simulations with noise. */
struct noisy_time {
    size_t number;
    double time_s;
};

static const struct report_field noisy_time_fields[] = {
    {.csv = "name", REPORT_AT(struct noisy_time, number)},
    {.csv = "value", REPORT_AT(struct noisy_time, time_s)},
    {0},
};

static void csv_noise(FILE *out, const struct noise *noise) {
    report_csv_value_rows(out, columns, "noise", noise_fields, noise);
    for (size_t i = 0; i < noise->count; i++)
        report_csv_kind_row(out, columns, "noise_time_s", noisy_time_fields,
                            &(struct noisy_time){i, noise->times_s[i]});
}

static void csv_deviations(FILE *out, const struct prediction_rows *rows) {
    for (size_t i = 0; i < rows->region_count; i++)
        if (!report_is_missing(REPORT_REAL, &rows->regions[i].deviation))
            report_csv_kind_row(out, columns, "deviation", deviation_row_fields, &rows->regions[i]);
}

static void csv_skeleton(FILE *out, const struct run_report *report) {
    const struct prediction *prediction = &report->of;
    const struct prediction_rows *rows = &report->rows;
    csv_interval(out, &report->interval);
    if (prediction->findings != NULL)
        csv_rows(out, "finding", finding_fields, prediction->findings->items.items,
                 prediction->findings->items.count, sizeof *prediction->findings->items.items);
    if (prediction->interrupted != NULL)
        report_csv_kind_row(out, columns, "interruptions", interrupted_fields,
                            prediction->interrupted);
    if (prediction->noise != NULL)
        csv_noise(out, prediction->noise);
    if (prediction->attribution != NULL)
        csv_rows(out, "attribution", part_row_fields, rows->parts, PART_COUNT, sizeof *rows->parts);
    report_csv_value_rows(out, columns, "compute_s", spread_fields, &prediction->compute_s);
    report_csv_value_rows(out, columns, "mpi_s", spread_fields, &prediction->mpi_s);
    if (prediction->device_s != NULL)
        report_csv_value_rows(out, columns, "device_s", spread_fields, prediction->device_s);
    csv_rows(out, "region", region_row_fields, rows->regions, rows->region_count,
             sizeof *rows->regions);
    csv_deviations(out, rows);
    csv_rows(out, "call", call_row_fields, rows->calls, rows->call_count, sizeof *rows->calls);
    csv_rows(out, "site", site_row_fields, rows->sites, rows->site_count, sizeof *rows->sites);
    csv_rows(out, "extrapolation", beyond_row_fields, rows->beyond, rows->beyond_count,
             sizeof *rows->beyond);
}

static void print_csv(FILE *out, const struct run_report *report) {
    const struct prediction *prediction = &report->of;
    report_csv_kind_header(out, columns);
    report_csv_value_rows(out, columns, NULL, makespan_fields, prediction->stats);
    csv_conditions(out, report);
    report_csv_value_rows(out, columns, "calls", spread_fields, &prediction->calls);
    if (report->messages != NULL)
        report_csv_kind_row(out, columns, "messages", message_fields, report->messages);
    csv_rows(out, "file", file_fields, prediction->files, prediction->file_count,
             sizeof *prediction->files);
    if (report->skeleton != NULL)
        csv_skeleton(out, report);
}

/* ---- All forms ---- */

static void tell_cost(const struct prediction *prediction, const struct process_result *cost) {
    const char *by = prediction->engine == NULL               ? ""
                     : strcmp(prediction->engine, "own") == 0 ? ", by mpiskel's engine"
                                                              : ", by SMPI";
    const char *lacks = prediction->engine_lacks;
    note("simulated %.9g s in %.2f s, with %.1f MiB of memory%s%s%s", prediction->stats->makespan_s,
         cost->wall_s, (double)cost->peak_memory_kib / 1024, by,
         lacks != NULL ? ", since the engine lacks " : "", lacks != NULL ? lacks : "");
}

void prediction_print(FILE *out, const struct prediction *prediction, enum output_format format,
                      size_t top, const struct process_result *cost) {
    struct run_report report;
    run_report_make(&report, prediction, cost);
    if (format != OUTPUT_JSON)
        tell_cost(prediction, cost);
    if (format == OUTPUT_JSON)
        report_json_print(out, "mpiskel-prediction", 2, run_fields, &report);
    else if (format == OUTPUT_CSV)
        print_csv(out, &report);
    else
        prediction_text(out, &report, top);
    run_report_dispose(&report);
}

json_t *prediction_json(const struct prediction *prediction, const struct process_result *cost) {
    struct run_report report;
    run_report_make(&report, prediction, cost);
    json_t *out = report_json(run_fields, &report);
    run_report_dispose(&report);
    return out;
}

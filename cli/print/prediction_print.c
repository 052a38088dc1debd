/* SPDX-License-Identifier: Apache-2.0
 *
 * The three forms of the report; see prediction_print.h. What they say is described in
 * prediction_fields.c and prediction_rows.c. Infinite factors are written as "inf" in text and CSV,
 * and as null in JSON, which has no infinity.
 */
#include "cli/print/prediction_print.h"

#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"
#include "cli/print/field/report_text.h"
#include "cli/print/findings_print.h"
#include "cli/print/prediction_fields.h"

#include <math.h>
#include <string.h>

/* The report of `mpiskel run` for people: tables with some sentences between. */

#define UNTOLD_NAMES 4 /* of values, the worst ones */
/* From here on readers ask why: most predictions of a machine at rest are narrower (docs/results,
 * accuracy). */
#define WIDE_INTERVAL 1.5
#define OWN_TIMES 4 /* the longest ones */
/* Ranks whose times differ by less are one number to a reader. */
#define OWN_TIMES_ALIKE 0.005

static size_t at_most(size_t count, size_t top) {
    return count < top ? count : top;
}

/* ---- What was simulated, and how sure it is ---- */

static void text_scenario(FILE *out, const struct scenario *scenario) {
    for (size_t i = 0; i < scenario->changes.count; i++) {
        const struct change *change = &scenario->changes.items[i];
        fprintf(out, "%s%s%s%s: %s\n", i == 0 ? "changed: " : "         ", change->option,
                change->value[0] != '\0' ? " " : "", change->value, change->effect);
    }
    if (scenario->changes.count > 0)
        fputc('\n', out);
}

static void text_rough(FILE *out, const struct prediction *prediction) {
    if (prediction->rough != NULL)
        fprintf(out, "%s\n", prediction->rough);
}

static void text_conditions(FILE *out, const struct prediction *prediction) {
    if (prediction->network != NULL)
        fprintf(out, "network: %s\n", prediction->network);
    if (prediction->interrupted != NULL)
        fprintf(out,
                "noise: of %s, which takes %.3g %% of a core's time; %.3g s per rank here "
                "(--no-noise leaves it out)\n",
                prediction->interrupted->noise.from, 100 * prediction->interrupted->share,
                prediction->interrupted->interrupted_s);
    if (prediction->scenario != NULL)
        text_scenario(out, prediction->scenario);
}

static void text_loop(FILE *out, const struct interval *interval) {
    fprintf(out,
            "\n%s:%d, %.0f %% of the time, iterates as often as a formula says, not a profiling "
            "run; ",
            interval->loop->file, interval->loop->line, 100 * interval->loop_share);
    if (interval->loop_error >= 0)
        fprintf(out, "it was off by %.1f %% on runs left out", 100 * interval->loop_error);
    else
        fputs("nothing is known of its error", out);
    fputs("; a profiling run with these arguments would tell: on any number of ranks, unless how "
          "often "
          "it iterates varies with that",
          out);
}

static void text_unvaried(FILE *out, const struct unvaried *unvaried, const char *so) {
    const struct region *region = unvaried->region;
    const struct feature *feature = &region->features[unvaried->feature];
    fprintf(out, "%s:%d %s (%s) was %g in all profiling runs and is ", region->file, region->line,
            feature->name, feature->meaning, unvaried->profiled);
    if (unvaried->seen_min < unvaried->seen_max)
        fprintf(out, "%g to ", unvaried->seen_min);
    fprintf(out, "%g here%s; profile runs in which it varies (`mpiskel plan`), then mpiskel fit",
            unvaried->seen_max, so);
}

static void text_no_interval(FILE *out, const struct interval *interval) {
    fputs("no 95 % interval: ", out);
    if (interval->not_known != NULL)
        fprintf(out, "no profiled run shows what values do for %s", interval->not_known);
    else if (interval->unknown_share > INTERVAL_UNKNOWN_MAX)
        fprintf(out,
                "nothing is known of the error of %.0f %% of the computation, first of all %s:%d; "
                "profile other problem sizes, then mpiskel fit",
                100 * interval->unknown_share, interval->unknown->file, interval->unknown->line);
    else
        text_unvaried(out, &interval->unvaried, ", so nobody knows what it costs");
}

/* Parts add up as squares: what is a third of the largest one widens the interval by 5 %. */
static void text_reasons(FILE *out, const struct run_report *report) {
    const struct interval *interval = &report->of.interval;
    if (!interval->known || report->reason_count == 0 ||
        interval->high_s <= WIDE_INTERVAL * report->of.stats->makespan_s)
        return;
    fputs("it is wide since (seconds that each reason alone adds)\n", out);
    for (size_t i = 0; i < report->reason_count; i++)
        if (report->reasons[i].above_s > report->reasons[0].above_s / 3)
            fprintf(out, "  %+.3g s  %s\n", report->reasons[i].above_s, report->reasons[i].text);
}

static void text_interval(FILE *out, const struct run_report *report) {
    const struct prediction *prediction = &report->of;
    const struct interval *interval = &prediction->interval;
    if (interval->known)
        fprintf(out, "95 %% interval %.3g to %.3g s, from the models' errors%s", interval->low_s,
                interval->high_s,
                interval->parts_s[INTERVAL_NETWORK] > 0 ? " and the network's" : "");
    else
        text_no_interval(out, interval);
    if (interval->factor > 1)
        fprintf(out, "; extrapolated by %.3gx", interval->factor);
    if (interval->known && interval->unvaried.region != NULL) {
        fputs("\n", out);
        text_unvaried(out, &interval->unvaried, ": what it costs is a guess");
    }
    if (interval->loop != NULL)
        text_loop(out, interval);
    fputc('\n', out);
    text_reasons(out, report);
    fputc('\n', out);
}

/* What nobody can tell from the interval, which is of latencies. */
static void text_untold(FILE *out, const struct prediction *prediction) {
    size_t count = prediction->stats->untold_count;
    if (count == 0)
        return;
    fputs("warning: communication depends on given values that models predict badly:", out);
    for (size_t i = 0; i < at_most(count, UNTOLD_NAMES); i++) {
        const struct untold_region *untold = &prediction->untold[i];
        fprintf(out, "%s %s:%d (off by up to %.0f %%)", i > 0 ? "," : "", untold->region->file,
                untold->region->line, 100 * untold->error);
    }
    if (count > UNTOLD_NAMES)
        fprintf(out, " and %zu more", count - UNTOLD_NAMES);
    fputs("; `mpiskel fit --keep-untold` has it computed\n\n", out);
}

static void text_noise(FILE *out, const struct noise *noise) {
    fprintf(
        out,
        "distribution: median %.4g s, mean %.4g s, 95 %% of %zu simulations from %.4g to %.4g s, "
        "all from %.4g to %.4g s (seed %llu)\n\n",
        noise->median_s, noise->mean_s, noise->count, noise->low_s, noise->high_s, noise->min_s,
        noise->max_s, noise->seed);
}

/* ---- Where the time goes ---- */

static void text_attribution(FILE *out, const struct run_report *report) {
    static const enum part_of_makespan parts[] = {PART_COMPUTATION, PART_WAITING,
                                                  PART_COMMUNICATION};
    const struct part_row *rows = report->rows.parts;
    const struct efficiencies *of = &report->efficiencies;
    report_text_header(out, part_row_fields, rows);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        report_text_row(out, part_row_fields, rows, &rows[parts[i]]);
    fprintf(out,
            "on an ideal network: %.4g s; waiting is %.4g s for imbalance, %.4g s for "
            "dependencies\n",
            rows[PART_IDEAL].seconds, rows[PART_IMBALANCE].seconds,
            rows[PART_DEPENDENCIES].seconds);
    fprintf(out,
            "parallel efficiency %.1f %% = load balance %.1f %% x serialisation %.1f %% x transfer "
            "%.1f %%\n\n",
            100 * of->parallel, 100 * of->load_balance, 100 * of->serialisation,
            100 * of->transfer);
}

/* How ranks differ. */
struct spread_row {
    const char *name;
    struct extremes spread;
};

static const struct report_field spread_row_fields[] = {
    {REPORT_AT(struct spread_row, name), REPORT_COLUMN("per rank", 2, -22)},
    {REPORT_PART_AT(struct spread_row, spread, spread_fields)},
    {0},
};

static void text_spreads(FILE *out, const struct prediction *prediction) {
    struct spread_row rows[4] = {{"computation, s", prediction->compute_s},
                                 {"MPI, s", prediction->mpi_s}};
    size_t count = 2;
    if (prediction->device_s != NULL)
        rows[count++] = (struct spread_row){"calls for devices, s", *prediction->device_s};
    rows[count++] = (struct spread_row){"MPI calls", prediction->calls};
    report_text_table(out, spread_row_fields, rows, count, sizeof *rows, count);
}

static void text_messages(FILE *out, const struct prediction *prediction) {
    const struct traffic *messages = &prediction->messages;
    bool in_part = prediction->iterations != NULL && prediction->iterations->simulated > 0;
    if (messages->known)
        fprintf(out, "  %.0f messages of %.0f bytes together, those inside collectives too%s\n",
                messages->count, messages->bytes,
                in_part ? ", in the iterations that were simulated" : "");
}

static void text_files(FILE *out, const struct prediction *prediction) {
    for (size_t i = 0; i < prediction->file_count; i++) {
        const struct file_access *files = &prediction->files[i];
        fprintf(out, "%s %.0f bytes in %.0f calls (%.3g s per rank)", i > 0 ? ", wrote" : "  read",
                files->bytes, files->count, files->seconds_per_rank);
    }
    if (prediction->file_count > 0)
        fputs(" by MPI-IO\n", out);
}

/* Nothing where there is no row. */
static void text_rows(FILE *out, const struct report_field *fields, const void *rows, size_t count,
                      size_t size, size_t top) {
    if (count == 0)
        return;
    fputc('\n', out);
    report_text_table(out, fields, rows, count, size, top);
}

static void text_extrapolations(FILE *out, const struct prediction *prediction, size_t top) {
    size_t count = prediction->extrapolations.count;
    if (count == 0)
        return;
    fputs("\nwarning: beyond what the models were fitted on (profile with larger or smaller inputs "
          "to be sure)\n",
          out);
    for (size_t i = 0; i < at_most(count, top); i++) {
        const struct extrapolation *range = &prediction->extrapolations.items[i];
        if (isfinite(range->factor))
            fprintf(out, "  %.3gx", range->factor);
        else
            fputs("  from or to 0", out);
        fprintf(out, "  %s:%d %s: %s was %g to %g, fitted on %g to %g\n", range->region->file,
                range->region->line, range->name, range->meaning, range->seen_min, range->seen_max,
                range->trained_min, range->trained_max);
    }
    if (count > top)
        fprintf(out, "  and %zu more\n", count - top);
}

static void text_findings(FILE *out, const struct prediction *prediction) {
    size_t count = prediction->findings != NULL ? prediction->findings->items.count : 0;
    if (count == 0 || (count == 1 && prediction->findings->items.items[0].is_first))
        return;
    fputc('\n', out);
    findings_print(out, prediction->findings);
}

/* A clock that stays in the skeleton is no event of a trace, and needs none: it reads the simulated
 * time, for which the program prints it. NULL: there is none. */
static const struct clock_pair *kept_clock(const struct prediction *prediction) {
    const struct regions *regions = prediction->regions;
    for (size_t i = 0; i < regions->clock_count; i++)
        if (regions->clocks[i].is_kept)
            return &regions->clocks[i];
    return NULL;
}

/* What the program would print, beside the time that is predicted: that of all of it. */
static void text_own_times(FILE *out, const struct prediction *prediction) {
    const struct own_times *times = &prediction->own_times;
    const struct clock_pair *untold = prediction->untold_clock, *kept = kept_clock(prediction);
    if (times->count > 0)
        fputs(
            "\nthe predicted time is from MPI_Init to MPI_Finalize; of it, on the slowest rank:\n",
            out);
    for (size_t i = 0; i < at_most(times->count, OWN_TIMES); i++) {
        const struct own_time *one = &times->items[i];
        fprintf(out, "  %.6g s  from %s to %s", one->most_s, one->begin, one->end);
        if (one->text != NULL)
            fprintf(out, ", measured as `%s`", one->text);
        if (one->least_s < (1 - OWN_TIMES_ALIKE) * one->most_s)
            fprintf(out, "; %.6g s on the fastest rank", one->least_s);
        fputc('\n', out);
    }
    if (times->count > OWN_TIMES)
        fprintf(out, "  and %zu more (--region)\n", times->count - OWN_TIMES);
    if (times->count == 0 && kept != NULL)
        fprintf(
            out,
            "\nthe predicted time is from MPI_Init to MPI_Finalize; what the program printed of "
            "`%s` is simulated time, from %s:%d to %s:%d\n",
            kept->text, kept->file, kept->begin_line, kept->file, kept->end_line);
    else if (times->count == 0 && untold != NULL)
        fprintf(out,
                "\nthe predicted time is from MPI_Init to MPI_Finalize; for what the program "
                "measures as `%s`: --region %s:%d..%s:%d\n",
                untold->text, untold->file, untold->begin_line, untold->file, untold->end_line);
}

/* What was asked for, where the eye is when all of it has been printed. */
static void text_answer(FILE *out, const struct run_report *report) {
    const struct prediction *prediction = &report->of;
    const struct interval *interval = &prediction->interval;
    fprintf(out, "\n%s\npredicted: %.3g s", report->verdict.text, prediction->stats->makespan_s);
    if (interval->known)
        fprintf(out, ", 95 %% interval %.3g to %.3g s\n", interval->low_s, interval->high_s);
    else
        fputs(", no interval (the reason is above)\n", out);
}

static void text_original(FILE *out, const struct prediction *prediction) {
    const struct run_stats *stats = prediction->stats;
    fprintf(out, "%s (the original) on %zu ranks: simulated time %.9g s, %.0f MPI calls\n",
            prediction->program, stats->ranks, stats->makespan_s,
            prediction->calls.mean * (double)stats->ranks);
    text_conditions(out, prediction);
    text_files(out, prediction);
}

static void text_skeleton(FILE *out, const struct run_report *report, size_t top) {
    const struct prediction *prediction = &report->of;
    const struct prediction_rows *rows = &report->rows;
    if (prediction->findings != NULL)
        findings_print_first(out, prediction->findings);
    text_rough(out, prediction);
    fprintf(out, "%s on %zu ranks: predicted time %.9g s\n", prediction->program,
            prediction->stats->ranks, prediction->stats->makespan_s);
    text_conditions(out, prediction);
    text_interval(out, report);
    text_untold(out, prediction);
    if (prediction->noise != NULL)
        text_noise(out, prediction->noise);
    if (prediction->attribution != NULL)
        text_attribution(out, report);
    text_spreads(out, prediction);
    text_messages(out, prediction);
    text_files(out, prediction);
    text_rows(out, region_row_fields, rows->regions, rows->region_count, sizeof *rows->regions,
              top);
    text_rows(out, call_row_fields, rows->calls, rows->call_count, sizeof *rows->calls, top);
    text_rows(out, site_row_fields, rows->sites, rows->site_count, sizeof *rows->sites, top);
    text_extrapolations(out, prediction, top);
    text_findings(out, prediction);
    text_own_times(out, prediction);
    text_answer(out, report);
}

/* `top`: rows per table. */
static void prediction_text(FILE *out, const struct run_report *report, size_t top) {
    if (report->of.original)
        text_original(out, &report->of);
    else
        text_skeleton(out, report, top);
}

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

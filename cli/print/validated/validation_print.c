/* SPDX-License-Identifier: Apache-2.0
 *
 * The three forms of the report; see validation_print.h. An infinite error (nothing was measured)
 * is "inf" in text and CSV, null in JSON.
 */
#include "cli/print/validated/validation_print.h"

#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"
#include "cli/print/field/report_text.h"
#include "cli/print/findings_print.h"
#include "cli/print/region_fields.h"
#include "cli/print/validated/synthesised_print.h"

#include <math.h>
#include <string.h>

/* ---- What the configurations say together ---- */

struct summary {
    size_t errors, inside, intervals; /* measured times; of them inside of a known interval */
    double mean, largest;
};

static void add_times(struct summary *out, const struct validated *one, const struct times *times) {
    if (times->count == 0)
        return;
    double error = fabs(error_of(one->predicted_s, times->median_s));
    out->mean = (out->mean * (double)out->errors + error) / (double)(out->errors + 1);
    out->largest = fmax(out->largest, error);
    out->errors++;
    enum validation_verdict verdict = validation_verdict_of(one, times);
    out->intervals += verdict == VERDICT_INSIDE || verdict == VERDICT_OUTSIDE;
    out->inside += verdict == VERDICT_INSIDE;
}

static struct summary sum_up(const struct validation *validation) {
    struct summary out = {0};
    for (size_t i = 0; i < validation->items.count; i++) {
        add_times(&out, &validation->items.items[i], &validation->items.items[i].original);
        if (!validation->items.items[i].is_crowded)
            add_times(&out, &validation->items.items[i], &validation->items.items[i].real);
    }
    return out;
}

static bool region_is_inside(const struct validated_region *region) {
    double off = log(region->measured_s / region->predicted_s);
    double deviation = hypot(region->error.deviation, region->error.run);
    return fabs(off) <= log1p(deviation_part(deviation));
}

/* ---- Rows and what they say ---- */

struct validation_times {
    struct times of;
    double error;
    enum report_answer inside;
};

struct validation_region {
    const struct region *region;
    const char *what;                              /* "a.c:4 sum: 2 loops" */
    double predicted_s, measured_s, error, factor; /* seconds per rank */
    enum report_answer inside;
    const char *interval; /* the same in words */
};

struct validation_row {
    const struct validated *of;
    double low_s, high_s; /* NaN: not known */
    struct validation_times original_times, plain_times, real_times;
    const struct validation_times *original, *plain, *real; /* NULL: not measured */
    struct synthesised_report synthesised_part;
    const struct synthesised_report *synthesised; /* NULL: there is none */
    struct validation_region *regions;
    size_t region_count;
};

struct validation_report {
    struct arena arena;
    const struct validation *of;
    struct summary summary;
    struct validation_row *rows;
    size_t row_count;
};

static const struct report_field times_fields[] = {
    {"repeats", REPORT_AT(struct validation_times, of.count)},
    {"median_s", REPORT_AT(struct validation_times, of.median_s)},
    {"min_s", REPORT_AT(struct validation_times, of.min_s)},
    {"max_s", REPORT_AT(struct validation_times, of.max_s)},
    {"standard_error", REPORT_AT(struct validation_times, of.standard_error)},
    {"processor_s_per_rank", REPORT_AT(struct validation_times, of.processor_s)},
    {"error", REPORT_AT(struct validation_times, error)},
    {"inside", REPORT_AT(struct validation_times, inside)},
    {0},
};

static const struct report_field validated_region_fields[] = {
    {REPORT_PART_POINTER_AT(struct validation_region, region, region_fields)},
    {"predicted_s_per_rank", REPORT_AT(struct validation_region, predicted_s),
     REPORT_COLUMN("predicted, s", 2, 12)},
    {"measured_s_per_rank", REPORT_AT(struct validation_region, measured_s),
     REPORT_COLUMN("measured, s", 1, 12)},
    {"error", REPORT_AT(struct validation_region, error), REPORT_COLUMN("error", 1, 9),
     .format = "%+.1f", .is_percent = true},
    {"inside", REPORT_AT(struct validation_region, inside)},
    {"extrapolation", REPORT_AT(struct validation_region, factor)},
    {REPORT_AT(struct validation_region, interval), REPORT_COLUMN("interval", 2, -8)},
    {REPORT_AT(struct validation_region, what),
     REPORT_COLUMN("region, those with most seconds amiss first", 1, 0)},
    {0},
};

static const struct report_field part_fields[] = {
    {"part", REPORT_AT(struct counted_part, name)},
    {"seconds", REPORT_AT(struct counted_part, seconds)},
    {0},
};

static const struct report_field simulated_fields[] = {
    {"ranks", REPORT_AT(struct validated, ranks)},
    {"arguments", REPORT_AT(struct validated, arguments)},
    {"network", REPORT_AT(struct validated, network), .is_optional = true},
    {"predicted_s", REPORT_AT(struct validated, predicted_s)},
    {0},
};

static const struct report_field factor_fields[] = {
    {"extrapolation", REPORT_AT(struct validated, interval.factor)},
    {0},
};

static const struct report_field original_fields[] = {
    {"corrected", REPORT_AT(struct validated, is_corrected)},
    {"unsettled", REPORT_AT(struct validated, is_unsettled)},
    {"original_caches", REPORT_AT(struct validated, original_caches)},
    {"model_caches", REPORT_AT(struct validated, model_caches)},
    {0},
};

static const struct report_field measured_fields[] = {
    {"crowded", REPORT_AT(struct validated, is_crowded)},
    {"findings",
     REPORT_LIST_AT(struct validated, findings.items.items, findings.items.count, finding_fields)},
    {"regions_from", REPORT_AT(struct validated, regions_from)},
    {"parts", REPORT_LIST_AT(struct validated, parts.items, parts.count, part_fields),
     .is_optional = true},
    {0},
};

static const struct report_field configuration_fields[] = {
    {REPORT_PART_POINTER_AT(struct validation_row, of, simulated_fields)},
    {"low_s", REPORT_AT(struct validation_row, low_s)},
    {"high_s", REPORT_AT(struct validation_row, high_s)},
    {REPORT_PART_POINTER_AT(struct validation_row, of, factor_fields)},
    {"original", REPORT_POINTER_AT(struct validation_row, original, times_fields)},
    {"original_as_it_comes", REPORT_POINTER_AT(struct validation_row, plain, times_fields)},
    {REPORT_PART_POINTER_AT(struct validation_row, of, original_fields)},
    {"real", REPORT_POINTER_AT(struct validation_row, real, times_fields)},
    {"synthesised", REPORT_POINTER_AT(struct validation_row, synthesised, synthesised_fields),
     .is_optional = true},
    {REPORT_PART_POINTER_AT(struct validation_row, of, measured_fields)},
    {"regions",
     REPORT_LIST_AT(struct validation_row, regions, region_count, validated_region_fields)},
    {0},
};

static const struct report_field program_fields[] = {
    {"program", REPORT_AT(struct validation, program)},
    {0},
};

static const struct report_field validation_fields[] = {
    {REPORT_PART_POINTER_AT(struct validation_report, of, program_fields)},
    {"configurations",
     REPORT_LIST_AT(struct validation_report, rows, row_count, configuration_fields)},
    {"mean_absolute_error", REPORT_AT(struct validation_report, summary.mean)},
    {"largest_error", REPORT_AT(struct validation_report, summary.largest)},
    {"inside", REPORT_AT(struct validation_report, summary.inside)},
    {"intervals", REPORT_AT(struct validation_report, summary.intervals)},
    {0},
};

/* ---- Making them ---- */

static enum report_answer answer(bool is_known, bool is_yes) {
    return !is_known ? REPORT_ANSWER_UNKNOWN : is_yes ? REPORT_ANSWER_YES : REPORT_ANSWER_NO;
}

static const struct validation_times *
make_times(struct validation_times *out, const struct validated *one, const struct times *times) {
    if (times->count == 0)
        return NULL;
    enum validation_verdict verdict = validation_verdict_of(one, times);
    *out = (struct validation_times){
        .of = *times,
        .error = error_of(one->predicted_s, times->median_s),
        .inside = answer(verdict == VERDICT_INSIDE || verdict == VERDICT_OUTSIDE,
                         verdict == VERDICT_INSIDE),
    };
    return out;
}

static void make_region(struct validation_region *out, struct arena *arena,
                        const struct validated *one, const struct validated_region *row) {
    static const char *const words[] = {[REPORT_ANSWER_UNKNOWN] = "?",
                                        [REPORT_ANSWER_NO] = "OUTSIDE",
                                        [REPORT_ANSWER_YES] = "inside"};
    const struct region *region = row->region;
    double ranks = (double)one->ranks;
    enum report_answer inside =
        answer(row->error.known && row->predicted_s > 0, region_is_inside(row));
    *out = (struct validation_region){
        .region = region,
        .what = arena_printf(arena, "%s:%d %s: %s", region->file, region->line, region->function,
                             region->summary),
        .predicted_s = row->predicted_s / ranks,
        .measured_s = row->measured_s / ranks,
        .error = error_of(row->predicted_s, row->measured_s),
        .factor = row->error.factor,
        .inside = inside,
        .interval = words[inside],
    };
}

static void make_row(struct validation_row *out, struct arena *arena, const struct validated *one) {
    *out = (struct validation_row){
        .of = one,
        .low_s = one->interval.known ? one->interval.low_s : NAN,
        .high_s = one->interval.known ? one->interval.high_s : NAN,
        .regions = ARENA_ARRAY(arena, struct validation_region, one->regions.count + 1),
        .region_count = one->regions.count,
    };
    out->original = make_times(&out->original_times, one, &one->original);
    out->plain = make_times(&out->plain_times, one, &one->as_it_comes);
    out->real = make_times(&out->real_times, one, &one->real);
    out->synthesised = synthesised_report_make(&out->synthesised_part, one);
    for (size_t i = 0; i < one->regions.count; i++)
        make_region(&out->regions[i], arena, one, &one->regions.items[i]);
}

static void make_report(struct validation_report *out, const struct validation *validation) {
    size_t count = validation->items.count;
    *out = (struct validation_report){
        .of = validation, .summary = sum_up(validation), .row_count = count};
    out->rows = ARENA_ARRAY(&out->arena, struct validation_row, count + 1);
    for (size_t i = 0; i < count; i++)
        make_row(&out->rows[i], &out->arena, &validation->items.items[i]);
}

/* ---- Text ---- */

static void text_processor(FILE *out, const struct times *times) {
    if (times->processor_s > 0)
        fprintf(out, "; processor time %.4g s a rank, with start and end", times->processor_s);
}

/* A rank that polls for messages uses up the processor that others need. */
static void text_crowded(FILE *out, const char *how, const struct times *times) {
    fprintf(out,
            "  %-10s %12.6g s  not compared: ranks shared processors, and waited for these (%s; "
            "%.6g to %.6g s",
            "real", times->median_s, how, times->min_s, times->max_s);
    text_processor(out, times);
    fputs(")\n", out);
}

static void text_times(FILE *out, const char *name, const char *how, const struct validated *one,
                       const struct times *times) {
    if (times->count == 0)
        return;
    fprintf(out, "  %-10s %12.6g s  %+.1f%%, ", name, times->median_s,
            100 * error_of(one->predicted_s, times->median_s));
    static const char *const verdicts[] = {
        [VERDICT_NO_INTERVAL] = "no interval",
        [VERDICT_ONE_RUN] = "one run, whose own error is not known: no verdict",
        [VERDICT_DISTURBED] = "others used the machine: no verdict",
        [VERDICT_TOO_NEAR] = "too near to an end of the interval for its own error: no verdict",
        [VERDICT_INSIDE] = "inside the interval",
        [VERDICT_OUTSIDE] = "OUTSIDE the interval",
    };
    fputs(verdicts[validation_verdict_of(one, times)], out);
    fprintf(out, " (%s; %zu run%s, %.6g to %.6g s", how, times->count, times->count > 1 ? "s" : "",
            times->min_s, times->max_s);
    if (times->count > 1)
        fprintf(out, ", standard error %.1f%%", 100 * times->standard_error);
    text_processor(out, times);
    fputs(")\n", out);
}

static void text_regions(FILE *out, const struct validation_row *row, size_t top) {
    const struct validation_region *regions = row->regions;
    fprintf(out, "  regions: %s\n", row->of->regions_from);
    if (row->region_count == 0)
        return;
    report_text_header(out, validated_region_fields, regions);
    for (size_t i = 0; i < row->region_count && i < top; i++)
        report_text_row(out, validated_region_fields, regions, &regions[i]);
    if (row->region_count > top)
        fprintf(out, "  and %zu more (--top)\n", row->region_count - top);
}

static void text_parts(FILE *out, const struct counted_parts *parts) {
    double sum_s = 0;
    for (size_t i = 0; i < parts->count; i++)
        sum_s += parts->items[i].seconds;
    for (size_t i = 0; i < parts->count; i++)
        fprintf(out, "%s%s %.1f %%", i > 0 ? ", " : "  measured time: ", parts->items[i].name,
                100 * parts->items[i].seconds / sum_s);
    if (parts->count > 0)
        fputc('\n', out);
}

/* Real machines have a core, and its caches, for each rank. */
static void text_caches(FILE *out, const struct validated *one) {
    const char *models = one->model_caches != NULL ? one->model_caches : "not known";
    bool differ = one->model_caches == NULL || strcmp(models, one->original_caches) != 0;
    fprintf(out, "  caches     original: %s%s; models: %s%s\n", one->original_caches,
            one->ranks > 1 ? ", one core's for all ranks" : "", models,
            !differ           ? ""
            : one->ranks == 1 ? " (--caches=warm)"
                              : ", right for real runs (--caches=cold: as the original's)");
}

static void text_configuration(FILE *out, const struct validation *validation,
                               const struct validation_row *row, size_t top) {
    const struct validated *one = row->of;
    fprintf(out, "%s on %zu ranks: %s\n", validation->program, one->ranks, one->arguments);
    if (one->network != NULL)
        fprintf(out, "  network    %s\n", one->network);
    if (one->as_it_comes.count > 0)
        text_caches(out, one);
    fprintf(out, "  %-10s %12.6g s  ", "predicted", one->predicted_s);
    if (one->interval.known)
        fprintf(out, "95 %% interval %.4g to %.4g s", one->interval.low_s, one->interval.high_s);
    else
        fputs("no interval: the models' errors are not known", out);
    if (one->interval.factor > 1)
        fprintf(out, "; extrapolated by %.3gx", one->interval.factor);
    fputc('\n', out);
    if (one->is_corrected)
        text_times(out, "original", "under SMPI, without interruptions", one, &one->original);
    text_times(out, one->is_corrected ? "" : "original", "under SMPI, as it comes", one,
               &one->as_it_comes);
    const char *launcher = validation->launcher != NULL ? validation->launcher : "";
    if (one->is_crowded && one->real.count > 0)
        text_crowded(out, launcher, &one->real);
    else
        text_times(out, "real", launcher, one, &one->real);
    synthesised_print(out, row->synthesised);
    text_regions(out, row, top);
    text_parts(out, &one->parts);
    findings_print(out, &one->findings);
    fputc('\n', out);
}

static void print_text(FILE *out, const struct validation_report *report, size_t top) {
    const struct summary *summary = &report->summary;
    for (size_t i = 0; i < report->row_count; i++)
        text_configuration(out, report->of, &report->rows[i], top);
    synthesised_sum_up(out, report->of);
    if (summary->errors == 0)
        return;
    fprintf(out, "mean absolute error %.1f%%, largest %.1f%%", 100 * summary->mean,
            100 * summary->largest);
    if (summary->intervals > 0)
        fprintf(out, "; %zu of %zu inside their 95 %% interval", summary->inside,
                summary->intervals);
    fputc('\n', out);
}

/* ---- CSV ---- */

/* A time, or a region, whose seconds are per rank. */
struct validation_csv_row {
    size_t ranks;
    const char *arguments, *kind, *name;
    double predicted_s, measured_s, error;
    enum report_answer inside;
};

static const struct report_field csv_fields[] = {
    {.csv = "ranks", REPORT_AT(struct validation_csv_row, ranks)},
    {.csv = "arguments", REPORT_AT(struct validation_csv_row, arguments), .is_quoted = true},
    {.csv = "kind", REPORT_AT(struct validation_csv_row, kind)},
    {.csv = "name", REPORT_AT(struct validation_csv_row, name), .is_quoted = true},
    {.csv = "predicted_s", REPORT_AT(struct validation_csv_row, predicted_s), .csv_format = "%.9g"},
    {.csv = "measured_s", REPORT_AT(struct validation_csv_row, measured_s), .csv_format = "%.9g"},
    {.csv = "error", REPORT_AT(struct validation_csv_row, error), .csv_format = "%.9g"},
    {.csv = "inside", REPORT_AT(struct validation_csv_row, inside)},
    {0},
};

static void csv_times(FILE *out, const struct validated *one, const char *kind,
                      const struct validation_times *times) {
    if (times == NULL)
        return;
    const struct validation_csv_row row = {.ranks = one->ranks,
                                           .arguments = one->arguments,
                                           .kind = kind,
                                           .name = "",
                                           .predicted_s = one->predicted_s,
                                           .measured_s = times->of.median_s,
                                           .error = times->error,
                                           .inside = times->inside};
    report_csv_row(out, csv_fields, &row);
}

static void csv_synthesised(FILE *out, const struct validated *one) {
    const struct validation_csv_row row = {
        .ranks = one->ranks,
        .arguments = one->arguments,
        .kind = "synthesised",
        .name = "",
        .predicted_s = one->predicted_s,
        .measured_s = one->synthesis.predicted_s,
        .error = error_of(one->predicted_s, one->synthesis.predicted_s),
        .inside = REPORT_ANSWER_UNKNOWN};
    if (one->synthesis.is_known)
        report_csv_row(out, csv_fields, &row);
}

static void csv_region(FILE *out, const struct validated *one,
                       const struct validation_region *region) {
    const struct validation_csv_row row = {.ranks = one->ranks,
                                           .arguments = one->arguments,
                                           .kind = "region",
                                           .name = region->region->id,
                                           .predicted_s = region->predicted_s,
                                           .measured_s = region->measured_s,
                                           .error = region->error,
                                           .inside = region->inside};
    report_csv_row(out, csv_fields, &row);
}

static void print_csv(FILE *out, const struct validation_report *report) {
    report_csv_header(out, csv_fields);
    for (size_t i = 0; i < report->row_count; i++) {
        const struct validation_row *row = &report->rows[i];
        csv_times(out, row->of, "original", row->original);
        csv_times(out, row->of, "as it comes", row->plain);
        csv_synthesised(out, row->of);
        csv_times(out, row->of, row->of->is_crowded ? "crowded" : "real", row->real);
        for (size_t k = 0; k < row->region_count; k++)
            csv_region(out, row->of, &row->regions[k]);
    }
}

/* ---- All forms ---- */

void validation_print(FILE *out, const struct validation *validation, enum output_format format,
                      size_t top) {
    struct validation_report report;
    make_report(&report, validation);
    if (format == OUTPUT_JSON)
        report_json_print(out, "mpiskel-validation", 2, validation_fields, &report);
    else if (format == OUTPUT_CSV)
        print_csv(out, &report);
    else
        print_text(out, &report, top);
    arena_dispose(&report.arena);
}

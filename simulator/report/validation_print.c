/* SPDX-License-Identifier: Apache-2.0
 *
 * The three forms of the report; see validation.h. An infinite error (nothing was measured) is
 * "inf" in text and CSV, null in JSON.
 */
#include "simulator/report/validation.h"

#include "base/json.h"
#include "base/str.h"

#include <math.h>
#include <string.h>

/* ---- What the configurations say together ---- */

struct summary {
    size_t errors, inside, intervals; /* measured times; of them inside of a known interval */
    double mean, largest;
};

static bool is_inside(const struct validated *one, const struct times *times) {
    return times->median_s >= one->interval.low_s && times->median_s <= one->interval.high_s;
}

static void add_times(struct summary *out, const struct validated *one, const struct times *times) {
    if (times->count == 0)
        return;
    double error = fabs(error_of(one->predicted_s, times->median_s));
    out->mean = (out->mean * (double)out->errors + error) / (double)(out->errors + 1);
    out->largest = fmax(out->largest, error);
    out->errors++;
    out->intervals += one->interval.known;
    out->inside += one->interval.known && is_inside(one, times);
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

/* ---- Text ---- */

static void text_crowded(FILE *out, const char *how, const struct times *times) {
    fprintf(out, "  %-10s %12.6g s  not compared: ranks shared processors (%s; %.6g to %.6g s)\n",
            "real", times->median_s, how, times->min_s, times->max_s);
}

static void text_times(FILE *out, const char *name, const char *how, const struct validated *one,
                       const struct times *times) {
    if (times->count == 0)
        return;
    fprintf(out, "  %-10s %12.6g s  %+.1f%%, ", name, times->median_s,
            100 * error_of(one->predicted_s, times->median_s));
    if (one->interval.known)
        fprintf(out, "%s the interval", is_inside(one, times) ? "inside" : "OUTSIDE");
    else
        fputs("no interval", out);
    fprintf(out, " (%s; %zu run%s, %.6g to %.6g s)\n", how, times->count,
            times->count > 1 ? "s" : "", times->min_s, times->max_s);
}

static void text_region(FILE *out, const struct validated *one,
                        const struct validated_region *row) {
    double ranks = (double)one->ranks;
    fprintf(out, "  %12.6g %12.6g %+8.1f%%  ", row->predicted_s / ranks, row->measured_s / ranks,
            100 * error_of(row->predicted_s, row->measured_s));
    if (!row->error.known || row->predicted_s <= 0)
        fprintf(out, "%-8s", "?");
    else
        fprintf(out, "%-8s", region_is_inside(row) ? "inside" : "OUTSIDE");
    fprintf(out, " %s:%d %s: %s\n", row->region->file, row->region->line, row->region->function,
            row->region->summary);
}

static void text_regions(FILE *out, const struct validated *one, size_t top) {
    fprintf(out, "  regions: %s\n", one->regions_from);
    if (one->regions.count == 0)
        return;
    fprintf(out, "  %12s %12s %9s  %-8s region, those with most seconds amiss first\n",
            "predicted, s", "measured, s", "error", "interval");
    for (size_t i = 0; i < one->regions.count && i < top; i++)
        text_region(out, one, &one->regions.items[i]);
    if (one->regions.count > top)
        fprintf(out, "  and %zu more (--top)\n", one->regions.count - top);
}

static void text_configuration(FILE *out, const struct validation *validation,
                               const struct validated *one, size_t top) {
    fprintf(out, "%s on %zu ranks: %s\n", validation->program, one->ranks, one->arguments);
    if (one->network != NULL)
        fprintf(out, "  network    %s\n", one->network);
    fprintf(out, "  %-10s %12.6g s  ", "predicted", one->predicted_s);
    if (one->interval.known)
        fprintf(out, "95 %% interval %.4g to %.4g s", one->interval.low_s, one->interval.high_s);
    else
        fputs("no interval: the models' errors are not known", out);
    if (one->interval.factor > 1)
        fprintf(out, "; extrapolated by %.3gx", one->interval.factor);
    fputc('\n', out);
    text_times(out, "original", "under SMPI", one, &one->original);
    const char *launcher = validation->launcher != NULL ? validation->launcher : "";
    if (one->is_crowded && one->real.count > 0)
        text_crowded(out, launcher, &one->real);
    else
        text_times(out, "real", launcher, one, &one->real);
    text_regions(out, one, top);
    fputc('\n', out);
}

static void print_text(FILE *out, const struct validation *validation, size_t top) {
    struct summary summary = sum_up(validation);
    for (size_t i = 0; i < validation->items.count; i++)
        text_configuration(out, validation, &validation->items.items[i], top);
    fprintf(out, "mean absolute error %.1f%%, largest %.1f%%", 100 * summary.mean,
            100 * summary.largest);
    if (summary.intervals > 0)
        fprintf(out, "; %zu of %zu inside their 95 %% interval", summary.inside, summary.intervals);
    fputc('\n', out);
}

/* ---- JSON ---- */

static json_t *json_error(double error) {
    return isfinite(error) ? json_real(error) : json_null();
}

static json_t *json_times(const struct validated *one, const struct times *times) {
    if (times->count == 0)
        return json_null();
    json_t *inside = one->interval.known ? json_boolean(is_inside(one, times)) : json_null();
    return json_pack("{s:I, s:f, s:f, s:f, s:o, s:o}", "repeats", (json_int_t)times->count,
                     "median_s", times->median_s, "min_s", times->min_s, "max_s", times->max_s,
                     "error", json_error(error_of(one->predicted_s, times->median_s)), "inside",
                     inside);
}

static json_t *json_region(const struct validated *one, const struct validated_region *row) {
    double ranks = (double)one->ranks;
    bool known = row->error.known && row->predicted_s > 0;
    return json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:o, s:o, s:f}", "id", row->region->id,
                     "function", row->region->function, "file", row->region->file, "line",
                     row->region->line, "predicted_s_per_rank", row->predicted_s / ranks,
                     "measured_s_per_rank", row->measured_s / ranks, "error",
                     json_error(error_of(row->predicted_s, row->measured_s)), "inside",
                     known ? json_boolean(region_is_inside(row)) : json_null(), "extrapolation",
                     row->error.factor);
}

static json_t *json_configuration(const struct validated *one) {
    json_t *regions = json_array();
    for (size_t i = 0; i < one->regions.count; i++)
        json_array_append_new(regions, json_region(one, &one->regions.items[i]));
    json_t *low = one->interval.known ? json_real(one->interval.low_s) : json_null();
    json_t *high = one->interval.known ? json_real(one->interval.high_s) : json_null();
    return json_pack("{s:I, s:s, s:s*, s:f, s:o, s:o, s:f, s:o, s:o, s:b, s:s, s:o}", "ranks",
                     (json_int_t)one->ranks, "arguments", one->arguments, "network", one->network,
                     "predicted_s", one->predicted_s, "low_s", low, "high_s", high, "extrapolation",
                     one->interval.factor, "original", json_times(one, &one->original), "real",
                     json_times(one, &one->real), "crowded", (int)one->is_crowded, "regions_from",
                     one->regions_from, "regions", regions);
}

static void print_json(FILE *out, const struct validation *validation) {
    struct summary summary = sum_up(validation);
    json_t *configurations = json_array();
    for (size_t i = 0; i < validation->items.count; i++)
        json_array_append_new(configurations, json_configuration(&validation->items.items[i]));
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:o, s:o, s:o, s:I, s:I}", "format", "mpiskel-validation", "version", 1,
        "program", validation->program, "configurations", configurations, "mean_absolute_error",
        json_error(summary.mean), "largest_error", json_error(summary.largest), "inside",
        (json_int_t)summary.inside, "intervals", (json_int_t)summary.intervals);
    json_dumpf(root, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(root);
}

/* ---- CSV ---- */

/* RFC 4180: quoted, quotes doubled. */
static void csv_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void csv_row(FILE *out, const struct validated *one, const char *kind, const char *name,
                    double predicted_s, double measured_s, const char *inside) {
    fprintf(out, "%zu,", one->ranks);
    csv_text(out, one->arguments);
    fprintf(out, ",%s,", kind);
    csv_text(out, name);
    fprintf(out, ",%.9g,%.9g,%.9g,%s\n", predicted_s, measured_s, error_of(predicted_s, measured_s),
            inside);
}

static void csv_times(FILE *out, const struct validated *one, const char *kind,
                      const struct times *times) {
    const char *inside = !one->interval.known ? "" : is_inside(one, times) ? "yes" : "no";
    if (times->count > 0)
        csv_row(out, one, kind, "", one->predicted_s, times->median_s, inside);
}

static void csv_regions(FILE *out, const struct validated *one) {
    for (size_t i = 0; i < one->regions.count; i++) {
        const struct validated_region *row = &one->regions.items[i];
        bool known = row->error.known && row->predicted_s > 0;
        csv_row(out, one, "region", row->region->id, row->predicted_s / (double)one->ranks,
                row->measured_s / (double)one->ranks,
                !known                  ? ""
                : region_is_inside(row) ? "yes"
                                        : "no");
    }
}

/* Seconds of regions are per rank. */
static void print_csv(FILE *out, const struct validation *validation) {
    fputs("ranks,arguments,kind,name,predicted_s,measured_s,error,inside\n", out);
    for (size_t i = 0; i < validation->items.count; i++) {
        const struct validated *one = &validation->items.items[i];
        csv_times(out, one, "original", &one->original);
        csv_times(out, one, one->is_crowded ? "crowded" : "real", &one->real);
        csv_regions(out, one);
    }
}

void validation_print(FILE *out, const struct validation *validation, enum output_format format,
                      size_t top) {
    if (format == OUTPUT_JSON)
        print_json(out, validation);
    else if (format == OUTPUT_CSV)
        print_csv(out, validation);
    else
        print_text(out, validation, top);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The three forms of the report; see prediction.h. Infinite factors are written as "inf" in text
 * and CSV, and as null in JSON, which has no infinity.
 */
#include "simulator/report/prediction.h"

#include "base/json.h"
#include "base/str.h"

#include <math.h>
#include <string.h>

static double per_rank(const struct prediction *prediction, double sum) {
    return sum / (double)prediction->stats->ranks;
}

static double share(const struct prediction *prediction, double seconds) {
    return prediction->rank_seconds > 0 ? seconds / prediction->rank_seconds : 0;
}

static size_t at_most(size_t count, size_t top) {
    return count < top ? count : top;
}

static const struct region *region_of(const struct prediction *prediction,
                                      const struct region_stats *seen) {
    return &prediction->regions->items[seen->index];
}

static void text_spread(FILE *out, const char *name, struct extremes spread) {
    fprintf(out, "  %-22s %12.6g %12.6g %12.6g\n", name, spread.min, spread.mean, spread.max);
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
    fputs("; a profiling run with these arguments would tell, mostly on any number of ranks", out);
}

static void text_interval(FILE *out, const struct prediction *prediction) {
    const struct interval *interval = &prediction->interval;
    if (interval->known)
        fprintf(out, "95 %% interval %.4g to %.4g s, from the models' errors", interval->low_s,
                interval->high_s);
    else
        fprintf(out,
                "no 95 %% interval: nothing is known of the error of %.0f %% of the computation, "
                "first of all %s:%d; profile other problem sizes, then mpiskel fit",
                100 * interval->unknown_share, interval->unknown->file, interval->unknown->line);
    if (interval->factor > 1)
        fprintf(out, "; extrapolated by %.3gx", interval->factor);
    if (interval->loop != NULL)
        text_loop(out, interval);
    fputs("\n\n", out);
}

#define UNTOLD_NAMES 4 /* of values, the worst ones */

/* What nobody can tell from the interval, which is of latencies. */
static void text_untold(FILE *out, const struct prediction *prediction) {
    size_t count = prediction->stats->untold_count;
    if (count == 0)
        return;
    fputs("warning: communication goes by what models do not tell:", out);
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
    fprintf(out,
            "with noise: median %.6g s, mean %.6g s, 95 %% of %zu simulations from %.6g to %.6g s, "
            "all from %.6g to %.6g s (seed %llu)\n\n",
            noise->median_s, noise->mean_s, noise->count, noise->low_s, noise->high_s, noise->min_s,
            noise->max_s, noise->seed);
}

/* The right half of a region's own interval. */
static void text_error(FILE *out, const struct region_error *error) {
    double part = deviation_part(error->deviation);
    if (!error->known)
        fprintf(out, " %8s", "?");
    else if (part < 9.995)
        fprintf(out, " %+7.1f%%", 100 * part);
    else
        fprintf(out, " %7.2gx", 1 + part);
}

static void text_messages(FILE *out, const struct prediction *prediction) {
    const struct traffic *messages = &prediction->messages;
    bool in_part = prediction->iterations != NULL && prediction->iterations->simulated > 0;
    if (messages->known)
        fprintf(out, "  %.0f messages of %.6g bytes together, those inside collectives too%s\n",
                messages->count, messages->bytes,
                in_part ? ", in the iterations that were simulated" : "");
}

static void text_regions(FILE *out, const struct prediction *prediction, size_t top) {
    size_t count = prediction->stats->region_count;
    if (count == 0)
        return;
    fprintf(out, "\n%12s %12s %7s %8s  region\n", "executions", "s per rank", "share", "up to");
    for (size_t i = 0; i < at_most(count, top); i++) {
        const struct region_stats *seen = &prediction->regions_by_time[i];
        const struct region *region = region_of(prediction, seen);
        fprintf(out, "%12.0f %12.6g %6.2f%%", seen->executions, per_rank(prediction, seen->seconds),
                100 * share(prediction, seen->seconds));
        text_error(out, &prediction->errors[i]);
        fprintf(out, "  %s:%d %s: %s\n", region->file, region->line, region->function,
                region->summary);
    }
    if (count > top)
        fprintf(out, "%*s and %zu more\n", 43, "", count - top);
}

static void text_calls(FILE *out, const struct prediction *prediction, const char *title,
                       const struct call_stats *calls, size_t count, size_t top) {
    if (count == 0)
        return;
    bool has_waiting = prediction->attribution != NULL;
    fprintf(out, "\n%12s %12s %7s%s %12s  %s\n", "calls", "s per rank", "share",
            has_waiting ? "   waiting, s" : "", "bytes", title);
    for (size_t i = 0; i < at_most(count, top); i++) {
        const struct call_stats *call = &calls[i];
        fprintf(out, "%12.0f %12.6g %6.2f%%", call->count, per_rank(prediction, call->seconds),
                100 * share(prediction, call->seconds));
        if (has_waiting)
            fprintf(out, " %12.6g", per_rank(prediction, call->waiting_s));
        fprintf(out, " %12.6g  ", call->bytes);
        if (call->file != NULL)
            fprintf(out, "%s:%zu ", call->file, call->line);
        fprintf(out, "%s\n", call->name);
    }
    if (count > top)
        fprintf(out, "%*s and %zu more\n", has_waiting ? 60 : 47, "", count - top);
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
        fprintf(out, "  %.3gx  %s:%d %s: %s was %g to %g, fitted on %g to %g\n", range->factor,
                range->region->file, range->region->line, range->name, range->meaning,
                range->seen_min, range->seen_max, range->trained_min, range->trained_max);
    }
    if (count > top)
        fprintf(out, "  and %zu more\n", count - top);
}

static void text_scenario(FILE *out, const struct prediction *prediction) {
    if (prediction->network != NULL)
        fprintf(out, "network: %s\n", prediction->network);
    if (prediction->scenario != NULL)
        scenario_print_text(out, prediction->scenario);
}

static void print_text(FILE *out, const struct prediction *prediction, size_t top) {
    const struct run_stats *stats = prediction->stats;
    if (prediction->original) {
        fprintf(out, "%s (the original) on %zu ranks: simulated time %.9g s, %.0f MPI calls\n",
                prediction->program, stats->ranks, stats->makespan_s,
                prediction->calls.mean * (double)stats->ranks);
        text_scenario(out, prediction);
        return;
    }
    fprintf(out, "%s on %zu ranks: predicted time %.9g s\n", prediction->program, stats->ranks,
            stats->makespan_s);
    text_scenario(out, prediction);
    text_interval(out, prediction);
    text_untold(out, prediction);
    if (prediction->noise != NULL)
        text_noise(out, prediction->noise);
    if (prediction->attribution != NULL)
        attribution_print_text(out, prediction->attribution);
    fprintf(out, "  %-22s %12s %12s %12s\n", "per rank", "min", "mean", "max");
    text_spread(out, "computation, s", prediction->compute_s);
    text_spread(out, "MPI, s", prediction->mpi_s);
    text_spread(out, "MPI calls", prediction->calls);
    text_messages(out, prediction);
    text_regions(out, prediction, top);
    text_calls(out, prediction, "MPI function", prediction->calls_by_time, stats->call_count, top);
    text_calls(out, prediction, "call site", prediction->sites_by_time, stats->site_count, top);
    text_extrapolations(out, prediction, top);
}

static json_t *json_spread(struct extremes spread) {
    return json_pack("{s:f, s:f, s:f}", "min", spread.min, "mean", spread.mean, "max", spread.max);
}

static json_t *json_regions(const struct prediction *prediction) {
    json_t *array = json_array();
    for (size_t i = 0; i < prediction->stats->region_count; i++) {
        const struct region_stats *seen = &prediction->regions_by_time[i];
        const struct region *region = region_of(prediction, seen);
        const struct region_error *error = &prediction->errors[i];
        json_t *deviation = error->known ? json_real(error->deviation) : json_null();
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:s, s:i, s:s, s:f, s:f, s:f, s:o, s:f}", "id",
                                        region->id, "function", region->function, "file",
                                        region->file, "line", region->line, "summary",
                                        region->summary, "executions", seen->executions,
                                        "seconds_per_rank", per_rank(prediction, seen->seconds),
                                        "share", share(prediction, seen->seconds), "deviation",
                                        deviation, "extrapolation", error->factor));
    }
    return array;
}

static json_t *json_noise(const struct noise *noise) {
    json_t *times = json_array();
    for (size_t i = 0; i < noise->count; i++)
        json_array_append_new(times, json_real(noise->times_s[i]));
    return json_pack("{s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "seed",
                     (json_int_t)noise->seed, "repeats", (json_int_t)noise->count, "median_s",
                     noise->median_s, "mean_s", noise->mean_s, "low_s", noise->low_s, "high_s",
                     noise->high_s, "min_s", noise->min_s, "max_s", noise->max_s, "times_s", times);
}

static json_t *json_messages(const struct traffic *messages) {
    if (!messages->known)
        return json_null();
    return json_pack("{s:f, s:f}", "count", messages->count, "bytes", messages->bytes);
}

static json_t *json_loop(const struct interval *interval) {
    return json_pack("{s:s, s:s, s:i, s:f, s:o}", "region", interval->loop->id, "file",
                     interval->loop->file, "line", interval->loop->line, "share",
                     interval->loop_share, "error",
                     interval->loop_error >= 0 ? json_real(interval->loop_error) : json_null());
}

static json_t *json_untold(const struct prediction *prediction) {
    json_t *array = json_array();
    for (size_t i = 0; i < prediction->stats->untold_count; i++) {
        const struct untold_region *untold = &prediction->untold[i];
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:i, s:f, s:f}", "region", untold->region->id,
                                        "file", untold->region->file, "line", untold->region->line,
                                        "count", untold->count, "error", untold->error));
    }
    return array;
}

static json_t *json_interval(const struct interval *interval) {
    json_t *low = interval->known ? json_real(interval->low_s) : json_null();
    json_t *high = interval->known ? json_real(interval->high_s) : json_null();
    json_t *out = json_pack("{s:b, s:o, s:o, s:f, s:f}", "known", (int)interval->known, "low_s",
                            low, "high_s", high, "extrapolation", interval->factor, "unknown_share",
                            interval->unknown_share);
    if (interval->loop != NULL)
        json_object_set_new(out, "loop", json_loop(interval));
    return out;
}

static json_t *json_calls(const struct prediction *prediction, const struct call_stats *calls,
                          size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct call_stats *call = &calls[i];
        json_t *row =
            json_pack("{s:s, s:f, s:f, s:f, s:f}", "name", call->name, "count", call->count,
                      "seconds_per_rank", per_rank(prediction, call->seconds), "share",
                      share(prediction, call->seconds), "bytes", call->bytes);
        if (call->file != NULL) {
            json_object_set_new(row, "file", json_string(call->file));
            json_object_set_new(row, "line", json_integer((json_int_t)call->line));
        }
        if (prediction->attribution != NULL)
            json_object_set_new(row, "waiting_s_per_rank",
                                json_real(per_rank(prediction, call->waiting_s)));
        json_array_append_new(array, row);
    }
    return array;
}

static json_t *json_extrapolations(const struct prediction *prediction) {
    json_t *array = json_array();
    for (size_t i = 0; i < prediction->extrapolations.count; i++) {
        const struct extrapolation *range = &prediction->extrapolations.items[i];
        json_t *factor = isfinite(range->factor) ? json_real(range->factor) : json_null();
        json_array_append_new(array, json_pack("{s:s, s:s, s:o, s:[f,f], s:[f,f]}", "region",
                                               range->region->id, "feature", range->name, "factor",
                                               factor, "seen", range->seen_min, range->seen_max,
                                               "trained", range->trained_min, range->trained_max));
    }
    return array;
}

static void add_tables(json_t *root, const struct prediction *prediction) {
    const struct run_stats *stats = prediction->stats;
    json_t *spreads = json_object_get(root, "per_rank");
    json_object_set_new(root, "interval", json_interval(&prediction->interval));
    json_object_set_new(root, "untold", json_untold(prediction));
    if (prediction->noise != NULL)
        json_object_set_new(root, "noise", json_noise(prediction->noise));
    if (prediction->attribution != NULL)
        json_object_set_new(root, "attribution", attribution_json(prediction->attribution));
    json_object_set_new(spreads, "compute_s", json_spread(prediction->compute_s));
    json_object_set_new(spreads, "mpi_s", json_spread(prediction->mpi_s));
    json_object_set_new(root, "regions", json_regions(prediction));
    json_object_set_new(root, "calls",
                        json_calls(prediction, prediction->calls_by_time, stats->call_count));
    json_object_set_new(root, "sites",
                        json_calls(prediction, prediction->sites_by_time, stats->site_count));
    json_object_set_new(root, "extrapolation", json_extrapolations(prediction));
}

static json_t *json_arguments(const struct prediction *prediction) {
    json_t *words = json_array();
    for (size_t i = 0; i < prediction->argument_count; i++)
        json_array_append_new(words, json_string(prediction->arguments[i]));
    return words;
}

static void add_disturbances(json_t *simulation, const struct traffic *of) {
    if (of->reference_s > 0)
        json_object_set_new(simulation, "reference_s", json_real(of->reference_s));
    if (of->computed_s > 0)
        json_object_set_new(simulation, "bursts",
                            json_pack("{s:f, s:f, s:f}", "computed_s", of->computed_s,
                                      "disturbed_s", of->disturbed_s, "replaced_s",
                                      of->replaced_s));
}

static void print_json(FILE *out, const struct prediction *prediction,
                       const struct process_result *cost) {
    const struct run_stats *stats = prediction->stats;
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:b, s:I, s:f, s:{s:o}}", "format", "mpiskel-prediction",
                  "version", 1, "program", prediction->program, "original",
                  (int)prediction->original, "ranks", (json_int_t)stats->ranks, "predicted_s",
                  stats->makespan_s, "per_rank", "calls", json_spread(prediction->calls));
    json_object_set_new(root, "arguments", json_arguments(prediction));
    if (prediction->network != NULL)
        json_object_set_new(root, "network", json_string(prediction->network));
    if (prediction->scenario != NULL)
        json_object_set_new(root, "scenario", scenario_json(prediction->scenario));
    json_object_set_new(root, "messages", json_messages(&prediction->messages));
    if (prediction->iterations != NULL)
        json_object_set_new(root, "iterations", iteration_report_json(prediction->iterations));
    if (!prediction->original)
        add_tables(root, prediction);
    json_t *simulation = json_pack("{s:f, s:I}", "wall_s", cost->wall_s, "peak_memory_kib",
                                   (json_int_t)cost->peak_memory_kib);
    add_disturbances(simulation, &prediction->messages);
    json_object_set_new(root, "simulation", simulation);
    json_dumpf(root, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(root);
}

/* RFC 4180: quoted where it has to be. */
static void csv_text(FILE *out, const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void csv_row(FILE *out, const char *kind, const char *name, const char *place) {
    fprintf(out, "%s,", kind);
    csv_text(out, name);
    fputc(',', out);
    csv_text(out, place);
}

static void csv_scenario(FILE *out, const struct scenario *scenario) {
    for (size_t i = 0; i < scenario->changes.count; i++) {
        csv_row(out, "change", scenario->changes.items[i].option, scenario->changes.items[i].value);
        fputs(",,,,\n", out);
    }
}

static void csv_spread(FILE *out, const char *name, struct extremes spread) {
    fprintf(out, "%s_min,,,,%.17g,,\n%s_mean,,,,%.17g,,\n%s_max,,,,%.17g,,\n", name, spread.min,
            name, spread.mean, name, spread.max);
}

static void csv_calls(FILE *out, const struct prediction *prediction, const char *kind,
                      const struct call_stats *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct call_stats *call = &calls[i];
        struct str place = {0};
        if (call->file != NULL)
            str_printf(&place, "%s:%zu", call->file, call->line);
        csv_row(out, kind, call->name, str_text(&place));
        fprintf(out, ",%.0f,%.17g,%.17g,%.0f\n", call->count, per_rank(prediction, call->seconds),
                share(prediction, call->seconds), call->bytes);
        str_dispose(&place);
    }
}

static void csv_interval(FILE *out, const struct interval *interval) {
    if (interval->known)
        fprintf(out, "interval_low_s,,,,%.17g,,\ninterval_high_s,,,,%.17g,,\n", interval->low_s,
                interval->high_s);
    fprintf(out, "interval_extrapolation,,,,%.17g,,\ninterval_unknown,,,,,%.17g,\n",
            interval->factor, interval->unknown_share);
}

static void csv_noise(FILE *out, const struct noise *noise) {
    const struct {
        const char *name;
        double seconds;
    } rows[] = {{"median", noise->median_s}, {"mean", noise->mean_s}, {"low", noise->low_s},
                {"high", noise->high_s},     {"min", noise->min_s},   {"max", noise->max_s}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        fprintf(out, "noise_%s_s,,,,%.17g,,\n", rows[i].name, rows[i].seconds);
    for (size_t i = 0; i < noise->count; i++)
        fprintf(out, "noise_time_s,%zu,,,%.17g,,\n", i, noise->times_s[i]);
}

static void csv_deviations(FILE *out, const struct prediction *prediction) {
    for (size_t i = 0; i < prediction->stats->region_count; i++) {
        const struct region *region = region_of(prediction, &prediction->regions_by_time[i]);
        struct str place = {0};
        if (!prediction->errors[i].known)
            continue;
        str_printf(&place, "%s:%d", region->file, region->line);
        csv_row(out, "deviation", region->id, place.text);
        fprintf(out, ",,%.17g,,\n", prediction->errors[i].deviation);
        str_dispose(&place);
    }
}

/* In rows of kind "deviation" the value is that of the region's model, in those of kind
 * "extrapolation" the value is the factor; spreads of calls are counts. */
static void print_csv(FILE *out, const struct prediction *prediction) {
    const struct run_stats *stats = prediction->stats;
    fputs("kind,name,place,count,value,share,bytes\n", out);
    fprintf(out, "predicted_s,,,,%.17g,,\n", stats->makespan_s);
    if (prediction->network != NULL) {
        csv_row(out, "network", prediction->network, "");
        fputs(",,,,\n", out);
    }
    if (prediction->scenario != NULL)
        csv_scenario(out, prediction->scenario);
    csv_spread(out, "calls", prediction->calls);
    if (prediction->messages.known)
        fprintf(out, "messages,,,%.0f,,,%.0f\n", prediction->messages.count,
                prediction->messages.bytes);
    if (prediction->original)
        return;
    csv_interval(out, &prediction->interval);
    if (prediction->noise != NULL)
        csv_noise(out, prediction->noise);
    if (prediction->attribution != NULL)
        attribution_print_csv(out, prediction->attribution);
    csv_spread(out, "compute_s", prediction->compute_s);
    csv_spread(out, "mpi_s", prediction->mpi_s);
    for (size_t i = 0; i < stats->region_count; i++) {
        const struct region_stats *seen = &prediction->regions_by_time[i];
        const struct region *region = region_of(prediction, seen);
        struct str place = {0};
        str_printf(&place, "%s:%d", region->file, region->line);
        csv_row(out, "region", region->id, place.text);
        fprintf(out, ",%.0f,%.17g,%.17g,\n", seen->executions, per_rank(prediction, seen->seconds),
                share(prediction, seen->seconds));
        str_dispose(&place);
    }
    csv_deviations(out, prediction);
    csv_calls(out, prediction, "call", prediction->calls_by_time, stats->call_count);
    csv_calls(out, prediction, "site", prediction->sites_by_time, stats->site_count);
    for (size_t i = 0; i < prediction->extrapolations.count; i++) {
        const struct extrapolation *range = &prediction->extrapolations.items[i];
        csv_row(out, "extrapolation", range->region->id, range->name);
        fprintf(out, ",,%.17g,,\n", range->factor);
    }
}

void prediction_print(FILE *out, const struct prediction *prediction, enum output_format format,
                      size_t top, const struct process_result *cost) {
    if (format == OUTPUT_JSON)
        print_json(out, prediction, cost);
    else if (format == OUTPUT_CSV)
        print_csv(out, prediction);
    else
        print_text(out, prediction, top);
    if (format != OUTPUT_JSON)
        note("simulated %.9g s in %.2f s, with %.1f MiB of memory", prediction->stats->makespan_s,
             cost->wall_s, (double)cost->peak_memory_kib / 1024);
}

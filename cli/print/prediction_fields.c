/* SPDX-License-Identifier: Apache-2.0
 *
 * One line for each member; see prediction_fields.h. To add one, add its line (and the member of
 * the struct, if it is not there yet), and say in docs/reference/json.md what it means.
 */
#include "cli/print/prediction_fields.h"

#include "cli/print/findings_print.h"
#include "cli/print/region_fields.h"

#include <math.h>
#include <stdlib.h>

#define RUN(member) REPORT_AT(struct run_report, member)

/* ---- What all runs have ---- */

const struct report_field makespan_fields[] = {
    {"ranks", REPORT_AT(struct run_stats, ranks)},
    {"predicted_s", "predicted_s", REPORT_AT(struct run_stats, makespan_s)},
    {0},
};

const struct report_field spread_fields[] = {
    {"min", "min", REPORT_AT(struct extremes, min), REPORT_COLUMN("min", 1, 12)},
    {"mean", "mean", REPORT_AT(struct extremes, mean), REPORT_COLUMN("mean", 1, 12)},
    {"max", "max", REPORT_AT(struct extremes, max), REPORT_COLUMN("max", 1, 12)},
    {0},
};

static const struct report_field times_per_rank_fields[] = {
    {"compute_s", REPORT_OBJECT_AT(struct run_report, of.compute_s, spread_fields)},
    {"mpi_s", REPORT_OBJECT_AT(struct run_report, of.mpi_s, spread_fields)},
    {"device_s", REPORT_POINTER_AT(struct run_report, of.device_s, spread_fields)},
    {0},
};

static const struct report_field per_rank_fields[] = {
    {"calls", REPORT_OBJECT_AT(struct run_report, of.calls, spread_fields)},
    {REPORT_PART_POINTER_AT(struct run_report, skeleton, times_per_rank_fields)},
    {0},
};

const struct report_field network_fields[] = {
    {"network", "name", RUN(of.network), .is_optional = true},
    {0},
};

const struct report_field change_fields[] = {
    {"option", "name", REPORT_AT(struct change, option)},
    {"value", "place", REPORT_AT(struct change, value)},
    {"effect", REPORT_AT(struct change, effect)},
    {0},
};

static const struct report_field scenario_fields[] = {
    {"scenario", REPORT_LIST_AT(struct scenario, changes.items, changes.count, change_fields)},
    {0},
};

const struct report_field message_fields[] = {
    {"count", "count", REPORT_AT(struct traffic, count), .csv_format = "%.0f"},
    {"bytes", "bytes", REPORT_AT(struct traffic, bytes), .csv_format = "%.0f"},
    {0},
};

const struct report_field file_fields[] = {
    {"name", "name", REPORT_AT(struct file_access, name)},
    {"count", "count", REPORT_AT(struct file_access, count), .csv_format = "%.0f"},
    {"bytes", "bytes", REPORT_AT(struct file_access, bytes), .csv_format = "%.0f"},
    {"seconds_per_rank", "value", REPORT_AT(struct file_access, seconds_per_rank)},
    {0},
};

static const struct report_field iteration_fields[] = {
    {"loop", REPORT_AT(struct iteration_report, label)},
    {"simulated", REPORT_AT(struct iteration_report, simulated)},
    {"total", REPORT_AT(struct iteration_report, total)},
    {"extrapolated_s", REPORT_AT(struct iteration_report, more_s)},
    {"extrapolated_off_s", REPORT_AT(struct iteration_report, off_s)},
    {"start", REPORT_AT(struct iteration_report, start)},
    {"period", REPORT_AT(struct iteration_report, period)},
    {0},
};

static const struct report_field burst_fields[] = {
    {"computed_s", REPORT_AT(struct traffic, computed_s)},
    {"disturbed_s", REPORT_AT(struct traffic, disturbed_s)},
    {"replaced_s", REPORT_AT(struct traffic, replaced_s)},
    {0},
};

static const struct report_field simulation_fields[] = {
    {"wall_s", RUN(wall_s)},
    {"peak_memory_kib", RUN(peak_memory_kib)},
    {"engine", RUN(engine), .is_optional = true},
    {"engine_lacks", RUN(engine_lacks), .is_optional = true},
    {"reference_s", RUN(reference_s), .is_optional = true},
    {"bursts", REPORT_POINTER_AT(struct run_report, bursts, burst_fields), .is_optional = true},
    {0},
};

/* ---- What runs of a skeleton have ---- */

static const struct report_field loop_fields[] = {
    {REPORT_PART_POINTER_AT(struct loop_row, region, region_reference_fields)},
    {"share", REPORT_AT(struct loop_row, share)},
    {"error", REPORT_AT(struct loop_row, error)},
    {0},
};

static const struct report_field unvaried_fields[] = {
    {REPORT_PART_POINTER_AT(struct unvaried_row, region, region_reference_fields)},
    {"feature", REPORT_AT(struct unvaried_row, feature)},
    {"meaning", REPORT_AT(struct unvaried_row, meaning)},
    {"profiled", REPORT_AT(struct unvaried_row, profiled)},
    {"seen_min", REPORT_AT(struct unvaried_row, seen_min)},
    {"seen_max", REPORT_AT(struct unvaried_row, seen_max)},
    {0},
};

const struct report_field unknown_share_fields[] = {
    {"unknown_share", "share", REPORT_AT(struct interval, unknown_share)},
    {0},
};

#define PART_OF_INTERVAL(name, part) {name, REPORT_AT(struct interval, parts_s[part])}

static const struct report_field interval_part_fields[] = {
    PART_OF_INTERVAL("models", INTERVAL_MODELS),
    PART_OF_INTERVAL("alike", INTERVAL_ALIKE),
    PART_OF_INTERVAL("runs", INTERVAL_RUNS),
    PART_OF_INTERVAL("network", INTERVAL_NETWORK),
    PART_OF_INTERVAL("loops", INTERVAL_LOOPS),
    PART_OF_INTERVAL("values", INTERVAL_VALUES),
    PART_OF_INTERVAL("executions", INTERVAL_EXECUTIONS),
    PART_OF_INTERVAL("ranks", INTERVAL_RANKS),
    PART_OF_INTERVAL("unvaried", INTERVAL_UNVARIED),
    PART_OF_INTERVAL("others", INTERVAL_OTHERS),
    {0},
};

const struct report_field interval_fields[] = {
    {"known", REPORT_AT(struct interval, known)},
    {"low_s", "low_s", REPORT_AT(struct interval, low_s)},
    {"high_s", "high_s", REPORT_AT(struct interval, high_s)},
    {"extrapolation", "extrapolation", REPORT_AT(struct interval, factor)},
    {REPORT_FIELDS(unknown_share_fields)},
    {"parts", REPORT_GROUP(interval_part_fields)},
    {0},
};

static const struct report_field reason_fields[] = {
    {"reason", REPORT_AT(struct reason_row, text)},
    {"above_s", REPORT_AT(struct reason_row, above_s)},
    {0},
};

static const struct report_field interval_and_loop_fields[] = {
    {REPORT_PART_AT(struct run_report, interval, interval_fields)},
    {"reasons", REPORT_LIST_AT(struct run_report, reasons, reason_count, reason_fields)},
    {"unvaried", REPORT_POINTER_AT(struct run_report, unvaried, unvaried_fields),
     .is_optional = true},
    {"loop", REPORT_POINTER_AT(struct run_report, loop, loop_fields), .is_optional = true},
    {0},
};

static const struct report_field untold_fields[] = {
    {REPORT_PART_POINTER_AT(struct untold_row, region, region_reference_fields)},
    {"count", REPORT_AT(struct untold_row, count)},
    {"error", REPORT_AT(struct untold_row, error)},
    {0},
};

const struct report_field interrupted_fields[] = {
    {"from", "name", REPORT_AT(struct interrupted, noise.from)},
    {"seed", REPORT_AT(struct interrupted, seed)},
    {"share", "share", REPORT_AT(struct interrupted, share)},
    {"held", REPORT_AT(struct interrupted, noise.interruptions.held)},
    {"seconds_per_rank", "value", REPORT_AT(struct interrupted, interrupted_s)},
    {0},
};

const struct report_field noise_fields[] = {
    {"seed", REPORT_AT(struct noise, seed)},
    {"repeats", REPORT_AT(struct noise, count)},
    {"median_s", "median_s", REPORT_AT(struct noise, median_s)},
    {"mean_s", "mean_s", REPORT_AT(struct noise, mean_s)},
    {"low_s", "low_s", REPORT_AT(struct noise, low_s)},
    {"high_s", "high_s", REPORT_AT(struct noise, high_s)},
    {"min_s", "min_s", REPORT_AT(struct noise, min_s)},
    {"max_s", "max_s", REPORT_AT(struct noise, max_s)},
    {"times_s", REPORT_ITEMS_AT(struct noise, times_s, count)},
    {0},
};

static const struct report_field efficiency_fields[] = {
    {"parallel", REPORT_AT(struct efficiencies, parallel)},
    {"load_balance", REPORT_AT(struct efficiencies, load_balance)},
    {"serialisation", REPORT_AT(struct efficiencies, serialisation)},
    {"transfer", REPORT_AT(struct efficiencies, transfer)},
    {0},
};

static const struct report_field rank_fields[] = {
    {"computation_s", REPORT_AT(struct rank_parts, computation_s)},
    {"waiting_s", REPORT_AT(struct rank_parts, waiting_s)},
    {"communication_s", REPORT_AT(struct rank_parts, communication_s)},
    {0},
};

static const struct report_field ranks_fields[] = {
    {"ranks", REPORT_LIST_AT(struct attribution, ranks, rank_count, rank_fields)},
    {0},
};

static const struct report_field attribution_fields[] = {
    {"ideal_s", RUN(rows.parts[PART_IDEAL].seconds)},
    {"computation_s", RUN(rows.parts[PART_COMPUTATION].seconds)},
    {"waiting_s", RUN(rows.parts[PART_WAITING].seconds)},
    {"imbalance_s", RUN(rows.parts[PART_IMBALANCE].seconds)},
    {"dependencies_s", RUN(rows.parts[PART_DEPENDENCIES].seconds)},
    {"communication_s", RUN(rows.parts[PART_COMMUNICATION].seconds)},
    {"efficiency", REPORT_OBJECT_AT(struct run_report, efficiencies, efficiency_fields)},
    {REPORT_PART_POINTER_AT(struct run_report, of.attribution, ranks_fields)},
    {0},
};

#define ROWS(list, count, table) REPORT_LIST_AT(struct run_report, rows.list, rows.count, table)

static const struct report_field findings_fields[] = {
    {"findings", REPORT_LIST_AT(struct findings, items.items, items.count, finding_fields)},
    {0},
};

static const struct report_field skeleton_fields[] = {
    {"interval", REPORT_GROUP(interval_and_loop_fields)},
    {REPORT_PART_POINTER_AT(struct run_report, of.findings, findings_fields)},
    {"verdict", REPORT_OBJECT_AT(struct run_report, verdict, verdict_fields)},
    {"untold", REPORT_LIST_AT(struct run_report, untold, untold_count, untold_fields)},
    {"interruptions", REPORT_POINTER_AT(struct run_report, of.interrupted, interrupted_fields),
     .is_optional = true},
    {"noise", REPORT_POINTER_AT(struct run_report, of.noise, noise_fields), .is_optional = true},
    {"attribution", REPORT_POINTER_AT(struct run_report, attributed, attribution_fields),
     .is_optional = true},
    {"regions", ROWS(regions, region_count, region_row_fields)},
    {"calls", ROWS(calls, call_count, call_row_fields)},
    {"sites", ROWS(sites, site_count, site_row_fields)},
    {"extrapolation", ROWS(beyond, beyond_count, beyond_row_fields)},
    {0},
};

/* Between two places of the program. */
static const struct report_field own_time_fields[] = {
    {"begin", REPORT_AT(struct own_time, begin)},
    {"end", REPORT_AT(struct own_time, end)},
    {"text", REPORT_AT(struct own_time, text), .is_optional = true},
    {"executions", REPORT_AT(struct own_time, executions)},
    {"min_s", REPORT_AT(struct own_time, least_s)},
    {"mean_s", REPORT_AT(struct own_time, mean_s)},
    {"max_s", REPORT_AT(struct own_time, most_s)},
    {0},
};

/* ---- All of it ---- */

const struct report_field run_fields[] = {
    {"rough", RUN(of.rough), .is_optional = true},
    {"program", RUN(of.program)},
    {"original", RUN(of.original)},
    {REPORT_PART_POINTER_AT(struct run_report, of.stats, makespan_fields)},
    {"per_rank", REPORT_GROUP(per_rank_fields)},
    {"processor", RUN(of.processor), .is_optional = true},
    {"arguments", REPORT_ITEMS_AT(struct run_report, of.arguments, of.argument_count)},
    {REPORT_FIELDS(network_fields)},
    {REPORT_PART_POINTER_AT(struct run_report, of.scenario, scenario_fields)},
    {"messages", REPORT_POINTER_AT(struct run_report, messages, message_fields)},
    {"files", REPORT_LIST_AT(struct run_report, of.files, of.file_count, file_fields)},
    {"iterations", REPORT_POINTER_AT(struct run_report, of.iterations, iteration_fields),
     .is_optional = true},
    {"between",
     REPORT_LIST_AT(struct run_report, of.own_times.items, of.own_times.count, own_time_fields)},
    {REPORT_PART_POINTER_AT(struct run_report, skeleton, skeleton_fields)},
    {"simulation", REPORT_GROUP(simulation_fields)},
    {0},
};

/* ---- Making it ---- */

static void make_unvaried(struct run_report *out) {
    const struct unvaried *unvaried = &out->of.interval.unvaried;
    if (unvaried->region == NULL)
        return;
    const struct feature *feature = &unvaried->region->features[unvaried->feature];
    out->unvaried = &out->unvaried_row;
    out->unvaried_row = (struct unvaried_row){
        .region = unvaried->region,
        .feature = feature->name,
        .meaning = feature->meaning,
        .profiled = unvaried->profiled,
        .seen_min = unvaried->seen_min,
        .seen_max = unvaried->seen_max,
    };
}

static const char *reason_of(struct run_report *out, enum interval_part part) {
    static const char *const texts[INTERVAL_PARTS] = {
        [INTERVAL_MODELS] = "formulas were off on profiling runs that were left out, or are used "
                            "far from them",
        [INTERVAL_ALIKE] = "arguments went together in all profiling runs",
        [INTERVAL_RUNS] =
            "whole profiling runs were faster or slower than others like them, or than "
            "formulas say",
        [INTERVAL_NETWORK] = "the calibrated network was off",
        [INTERVAL_LOOPS] = "a formula predicts how often a loop iterates",
        [INTERVAL_VALUES] = "formulas predict other given values badly",
        [INTERVAL_EXECUTIONS] = "executions differ by chance, and ranks wait for the slowest",
        [INTERVAL_RANKS] = "ranks differ, and wait for the slowest",
        [INTERVAL_UNVARIED] = "a feature was the same in all profiling runs",
        [INTERVAL_OTHERS] = "what formulas usually miss: caches, costs of calls, the day",
    };
    const struct region *widest = out->of.interval.widest;
    return part != INTERVAL_MODELS || widest == NULL
               ? texts[part]
               : arena_printf(&out->rows.arena, "%s, most of all %s:%d", texts[part], widest->file,
                              widest->line);
}

static int compare_reasons(const void *left, const void *right) {
    const struct reason_row *a = left, *b = right;
    return (a->above_s < b->above_s) - (a->above_s > b->above_s);
}

static void make_reasons(struct run_report *out) {
    out->reasons = ARENA_ARRAY(&out->rows.arena, struct reason_row, INTERVAL_PARTS);
    for (int i = 0; i < INTERVAL_PARTS; i++)
        if (out->of.interval.parts_s[i] > 0)
            out->reasons[out->reason_count++] = (struct reason_row){
                reason_of(out, (enum interval_part)i), out->of.interval.parts_s[i]};
    qsort(out->reasons, out->reason_count, sizeof *out->reasons, compare_reasons);
}

static void make_interval(struct run_report *out) {
    const struct interval *interval = &out->of.interval;
    out->interval = *interval;
    if (!interval->known)
        out->interval.low_s = out->interval.high_s = NAN;
    make_unvaried(out);
    make_reasons(out);
    if (interval->loop == NULL)
        return;
    out->loop = &out->loop_row;
    out->loop_row = (struct loop_row){
        .region = interval->loop,
        .share = interval->loop_share,
        .error = interval->loop_error >= 0 ? interval->loop_error : NAN,
    };
}

static void make_untold(struct run_report *out) {
    size_t count = out->untold_count = out->of.stats->untold_count;
    out->untold = ARENA_ARRAY(&out->rows.arena, struct untold_row, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct untold_region *untold = &out->of.untold[i];
        out->untold[i] = (struct untold_row){untold->region, untold->count, untold->error};
    }
}

/* Where nothing has to be done nothing is lost. */
static double efficiency(double part, double whole) {
    return whole > 0 ? part / whole : 1;
}

static void make_efficiencies(struct run_report *out) {
    const struct attribution *of = out->of.attribution;
    double max_s = of->computation_s + of->imbalance_s;
    out->attributed = out;
    out->efficiencies = (struct efficiencies){
        .parallel = efficiency(of->computation_s, of->makespan_s),
        .load_balance = efficiency(of->computation_s, max_s),
        .serialisation = efficiency(max_s, of->ideal_s),
        .transfer = efficiency(of->ideal_s, of->makespan_s),
    };
}

void run_report_make(struct run_report *out, const struct prediction *prediction,
                     const struct process_result *cost) {
    *out = (struct run_report){
        .of = *prediction,
        .wall_s = cost->wall_s,
        .peak_memory_kib = cost->peak_memory_kib,
        .engine = prediction->engine,
        .engine_lacks = prediction->engine_lacks,
        .reference_s =
            prediction->messages.reference_s > 0 ? prediction->messages.reference_s : NAN,
        .messages = prediction->messages.known ? &prediction->messages : NULL,
        .bursts = prediction->messages.computed_s > 0 ? &prediction->messages : NULL,
    };
    if (prediction->original)
        return;
    out->skeleton = out;
    prediction_rows_make(&out->rows, prediction);
    make_interval(out);
    make_untold(out);
    verdict_report_make(&out->verdict, &out->rows.arena, prediction->verdict);
    if (prediction->attribution != NULL)
        make_efficiencies(out);
}

void run_report_dispose(struct run_report *report) {
    prediction_rows_dispose(&report->rows);
}

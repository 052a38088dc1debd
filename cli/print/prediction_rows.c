/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows and their descriptions; see prediction_rows.h. In CSV all tables of the report have the
 * same columns, which fields name.
 */
#include "cli/print/prediction_rows.h"

#include "cli/print/region_fields.h"

#include <math.h>

/* ---- Descriptions ---- */

const struct report_field region_row_fields[] = {
    {REPORT_PART_POINTER_AT(struct region_row, region, region_fields)},
    {REPORT_PART_POINTER_AT(struct region_row, region, region_summary_fields)},
    {.csv = "place", REPORT_AT(struct region_row, place)},
    {"executions", "count", REPORT_AT(struct region_row, executions), .csv_format = "%.0f",
     REPORT_COLUMN("executions", 0, 12), .format = "%.0f"},
    {"seconds_per_rank", "value", REPORT_AT(struct region_row, seconds_per_rank),
     REPORT_COLUMN("s per rank", 1, 12)},
    {"share", "share", REPORT_AT(struct region_row, share), REPORT_COLUMN("share", 1, 7),
     .format = "%.2f", .is_percent = true},
    {"deviation", REPORT_AT(struct region_row, deviation)},
    {"extrapolation", REPORT_AT(struct region_row, factor)},
    {REPORT_AT(struct region_row, up_to), REPORT_COLUMN("up to", 1, 8), .missing = "?"},
    {REPORT_AT(struct region_row, what), REPORT_COLUMN("region", 2, 0)},
    {0},
};

const struct report_field deviation_row_fields[] = {
    {REPORT_PART_POINTER_AT(struct region_row, region, region_fields)},
    {.csv = "place", REPORT_AT(struct region_row, place)},
    {.csv = "value", REPORT_AT(struct region_row, deviation)},
    {0},
};

static const struct report_field call_place_fields[] = {
    {"file", REPORT_AT(struct call_place_row, file)},
    {"line", REPORT_AT(struct call_place_row, line)},
    {0},
};

static const struct report_field call_fields[] = {
    {"name", "name", REPORT_AT(struct call_row, name)},
    {.csv = "place", REPORT_AT(struct call_row, where)},
    {"count", "count", REPORT_AT(struct call_row, count), .csv_format = "%.0f",
     REPORT_COLUMN("calls", 0, 12), .format = "%.0f"},
    {"seconds_per_rank", "value", REPORT_AT(struct call_row, seconds_per_rank),
     REPORT_COLUMN("s per rank", 1, 12)},
    {"share", "share", REPORT_AT(struct call_row, share), REPORT_COLUMN("share", 1, 7),
     .format = "%.2f", .is_percent = true},
    {REPORT_AT(struct call_row, waiting_s_per_rank), REPORT_COLUMN("waiting, s", 1, 12),
     .is_optional = true},
    {"bytes", "bytes", REPORT_AT(struct call_row, bytes), .csv_format = "%.0f",
     REPORT_COLUMN("bytes", 1, 12)},
    {REPORT_PART_POINTER_AT(struct call_row, place, call_place_fields)},
    {"waiting_s_per_rank", REPORT_AT(struct call_row, waiting_s_per_rank), .is_optional = true},
    {0},
};

const struct report_field call_row_fields[] = {
    {REPORT_FIELDS(call_fields)},
    {REPORT_AT(struct call_row, what), REPORT_COLUMN("MPI function", 2, 0)},
    {0},
};

const struct report_field site_row_fields[] = {
    {REPORT_FIELDS(call_fields)},
    {REPORT_AT(struct call_row, what), REPORT_COLUMN("call site", 2, 0)},
    {0},
};

const struct report_field beyond_row_fields[] = {
    {"region", "name", REPORT_AT(struct beyond_row, region)},
    {"feature", "place", REPORT_AT(struct beyond_row, feature)},
    {"factor", "value", REPORT_AT(struct beyond_row, factor)},
    {"seen", REPORT_ARRAY_AT(struct beyond_row, seen)},
    {"trained", REPORT_ARRAY_AT(struct beyond_row, trained)},
    {0},
};

const struct report_field part_row_fields[] = {
    {.csv = "name", REPORT_AT(struct part_row, name), REPORT_COLUMN("where the time goes", 2, -22)},
    {.csv = "value", REPORT_AT(struct part_row, seconds), REPORT_COLUMN("s", 1, 12)},
    {.csv = "share",
     REPORT_AT(struct part_row, share),
     REPORT_COLUMN("share", 1, 7),
     .format = "%.1f",
     .is_percent = true},
    {REPORT_AT(struct part_row, least_s), REPORT_COLUMN("least rank", 1, 12)},
    {REPORT_AT(struct part_row, most_s), REPORT_COLUMN("most rank", 1, 12)},
    {0},
};

/* ---- Rows ---- */

static double per_rank(const struct prediction *prediction, double sum) {
    return sum / (double)prediction->stats->ranks;
}

static double share_of(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* The right half of a region's own interval. */
static const char *up_to(struct arena *arena, const struct region_error *error) {
    double part = deviation_part(error->deviation);
    if (!error->known)
        return NULL;
    return part < 9.995 ? arena_printf(arena, "%+.1f%%", 100 * part)
                        : arena_printf(arena, "%.2gx", 1 + part);
}

static void make_region(struct region_row *out, struct arena *arena,
                        const struct prediction *prediction, size_t index) {
    const struct region_stats *seen = &prediction->regions_by_time[index];
    const struct region *region = &prediction->regions->items[seen->index];
    const struct region_error *error = &prediction->errors[index];
    const char *place = arena_printf(arena, "%s:%d", region->file, region->line);
    *out = (struct region_row){
        .region = region,
        .place = place,
        .what = arena_printf(arena, "%s %s: %s", place, region->function, region->summary),
        .executions = seen->executions,
        .seconds_per_rank = per_rank(prediction, seen->seconds),
        .share = share_of(seen->seconds, prediction->rank_seconds),
        .deviation = error->known ? error->deviation : NAN,
        .factor = error->factor,
        .up_to = up_to(arena, error),
    };
}

static void make_call(struct call_row *out, struct arena *arena,
                      const struct prediction *prediction, const struct call_stats *call) {
    *out = (struct call_row){
        .name = call->name,
        .where = "",
        .what = call->name,
        .count = call->count,
        .seconds_per_rank = per_rank(prediction, call->seconds),
        .share = share_of(call->seconds, prediction->rank_seconds),
        .bytes = call->bytes,
        .waiting_s_per_rank =
            prediction->attribution != NULL ? per_rank(prediction, call->waiting_s) : NAN,
    };
    if (call->file == NULL)
        return;
    struct call_place_row *place = ARENA_NEW(arena, struct call_place_row);
    *place = (struct call_place_row){.file = call->file, .line = call->line};
    out->place = place;
    out->where = arena_printf(arena, "%s:%zu", call->file, call->line);
    out->what = arena_printf(arena, "%s %s", out->where, call->name);
}

static struct call_row *make_calls(struct arena *arena, const struct prediction *prediction,
                                   const struct call_stats *calls, size_t count) {
    struct call_row *rows = ARENA_ARRAY(arena, struct call_row, count + 1);
    for (size_t i = 0; i < count; i++)
        make_call(&rows[i], arena, prediction, &calls[i]);
    return rows;
}

static struct beyond_row beyond_of(const struct extrapolation *range) {
    return (struct beyond_row){
        .region = range->region->id,
        .feature = range->name,
        .factor = range->factor,
        .seen = {range->seen_min, range->seen_max},
        .trained = {range->trained_min, range->trained_max},
    };
}

static void make_part(struct prediction_rows *rows, enum part_of_makespan part, const char *name,
                      double seconds) {
    double makespan_s = rows->of->attribution->makespan_s;
    rows->parts[part] = (struct part_row){
        .name = name,
        .seconds = seconds,
        .share = share_of(seconds, makespan_s),
        .least_s = NAN,
        .most_s = NAN,
    };
}

static void add_rank(struct part_row *part, double seconds) {
    part->least_s = fmin(part->least_s, seconds); /* of NaN and a number: the number */
    part->most_s = fmax(part->most_s, seconds);
}

static void make_parts(struct prediction_rows *rows) {
    const struct attribution *of = rows->of->attribution;
    make_part(rows, PART_IDEAL, "ideal", of->ideal_s);
    make_part(rows, PART_COMPUTATION, "computation", of->computation_s);
    make_part(rows, PART_WAITING, "waiting", of->imbalance_s + of->dependencies_s);
    make_part(rows, PART_IMBALANCE, "imbalance", of->imbalance_s);
    make_part(rows, PART_DEPENDENCIES, "dependencies", of->dependencies_s);
    make_part(rows, PART_COMMUNICATION, "communication", of->communication_s);
    for (size_t i = 0; i < of->rank_count; i++) {
        add_rank(&rows->parts[PART_COMPUTATION], of->ranks[i].computation_s);
        add_rank(&rows->parts[PART_WAITING], of->ranks[i].waiting_s);
        add_rank(&rows->parts[PART_COMMUNICATION], of->ranks[i].communication_s);
    }
}

void prediction_rows_make(struct prediction_rows *out, const struct prediction *prediction) {
    const struct run_stats *stats = prediction->stats;
    *out = (struct prediction_rows){.of = prediction,
                                    .region_count = stats->region_count,
                                    .call_count = stats->call_count,
                                    .site_count = stats->site_count,
                                    .beyond_count = prediction->extrapolations.count};
    struct arena *arena = &out->arena;
    out->regions = ARENA_ARRAY(arena, struct region_row, stats->region_count + 1);
    for (size_t i = 0; i < stats->region_count; i++)
        make_region(&out->regions[i], arena, prediction, i);
    out->calls = make_calls(arena, prediction, prediction->calls_by_time, stats->call_count);
    out->sites = make_calls(arena, prediction, prediction->sites_by_time, stats->site_count);
    out->beyond = ARENA_ARRAY(arena, struct beyond_row, out->beyond_count + 1);
    for (size_t i = 0; i < out->beyond_count; i++)
        out->beyond[i] = beyond_of(&prediction->extrapolations.items[i]);
    if (prediction->attribution != NULL)
        make_parts(out);
}

void prediction_rows_dispose(struct prediction_rows *rows) {
    arena_dispose(&rows->arena);
}

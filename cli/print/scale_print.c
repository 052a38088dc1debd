/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel scale` as text, JSON and CSV; see scale_print.h.
 */
#include "cli/print/scale_print.h"

#include "base/str.h"
#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"
#include "cli/print/field/report_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Descriptions ---- */

/* A point, or a prediction; NaN: not known. */
struct scale_row {
    const char *kind; /* of CSV */
    long long ranks;
    double time_s, speedup, efficiency, computation_s, communication_s;
    double low_s, high_s, simulated_s, error; /* of predictions */
    const char *why_not;                      /* likewise, or NULL */
};

static const struct report_field point_fields[] = {
    {.csv = "kind", REPORT_AT(struct scale_row, kind)},
    {"ranks", "ranks", REPORT_AT(struct scale_row, ranks), REPORT_COLUMN("ranks", 0, 9)},
    {"time_s", "time_s", REPORT_AT(struct scale_row, time_s), REPORT_COLUMN("time, s", 1, 12)},
    {"speedup", "speedup", REPORT_AT(struct scale_row, speedup), REPORT_COLUMN("speed-up", 1, 9),
     .format = "%.4g"},
    {"efficiency", "efficiency", REPORT_AT(struct scale_row, efficiency),
     REPORT_COLUMN("efficiency", 1, 10), .format = "%.1f", .is_percent = true},
    {"computation_s", "computation_s", REPORT_AT(struct scale_row, computation_s),
     REPORT_COLUMN("computation, s", 1, 14), .format = "%.5g", .missing = "-"},
    {"communication_s", "communication_s", REPORT_AT(struct scale_row, communication_s),
     REPORT_COLUMN("the rest, s", 1, 14), .format = "%.5g", .missing = "-"},
    {0},
};

static const struct report_field band_fields[] = {
    {"low_s", "low_s", REPORT_AT(struct scale_row, low_s)},
    {"high_s", "high_s", REPORT_AT(struct scale_row, high_s)},
    {"simulated_s", "simulated_s", REPORT_AT(struct scale_row, simulated_s)},
    {"error", "error", REPORT_AT(struct scale_row, error)},
    {"why_not", REPORT_AT(struct scale_row, why_not), .is_optional = true},
    {0},
};

static const struct report_field prediction_fields[] = {
    {REPORT_FIELDS(point_fields)},
    {REPORT_FIELDS(band_fields)},
    {0},
};

struct curve_row {
    const char *form, *formula;
    const double *coefficients;
    size_t coefficient_count;
};

/* A form that was fitted. */
struct candidate_row {
    const char *name, *text;
    bool is_chosen;
    double error;
    struct curve_row curves[2];
    const struct curve_row *whole, *computation, *communication; /* NULL: it has none */
};

static const struct report_field curve_fields[] = {
    {"form", REPORT_AT(struct curve_row, form)},
    {"formula", REPORT_AT(struct curve_row, formula)},
    {"coefficients", REPORT_ITEMS_AT(struct curve_row, coefficients, coefficient_count)},
    {0},
};

#define CURVE(member)                                                                              \
    REPORT_POINTER_AT(struct candidate_row, member, curve_fields), .is_optional = true

static const struct report_field candidate_fields[] = {
    {"name", REPORT_AT(struct candidate_row, name)},
    {"text", REPORT_AT(struct candidate_row, text)},
    {"chosen", REPORT_AT(struct candidate_row, is_chosen)},
    {"error", REPORT_AT(struct candidate_row, error)},
    {"computation", CURVE(computation)},
    {"communication", CURVE(communication)},
    {"whole", CURVE(whole)},
    {0},
};

struct scale_rows {
    struct arena arena;
    const struct scale_report *of;
    bool leaves_one_out;
    double median_error, largest_error; /* NaN: not known, or none */
    double turn_ranks, half_ranks;
    struct scale_row *points, *predictions;
    struct candidate_row *candidates;
    size_t point_count, prediction_count, candidate_count;
};

static const struct report_field source_fields[] = {
    {"program", REPORT_AT(struct scale_report, program)},
    {"arguments", REPORT_AT(struct scale_report, arguments)},
    {"simulated", REPORT_AT(struct scale_report, is_simulated)},
    {"weak", REPORT_AT(struct scale_report, is_weak)},
    {0},
};

#define ROWS(member, count, table) REPORT_LIST_AT(struct scale_rows, member, count, table)

static const struct report_field scale_fields[] = {
    {REPORT_PART_POINTER_AT(struct scale_rows, of, source_fields)},
    {"points", ROWS(points, point_count, point_fields)},
    {"curves", ROWS(candidates, candidate_count, candidate_fields)},
    {"leave_one_out", REPORT_AT(struct scale_rows, leaves_one_out)},
    {"predictions", ROWS(predictions, prediction_count, prediction_fields)},
    {"median_error", REPORT_AT(struct scale_rows, median_error)},
    {"largest_error", REPORT_AT(struct scale_rows, largest_error)},
    {"turn_ranks", REPORT_AT(struct scale_rows, turn_ranks)},
    {"half_efficiency_ranks", REPORT_AT(struct scale_rows, half_ranks)},
    {0},
};

/* ---- Rows ---- */

static double computation_at(const struct scaling *scaling, double ranks) {
    const struct scaling_candidate *chosen = scaling->chosen;
    return chosen->separate ? scaling_curve_value(&chosen->computation, ranks) : NAN;
}

static void add_formula(struct str *out, const struct scaling_candidate *candidate) {
    if (!candidate->separate) {
        scaling_curve_text(out, &candidate->whole);
        return;
    }
    scaling_curve_text(out, &candidate->computation);
    str_add(out, "  +  ");
    scaling_curve_text(out, &candidate->communication);
}

static const char *name_of(const struct scaling_candidate *candidate) {
    return candidate->separate ? "separate" : candidate->whole.form->name;
}

/* The error as a share of the measured time. */
static double share_of(double error) {
    return expm1(error);
}

static double finite_or_nan(double number) {
    return isfinite(number) ? number : NAN;
}

static double positive_or_nan(double number) {
    return number > 0 ? number : NAN;
}

static struct scale_row row_of(const struct scale_report *report, const char *kind, double ranks,
                               double time_s, double computation_s) {
    const struct scaling *scaling = report->scaling;
    return (struct scale_row){
        .kind = kind,
        .ranks = (long long)ranks,
        .time_s = time_s,
        .speedup = scaling_speedup(scaling, ranks, time_s, report->is_weak),
        .efficiency = scaling_efficiency(scaling, ranks, time_s, report->is_weak),
        .computation_s = finite_or_nan(computation_s),
        .communication_s = finite_or_nan(time_s - computation_s),
        .low_s = NAN,
        .high_s = NAN,
        .simulated_s = NAN,
        .error = NAN,
    };
}

static struct scale_row prediction_of(const struct scale_report *report,
                                      const struct scale_target *target) {
    const struct scale_run *run = target->run;
    struct scale_row row = row_of(report, "prediction", target->ranks, target->time_s,
                                  computation_at(report->scaling, target->ranks));
    if (target->has_band) {
        row.low_s = finite_or_nan(target->low_s);
        row.high_s = finite_or_nan(target->high_s);
    }
    if (run != NULL && run->done) {
        row.simulated_s = run->time_s;
        row.error = target->time_s / run->time_s - 1;
    } else if (run != NULL) {
        row.why_not = run->why;
    }
    return row;
}

static struct curve_row curve_of(const struct scaling_curve *curve) {
    return (struct curve_row){curve->form->name, curve->form->formula, curve->coefficients,
                              curve->form->parameters};
}

static void make_candidate(struct candidate_row *out, struct arena *arena,
                           const struct scaling *scaling,
                           const struct scaling_candidate *candidate) {
    struct str formula = {0};
    add_formula(&formula, candidate);
    *out = (struct candidate_row){
        .name = name_of(candidate),
        .text = arena_strdup(arena, str_text(&formula)),
        .is_chosen = candidate == scaling->chosen,
        .error = share_of(candidate->error),
    };
    str_dispose(&formula);
    if (candidate->separate) {
        out->curves[0] = curve_of(&candidate->computation);
        out->curves[1] = curve_of(&candidate->communication);
        out->computation = &out->curves[0];
        out->communication = &out->curves[1];
    } else {
        out->curves[0] = curve_of(&candidate->whole);
        out->whole = &out->curves[0];
    }
}

static void make_tables(struct scale_rows *out, const struct scale_report *report) {
    const struct scaling *scaling = report->scaling;
    struct arena *arena = &out->arena;
    out->points = ARENA_ARRAY(arena, struct scale_row, out->point_count + 1);
    out->predictions = ARENA_ARRAY(arena, struct scale_row, out->prediction_count + 1);
    out->candidates = ARENA_ARRAY(arena, struct candidate_row, out->candidate_count + 1);
    for (size_t i = 0; i < out->point_count; i++) {
        const struct scaling_point *point = &scaling->points.items[i];
        out->points[i] = row_of(report, "point", point->ranks, point->time_s, point->computation_s);
    }
    for (size_t i = 0; i < out->prediction_count; i++)
        out->predictions[i] = prediction_of(report, &report->targets.items[i]);
    for (size_t i = 0; i < out->candidate_count; i++)
        make_candidate(&out->candidates[i], arena, scaling, &scaling->candidates.items[i]);
}

static void make_rows(struct scale_rows *out, const struct scale_report *report) {
    bool is_compared = report->compared > 0;
    *out = (struct scale_rows){
        .of = report,
        .leaves_one_out = report->scaling->leave_one_out,
        .median_error = is_compared ? report->median_error : NAN,
        .largest_error = is_compared ? report->largest_error : NAN,
        .turn_ranks = positive_or_nan(report->turn_ranks),
        .half_ranks = positive_or_nan(report->half_ranks),
        .point_count = report->scaling->points.count,
        .prediction_count = report->targets.count,
        .candidate_count = report->scaling->candidates.count,
    };
    make_tables(out, report);
}

/* ---- Text ---- */

static void text_number(double number) {
    if (isnan(number))
        printf(" %12s", "-");
    else
        printf(" %12.5g", number);
}

static void text_shares(const struct scale_report *report, double ranks, double time_s) {
    const struct scaling *scaling = report->scaling;
    bool weak = report->is_weak;
    printf(" %9.4g %9.1f%%", scaling_speedup(scaling, ranks, time_s, weak),
           100 * scaling_efficiency(scaling, ranks, time_s, weak));
}

static void text_curve(const struct scale_report *report) {
    const struct scaling_candidate *chosen = report->scaling->chosen;
    struct str formula = {0};
    add_formula(&formula, chosen);
    printf("\ncurve: T(q) = %s\n", str_text(&formula));
    str_dispose(&formula);
    if (chosen->separate)
        printf("       computation by %s, the rest by %s\n", chosen->computation.form->formula,
               chosen->communication.form->formula);
    else
        printf("       by %s\n", chosen->whole.form->formula);
    if (isnan(chosen->error))
        puts("       no point was left to test it with: give five or more");
    else
        printf("       predicted held-out %s within %.2g %% on average\n",
               report->scaling->leave_one_out ? "points" : "larger points",
               100 * share_of(chosen->error));
}

static int compare_candidates(const void *left, const void *right) {
    const struct scaling_candidate *a = *(struct scaling_candidate *const *)left;
    const struct scaling_candidate *b = *(struct scaling_candidate *const *)right;
    double x = isnan(a->error) ? INFINITY : a->error, y = isnan(b->error) ? INFINITY : b->error;
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

static void text_candidates(const struct scale_report *report, size_t top) {
    const struct scaling *scaling = report->scaling;
    size_t count = scaling->candidates.count;
    const struct scaling_candidate **order = xmalloc((count + 1) * sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = &scaling->candidates.items[i];
    qsort(order, count, sizeof *order, compare_candidates);
    printf("\n%11s  forms, by their error on held-out points (*: chosen by it and by the fit to "
           "all)\n",
           "error");
    for (size_t i = 0; i < count && i < top; i++) {
        struct str formula = {0};
        add_formula(&formula, order[i]);
        if (isnan(order[i]->error))
            printf("%11s", "?");
        else
            printf("%10.2g%%", 100 * share_of(order[i]->error));
        printf("%c %s: %s\n", order[i] == scaling->chosen ? '*' : ' ', name_of(order[i]),
               str_text(&formula));
        str_dispose(&formula);
    }
    if (count > top)
        printf("%12s and %zu more (--top)\n", "", count - top);
    free(order);
}

static void text_target(const struct scale_report *report, const struct scale_target *target) {
    const struct scale_run *run = target->run;
    printf("%9.0f %12.6g", target->ranks, target->time_s);
    text_shares(report, target->ranks, target->time_s);
    text_number(target->has_band ? target->low_s : NAN);
    text_number(target->has_band ? target->high_s : NAN);
    if (run != NULL && run->done)
        printf(" %12.6g %+8.1f%%", run->time_s, 100 * (target->time_s / run->time_s - 1));
    else if (run != NULL)
        printf("  %.*s", (int)strcspn(run->why, "\n"), run->why);
    putchar('\n');
}

static void text_targets(const struct scale_report *report) {
    bool simulated = report->targets.count > 0 && report->targets.items[0].run != NULL;
    printf("\n%9s %12s %9s %10s %12s %12s %12s %9s\n", "ranks", "predicted, s", "speed-up",
           "efficiency", "low, s", "high, s", simulated ? "simulated, s" : "",
           simulated ? "curve" : "");
    for (size_t i = 0; i < report->targets.count; i++)
        text_target(report, &report->targets.items[i]);
    if (report->compared > 0)
        printf("the curve against the simulated skeleton: median error %.1f %%, largest %.1f %%\n",
               100 * report->median_error, 100 * report->largest_error);
}

static void text_turn(const struct scale_report *report) {
    double turn = report->turn_ranks;
    if (turn == 0)
        printf("no point shows a turn: the time falls up to %.0f ranks, the most there are",
               report->shown_ranks);
    else if (turn <= report->scaling->points.items[0].ranks)
        fputs("more ranks do not help: T(q) is least at the smallest point", stdout);
    else
        printf("T(q) turns at %.0f ranks: more of them do not help", turn);
    putchar('\n');
}

static void text_ends(const struct scale_report *report) {
    double largest = report->shown_ranks, half = report->half_ranks;
    putchar('\n');
    if (!report->is_weak)
        text_turn(report);
    if (half == 0)
        puts("the efficiency stays above 50 %");
    else
        printf("the efficiency falls below 50 %% at %.0f ranks%s\n", half,
               half > largest ? ", beyond the points" : "");
}

static void print_text(const struct scale_rows *rows, size_t top) {
    const struct scale_report *report = rows->of;
    const scaling_point_list *points = &report->scaling->points;
    printf("%s%s%s: %s scaling, from %zu %spoints on %.0f to %.0f ranks\n\n", report->program,
           report->arguments != NULL && report->arguments[0] != '\0' ? " " : "",
           report->arguments != NULL ? report->arguments : "", report->is_weak ? "weak" : "strong",
           points->count, report->is_simulated ? "simulated " : "", points->items[0].ranks,
           points->items[points->count - 1].ranks);
    report_text_table(stdout, point_fields, rows->points, rows->point_count, sizeof *rows->points,
                      rows->point_count);
    if (report->repeated > 0)
        printf("of runs on equal numbers of ranks the fastest counts: %zu did not\n",
               report->repeated);
    if (report->without_time > 0)
        printf("%zu points without a time were left out\n", report->without_time);
    text_curve(report);
    text_candidates(report, top);
    text_targets(report);
    text_ends(report);
}

/* ---- All forms ---- */

static void print_csv(const struct scale_rows *rows) {
    report_csv_table(stdout, prediction_fields, rows->points, rows->point_count,
                     sizeof *rows->points);
    for (size_t i = 0; i < rows->prediction_count; i++)
        report_csv_row(stdout, prediction_fields, &rows->predictions[i]);
}

void scale_print(const struct scale_report *report, enum output_format format, size_t top) {
    struct scale_rows rows;
    make_rows(&rows, report);
    if (format == OUTPUT_JSON)
        report_json_print(stdout, "mpiskel-scaling", 2, scale_fields, &rows);
    else if (format == OUTPUT_CSV)
        print_csv(&rows);
    else
        print_text(&rows, top);
    arena_dispose(&rows.arena);
}

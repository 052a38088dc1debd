/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel scale` as text, JSON and CSV; see scale.h. The CSV can be given to
 * `mpiskel scale` again: rows of the kind `point` are its points.
 */
#include "cli/scale/scale.h"

#include "base/json.h"
#include "base/str.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* ---- Text ---- */

static void text_number(double number, int width) {
    if (isnan(number))
        printf(" %*s", width, "-");
    else
        printf(" %*.5g", width, number);
}

static void text_shares(const struct scale_report *report, double ranks, double time_s) {
    const struct scaling *scaling = report->scaling;
    bool weak = report->options->weak;
    printf(" %9.4g %9.1f%%", scaling_speedup(scaling, ranks, time_s, weak),
           100 * scaling_efficiency(scaling, ranks, time_s, weak));
}

static void text_points(const struct scale_report *report) {
    const struct scaling *scaling = report->scaling;
    printf("%9s %12s %9s %10s %14s %14s\n", "ranks", "time, s", "speed-up", "efficiency",
           "computation, s", "the rest, s");
    for (size_t i = 0; i < scaling->points.count; i++) {
        const struct scaling_point *point = &scaling->points.items[i];
        printf("%9.0f %12.6g", point->ranks, point->time_s);
        text_shares(report, point->ranks, point->time_s);
        text_number(point->computation_s, 14);
        text_number(point->time_s - point->computation_s, 14);
        putchar('\n');
    }
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

static void text_candidates(const struct scale_report *report) {
    const struct scaling *scaling = report->scaling;
    size_t count = scaling->candidates.count, top = report->options->top;
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
    text_number(target->has_band ? target->low_s : NAN, 12);
    text_number(target->has_band ? target->high_s : NAN, 12);
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

static void text_turn(const struct scale_report *report, double largest) {
    double turn = report->turn_ranks, earliest = report->earliest_turn_ranks;
    const char *beyond = turn > largest ? ", beyond the points" : "";
    if (turn == 0)
        fputs("T(q) has no turn: the curve falls on and on", stdout);
    else if (turn <= report->scaling->points.items[0].ranks)
        fputs("more ranks do not help: T(q) is least at the smallest point", stdout);
    else
        printf("T(q) turns at %.0f ranks%s: more of them do not help", turn, beyond);
    if (earliest > 0 && earliest != turn)
        printf("; forms that pass the points as closely turn at %.0f ranks or later", earliest);
    putchar('\n');
}

static void text_ends(const struct scale_report *report) {
    const scaling_point_list *points = &report->scaling->points;
    double largest = points->items[points->count - 1].ranks, half = report->half_ranks;
    putchar('\n');
    if (!report->options->weak)
        text_turn(report, largest);
    if (half == 0)
        puts("the efficiency stays above 50 %");
    else
        printf("the efficiency falls below 50 %% at %.0f ranks%s\n", half,
               half > largest ? ", beyond the points" : "");
}

static void print_text(const struct scale_report *report) {
    const scaling_point_list *points = &report->scaling->points;
    printf("%s%s%s: %s scaling, from %zu %spoints on %.0f to %.0f ranks\n\n", report->program,
           report->arguments != NULL && report->arguments[0] != '\0' ? " " : "",
           report->arguments != NULL ? report->arguments : "",
           report->options->weak ? "weak" : "strong", points->count,
           report->options->bundle != NULL ? "simulated " : "", points->items[0].ranks,
           points->items[points->count - 1].ranks);
    text_points(report);
    if (report->repeated > 0)
        printf("of runs on equal numbers of ranks the fastest counts: %zu did not\n",
               report->repeated);
    if (report->without_time > 0)
        printf("%zu points without a time were left out\n", report->without_time);
    text_curve(report);
    text_candidates(report);
    text_targets(report);
    text_ends(report);
}

/* ---- JSON ---- */

static json_t *json_number(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *json_curve(const struct scaling_curve *curve) {
    json_t *coefficients = json_array();
    for (size_t i = 0; i < curve->form->parameters; i++)
        json_array_append_new(coefficients, json_real(curve->coefficients[i]));
    return json_pack("{s:s, s:s, s:o}", "form", curve->form->name, "formula", curve->form->formula,
                     "coefficients", coefficients);
}

static json_t *json_candidate(const struct scale_report *report,
                              const struct scaling_candidate *candidate) {
    struct str formula = {0};
    add_formula(&formula, candidate);
    json_t *object =
        json_pack("{s:s, s:s, s:b, s:o}", "name", name_of(candidate), "text", str_text(&formula),
                  "chosen", (int)(candidate == report->scaling->chosen), "error",
                  json_number(share_of(candidate->error)));
    str_dispose(&formula);
    if (candidate->separate) {
        json_object_set_new(object, "computation", json_curve(&candidate->computation));
        json_object_set_new(object, "communication", json_curve(&candidate->communication));
    } else {
        json_object_set_new(object, "whole", json_curve(&candidate->whole));
    }
    return object;
}

static json_t *json_point(const struct scale_report *report, double ranks, double time_s,
                          double computation_s) {
    bool weak = report->options->weak;
    return json_pack("{s:I, s:f, s:f, s:f, s:o, s:o}", "ranks", (json_int_t)ranks, "time_s", time_s,
                     "speedup", scaling_speedup(report->scaling, ranks, time_s, weak), "efficiency",
                     scaling_efficiency(report->scaling, ranks, time_s, weak), "computation_s",
                     json_number(computation_s), "communication_s",
                     json_number(time_s - computation_s));
}

static json_t *json_target(const struct scale_report *report, const struct scale_target *target) {
    const struct scale_run *run = target->run;
    json_t *object = json_point(report, target->ranks, target->time_s,
                                computation_at(report->scaling, target->ranks));
    json_object_set_new(object, "low_s", json_number(target->has_band ? target->low_s : NAN));
    json_object_set_new(object, "high_s", json_number(target->has_band ? target->high_s : NAN));
    json_object_set_new(object, "simulated_s",
                        run != NULL && run->done ? json_real(run->time_s) : json_null());
    json_object_set_new(object, "error",
                        run != NULL && run->done ? json_real(target->time_s / run->time_s - 1)
                                                 : json_null());
    if (run != NULL && !run->done)
        json_object_set_new(object, "why_not", json_string(run->why));
    return object;
}

static void print_json(const struct scale_report *report) {
    const struct scaling *scaling = report->scaling;
    json_t *points = json_array(), *candidates = json_array(), *targets = json_array();
    for (size_t i = 0; i < scaling->points.count; i++) {
        const struct scaling_point *point = &scaling->points.items[i];
        json_array_append_new(
            points, json_point(report, point->ranks, point->time_s, point->computation_s));
    }
    for (size_t i = 0; i < scaling->candidates.count; i++)
        json_array_append_new(candidates, json_candidate(report, &scaling->candidates.items[i]));
    for (size_t i = 0; i < report->targets.count; i++)
        json_array_append_new(targets, json_target(report, &report->targets.items[i]));
    bool compared = report->compared > 0;
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:s?, s:b, s:b, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "format",
        "mpiskel-scaling", "version", 1, "program", report->program, "arguments", report->arguments,
        "simulated", (int)(report->options->bundle != NULL), "weak", (int)report->options->weak,
        "points", points, "curves", candidates, "leave_one_out", (int)scaling->leave_one_out,
        "predictions", targets, "median_error", json_number(compared ? report->median_error : NAN),
        "largest_error", json_number(compared ? report->largest_error : NAN), "turn_ranks",
        json_number(report->turn_ranks > 0 ? report->turn_ranks : NAN), "earliest_turn_ranks",
        json_number(report->earliest_turn_ranks > 0 ? report->earliest_turn_ranks : NAN),
        "half_efficiency_ranks", json_number(report->half_ranks > 0 ? report->half_ranks : NAN));
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

/* ---- CSV ---- */

static void csv_number(double number) {
    if (isfinite(number))
        printf(",%.17g", number);
    else
        putchar(',');
}

static void csv_row(const struct scale_report *report, const char *kind, double ranks,
                    double time_s, double computation_s) {
    bool weak = report->options->weak;
    printf("%s,%.0f,%.17g,%.17g,%.17g", kind, ranks, time_s,
           scaling_speedup(report->scaling, ranks, time_s, weak),
           scaling_efficiency(report->scaling, ranks, time_s, weak));
    csv_number(computation_s);
    csv_number(time_s - computation_s);
}

static void print_csv(const struct scale_report *report) {
    const struct scaling *scaling = report->scaling;
    puts("kind,ranks,time_s,speedup,efficiency,computation_s,communication_s,low_s,high_s,"
         "simulated_s,error");
    for (size_t i = 0; i < scaling->points.count; i++) {
        const struct scaling_point *point = &scaling->points.items[i];
        csv_row(report, "point", point->ranks, point->time_s, point->computation_s);
        puts(",,,,");
    }
    for (size_t i = 0; i < report->targets.count; i++) {
        const struct scale_target *target = &report->targets.items[i];
        bool done = target->run != NULL && target->run->done;
        csv_row(report, "prediction", target->ranks, target->time_s,
                computation_at(scaling, target->ranks));
        csv_number(target->has_band ? target->low_s : NAN);
        csv_number(target->has_band ? target->high_s : NAN);
        csv_number(done ? target->run->time_s : NAN);
        csv_number(done ? target->time_s / target->run->time_s - 1 : NAN);
        putchar('\n');
    }
}

void scale_print(const struct scale_report *report) {
    if (report->options->format == OUTPUT_JSON)
        print_json(report);
    else if (report->options->format == OUTPUT_CSV)
        print_csv(report);
    else
        print_text(report);
}

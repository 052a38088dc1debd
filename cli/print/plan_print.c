/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan as text and as JSON; see plan_print.h. Text leaves out regions of less than a hundredth of
 * the time.
 */
#include "cli/print/plan_print.h"

#include "base/numbers.h"
#include "base/str.h"
#include "base/words.h"
#include "cli/print/field/report_json.h"
#include "cli/print/field/report_text.h"
#include "cli/print/findings_print.h"
#include "cli/print/region_fields.h"

#include <math.h>
#include <stdio.h>

#define SHARE_PRINTED 0.01
#define DISTANCE_TOLD 0.7 /* a factor of two */

/* ---- Descriptions ---- */

struct plan_region_row {
    const struct region *region;
    struct coverage_target asked;
    struct reached_range reached;
    const struct plan_region_row *sampled; /* this one; NULL: there is no sample */
    double distance, deviation, distance_after, deviation_after;
};

struct plan_number_row {
    const char *name, *kind;
};

/* A run, or the target. */
struct plan_run_row {
    size_t number;
    struct trial trial;
    double cost_s, lacking;
    const char *words, *command;
};

struct plan_rows {
    struct arena arena;
    struct plan_report of;
    struct experiments plan;
    struct plan_run_row target, *runs;
    struct plan_region_row *regions;
    struct plan_number_row *numbers;
};

#define REGION(member) REPORT_AT(struct plan_region_row, member)
#define FEATURES(list) REPORT_ITEMS_AT(struct plan_region_row, list, asked.box.feature_count)

static const struct report_field sampled_fields[] = {
    {"sample_min", FEATURES(reached.min)},
    {"sample_max", FEATURES(reached.max)},
    {"outside", REGION(reached.factor)},
    {0},
};

static const struct report_field planned_region_fields[] = {
    {REPORT_PART_POINTER_AT(struct plan_region_row, region, region_index_fields)},
    {"share", REGION(asked.share)},
    {"features", FEATURES(reached.names)},
    {"target_min", FEATURES(asked.box.min)},
    {"target_max", FEATURES(asked.box.max)},
    {"vectors", REGION(reached.vector_count)},
    {"distance", REGION(distance)},
    {"deviation", REGION(deviation)},
    {"distance_after", REGION(distance_after)},
    {"deviation_after", REGION(deviation_after)},
    {"note", REGION(reached.note)},
    {REPORT_PART_POINTER_AT(struct plan_region_row, sampled, sampled_fields)},
    {0},
};

static const struct report_field number_fields[] = {
    {"name", REPORT_AT(struct plan_number_row, name)},
    {"kind", REPORT_AT(struct plan_number_row, kind)},
    {0},
};

static const struct report_field fixed_fields[] = {
    {"name", REPORT_AT(struct fixed_number, name)},
    {"number", REPORT_AT(struct fixed_number, number)},
    {"target", REPORT_AT(struct fixed_number, asked)},
    {0},
};

#define RUN(member) REPORT_AT(struct plan_run_row, member)

static const struct report_field configuration_fields[] = {
    {"ranks", RUN(trial.configuration.ranks), REPORT_COLUMN("ranks", 1, 6)},
    {"args", REPORT_ITEMS_AT(struct plan_run_row, trial.configuration.words.items,
                             trial.configuration.words.count)},
    {0},
};

static const struct report_field target_fields[] = {
    {REPORT_FIELDS(configuration_fields)},
    {"predicted_s", RUN(trial.makespan_s)},
    {0},
};

static const struct report_field run_fields[] = {
    {RUN(number), REPORT_COLUMN("run", 0, 3)},
    {REPORT_FIELDS(configuration_fields)},
    {"cost_s", RUN(cost_s), REPORT_COLUMN("cost, s", 1, 10), .format = "%.4g"},
    {"lacking", RUN(lacking), REPORT_COLUMN("lacking", 1, 8), .format = "%.3g"},
    {"command", RUN(command)},
    {RUN(words), REPORT_COLUMN("arguments", 2, 0)},
    {0},
};

static const struct report_field bundle_fields[] = {
    {"bundle", REPORT_AT(struct regions, bundle)},
    {0},
};

#define PLAN(member) REPORT_AT(struct plan_rows, member)
#define ROWS(list, count, table) REPORT_LIST_AT(struct plan_rows, list, count, table)

static const struct report_field doubts_fields[] = {
    {"findings", REPORT_LIST_AT(struct findings, items.items, items.count, finding_fields)},
    {0},
};

static const struct report_field plan_fields[] = {
    {REPORT_PART_POINTER_AT(struct plan_rows, of.regions, bundle_fields)},
    {"machine", PLAN(of.machine)},
    {"run_count", PLAN(of.run_count)},
    {"target", REPORT_OBJECT_AT(struct plan_rows, target, target_fields)},
    {"guessed_regions", PLAN(plan.guessed_regions)},
    {"regions", ROWS(regions, plan.asked_count, planned_region_fields)},
    {REPORT_PART_POINTER_AT(struct plan_rows, of.findings, doubts_fields)},
    {"numbers", ROWS(numbers, plan.number_count, number_fields)},
    {"fixed", ROWS(plan.fixed, plan.fixed_count, fixed_fields)},
    {"simulated", PLAN(plan.trial_count)},
    {"refused", PLAN(plan.refused_count)},
    {"budget_s", PLAN(of.budget_s)},
    {"cost_s", PLAN(plan.cost_s)},
    {"lacking_before", PLAN(plan.lack_before)},
    {"lacking_after", PLAN(plan.lack_after)},
    {"runs", ROWS(runs, plan.run_count, run_fields)},
    {0},
};

/* ---- Rows ---- */

static const char *kind_name(enum number_kind kind) {
    static const char *const names[] = {"size", "repeats", "bound"};
    return names[kind];
}

static const char *words_of(struct arena *arena, const struct configuration *configuration) {
    return words_text(arena, configuration->words.items, configuration->words.count);
}

static void make_region(struct plan_region_row *out, const struct plan_report *report,
                        size_t item) {
    const struct experiments *plan = report->plan;
    *out = (struct plan_region_row){
        .region = &report->regions->items[plan->asked[item].box.region],
        .asked = plan->asked[item],
        .reached = plan->reached[item],
        .sampled = plan->reached[item].vector_count > 0 ? out : NULL,
        .distance = coverage_distance(&plan->before, item),
        .deviation = coverage_deviation(&plan->before, item),
        .distance_after = coverage_distance(&plan->after, item),
        .deviation_after = coverage_deviation(&plan->after, item),
    };
}

static struct plan_run_row run_row_of(struct arena *arena, const struct plan_report *report,
                                      size_t index) {
    const struct planned_run *run = &report->plan->runs[index];
    return (struct plan_run_row){
        .number = index + 1,
        .trial = run->candidate->trial,
        .cost_s = run->candidate->cost_s,
        .lacking = run->lack_after,
        .words = words_of(arena, &run->candidate->trial.configuration),
        .command = report->commands[index],
    };
}

static void make_rows(struct plan_rows *out, const struct plan_report *report) {
    const struct experiments *plan = report->plan;
    struct arena *arena = &out->arena;
    *out = (struct plan_rows){.of = *report, .plan = *plan};
    out->target = (struct plan_run_row){
        .trial = plan->target,
        .words = words_of(arena, &plan->target.configuration),
    };
    out->regions = ARENA_ARRAY(arena, struct plan_region_row, plan->asked_count + 1);
    out->numbers = ARENA_ARRAY(arena, struct plan_number_row, plan->number_count + 1);
    out->runs = ARENA_ARRAY(arena, struct plan_run_row, plan->run_count + 1);
    for (size_t i = 0; i < plan->asked_count; i++)
        make_region(&out->regions[i], report, i);
    for (size_t i = 0; i < plan->number_count; i++)
        out->numbers[i] =
            (struct plan_number_row){plan->numbers[i].name, kind_name(plan->numbers[i].kind)};
    for (size_t i = 0; i < plan->run_count; i++)
        out->runs[i] = run_row_of(arena, report, i);
}

/* ---- Text ---- */

static void print_target(const struct plan_rows *rows) {
    const struct plan_report *report = &rows->of;
    const struct experiments *plan = &rows->plan;
    const char *words = rows->target.words;
    printf("target: %zu ranks%s%s, predicted %.4g s\n", plan->target.configuration.ranks,
           words[0] != '\0' ? ", arguments " : "", words, plan->target.makespan_s);
    printf("samples: %d run%s of machine %s\n", report->run_count, text_plural(report->run_count),
           report->machine);
    if (plan->guessed_regions > 0)
        printf("%d region%s without a model %s taken to cost a nanosecond an iteration\n",
               plan->guessed_regions, text_plural(plan->guessed_regions),
               plan->guessed_regions == 1 ? "is" : "are");
}

/* "n3 2.3x above 8192..16384". */
static void add_outside(struct str *out, const struct reached_range *reached,
                        const struct feature_box *box) {
    for (int j = 0; j < box->feature_count; j++) {
        double factor = reached_factor(reached, box, j);
        bool above = box->max[j] > reached->max[j], below = box->min[j] < reached->min[j];
        if (factor <= 1)
            continue;
        str_printf(out, "%s%s ", out->length > 0 ? ", " : "", reached->names[j]);
        if (isfinite(factor))
            str_printf(out, "%.3gx ", factor);
        str_printf(out, "%s %.6g..%.6g",
                   above && below ? "beyond"
                   : above        ? "above"
                                  : "below",
                   reached->min[j], reached->max[j]);
    }
}

static void print_region(const struct plan_report *report, size_t item) {
    const struct experiments *plan = report->plan;
    const struct coverage_target *asked = &plan->asked[item];
    const struct reached_range *reached = &plan->reached[item];
    const struct region *region = &report->regions->items[asked->box.region];
    struct str place = {0}, outside = {0};
    str_printf(&place, "%s:%d", region->file, region->line);
    printf("%6d  %-28s %5.1f%%", region->index, place.text, 100 * asked->share);
    if (reached->vector_count == 0) {
        puts("        -          -  no samples");
    } else {
        add_outside(&outside, reached, &asked->box);
        printf(" %8.3g %10.3g  %s%s%s%s\n", coverage_distance(&plan->before, item),
               coverage_deviation(&plan->before, item),
               outside.length > 0 ? str_text(&outside) : "inside",
               reached->note[0] != '\0' ? "  (" : "", reached->note,
               reached->note[0] != '\0' ? ")" : "");
    }
    str_dispose(&place);
    str_dispose(&outside);
}

static void print_regions(const struct plan_report *report) {
    const struct experiments *plan = report->plan;
    double left = 0;
    size_t printed = 0;
    printf("\n%6s  %-28s %6s %8s %10s  %s\n", "region", "place", "share", "distance", "deviation",
           "target against samples");
    for (size_t i = 0; i < plan->asked_count; i++) {
        if (plan->asked[i].share >= SHARE_PRINTED || printed == 0) {
            print_region(report, i);
            printed++;
        } else {
            left += plan->asked[i].share;
        }
    }
    if (printed < plan->asked_count)
        printf("%8sand %zu more with %.*g%% of the time\n", "", plan->asked_count - printed,
               numbers_percent_digits(100 * left), 100 * left);
}

static void print_kind(const struct experiments *plan, enum number_kind kind, const char *what) {
    struct str names = {0};
    for (size_t i = 0; i < plan->number_count; i++)
        if (plan->numbers[i].kind == kind)
            str_printf(&names, "%s%s", names.length > 0 ? ", " : "", plan->numbers[i].name);
    if (names.length > 0)
        printf("%s: %s\n", what, names.text);
    str_dispose(&names);
}

static void print_search(const struct experiments *plan) {
    putchar('\n');
    print_kind(plan, NUMBER_SIZE, "arguments that change features");
    print_kind(plan, NUMBER_REPEAT, "arguments that only change how often regions are executed");
    print_kind(plan, NUMBER_BOUND, "arguments that the program takes no other number of");
    if (plan->number_count == 0)
        puts("no number among the arguments was found: only the number of ranks can be varied");
    printf("%zu configuration%s simulated", plan->trial_count, text_plural(plan->trial_count));
    if (plan->refused_count > 0)
        printf(", %zu of them did not get through", plan->refused_count);
    if (plan->is_ended)
        printf("; no more, since they took %.0f s of processor time", plan->searched_s);
    putchar('\n');
}

/* What the runs do not reach, most of the time first. */
static void print_rest(const struct plan_report *report) {
    const struct experiments *plan = report->plan;
    for (size_t i = 0; i < plan->asked_count && plan->asked[i].share >= SHARE_PRINTED; i++) {
        const struct region *region = &report->regions->items[plan->asked[i].box.region];
        double distance = coverage_distance(&plan->after, i);
        if (distance > DISTANCE_TOLD)
            printf("region %d, %s:%d (%.1f%%): the nearest sample stays a factor %.3g away\n",
                   region->index, region->file, region->line, 100 * plan->asked[i].share,
                   exp(distance));
    }
}

/* What no run varies, whether the target asks for another number or not. */
static void print_fixed(const struct experiments *plan) {
    for (size_t i = 0; i < plan->fixed_count; i++) {
        const struct fixed_number *fixed = &plan->fixed[i];
        printf("%s%s at %g (", i == 0 ? "held fixed in all runs: " : ", ", fixed->name,
               fixed->number);
        if (fixed->number == fixed->asked)
            fputs("as in the target)", stdout);
        else
            printf("the target has %g)", fixed->asked);
    }
    if (plan->fixed_count > 0)
        puts("; how time depends on them, other than by the features above, is not learned: add "
             "runs in which they differ");
}

static void print_runs(const struct plan_rows *rows) {
    const struct plan_report *report = &rows->of;
    const struct experiments *plan = &rows->plan;
    if (plan->run_count == 0) {
        printf("\nno run within %g s would help: lacking %.3g\n", report->budget_s,
               plan->lack_before);
        return;
    }
    putchar('\n');
    report_text_header(stdout, run_fields, rows->runs);
    printf("%3s %6s %10s %8.3g\n", "", "", "", plan->lack_before);
    for (size_t i = 0; i < plan->run_count; i++)
        report_text_row(stdout, run_fields, rows->runs, &rows->runs[i]);
    print_rest(report);
    print_fixed(plan);
    putchar('\n');
    for (size_t i = 0; i < plan->run_count; i++)
        puts(report->commands[i]);
    puts(report->fit);
}

/* ---- Both forms ---- */

void plan_print(const struct plan_report *report, enum output_format format) {
    struct plan_rows rows;
    make_rows(&rows, report);
    if (format == OUTPUT_JSON) {
        report_json_print(stdout, "mpiskel-plan", 1, plan_fields, &rows);
    } else {
        print_target(&rows);
        print_regions(report);
        findings_print(stdout, report->findings);
        print_search(report->plan);
        print_runs(&rows);
    }
    arena_dispose(&rows.arena);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan as text and as JSON; see plan_print.h. Text leaves out regions of less than a hundredth of
 * the time.
 */
#include "cli/report/plan_print.h"

#include "base/json.h"
#include "base/str.h"
#include "base/words.h"

#include <math.h>
#include <stdio.h>

#define SHARE_PRINTED 0.01
#define DISTANCE_TOLD 0.7 /* a factor of two */

static void add_words(struct str *out, const struct configuration *configuration) {
    for (size_t i = 0; i < configuration->words.count; i++)
        words_add(out, configuration->words.items[i]);
}

/* ---- Text ---- */

static void print_target(const struct plan_report *report) {
    const struct experiments *plan = report->plan;
    struct str words = {0};
    add_words(&words, &plan->target.configuration);
    printf("target: %zu ranks%s%s, predicted %.4g s\n", plan->target.configuration.ranks,
           words.length > 0 ? ", arguments " : "", str_text(&words), plan->target.makespan_s);
    printf("samples: %d run%s of machine %s\n", report->run_count,
           report->run_count == 1 ? "" : "s", report->machine);
    if (plan->guessed_regions > 0)
        printf("%d region%s without a model %s taken to cost a nanosecond an iteration\n",
               plan->guessed_regions, plan->guessed_regions == 1 ? "" : "s",
               plan->guessed_regions == 1 ? "is" : "are");
    str_dispose(&words);
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
        printf("%8sand %zu more with %.2g%% of the time\n", "", plan->asked_count - printed,
               100 * left);
}

static const char *kind_name(enum number_kind kind) {
    static const char *const names[] = {"size", "repeats", "bound"};
    return names[kind];
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
    printf("%zu configuration%s simulated", plan->trial_count, plan->trial_count == 1 ? "" : "s");
    if (plan->refused_count > 0)
        printf(", %zu of them did not get through", plan->refused_count);
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

static void print_runs(const struct plan_report *report) {
    const struct experiments *plan = report->plan;
    if (plan->run_count == 0) {
        printf("\nno run within %g s would help: lacking %.3g\n", report->budget_s,
               plan->lack_before);
        return;
    }
    printf("\n%3s %6s %10s %8s  %s\n", "run", "ranks", "cost, s", "lacking", "arguments");
    printf("%3s %6s %10s %8.3g\n", "", "", "", plan->lack_before);
    for (size_t i = 0; i < plan->run_count; i++) {
        const struct experiment *candidate = plan->runs[i].candidate;
        struct str words = {0};
        add_words(&words, &candidate->trial.configuration);
        printf("%3zu %6zu %10.4g %8.3g  %s\n", i + 1, candidate->trial.configuration.ranks,
               candidate->cost_s, plan->runs[i].lack_after, str_text(&words));
        str_dispose(&words);
    }
    print_rest(report);
    putchar('\n');
    for (size_t i = 0; i < plan->run_count; i++)
        puts(report->commands[i]);
    puts(report->fit);
}

/* ---- JSON ---- */

static json_t *numbers_to_json(const double *numbers, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, isfinite(numbers[i]) ? json_real(numbers[i]) : json_null());
    return list;
}

static json_t *names_to_json(const char *const *names, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(names[i]));
    return list;
}

static json_t *words_to_json(const struct configuration *configuration) {
    json_t *list = json_array();
    for (size_t i = 0; i < configuration->words.count; i++)
        json_array_append_new(list, json_string(configuration->words.items[i]));
    return list;
}

static json_t *region_to_json(const struct plan_report *report, size_t item) {
    const struct experiments *plan = report->plan;
    const struct coverage_target *asked = &plan->asked[item];
    const struct reached_range *reached = &plan->reached[item];
    const struct region *region = &report->regions->items[asked->box.region];
    int count = asked->box.feature_count;
    json_t *object = json_pack(
        "{s:i, s:s, s:s, s:i, s:f, s:o, s:o, s:o, s:I, s:f, s:f, s:f, s:f, s:s}", "index",
        region->index, "id", region->id, "file", region->file, "line", region->line, "share",
        asked->share, "features", names_to_json(reached->names, count), "target_min",
        numbers_to_json(asked->box.min, count), "target_max",
        numbers_to_json(asked->box.max, count), "vectors", (json_int_t)reached->vector_count,
        "distance", coverage_distance(&plan->before, item), "deviation",
        coverage_deviation(&plan->before, item), "distance_after",
        coverage_distance(&plan->after, item), "deviation_after",
        coverage_deviation(&plan->after, item), "note", reached->note);
    if (reached->vector_count == 0)
        return object;
    json_object_set_new(object, "sample_min", numbers_to_json(reached->min, count));
    json_object_set_new(object, "sample_max", numbers_to_json(reached->max, count));
    json_object_set_new(object, "outside",
                        isfinite(reached->factor) ? json_real(reached->factor) : json_null());
    return object;
}

static json_t *run_to_json(const struct plan_report *report, size_t index) {
    const struct planned_run *run = &report->plan->runs[index];
    const struct configuration *configuration = &run->candidate->trial.configuration;
    return json_pack("{s:I, s:o, s:f, s:f, s:s}", "ranks", (json_int_t)configuration->ranks, "args",
                     words_to_json(configuration), "cost_s", run->candidate->cost_s, "lacking",
                     run->lack_after, "command", report->commands[index]);
}

static json_t *number_kinds_to_json(const struct experiments *plan) {
    json_t *list = json_array();
    for (size_t i = 0; i < plan->number_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", plan->numbers[i].name, "kind",
                                              kind_name(plan->numbers[i].kind)));
    return list;
}

static void print_json(const struct plan_report *report) {
    const struct experiments *plan = report->plan;
    json_t *regions = json_array(), *runs = json_array();
    for (size_t i = 0; i < plan->asked_count; i++)
        json_array_append_new(regions, region_to_json(report, i));
    for (size_t i = 0; i < plan->run_count; i++)
        json_array_append_new(runs, run_to_json(report, i));
    json_t *target = json_pack(
        "{s:I, s:o, s:f}", "ranks", (json_int_t)plan->target.configuration.ranks, "args",
        words_to_json(&plan->target.configuration), "predicted_s", plan->target.makespan_s);
    json_t *value = json_pack(
        "{s:s, s:i, s:s, s:s, s:i, s:o, s:i, s:o, s:o, s:I, s:I, s:f, s:f, s:f, s:f, s:o}",
        "format", "mpiskel-plan", "version", 1, "bundle", report->regions->bundle, "machine",
        report->machine, "run_count", report->run_count, "target", target, "guessed_regions",
        plan->guessed_regions, "regions", regions, "numbers", number_kinds_to_json(plan),
        "simulated", (json_int_t)plan->trial_count, "refused", (json_int_t)plan->refused_count,
        "budget_s", report->budget_s, "cost_s", plan->cost_s, "lacking_before", plan->lack_before,
        "lacking_after", plan->lack_after, "runs", runs);
    json_dumpf(value, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(value);
}

void plan_print(const struct plan_report *report, enum output_format format) {
    if (format == OUTPUT_JSON) {
        print_json(report);
        return;
    }
    print_target(report);
    print_regions(report);
    print_search(report->plan);
    print_runs(report);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See sensitivity_print.h. In text a candidate whose simulation failed is told in words.
 */
#include "cli/print/sensitivity_print.h"

#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"
#include "cli/print/field/report_text.h"

#include <math.h>
#include <stdio.h>

#define CANDIDATE(member) REPORT_AT(struct sensitivity_candidate, member)

static const struct report_field candidate_fields[] = {
    {"name", "name", CANDIDATE(name)},
    {"place", NULL, CANDIDATE(place)},
    {"option", NULL, CANDIDATE(option)},
    {"value", NULL, CANDIDATE(value)},
    {"error", NULL, CANDIDATE(error)},
    {"gain_s", "gain_s", CANDIDATE(gain_s), REPORT_COLUMN("gain, s", 0, 12)},
    {"gain", "gain", CANDIDATE(gain), REPORT_COLUMN("gain", 1, 8), .format = "%.2f",
     .is_percent = true},
    {"seconds_per_rank", NULL, CANDIDATE(own_s), .is_optional = true},
    {"share", "share", CANDIDATE(share), .is_optional = true},
    {"saved_s", "saved_s", CANDIDATE(saved_s), .is_optional = true},
    {NULL, NULL, CANDIDATE(share), REPORT_COLUMN("share", 1, 8), .format = "%.2f",
     .is_percent = true},
    {NULL, NULL, CANDIDATE(of_saved), REPORT_COLUMN("of saved", 1, 8), .format = "%.0f",
     .is_percent = true},
    {NULL, "place", CANDIDATE(place), .is_quoted = true, REPORT_COLUMN("", 2, 0)},
    {0},
};

#define REPORT(member) REPORT_AT(struct sensitivity, member)

static const struct report_field sensitivity_fields[] = {
    {"by_percent", REPORT(by_percent)},
    {"ranks", REPORT(base.ranks)},
    {"predicted_s", REPORT(base.predicted_s)},
    {"computation_s", REPORT(base.computation_s)},
    {"waiting_s", REPORT(base.waiting_s)},
    {"communication_s", REPORT(base.communication_s)},
    {"left_out", REPORT(left_out)},
    {"candidates",
     REPORT_LIST_AT(struct sensitivity, candidates.items, candidates.count, candidate_fields)},
    {0},
};

/* ---- Text ---- */

static double percent_of(const struct forecast *base, double seconds) {
    return base->predicted_s > 0 ? 100 * seconds / base->predicted_s : 0;
}

static void text_row(const struct sensitivity_candidate *candidate) {
    if (isnan(candidate->gain_s))
        printf("%s: failed: %s\n", candidate->place, candidate->error);
    else
        report_text_row(stdout, candidate_fields, candidate, candidate);
}

static void print_text(const struct sensitivity *report, size_t top) {
    const struct forecast *base = &report->base;
    size_t count = report->candidates.count;
    printf("predicted time %.6g s on %zu ranks: %.1f %% computation, %.1f %% waiting, %.1f %% "
           "communication\n",
           base->predicted_s, base->ranks, percent_of(base, base->computation_s),
           percent_of(base, base->waiting_s), percent_of(base, base->communication_s));
    printf("\n%12s %8s %8s %8s  if this was %g %% faster\n", "gain, s", "gain", "share", "of saved",
           report->by_percent);
    for (size_t i = 0; i < count; i++)
        if (i < top || isnan(report->candidates.items[i].gain_s))
            text_row(&report->candidates.items[i]);
    if (count > top)
        printf("%*s  and %zu more\n", 39, "", count - top);
    if (report->left_out > 0)
        printf("%*s  not simulated: %zu regions with less than %g %% of the time (--least)\n", 39,
               "", report->left_out, report->least_percent);
}

/* ---- All forms ---- */

void sensitivity_print(const struct sensitivity *report, enum output_format format, size_t top) {
    if (format == OUTPUT_JSON)
        report_json_print(stdout, "mpiskel-sensitivity", 2, sensitivity_fields, report);
    else if (format == OUTPUT_CSV)
        report_csv_table(stdout, candidate_fields, report->candidates.items,
                         report->candidates.count, sizeof *report->candidates.items);
    else
        print_text(report, top);
}

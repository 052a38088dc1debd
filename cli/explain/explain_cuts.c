/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values stand between hot computation and communication, as generate found them with the
 * counts of a scout run, or by an estimate.
 */
#include "base/str.h"
#include "cli/explain/explain.h"

#include "base/numbers.h"

#include <stdio.h>
#include <string.h>

#define CUT_ROWS 12

static void print_value(const json_t *value, bool is_estimated) {
    const char *kind = json_get_text(value, "kind"), *text = json_get_text(value, "text");
    const char *file = json_get_text(value, "file"), *hint = json_get_text(value, "hint");
    if (kind == NULL || text == NULL || file == NULL)
        return;
    printf("  %s:%lld: %s%s  (%s %lld times)", file, json_get_integer(value, "line", 0),
           strcmp(kind, "value") == 0    ? ""
           : strcmp(kind, "branch") == 0 ? "which way: "
                                         : "how often: ",
           text, is_estimated ? "estimated:" : "executed",
           json_get_integer(value, "executions", 0));
    if (hint != NULL && hint[0] != '\0')
        printf("\n    by a hint: %s", hint);
    putchar('\n');
}

char *explain_share(struct log *log) {
    bool is_counted = log->executions > 0;
    double all = is_counted ? log->executions : log->estimated_all;
    double kept = is_counted ? log->executions_kept : log->estimated_kept;
    double percent = all > 0 ? 100 * kept / all : 0;
    return is_counted
               ? arena_printf(&log->arena, "%.*g %% of the executed statements of the scout run",
                              numbers_percent_digits(percent), percent)
               : arena_printf(&log->arena, "by estimate %.3g %% of the program's work", percent);
}

/* Bundles of older versions do not tell what is left. */
static void print_left(const json_t *cuts, bool given) {
    double all = json_get_number(cuts, "executions", 0);
    double left = json_get_number(cuts, given ? "executions_kept" : "executions_if_given", -1);
    double percent = 100 * left / all;
    if (left >= 0)
        printf(", %.3g of %.3g executed statements\n%s left (%.*g %%%s)", left, all,
               given ? "are" : "would be", numbers_percent_digits(percent), percent,
               given ? "" : ", as estimated before the skeleton is planned");
    printf(".%s\n", json_is_true(json_object_get(cuts, "estimated"))
                        ? " Nothing was counted: this is an estimate from loops and calls."
                        : "");
}

void explain_cuts(const struct log *log) {
    const json_t *cuts = json_object_get(log->regions_json, "cuts");
    const json_t *values = json_object_get(cuts, "values");
    double all = json_get_number(cuts, "executions", 0);
    size_t count = json_array_size(values);
    if (all <= 0) {
        printf("\nWith generate %s, or by an estimate with\n--assume cuts, this also tells which "
               "values hot computation stays for.\n",
               scout_example(json_is_true(json_object_get(log->regions_json, "one_rank"))));
        return;
    }
    if (count == 0) {
        puts("\nNo hot computation stays for the sake of a few values.");
        return;
    }
    bool is_estimated = json_is_true(json_object_get(cuts, "estimated"));
    bool given = strstr(log->assumptions, "cuts") != NULL;
    printf("\nHot computation %s to produce %zu value%s: %s", given ? "was only there" : "stays",
           count, text_plural(count),
           given        ? (count == 1 ? "which is given now" : "which are given now")
           : count == 1 ? "if it were known"
                        : "if they were known");
    print_left(cuts, given);
    for (size_t i = 0; i < count && i < CUT_ROWS; i++)
        print_value(json_array_get(values, i), is_estimated);
    if (count > CUT_ROWS)
        printf("  and %zu more: --format=json\n", count - CUT_ROWS);
}

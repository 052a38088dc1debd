/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values stand between hot computation and communication, as generate found them with the
 * counts of a scout run, or by an estimate.
 */
#include "cli/explain.h"

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

void explain_cuts(const struct log *log) {
    const json_t *cuts = json_object_get(log->regions_json, "cuts");
    const json_t *values = json_object_get(cuts, "values");
    double all = json_get_number(cuts, "executions", 0);
    double left = json_get_number(cuts, "executions_left", 0);
    size_t count = json_array_size(values);
    if (all <= 0) {
        puts("\nWith generate --scout 'mpirun -np 4 {} ARGUMENTS', or by an estimate with --assume "
             "cuts,\nthis also tells which values hot computation stays for.");
        return;
    }
    if (count == 0) {
        puts("\nNo hot computation stays for the sake of a few values.");
        return;
    }
    bool is_estimated = json_is_true(json_object_get(cuts, "estimated"));
    bool given = strstr(log->assumptions, "cuts") != NULL;
    printf("\nHot computation %s to produce %zu value%s: %s, %.3g of %.3g executed statements\n"
           "%s left (%.2g %%).%s\n",
           given ? "was only there" : "stays", count, count == 1 ? "" : "s",
           given        ? (count == 1 ? "which is given now" : "which are given now")
           : count == 1 ? "if it were known"
                        : "if they were known",
           left, all, given ? "are" : "would be", 100 * left / all,
           is_estimated ? " Nothing was counted: this is an estimate from loops and calls." : "");
    for (size_t i = 0; i < count && i < CUT_ROWS; i++)
        print_value(json_array_get(values, i), is_estimated);
    if (count > CUT_ROWS)
        printf("  and %zu more: --format=json\n", count - CUT_ROWS);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole program: the computations that stay, the largest first, each with the criterion at the
 * end of its chain; the chains of the first few; criteria with what they keep; where assumptions
 * made a difference; functions without a row in externs.def.
 *
 * Shares are of the time of all regions where profiling runs measured it, else of a static
 * estimate; which of the two is always told. A computation belongs to one criterion only in so far
 * as its shortest chain ends there: another chain may keep it as well.
 */
#include "base/str.h"
#include "cli/explain/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_ROWS 8
#define CHAIN_STEPS 6
#define CRITERIA_ROWS 10

static bool is_measured(const struct log *log) {
    return log->runs > 0 && log->measured_s > 0;
}

/* Negative: it is not known. */
static double share_of(const struct log *log, const struct kept *kept) {
    if (is_measured(log))
        return kept->seconds >= 0 ? kept->seconds / log->measured_s : -1;
    return log->estimated_all > 0 ? kept->estimate / log->estimated_all : -1;
}

static void print_head(struct log *log, const struct explain_options *options) {
    int count = (int)log->kept.count;
    printf("%s: %d computation%s stay%s in the skeleton, ", log->regions.program, count,
           text_plural(count), count == 1 ? "s" : "");
    if (!is_measured(log)) {
        printf("%s.\n(Not measured: statements are "
               "weighted by 10 for each loop around them; `mpirun %s/profile` measures.)\n\n",
               explain_share(log), options->bundle);
        return;
    }
    double seconds = 0;
    for (size_t i = 0; i < log->kept.count; i++)
        seconds += log->kept.items[i].seconds > 0 ? log->kept.items[i].seconds : 0;
    printf("%.3g %% of the time of all regions.\n(Measured in %d profiling run%s%s%s: %.4g of %.4g "
           "s, summed over ranks; %s.)\n\n",
           100 * seconds / log->measured_s, log->runs, text_plural(log->runs),
           log->machine != NULL ? " on " : "", log->machine != NULL ? log->machine : "", seconds,
           log->measured_s, explain_share(log));
}

static void add_share(struct str *out, const struct log *log, const struct kept *kept) {
    double share = share_of(log, kept);
    if (share < 0)
        str_printf(out, "%6s", "-");
    else
        str_printf(out, "%5.1f%%", 100 * share);
}

static void add_needed_for(struct str *out, const struct log *log, const struct kept *kept) {
    explain_criterion(out, log, log_criterion(log, kept->demand), kept->demand);
}

static void print_row(const struct log *log, size_t index, int width) {
    const struct kept *kept = &log->kept.items[index];
    struct str line = {0}, place = {0};
    str_printf(&place, "%s:%d", kept->file, kept->line);
    str_printf(&line, "%3zu ", index + 1);
    add_share(&line, log, kept);
    str_printf(&line, "  %-*s  %-36.36s  ", width, str_text(&place), kept->text);
    add_needed_for(&line, log, kept);
    puts(str_text(&line));
    str_dispose(&line);
    str_dispose(&place);
}

static void print_table(const struct log *log, size_t rows) {
    int width = (int)strlen("where");
    for (size_t i = 0; i < log->kept.count && i < rows; i++) {
        int length = snprintf(NULL, 0, "%s:%d", log->kept.items[i].file, log->kept.items[i].line);
        width = length > width ? length : width;
    }
    printf("    %6s  %-*s  %-36s  needed for\n", is_measured(log) ? "time" : "~work", width,
           "where", "what");
    for (size_t i = 0; i < log->kept.count && i < rows; i++)
        print_row(log, i, width);
    if (log->kept.count > rows)
        printf("    and %zu more: --top %zu, or --format=json\n", log->kept.count - rows,
               log->kept.count);
}

static void print_details(const struct log *log, const struct kept *kept) {
    printf("   in %s(), lines %d-%d: %d statement%s, %d loop%s", kept->function, kept->line,
           kept->end_line, kept->statements, text_plural(kept->statements), kept->loops,
           text_plural(kept->loops));
    if (kept->kernels[0] != '\0')
        printf(", calls %s", kept->kernels);
    if (kept->region >= 0)
        printf("; timed as region %d (%s)", kept->region, log->regions.items[kept->region].id);
    putchar('\n');
    if (kept->exit_demand >= 0) {
        struct str text = {0};
        explain_criterion(&text, log, log_criterion(log, kept->exit_demand), kept->exit_demand);
        printf("   also for %s\n", str_text(&text));
        str_dispose(&text);
    }
    if (kept->left_without_exits == 0)
        puts("   gone with --assume no-abnormal-exit");
    else if (kept->left_without_exits > 0 && kept->left_without_exits < kept->statements)
        printf("   %d of its statements would go with --assume no-abnormal-exit\n",
               kept->statements - kept->left_without_exits);
}

static void print_chains(const struct log *log, int top) {
    for (size_t i = 0; i < log->kept.count && i < (size_t)top; i++) {
        const struct kept *kept = &log->kept.items[i];
        struct str text = {0};
        str_printf(&text, "\n%2zu. %s\n   stays for ", i + 1, kept->text);
        add_needed_for(&text, log, kept);
        str_addc(&text, '\n');
        explain_chain(&text, log, kept->demand, CHAIN_STEPS, "     ");
        fputs(str_text(&text), stdout);
        str_dispose(&text);
        print_details(log, kept);
    }
}

/* Criteria */

struct explain_all_group {
    int criterion, statements, loops, computations;
};

static int by_statements(const void *left, const void *right) {
    const struct explain_all_group *one = left, *other = right;
    if (one->statements != other->statements)
        return one->statements > other->statements ? -1 : 1;
    return one->criterion < other->criterion ? -1 : one->criterion > other->criterion;
}

static bool is_kind(const struct explained_demand *demand, const char *kind) {
    return strcmp(demand->kind, kind) == 0;
}

/* By the demand that is the criterion; all others have no statements. */
static struct explain_all_group *group_by_criterion(const struct log *log) {
    size_t count = log->logged;
    struct explain_all_group *groups =
        ARENA_ARRAY(&((struct log *)log)->arena, struct explain_all_group, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct explained_demand *demand = &log->demands.items[i];
        groups[i].criterion = (int)i;
        if (!demand->is_statement || (is_kind(demand, "call") && demand->parent >= 0))
            continue;
        struct explain_all_group *group = &groups[log_criterion(log, (int)i)];
        group->statements++;
        group->loops += is_kind(demand, "loop");
    }
    for (size_t i = 0; i < log->kept.count; i++) {
        const struct kept *kept = &log->kept.items[i];
        int demand = kept->exit_demand >= 0 ? kept->exit_demand : kept->demand;
        groups[log_criterion(log, demand)].computations++;
    }
    qsort(groups, count, sizeof *groups, by_statements);
    return groups;
}

static void print_criteria(const struct log *log) {
    const struct explain_all_group *groups = group_by_criterion(log);
    size_t count = 0;
    while (count < log->logged && groups[count].statements > 0)
        count++;
    printf("\nWhat keeps them: %zu criteri%s (a statement counts for the one that its shortest "
           "chain ends at)\n",
           count, count == 1 ? "on" : "a");
    for (size_t i = 0; i < count && i < CRITERIA_ROWS; i++) {
        struct str text = {0};
        explain_criterion(&text, log, groups[i].criterion, -1);
        printf("%5d statement%s in %d loop%s: %s\n", groups[i].statements,
               text_plural(groups[i].statements), groups[i].loops, text_plural(groups[i].loops),
               str_text(&text));
        str_dispose(&text);
    }
    if (count > CRITERIA_ROWS)
        printf("      and %zu more: --format=json\n", count - CRITERIA_ROWS);
}

/* Assumptions */

static void print_without_exits(const struct log *log) {
    int gone = 0, smaller = 0;
    double share = 0;
    for (size_t i = 0; i < log->kept.count; i++) {
        const struct kept *kept = &log->kept.items[i];
        if (kept->left_without_exits < 0)
            return;
        gone += kept->left_without_exits == 0;
        smaller += kept->left_without_exits > 0 && kept->left_without_exits < kept->statements;
        if (kept->left_without_exits == 0 && share_of(log, kept) > 0)
            share += share_of(log, kept);
    }
    if (gone + smaller == 0)
        return;
    printf("\nWith --assume no-abnormal-exit %d of the %zu would be gone (%s %.3g %%), %d would be "
           "smaller.\n",
           gone, log->kept.count, is_measured(log) ? "time" : "estimated work", 100 * share,
           smaller);
}

static void print_assumed(const struct log *log) {
    printf("\nAssumptions in force: %s\n", log->assumptions[0] != '\0' ? log->assumptions : "none");
    if (log->assumed.count == 0 && log->assumptions[0] != '\0')
        printf("  none of them made a difference here\n");
    for (size_t i = 0; i < log->assumed.count && i < TABLE_ROWS; i++) {
        const struct assumed *assumed = &log->assumed.items[i];
        printf("  %s: %s:%d: %s\n    %s\n", assumed->name, assumed->file, assumed->line,
               assumed->text, assumed->effect);
    }
    if (log->assumed.count > TABLE_ROWS)
        printf("  and %zu more: --format=json\n", log->assumed.count - TABLE_ROWS);
}

static void print_unknown(const struct log *log) {
    const json_t *list = json_object_get(log->json, "unknown");
    size_t i, k;
    json_t *entry, *call;
    if (json_array_size(list) == 0)
        return;
    puts("\nFunctions without source that nothing is known about stay, with all that reaches them "
         "(generate tells\nhow to describe them):");
    json_array_foreach(list, i, entry) {
        printf("  %s, called at", json_get_text(entry, "name"));
        json_array_foreach(json_object_get(entry, "calls"), k, call) {
            if (k < TABLE_ROWS)
                printf("%s %s:%lld", k > 0 ? "," : "", json_string_value(json_array_get(call, 0)),
                       (long long)json_integer_value(json_array_get(call, 1)));
        }
        putchar('\n');
    }
}

/* JSON */

static json_t *kept_json(const struct log *log, const struct kept *kept) {
    struct str criterion = {0};
    json_t *criteria = json_array();
    double share = share_of(log, kept);
    add_needed_for(&criterion, log, kept);
    for (size_t i = 0; i < kept->criteria.count; i++) {
        const struct explained_demand *root =
            &log->demands.items[kept->criteria.items[i].criterion];
        json_array_append_new(
            criteria, json_pack("{s:i, s:s?, s:i, s:s, s:s, s:s, s:i}", "criterion",
                                kept->criteria.items[i].criterion, "file", root->file, "line",
                                root->line, "what", root->what, "why", root->why, "name",
                                root->name, "statements", kept->criteria.items[i].statements));
    }
    json_t *value = json_pack(
        "{s:s, s:s, s:i, s:i, s:s, s:s, s:s, s:i, s:i, s:i, s:o, s:f, s:o, s:o, s:s, s:o, s:o}",
        "kind", kept->kind, "file", kept->file, "line", kept->line, "end_line", kept->end_line,
        "function", kept->function, "what", kept->text, "kernels", kept->kernels, "region",
        kept->region, "statements", kept->statements, "loops", kept->loops, "share",
        share >= 0 ? json_real(share) : json_null(), "estimate", kept->estimate, "seconds",
        kept->seconds >= 0 ? json_real(kept->seconds) : json_null(), "left_without_exits",
        kept->left_without_exits >= 0 ? json_integer(kept->left_without_exits) : json_null(),
        "needed_for", str_text(&criterion), "chain", explain_chain_json(log, kept->demand),
        "criteria", criteria);
    str_dispose(&criterion);
    return value;
}

static json_t *criteria_json(const struct log *log) {
    const struct explain_all_group *groups = group_by_criterion(log);
    json_t *list = json_array();
    for (size_t i = 0; i < log->logged && groups[i].statements > 0; i++) {
        const struct explained_demand *root = &log->demands.items[groups[i].criterion];
        json_array_append_new(
            list, json_pack("{s:i, s:s?, s:i, s:s, s:s, s:s, s:b, s:i, s:i, s:i}", "criterion",
                            groups[i].criterion, "file", root->file, "line", root->line, "what",
                            root->what, "why", root->why, "name", root->name, "joined",
                            (int)log_is_joined(log, groups[i].criterion), "statements",
                            groups[i].statements, "loops", groups[i].loops, "computations",
                            groups[i].computations));
    }
    return list;
}

static json_t *all_json(const struct log *log) {
    json_t *kept = json_array();
    for (size_t i = 0; i < log->kept.count; i++)
        json_array_append_new(kept, kept_json(log, &log->kept.items[i]));
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:i, s:o, s:O?, s:o, s:o, s:O, s:O, s:O?, s:s}",
                     "format", "mpiskel-explain", "version", 1, "bundle", log->regions.bundle,
                     "program", log->regions.program, "weight",
                     is_measured(log) ? "measured" : "estimate", "runs", log->runs, "machine",
                     log->machine != NULL ? json_string(log->machine) : json_null(), "estimate",
                     json_object_get(log->json, "estimate"), "kept", kept, "criteria",
                     criteria_json(log), "assumed", json_object_get(log->json, "assumed"),
                     "unknown", json_object_get(log->json, "unknown"), "cuts",
                     json_object_get(log->regions_json, "cuts"), "verdict", log->verdict);
}

void explain_all(struct log *log, const struct explain_options *options) {
    if (options->format == OUTPUT_JSON) {
        explain_print_json(all_json(log));
        return;
    }
    print_head(log, options);
    print_table(log, options->top > TABLE_ROWS ? (size_t)options->top : TABLE_ROWS);
    print_chains(log, (int)options->top);
    print_criteria(log);
    explain_cuts(log);
    if (log->verdict[0] != '\0')
        printf("\n%s\n", log->verdict);
    print_without_exits(log);
    print_assumed(log);
    print_unknown(log);
    printf("\n`mpiskel explain %s FILE:LINE` tells the whole chain of a line, FILE every line's "
           "fate.\n",
           options->bundle);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See synthesize_print.h.
 */
#include "cli/synthesize/synthesize_print.h"

#include "base/json.h"

#include <stdio.h>
#include <string.h>

#define INEXACT_SHOWN 10

int checked_parameters(double *out, const struct recorded_runs *learned,
                       const struct recorded_runs *others, const char *directory,
                       struct error *error) {
    for (int i = 0; i < learned->parameter_count; i++) {
        int k = 0;
        while (k < others->parameter_count &&
               strcmp(others->parameter_names[k], learned->parameter_names[i]) != 0)
            k++;
        if (k == others->parameter_count)
            return error_set(error, "%s does not say what %s is, as the others do", directory,
                             learned->parameter_names[i]);
        out[i] = others->items.items[0]->parameters[k];
    }
    return 0;
}

static double share(double part, double of) {
    return of > 0 ? part / of : 1;
}

static double distance_of(const struct run_check *check) {
    return share((double)check->distance, (double)(check->calls + check->made));
}

static size_t calls_of(const struct recorded_runs *runs) {
    size_t calls = 0;
    for (size_t i = 0; i < runs->items.count; i++)
        for (int rank = 0; rank < runs->items.items[i]->ranks; rank++)
            calls += runs->items.items[i]->by_rank[rank].calls.count;
    return calls;
}

/* ---- Text ---- */

static void print_inexact(const struct learned_program *learned) {
    size_t shown = 0, all = 0;
    for (size_t i = 0; i < learned->doubts.count; i++) {
        const struct learned_doubt *doubt = &learned->doubts.items[i];
        char path[2048] = "";
        if (doubt->right == 1 || all++ >= INEXACT_SHOWN)
            continue;
        if (doubt->node != NULL)
            bsim_synth_path_text(path, sizeof path, doubt->node);
        printf("%s%8.1f %%  %-18s %s\n",
               shown++ == 0 ? "\nnot all recorded values are told of:\n" : "", 100 * doubt->right,
               learned_kind_name(doubt->kind), path);
    }
    if (all > shown)
        printf("            and %zu more\n", all - shown);
}

static void print_check(const struct checked_run *run) {
    const struct run_check *check = &run->check;
    printf("\n%s\n", run->directory);
    if (!run->made) {
        printf("  %s\n", run->problem);
        return;
    }
    printf("  sequences identical  %d of %d ranks\n", check->identical, check->ranks);
    printf("  distance             %.3f %% of %zu and %zu calls\n", 100 * distance_of(check),
           check->made, check->calls);
    if (check->compared > 0)
        printf("  where identical      %.2f %% of peers, %.2f %% of sizes, %.2f %% of tags\n",
               100 * share((double)check->peers, (double)check->compared),
               100 * share((double)check->sizes, (double)check->compared),
               100 * share((double)check->tags, (double)check->compared));
    printf("  calls                %.4f of the recorded\n",
           share((double)check->made, (double)check->calls));
    printf("  bytes                %.4f of the recorded\n", share(check->made_bytes, check->bytes));
    printf("  messages             %s\n", check->is_matched ? "all matched" : check->unmatched);
}

static void print_text(const struct learned_program *learned, const struct recorded_runs *runs,
                       const struct checked_run *checks, size_t count) {
    printf("%zu runs, %zu calls; %zu frames and calls, %d communicators made, %d regions\n\n",
           runs->items.count, calls_of(runs), learned->tree.nodes.count - 1,
           learned->model.rule_count, learned->model.region_count);
    printf("%-20s %8s %9s %12s\n", "learned", "exactly", "nearly", "values told");
    for (int i = 0; i < LEARNED_KINDS; i++) {
        const struct learned_count *of = &learned->counts[i];
        if (of->exact + of->inexact > 0)
            printf("%-20s %8zu %9zu %10.2f %%\n", learned_kind_name((enum learned_kind)i),
                   of->exact, of->inexact, 100 * share(of->right, of->rows));
    }
    print_inexact(learned);
    for (size_t i = 0; i < count; i++)
        print_check(&checks[i]);
}

/* ---- JSON ---- */

static json_t *check_json(const struct checked_run *run) {
    const struct run_check *check = &run->check;
    if (!run->made)
        return json_pack("{s:o, s:o}", "recording", json_any_text(run->directory), "refused",
                         json_any_text(run->problem));
    return json_pack("{s:o, s:i, s:i, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:b, s:o}", "recording",
                     json_any_text(run->directory), "ranks", check->ranks, "identical",
                     check->identical, "calls", (json_int_t)check->calls, "synthesised",
                     (json_int_t)check->made, "distance", distance_of(check), "peers",
                     share((double)check->peers, (double)check->compared), "sizes",
                     share((double)check->sizes, (double)check->compared), "tags",
                     share((double)check->tags, (double)check->compared), "bytes",
                     share(check->made_bytes, check->bytes), "matched", (int)check->is_matched,
                     "unmatched", json_any_text(check->is_matched ? "" : check->unmatched));
}

static json_t *kind_json(const struct learned_count *of, enum learned_kind kind) {
    return json_pack("{s:s, s:I, s:I, s:f}", "kind", learned_kind_name(kind), "exact",
                     (json_int_t)of->exact, "inexact", (json_int_t)of->inexact, "right",
                     share(of->right, of->rows));
}

static void print_json(const struct learned_program *learned, const struct recorded_runs *runs,
                       const struct checked_run *checks, size_t count) {
    json_t *kinds = json_array(), *checked = json_array();
    for (int i = 0; i < LEARNED_KINDS; i++)
        json_array_append_new(kinds, kind_json(&learned->counts[i], (enum learned_kind)i));
    for (size_t i = 0; i < count; i++)
        json_array_append_new(checked, check_json(&checks[i]));
    json_t *root =
        json_pack("{s:s, s:i, s:I, s:I, s:I, s:i, s:o, s:o}", "format", "mpiskel-synthesize",
                  "version", 1, "runs", (json_int_t)runs->items.count, "calls",
                  (json_int_t)calls_of(runs), "nodes", (json_int_t)learned->tree.nodes.count - 1,
                  "regions", learned->model.region_count, "learned", kinds, "checks", checked);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

void synthesize_print(const struct learned_program *learned, const struct recorded_runs *runs,
                      const struct checked_run *checks, size_t count, enum output_format format) {
    if (format == OUTPUT_JSON)
        print_json(learned, runs, checks, count);
    else
        print_text(learned, runs, checks, count);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/synthesize/synthesize_print.h"

#include "base/json.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
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
    if (check->differs_on >= 0)
        printf(
            "  first difference     call %zu of rank %d\n    synthesised %s\n    recorded    %s\n",
            check->differs_at, check->differs_on, check->is_made, check->was_recorded);
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

/* ---- Ambiguities ---- */

static double *value_place(int *ranks_named, double *ranks, double *out,
                           const struct synth_model *model, const char *name, size_t length) {
    if (length == strlen("ranks") && strncmp(name, "ranks", length) == 0) {
        *ranks_named = 1;
        return ranks;
    }
    for (int i = 0; i < model->parameter_count; i++)
        if (strlen(model->parameters[i].name) == length &&
            strncmp(model->parameters[i].name, name, length) == 0)
            return &out[i];
    return NULL;
}

int target_parse(int *out_ranks, double *out, const struct synth_model *model, const char *text,
                 struct error *error) {
    int named = 0, count = 0;
    double ranks = 0;
    for (const char *at = text; *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, "=");
        double *place = value_place(&named, &ranks, out, model, at, length);
        char *end;
        if (place == NULL || at[length] != '=')
            return error_set(
                error, "--target '%s': ranks=N and each parameter, with commas between", text);
        *place = strtod(at + length + 1, &end);
        if (end == at + length + 1 || (*end != ',' && *end != '\0'))
            return error_set(error, "--target '%s': NAME=NUMBER, with commas between", text);
        at = end;
        count++;
    }
    *out_ranks = ranks >= 1 && ranks <= 1 << 24 ? (int)ranks : 0;
    if (!named || *out_ranks == 0 || count != model->parameter_count + 1)
        return error_set(error,
                         "--target '%s': it needs ranks=N and each of the %d parameters once", text,
                         model->parameter_count);
    char problem[sizeof error->text - 1];
    if (bsim_synth_range_check(model, *out_ranks, out, problem, sizeof problem) != 0)
        return error_set(error, "%s", problem + strlen("error: "));
    return 0;
}

static void print_run(const struct synth_model *model, const struct ambiguity *of) {
    printf("a run on %d rank%s", of->decided_by, text_plural(of->decided_by));
    for (int i = 0; i < model->parameter_count; i++)
        printf("%s %s=%g", i == 0 ? " with" : ",", model->parameters[i].name, of->parameters[i]);
    puts(" would decide");
}

/* Of the runs that would decide that on most ranks, which has inner ranks if one has. */
static void print_record(const struct synthesize_report *report) {
    const struct synth_model *model = &report->learned->model;
    const struct ambiguity *of = NULL;
    for (size_t i = 0; i < report->ambiguities->count; i++)
        if (of == NULL || report->ambiguities->items[i].decided_by > of->decided_by)
            of = &report->ambiguities->items[i];
    if (of == NULL || of->decided_by == 0)
        return;
    printf("next: mpiskel record -o runs/%d", of->decided_by);
    for (int i = 0; i < model->parameter_count; i++)
        printf("%s%s=%g", i == 0 ? " --set " : ",", model->parameters[i].name, of->parameters[i]);
    printf(" -- mpirun --oversubscribe -np %d PROGRAM, and mpiskel synthesize with it\n",
           of->decided_by);
}

static void print_ambiguities(const struct synthesize_report *report) {
    const struct synth_model *model = &report->learned->model;
    if (report->target == NULL)
        return;
    printf("\n%s: %s\n", report->target,
           report->ambiguities->count == 0 ? "all hypotheses that were kept agree" : "ambiguous");
    for (size_t i = 0; i < report->ambiguities->count && i < INEXACT_SHOWN; i++) {
        const struct ambiguity *of = &report->ambiguities->items[i];
        char path[2048] = "";
        if (of->node != NULL)
            bsim_synth_path_text(path, sizeof path, of->node);
        printf("  %s", of->what);
        if (of->node != NULL)
            printf(", first on rank %d in iteration %d, of %s", of->rank, of->iteration, path);
        fputs("\n    ", stdout);
        if (of->decided_by > 0)
            print_run(model, of);
        else
            puts("no run on up to 36 ranks that was tried would decide");
    }
    if (report->ambiguities->count > INEXACT_SHOWN)
        printf("  and %zu more\n", report->ambiguities->count - INEXACT_SHOWN);
    print_record(report);
}

static void print_text(const struct synthesize_report *report) {
    const struct learned_program *learned = report->learned;
    const struct recorded_runs *runs = report->runs;
    printf("%zu runs, %zu calls; %zu frames and calls, %d communicators made, %d regions\n\n",
           runs->items.count, calls_of(runs), learned->tree.nodes.count - 1,
           learned->model.rule_count - learned->model.assumed_count, learned->model.region_count);
    printf("%-20s %8s %9s %12s\n", "learned", "exactly", "nearly", "values told");
    for (int i = 0; i < LEARNED_KINDS; i++) {
        const struct learned_count *of = &learned->counts[i];
        if (of->exact + of->inexact > 0)
            printf("%-20s %8zu %9zu %10.2f %%\n", learned_kind_name((enum learned_kind)i),
                   of->exact, of->inexact, 100 * share(of->right, of->rows));
    }
    print_inexact(learned);
    for (size_t i = 0; i < report->check_count; i++)
        print_check(&report->checks[i]);
    print_ambiguities(report);
}

/* ---- JSON ---- */

static json_t *ambiguity_json(const struct ambiguity *of, const struct synth_model *model) {
    char path[2048] = "";
    json_t *parameters = json_object();
    for (int i = 0; i < model->parameter_count && of->decided_by > 0; i++)
        json_object_set_new(parameters, model->parameters[i].name, json_real(of->parameters[i]));
    if (of->node != NULL)
        bsim_synth_path_text(path, sizeof path, of->node);
    return json_pack("{s:o, s:o, s:i, s:i, s:i, s:o}", "kind", json_any_text(of->what), "path",
                     json_any_text(path), "rank", of->rank, "iteration", of->iteration,
                     "decided_by_ranks", of->decided_by, "decided_by", parameters);
}

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

static void print_json(const struct synthesize_report *report) {
    const struct learned_program *learned = report->learned;
    json_t *kinds = json_array(), *checked = json_array(), *ambiguous = json_array();
    for (int i = 0; i < LEARNED_KINDS; i++)
        json_array_append_new(kinds, kind_json(&learned->counts[i], (enum learned_kind)i));
    for (size_t i = 0; i < report->check_count; i++)
        json_array_append_new(checked, check_json(&report->checks[i]));
    for (size_t i = 0; i < report->ambiguities->count; i++)
        json_array_append_new(ambiguous,
                              ambiguity_json(&report->ambiguities->items[i], &learned->model));
    json_t *root =
        json_pack("{s:s, s:i, s:I, s:I, s:I, s:i, s:o, s:o, s:o}", "format", "mpiskel-synthesize",
                  "version", 1, "runs", (json_int_t)report->runs->items.count, "calls",
                  (json_int_t)calls_of(report->runs), "nodes",
                  (json_int_t)learned->tree.nodes.count - 1, "regions", learned->model.region_count,
                  "learned", kinds, "checks", checked, "ambiguous", ambiguous);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

void synthesize_print(const struct synthesize_report *report, enum output_format format) {
    if (format == OUTPUT_JSON)
        print_json(report);
    else
        print_text(report);
}

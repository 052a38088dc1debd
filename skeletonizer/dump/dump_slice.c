/* SPDX-License-Identifier: Apache-2.0
 *
 * The slice with its reasons, the values that it takes as given, and the plan.
 */
#include "skeletonizer/dump/dump.h"

#include "skeletonizer/describe/describe.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/slice/kept.h"

#include <string.h>

/* A demand is described as reasons.json has it: file, lines, what, why, parent, kind, name. */
enum { DEMAND_FILE, DEMAND_LINE, DEMAND_WHAT = 3, DEMAND_KIND = 7 };

static const char *text_at(const json_t *row, size_t index) {
    const char *text = json_string_value(json_array_get(row, index));
    return text != NULL ? text : "";
}

void dump_slice(FILE *out, const struct slice *s) {
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct demand *demand = &s->demands.items[i];
        json_t *row = describe_demand(s, (int)i);
        int file = (int)json_integer_value(json_array_get(row, DEMAND_FILE));
        fprintf(out, "%zu %s", i, text_at(row, DEMAND_KIND));
        if (file >= 0)
            fprintf(out, " %s:%lld",
                    program_relative(s->program, s->program->files.items[file]->path),
                    (long long)json_integer_value(json_array_get(row, DEMAND_LINE)));
        fprintf(out, " `%s`", text_at(row, DEMAND_WHAT));
        if (demand->parent >= 0)
            fprintf(out, " for %d", demand->parent);
        fprintf(out, ": %s\n", demand->why);
        json_decref(row);
    }
}

void dump_cut(FILE *out, struct program *program, const struct cut *cut) {
    if (cut->executions > 0)
        fprintf(out, "executions kept %.6g, with these values given %.6g\n", cut->executions,
                cut->executions_left);
    for (size_t i = 0; i < cut->values.count; i++) {
        const struct node *node = cut->values.items[i];
        const struct ast *part = cut->chosen[node->id];
        fprintf(out, "given %s in %s: `%s` of `%s`\n", dump_place(program, part->range),
                node->function->name, describe_shortened(program, part->range),
                describe_node(program, node));
    }
    if (cut->is_stopped)
        fputs("the search was stopped\n", out);
}

static void print_kept(FILE *out, const struct plan *plan, const struct function *function) {
    struct program *program = plan->slice->program;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->tree == NULL || !slice_keeps_jump(plan->slice, node))
            continue;
        fprintf(out, "  keeps %s `%s`\n", dump_place(program, node->range),
                describe_node(program, node));
    }
}

static void print_region(FILE *out, const struct plan *plan, const struct code_region *region) {
    struct program *program = plan->slice->program;
    fprintf(out, "region %d %s %s to line %d in %s", region->index, region->id,
            dump_place(program, region->range), region->end_line, region->function->name);
    if (region->value != NULL)
        fputs(", a given value", out);
    else if (region->is_kept)
        fputs(", which stays", out);
    fputc('\n', out);
    for (size_t i = 0; i < region->features.count; i++)
        fprintf(out, "  feature %s = %s (%s)\n", region->features.items[i].name,
                region->features.items[i].expression, region->features.items[i].meaning);
    for (size_t i = 0; i < region->exits.count; i++)
        fprintf(out, "  left at %s\n", dump_place(program, region->exits.items[i]->ast->range));
}

void dump_plan(FILE *out, const struct plan *plan) {
    struct program *program = plan->slice->program;
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        const struct function *text = variants_text(plan, function);
        if (text != function) /* not kept, or written as another one */
            continue;
        fprintf(out, "function %s %s", function->name, dump_place(program, function->range));
        const char *name = variants_name(plan, function);
        if (name != NULL && strcmp(name, function->name) != 0)
            fprintf(out, " as %s", name);
        fputc('\n', out);
        print_kept(out, plan, function);
    }
    for (size_t i = 0; i < plan->regions.count; i++)
        print_region(out, plan, plan->regions.items[i]);
    for (size_t i = 0; i < plan->untimed.count; i++)
        fprintf(out, "loop %s stays and has no region\n",
                dump_place(program, plan->untimed.items[i]->ast->range));
}

static void print_quoted(FILE *out, const char *text, size_t length) {
    fputc('`', out);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n')
            fputs("\\n", out);
        else
            fputc(text[i], out);
    fputc('`', out);
}

void dump_edits(FILE *out, struct program *program, struct edits *edits, const char *name) {
    edits_sort(edits);
    for (size_t i = 0; i < edits->items.count; i++) {
        const struct edit *edit = &edits->items.items[i];
        const char *source = program->files.items[edit->range.file]->text;
        fprintf(out, "%s %s ", name, dump_place(program, edit->range));
        print_quoted(out, source + edit->range.begin, edit->range.end - edit->range.begin);
        fputs(" becomes ", out);
        print_quoted(out, edit->text, strlen(edit->text));
        fputc('\n', out);
    }
}

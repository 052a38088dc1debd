/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of which instances need different parts: the first text stays in place, the others
 * follow it as copies under names of their own, and what calls a copy declares it first.
 */
#include "skeletonizer/rewrite/rewrite.h"

#include "skeletonizer/plan/shared_text.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/slice/instances.h"
#include "skeletonizer/text/directives.h"
#include "skeletonizer/text/scan.h"

#include <string.h>

void rewrite_callee(struct edits *out, const struct plan *plan, const struct call *call) {
    const char *name = variants_callee(plan, call);
    if (name != NULL)
        edits_add(out, call->ast->kids[0]->range, name);
}

/* A static function need not say so in its definition when a prototype has; its copy must. */
static const char *linkage(struct program *program, const struct function *function,
                           const char *name) {
    struct range before = function->range;
    before.end = instances_name_range(program, function).begin;
    bool says_static = strstr(program_text(program, before), "static") != NULL;
    return says_static || function->declaration->external_linkage
               ? ""
               : arena_printf(&program->arena, "static __typeof__(%s) %s;\n", function->name, name);
}

/* Around a copy of what may look at the name of its function. */
static const char *define_names(struct program *program, const struct function *function) {
    const char *name = program_origin(function)->name;
    if (!program->files.items[function->range.file]->names_functions)
        return "";
    return arena_printf(&program->arena,
                        "#define __func__ \"%s\"\n#define __FUNCTION__ \"%s\"\n"
                        "#define __PRETTY_FUNCTION__ \"%s\"\n",
                        name, name, name);
}

static void undefine_names(struct edits *out, const struct program *program,
                           const struct function *function) {
    struct range behind = function->range;
    behind.begin = behind.end;
    if (program->files.items[behind.file]->names_functions)
        edits_add(out, behind,
                  "\n#undef __func__\n#undef __FUNCTION__\n#undef __PRETTY_FUNCTION__\n");
}

static void tell_of_counting(struct program *program, const struct function *function) {
    const struct source_file *file = program->files.items[function->range.file];
    for (size_t i = 0; i < file->counting.count; i++)
        if (file->counting.items[i].begin >= function->range.begin &&
            file->counting.items[i].end <= function->range.end)
            program_report(program, file->counting.items[i], "warning",
                           "'%s' is there twice in what is made of the program, so that behind it "
                           "__COUNTER__ has other values: use a number of your own instead",
                           function->name);
}

void rewrite_copy(struct edits *out, struct edits *own, struct program *program,
                  const struct function *function, const char *name) {
    struct edits *around = shared_text_edits(out, program, function);
    tell_of_counting(program, function);
    edits_add(own, instances_name_range(program, function), name);
    edits_add_copy(around, program,
                   arena_printf(&program->arena, "\n\n%s%s%s", define_names(program, function),
                                linkage(program, function, name),
                                instances_before_copy(program, function)),
                   own, function->range);
    undefine_names(around, program, function);
}

void rewrite_function_text(struct edits *out, struct edits *own, const struct plan *plan,
                           const struct function *function) {
    const char *name = variants_name(plan, function);
    if (strcmp(name, function->name) == 0) {
        out = shared_text_edits(out, plan->slice->program, function);
        for (size_t i = 0; i < own->items.count; i++)
            edits_add(out, own->items.items[i].range, own->items.items[i].text);
    } else {
        rewrite_copy(out, own, plan->slice->program, function, name);
    }
    own->items.count = 0;
}

/* Of an old-style head, whose parameters are declared behind the parentheses, these are empty. */
static const char *parameters(struct program *program, struct range behind) {
    const char *text = program_text(program, behind);
    return strchr(text, ';') != NULL ? "()" : text;
}

/* The head under another name, where the function itself may not have been declared yet. */
static const char *prototype(struct program *program, const struct function *function,
                             const char *name) {
    struct range word = instances_name_range(program, function);
    struct function head = *function;
    head.range.end = function->body->range.begin;
    struct range before = {word.file, head.range.begin, word.begin};
    struct range behind = {word.file, word.end, head.range.end};
    return arena_printf(&program->arena, "%s%s%s%s;\n", instances_before_copy(program, &head),
                        program_text(program, before), name, parameters(program, behind));
}

/* By the text: the caller's body names the callee more often than it calls it. As f2c declares
 * callees, they have no name in front of it. */
static bool may_be_declared_inside(const struct program *program, const struct function *caller,
                                   const struct function *callee) {
    const struct source_file *file = program->files.items[caller->range.file];
    size_t named = directives_count(file->text + caller->range.begin,
                                    caller->range.end - caller->range.begin, callee->name);
    for (size_t i = 0; i < caller->nodes.count; i++)
        for (size_t k = 0; k < caller->nodes.items[i]->calls.count && named > 0; k++) {
            const char *name = caller->nodes.items[i]->calls.items[k]->name;
            named -= name != NULL && strcmp(name, callee->name) == 0;
        }
    return named > 0;
}

static const char *declaration(struct program *program, const struct function *before,
                               const struct function *callee, const char *name) {
    if (program_origin(before) == program_origin(callee) ||
        may_be_declared_inside(program, before, callee))
        return prototype(program, callee, name);
    return arena_printf(&program->arena, "%s__typeof__(%s) %s;\n",
                        callee->declaration->external_linkage ? "extern " : "static ", callee->name,
                        name);
}

void rewrite_declare_copy(struct edits *out, struct program *program, struct declared_copies *list,
                          const struct function *before, const struct function *callee,
                          const char *name) {
    struct range place = before->range;
    if (!vec_push_new(&list->names, name))
        return;
    place.begin = place.end = scan_before_comment(program->files.items[place.file], place.begin);
    edits_add(shared_text_edits(out, program, before), place,
              declaration(program, before, callee, name));
}

static void declare_callees(struct edits *out, const struct plan *plan,
                            const struct function *function, struct declared_copies *list) {
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++) {
            const struct call *call = function->nodes.items[i]->calls.items[k];
            const char *name = variants_callee(plan, call);
            if (slice_keeps_call(plan->slice, call) && name != NULL)
                rewrite_declare_copy(out, plan->slice->program, list, function,
                                     call->targets.items[0], name);
        }
}

void rewrite_copy_declarations(struct edits *out, const struct plan *plan) {
    const struct program *program = plan->slice->program;
    for (size_t f = 0; f < program->functions.count; f++) {
        const struct function *function = program->functions.items[f];
        struct declared_copies list = {0};
        if (function->origin != NULL)
            continue;
        for (const struct function *i = function; i != NULL; i = i->next_instance)
            if (variants_text(plan, i) == i)
                declare_callees(out, plan, i, &list);
        vec_dispose(&list.names);
    }
}

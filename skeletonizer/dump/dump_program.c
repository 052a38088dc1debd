/* SPDX-License-Identifier: Apache-2.0
 *
 * The program model, and the names that all dumps have for lvalues and objects.
 */
#include "skeletonizer/dump/dump.h"

#include "skeletonizer/describe/describe.h"

const char *dump_place(struct program *program, struct range range) {
    int line, column;
    if (range.file < 0)
        return "-";
    program_position(program, range, &line, &column);
    return arena_printf(&program->arena, "%s:%d:%d",
                        program_relative(program, program->files.items[range.file]->path), line,
                        column);
}

const char *dump_object(struct program *program, const struct object *object) {
    const char *name = object->name != NULL ? object->name : "a call";
    switch (object->kind) {
    case OBJECT_HEAP:
        return object->call == NULL ? arena_printf(&program->arena, "heap block %d", object->id)
                                    : arena_printf(&program->arena, "heap of %s",
                                                   dump_place(program, object->call->ast->range));
    case OBJECT_RESULT:
        return arena_printf(&program->arena, "the result of %s", name);
    case OBJECT_CALL_RESULT:
        return object->call == NULL ? "what a call returned"
                                    : arena_printf(&program->arena, "what %s returned at %s", name,
                                                   dump_place(program, object->call->ast->range));
    case OBJECT_STATE:
        return arena_printf(&program->arena, "the state \"%s\"", name);
    case OBJECT_STRING:
        return "string literals";
    case OBJECT_VARIABLE:
    case OBJECT_FUNCTION:
        break;
    }
    return name;
}

static void print_lvalue(FILE *out, struct program *program, const struct lvalue *lvalue) {
    if (lvalue->object >= 0)
        fprintf(out, "%s", dump_object(program, program->objects.items[lvalue->object]));
    else if (lvalue->pointer >= 0)
        fprintf(out, "*p%d", lvalue->pointer);
    else
        fprintf(out, "(unknown)");
    if (lvalue->offset_bytes != 0 || lvalue->length_bytes != 0 || lvalue->stride_bytes != 0)
        fprintf(out, "[%lld+%lld", lvalue->offset_bytes, lvalue->length_bytes);
    if (lvalue->stride_bytes != 0)
        fprintf(out, " every %lld", lvalue->stride_bytes);
    if (lvalue->offset_bytes != 0 || lvalue->length_bytes != 0 || lvalue->stride_bytes != 0)
        fputc(']', out);
}

static void print_lvalues(FILE *out, struct program *program, const char *what,
                          const lvalue_list *lvalues) {
    for (size_t i = 0; i < lvalues->count; i++) {
        fputs(i == 0 ? what : ", ", out);
        print_lvalue(out, program, &lvalues->items[i]);
    }
}

static void print_call(FILE *out, struct program *program, const struct call *call) {
    fprintf(out, "    call %s%s", call->name != NULL ? call->name : "through a pointer",
            call->conditional ? ", perhaps" : "");
    if (call->mpi != NULL)
        fputs(", of MPI", out);
    else if (call->library != NULL)
        fputs(", of a library", out);
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        fprintf(out, "; %zu", i + 1);
        if (argument->value >= 0)
            fprintf(out, " points as p%d", argument->value);
        print_lvalues(out, program, " reads ", &argument->uses);
    }
    if (call->value >= 0)
        fprintf(out, "; gives p%d", call->value);
    fputc('\n', out);
}

static void print_node(FILE *out, struct program *program, const struct node *node) {
    static const char *const kinds[] = {"entry",  "exit", "expression", "declare",
                                        "if",     "loop", "switch",     "jump",
                                        "return", "join", "initialise", "unknown"};
    fprintf(out, "  %d %s", node->index, kinds[node->kind]);
    if (node->kind != NODE_ENTRY && node->kind != NODE_EXIT)
        fprintf(out, " %s `%s`", dump_place(program, node->range), describe_node(program, node));
    print_lvalues(out, program, "; reads ", &node->uses);
    print_lvalues(out, program, "; writes ", &node->defines);
    for (size_t i = 0; i < node->next.count; i++)
        fprintf(out, "%s%d", i == 0 ? "; then " : ", ", node->next.items[i]->index);
    for (size_t i = 0; i < node->pseudo_next.count; i++)
        fprintf(out, "%s%d", i == 0 ? "; without the jump " : ", ",
                node->pseudo_next.items[i]->index);
    fputc('\n', out);
    for (size_t i = 0; i < node->calls.count; i++)
        print_call(out, program, node->calls.items[i]);
}

void dump_program(FILE *out, struct program *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        fprintf(out, "function %s%s %s", function->name,
                function->suffix != NULL ? function->suffix : "",
                dump_place(program, function->range));
        if (function->origin != NULL)
            fputs(", an instance", out);
        fputc('\n', out);
        for (size_t k = 0; k < function->nodes.count; k++)
            print_node(out, program, function->nodes.items[k]);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of MPI, and clocks, that are called through pointers. In: each place where the program
 * takes the address of one. Out: its *forwarder*, a function of the model that does nothing but
 * call it with its own arguments; the pointer points to that. So what a call through a pointer may
 * do is what all calls of functions may do, and nobody else has to know of it:
 *
 *     int (*send)(...) = MPI_Send;   as if there was   int forwarder(a, b, ...) { return
 *                                                          MPI_Send(a, b, ...); }
 *
 * Each place has its own, which tells calls apart better than one for the function would. The text
 * of forwarders lies in a file that is not there, a line each, in no file of the project.
 * Not handled: functions that are declared without parameters, and those found by dlsym.
 *
 * A program may define functions of MPI itself and call MPI's by their names with PMPI_: then they
 * are functions like others.
 */
#include "frontend/program/build.h"

#include "base/str.h"

#include <string.h>

#define FORWARDERS "(pointer)" /* as the runtime names the place of such a call */

/* ---- Which ---- */

const struct mpi_call *build_mpi_call(const struct builder *b,
                                      const struct declaration *declaration, const char *name) {
    return program_function(b->program, declaration->key) == NULL ? mpi_call_find(name) : NULL;
}

static bool matters(const struct builder *b, const struct declaration *declaration) {
    const struct extern_function *row = externs_find(b->program->libraries, declaration->name);
    bool is_clock = row != NULL && row->kind == EXTERN_TIMER;
    return declaration->external_linkage && declaration->type->parameter_count >= 0 &&
           (is_clock || mpi_call_find(declaration->name) != NULL);
}

const struct declaration *build_pointed_to(struct builder *b, const struct ast *reference) {
    struct program *program = b->program;
    const struct declaration *function = reference->declaration;
    if (!matters(b, function))
        return function;
    const char *key = arena_printf(&program->arena, "%s by pointer at %d:%u", function->key,
                                   reference->range.file, reference->range.begin);
    struct declaration *forwarder = names_get(program->names, "forwarder", key);
    if (forwarder != NULL)
        return forwarder;
    forwarder = ARENA_NEW(&program->arena, struct declaration);
    *forwarder = *function;
    forwarder->key = key;
    names_put(program->names, "forwarder", key, forwarder);
    struct pointed_to entry = {function, forwarder, reference->range, program->unit_being_read};
    vec_push(&program->pointed_to, entry);
    return forwarder;
}

/* ---- Text and tree ---- */

struct forwarder {
    struct arena *arena;
    const struct pointed_to *of;
    int file, line;
    struct str *text; /* of all so far */
};

static struct range add_text(const struct forwarder *f, const char *text) {
    unsigned begin = (unsigned)f->text->length;
    str_add(f->text, text);
    return (struct range){f->file, begin, (unsigned)f->text->length};
}

static struct ast *new_ast(const struct forwarder *f, enum ast_kind kind, struct range range,
                           int kid_count) {
    struct ast *ast = ARENA_NEW(f->arena, struct ast);
    ast->kind = kind;
    ast->range = range;
    ast->line = f->line;
    ast->from_macro = true; /* nothing in it can be edited */
    ast->kid_count = kid_count;
    ast->kids = ARENA_ARRAY(f->arena, struct ast *, (size_t)kid_count + 1);
    return ast;
}

static struct ast *new_reference(const struct forwarder *f, const struct declaration *to) {
    struct ast *ast = new_ast(f, AST_REFERENCE, add_text(f, to->name), 0);
    ast->declaration = to;
    ast->name = to->name;
    ast->type = to->type;
    return ast;
}

static const char *parameter_name(const struct forwarder *f, int index) {
    const struct mpi_call *mpi = mpi_call_find(f->of->declaration->name);
    return mpi != NULL && index < mpi->parameter_count
               ? mpi->parameters[index].name
               : arena_printf(f->arena, "argument%d", index + 1);
}

static const struct declaration *new_parameter(const struct forwarder *f, int index) {
    struct declaration *out = ARENA_NEW(f->arena, struct declaration);
    out->kind = DECLARATION_VARIABLE;
    out->name = parameter_name(f, index);
    out->key = arena_printf(f->arena, "%s:%d", f->of->forwarder->key, index);
    out->type = f->of->declaration->type->parameters[index];
    out->parameter = true;
    out->line = f->line;
    out->name_range = add_text(f, out->name);
    return out;
}

/* As the type of the function begins: `int (void *, int)`. */
static const struct type *result_of(const struct forwarder *f) {
    const char *name = f->of->declaration->type->name;
    size_t length = strcspn(name, "(");
    while (length > 0 && name[length - 1] == ' ')
        length--;
    struct type *type = ARENA_NEW(f->arena, struct type);
    type->name = arena_strndup(f->arena, name, length);
    bool floating = strcmp(type->name, "double") == 0;
    type->kind = floating ? TYPE_FLOATING : TYPE_INTEGER;
    type->size_bytes = strcmp(type->name, "int") == 0 ? (long long)sizeof(int) : 8;
    return type;
}

static void add_parameters(const struct forwarder *f, struct definition *out) {
    int count = f->of->declaration->type->parameter_count;
    out->parameter_count = count;
    out->parameters = ARENA_ARRAY(f->arena, const struct declaration *, (size_t)count + 1);
    out->parameter_variables = ARENA_ARRAY(f->arena, struct ast *, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        add_text(f, i > 0 ? ", " : "");
        out->parameters[i] = new_parameter(f, i);
        struct ast *variable = new_ast(f, AST_VARIABLE, out->parameters[i]->name_range, 0);
        variable->declaration = out->parameters[i];
        variable->type = out->parameters[i]->type;
        out->parameter_variables[i] = variable;
    }
}

static struct ast *new_call(const struct forwarder *f, const struct definition *definition) {
    struct ast *call =
        new_ast(f, AST_CALL, (struct range){f->file, 0, 0}, definition->parameter_count + 1);
    call->range.begin = (unsigned)f->text->length;
    call->type = definition->result;
    call->kids[0] = new_reference(f, f->of->declaration);
    add_text(f, "(");
    for (int i = 0; i < definition->parameter_count; i++) {
        add_text(f, i > 0 ? ", " : "");
        call->kids[i + 1] = new_reference(f, definition->parameters[i]);
    }
    call->range.end = add_text(f, ")").end;
    return call;
}

static struct ast *new_body(const struct forwarder *f, const struct definition *definition) {
    unsigned begin = add_text(f, "{ ").begin;
    unsigned statement = add_text(f, "return ").begin;
    struct ast *call = new_call(f, definition);
    unsigned end = add_text(f, ";").end;
    struct ast *result = new_ast(f, AST_RETURN, (struct range){f->file, statement, end}, 1);
    result->kids[0] = call;
    end = add_text(f, " }").end;
    struct ast *body = new_ast(f, AST_COMPOUND, (struct range){f->file, begin, end}, 1);
    body->kids[0] = result;
    return body;
}

static struct definition *new_definition(const struct forwarder *f) {
    struct definition *out = ARENA_NEW(f->arena, struct definition);
    struct declaration *declaration = ARENA_NEW(f->arena, struct declaration);
    *declaration = *f->of->forwarder;
    declaration->line = f->line;
    out->result = result_of(f);
    out->range.file = f->file;
    out->range.begin = add_text(f, out->result->name).begin;
    add_text(f, " ");
    declaration->name_range = add_text(f, declaration->name);
    out->declaration = declaration;
    add_text(f, "(");
    add_parameters(f, out);
    add_text(f, ") ");
    out->body = new_body(f, out);
    out->range.end = out->body->range.end;
    add_text(f, "\n");
    return out;
}

/* ---- All of them ---- */

/* All texts first: positions are asked of the file while functions are built. */
void build_forwarders(struct builder *b) {
    struct program *program = b->program;
    struct str text = {0};
    VEC(struct definition *) definitions = {0};
    if (program->pointed_to.count == 0)
        return;
    for (size_t i = 0; i < program->pointed_to.count; i++) {
        const struct forwarder f = {&program->arena, &program->pointed_to.items[i],
                                    (int)program->files.count, (int)i + 1, &text};
        vec_push(&definitions, new_definition(&f));
    }
    const char *name = arena_printf(&program->arena, "%s/" FORWARDERS, program->root);
    struct source_file *file = program_add_file(program, name, str_text(&text));
    for (size_t i = 0; i < definitions.count; i++) {
        const struct pointed_to *of = &program->pointed_to.items[i];
        vec_push(&file->mentions, of->mention);
        build_function(b, definitions.items[i], of->unit);
        program_function(program, of->forwarder->key)->forwards = true;
    }
    str_dispose(&text);
    vec_dispose(&definitions);
}

bool program_is_own_mpi(const struct function *function) {
    return function->origin == NULL && !function->forwards &&
           function->declaration->external_linkage && mpi_call_find(function->name) != NULL;
}

void build_own_mpi(struct builder *b) {
    for (size_t i = 0; i < b->program->calls.count; i++) {
        struct call *call = b->program->calls.items[i];
        if (call->mpi != NULL && program_function(b->program, call->key) != NULL)
            call->mpi = NULL;
    }
}

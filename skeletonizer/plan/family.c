/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the program and a region. Out: a hash of the syntax trees of the region (of a value: of its
 * whole function) and of all functions that it may call, and of the options that the machine code
 * depends on. Of a constant only its type counts and whether it is zero, so that conditions that
 * are decided when the program is compiled have to be decided alike; where a switch goes counts,
 * too. Where that is not known, since numbers are compared that are no integers, the hash of the
 * region's code goes in: it is of no family but its own. Sizes of arrays do not count.
 *
 * For a value its place counts as well (code_place), but not what constants decide: it is what all
 * came to that was computed before, which no tree of a region or a function tells. Its model and
 * `verify` show how it goes with the constants.
 *
 * Trees, not text: macros are expanded in them, and what #if leaves out is not there.
 */
#include "skeletonizer/plan/family.h"

#include "base/file.h"
#include "base/hash.h"
#include "skeletonizer/plan/code_hash.h"

#include <string.h>

static unsigned long long hash_number(unsigned long long hash, long long number) {
    return hash_bytes(hash, &number, sizeof number);
}

static unsigned long long hash_name(unsigned long long hash, const char *text) {
    return text != NULL ? hash_text(hash, text) : hash_number(hash, -1);
}

static unsigned long long hash_type(unsigned long long hash, const struct type *type) {
    for (; type != NULL; type = type->element) {
        bool is_scalar = type->kind != TYPE_ARRAY && type->kind != TYPE_RECORD;
        hash = hash_number(hash, type->kind);
        hash = hash_number(hash, is_scalar ? type->size_bytes : type->field_count);
    }
    return hash;
}

static bool fold(long long *out, const struct ast *ast);

static bool fold_unary(long long *out, const struct ast *ast) {
    long long kid;
    if (!fold(&kid, ast->kids[0]))
        return false;
    *out = strcmp(ast->op, "!") == 0   ? !kid
           : strcmp(ast->op, "~") == 0 ? ~kid
           : strcmp(ast->op, "-") == 0 ? (long long)(0 - (unsigned long long)kid)
                                       : kid;
    return strchr("!~-+", ast->op[0]) != NULL && ast->op[1] == '\0';
}

static bool divide(long long *out, const char *op, long long left, long long right) {
    if (right == 0 || right == -1)
        return false;
    *out = op[0] == '/' ? left / right : left % right;
    return true;
}

static bool shift(long long *out, const char *op, long long left, long long right) {
    if (left < 0 || right < 0 || right > 62)
        return false;
    *out = op[0] == '<' ? (long long)((unsigned long long)left << right) : left >> right;
    return true;
}

static bool fold_binary(long long *out, const struct ast *ast) {
    static const char *const operators[] = {
        "+", "-", "*", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "&&", "||"};
    long long left, right;
    if (!fold(&left, ast->kids[0]) || !fold(&right, ast->kids[1]))
        return false;
    if (strcmp(ast->op, "/") == 0 || strcmp(ast->op, "%") == 0)
        return divide(out, ast->op, left, right);
    if (strcmp(ast->op, "<<") == 0 || strcmp(ast->op, ">>") == 0)
        return shift(out, ast->op, left, right);
    unsigned long long l = (unsigned long long)left, r = (unsigned long long)right;
    const long long results[] = {
        (long long)(l + r), (long long)(l - r), (long long)(l * r), left & right, left | right,
        left ^ right,       left == right,      left != right,      right > left, left > right,
        left <= right,      left >= right,      left && right,      left || right};
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (strcmp(ast->op, operators[i]) == 0) {
            *out = results[i];
            return true;
        }
    return false;
}

/* The value of an integer expression of constants. */
static bool fold(long long *out, const struct ast *ast) {
    *out = ast->value;
    if (ast->has_value || ast->type == NULL || ast->type->kind == TYPE_FLOATING)
        return ast->has_value;
    if (ast->kind == AST_CAST && ast->type->kind == TYPE_INTEGER && ast->kid_count == 1)
        return fold(out, ast->kids[0]);
    if (ast->kind == AST_UNARY && ast->kid_count == 1)
        return fold_unary(out, ast);
    return ast->kind == AST_BINARY && ast->kid_count == 2 && fold_binary(out, ast);
}

/* It depends on nothing that is known only when the program runs. */
static bool is_constant(const struct ast *ast) {
    bool found = ast->kid_count > 0 &&
                 (ast->kind == AST_BINARY || ast->kind == AST_UNARY || ast->kind == AST_CAST);
    for (int i = 0; i < ast->kid_count; i++)
        found = found && ast->kids[i] != NULL && is_constant(ast->kids[i]);
    return found || ast->kind == AST_CONSTANT;
}

struct hash {
    unsigned long long value;
    bool is_doubtful; /* what a constant decides in it is not known */
    bool of_value;    /* what constants decide does not count */
};

static void add_ast(struct hash *hash, const struct ast *ast);

static void add_inside(struct hash *hash, const struct ast *ast) {
    unsigned long long value = hash->value;
    long long chosen = 0;
    if (ast->kind == AST_SWITCH && !hash->of_value && ast->kids[0] != NULL &&
        fold(&chosen, ast->kids[0]))
        value = hash_number(value, chosen);
    value =
        hash_number(value, ast->kind | (ast->arrow ? 1 << 8 : 0) | (ast->is_default ? 1 << 9 : 0));
    value = hash_name(value, ast->op);
    value = hash_name(value, ast->kind != AST_STRING ? ast->name : NULL);
    if (ast->declaration != NULL)
        value = hash_type(hash_name(value, ast->declaration->name), ast->declaration->type);
    hash->value = hash_number(value, ast->kid_count);
    for (int i = 0; i < ast->kid_count; i++)
        add_ast(hash, ast->kids[i]);
}

static void add_ast(struct hash *hash, const struct ast *ast) {
    long long number;
    if (ast == NULL) {
        hash->value = hash_number(hash->value, -1);
        return;
    }
    hash->value = hash_type(hash->value, ast->type);
    if (fold(&number, ast)) {
        hash->value = hash_number(hash->value, number != 0 && !hash->of_value);
        return;
    }
    hash->is_doubtful = hash->is_doubtful ||
                        (is_constant(ast) && ast->type != NULL && ast->type->kind == TYPE_INTEGER);
    add_inside(hash, ast);
}

static bool makes_code(const char *option) {
    return option[0] == '-' && strchr("Ofms", option[1]) != NULL && option[1] != '\0';
}

static unsigned long long hash_options(unsigned long long hash, const struct commands *commands,
                                       const struct function *function) {
    const struct compile_command *command = &commands->compiles.items[function->unit];
    if (command->arguments.count > 0)
        hash = hash_text(hash, path_base(command->arguments.items[0]));
    for (size_t i = 1; i < command->arguments.count; i++)
        if (makes_code(command->arguments.items[i]))
            hash = hash_text(hash, command->arguments.items[i]);
    return hash;
}

static char *family_of(const struct plan *plan, const struct code_region *region,
                       const struct commands *commands, const struct hash *functions) {
    struct program *program = plan->slice->program;
    const struct function *own = program_origin(region->function);
    bool *called = code_called(plan, region);
    struct hash hash = {.value = hash_options(hash_text(HASH_SEED, own->name), commands, own),
                        .of_value = region->value != NULL};
    hash.value = hash_number(hash.value, region->is_late ? 2 : region->is_kept);
    if (hash.of_value) {
        hash.value = hash_number(hash.value, (long long)code_place(plan, region));
        add_ast(&hash, own->body);
    }
    for (size_t i = 0; i < region->trees.count; i++)
        add_ast(&hash, region->trees.items[i]->ast);
    for (size_t i = 0; i < program->functions.count; i++)
        if (called[i]) {
            hash.value = hash_number(hash.value, (long long)functions[i].value);
            hash.is_doubtful = hash.is_doubtful || functions[i].is_doubtful;
        }
    free(called);
    if (hash.is_doubtful && !hash.of_value)
        hash.value = hash_text(hash.value, region->code);
    return arena_printf(&program->arena, "%016llx", hash.value);
}

void family_name(struct plan *plan, const struct commands *commands) {
    const struct program *program = plan->slice->program;
    struct hash *functions = xmalloc((program->functions.count + 1) * sizeof *functions);
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        functions[i] = (struct hash){.value = hash_options(HASH_SEED, commands, function)};
        if (function->origin == NULL)
            add_ast(&functions[i], function->body);
    }
    for (size_t i = 0; i < plan->regions.count; i++)
        plan->regions.items[i]->family =
            family_of(plan, plan->regions.items[i], commands, functions);
    free(functions);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a node. Out: the one part of it that could be taken as given: a number that is assigned,
 * added or returned, or a decision. Of a decision with `&&` or `||` it is the one operand that is
 * more than a comparison of integer variables or members, so that the limit in `k < limit && change
 * > tolerance` stays. An assignment inside an expression (`if ((dst = (int)pivot[i]) != src)`) is
 * such a part too, where what it assigns is read from memory or comes from a call; of several of
 * them the first one. Behind `&&`, `||` and `?` the value is asked for where the original computes
 * it, since the text around it stays.
 *
 * Of a statement that is a call and assigns nothing it may be an argument (given_arguments.c).
 *
 * Not handled: increments, what a call stores through a pointer, pointers and records, text that
 * comes out of a macro.
 */
#include "skeletonizer/given/given_parts.h"

#include "base/str.h"
#include "skeletonizer/given/given_arguments.h"
#include "skeletonizer/given/given_exits.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/text/spelling.h"

#include <ctype.h>
#include <string.h>

const struct node *given_node_of(const struct slice *s, size_t demand) {
    const struct demand *d = &s->demands.items[demand];
    return d->kind == DEMAND_NODE ? s->program->nodes.items[d->subject] : NULL;
}

bool given_steers(const struct node *node) {
    return node->kind == NODE_LOOP || node->kind == NODE_CONDITION || node->kind == NODE_SWITCH ||
           node->kind == NODE_JUMP;
}

static bool is_number(const struct type *type) {
    return type != NULL && (type->kind == TYPE_INTEGER || type->kind == TYPE_FLOATING ||
                            type->kind == TYPE_CHARACTER);
}

static bool is_inside(const struct ast *ast, struct range range) {
    return ast != NULL && ast->range.file == range.file && ast->range.begin >= range.begin &&
           ast->range.end <= range.end;
}

static bool has_effects(const struct ast *ast) {
    if (ast == NULL)
        return false;
    if (ast_is_assignment(ast) || ast->kind == AST_COMPOUND_ASSIGN ||
        ast->kind == AST_STATEMENT_EXPR || ast->kind == AST_NEXT_ARGUMENT ||
        ast->kind == AST_ATOMIC ||
        (ast->kind == AST_UNARY && (strstr(ast->op, "++") || strstr(ast->op, "--"))))
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (has_effects(ast->kids[i]))
            return true;
    return false;
}

/* NULL: its text can be replaced. */
static const char *obstacle_in_text(const struct node *node, const struct ast *part) {
    if (!spelling_of_part(node, part))
        return "it comes out of a macro";
    return part->kind == AST_INIT_LIST ? "it is a list of initialisers" : NULL;
}

/* The call stays, whatever its value is. */
static bool has_to_happen(const struct slice *s, const struct call *call, const struct ast *part) {
    return slice_is_criterion(s, call) && is_inside(call->ast, part->range);
}

static bool chooses(const struct ast *ast) {
    static const char *const ops[] = {"&&", "||", NULL};
    return ast->kind == AST_CONDITIONAL ||
           (ast->kind == AST_BINARY && text_is_one_of(ast->op, ops));
}

/* Another operand of the part decides whether the call is made. */
static bool is_guarded(const struct ast *part, const struct ast *call) {
    for (const struct ast *ast = part; ast != call;) {
        int i = 0;
        while (!ast_holds(ast->kids[i], call))
            i++;
        if (i > 0 && chooses(ast))
            return true;
        ast = ast->kids[i];
    }
    return false;
}

/* Calls that stay for something else, such as memory that they fill, are made in front of what is
 * given, whatever the others of its operands are: `rank == 0 ? read_file(&field) : 0`. */
static bool has_guarded_call(const struct node *node, const struct ast *part) {
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        if (call->conditional && call->targets.count > 0 && ast_holds(part, call->ast) &&
            is_guarded(part, call->ast))
            return true;
    }
    return false;
}

static const char *obstacle_in_value(const struct node *node, const struct ast *part) {
    if (!given_part_decides(node, part) && !is_number(given_part_type(node, part)))
        return "it is no number";
    if (has_effects(part))
        return "it assigns something else on the way";
    if (has_guarded_call(node, part))
        return "another operand decides whether a function in it is called";
    return obstacle_in_text(node, part);
}

const char *given_part_obstacle(const struct slice *s, const struct node *node,
                                const struct ast *part) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (has_to_happen(s, node->calls.items[i], part))
            return "it comes from a call that has to happen for its messages or effects";
    return obstacle_in_value(node, part);
}

/* Worth to be asked for: not computed from scalars alone. */
static bool reads_memory(const struct slice *s, const struct node *node, const struct ast *part) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (is_inside(node->calls.items[i]->ast, part->range))
            return true;
    for (size_t i = 0; i < node->uses.count; i++) {
        int object = node->uses.items[i].object;
        bool memory = object < 0 || !flow_tracks(s->program->objects.items[object]);
        if (memory && is_inside(node->uses.items[i].ast, part->range))
            return true;
    }
    return false;
}

/* The first assignment in an expression that can be given; what is inside a call is the call's. */
static const struct ast *nested(const struct slice *s, const struct node *node,
                                const struct ast *ast, const char **why) {
    if (ast == NULL || ast->kind == AST_CALL || ast->kind == AST_SIZEOF)
        return NULL;
    const char *reason = "it is computed from variables that stay";
    if (ast_is_assignment(ast) && (!reads_memory(s, node, ast->kids[1]) ||
                                   (reason = given_part_obstacle(s, node, ast->kids[1])) != NULL))
        *why = reason;
    else if (ast_is_assignment(ast))
        return ast->kids[1];
    for (int i = 0; i < ast->kid_count; i++) {
        const struct ast *found = nested(s, node, ast->kids[i], why);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static bool is_plain(const struct ast *ast) {
    if (ast == NULL || ast->has_value)
        return true;
    bool integer = ast->type != NULL && ast->type->kind == TYPE_INTEGER;
    if (!integer || (ast->kind == AST_REFERENCE && ast->declaration->kind != DECLARATION_VARIABLE))
        return false;
    if (ast->kind != AST_REFERENCE && ast->kind != AST_BINARY && ast->kind != AST_UNARY &&
        ast->kind != AST_CAST && ast->kind != AST_MEMBER)
        return false;
    if (ast->kind == AST_MEMBER)
        return ast->kids[0] != NULL && ast->kids[0]->kind == AST_REFERENCE;
    for (int i = 0; i < ast->kid_count; i++)
        if (!is_plain(ast->kids[i]))
            return false;
    return true;
}

/* Those that are not plain; *out is the last of them. */
static int count_operands(const struct ast **out, const struct ast *ast, const char *op) {
    if (ast->kind == AST_BINARY && strcmp(ast->op, op) == 0)
        return count_operands(out, ast->kids[0], op) + count_operands(out, ast->kids[1], op);
    if (is_plain(ast))
        return 0;
    *out = ast;
    return 1;
}

static const struct ast *decisive(const struct ast *condition) {
    const struct ast *operand = condition;
    bool chain = condition->kind == AST_BINARY &&
                 (strcmp(condition->op, "&&") == 0 || strcmp(condition->op, "||") == 0);
    return chain && count_operands(&operand, condition, condition->op) == 1 ? operand : condition;
}

/* What the statement as a whole assigns, adds, returns or decides; NULL: nothing. */
static const struct ast *whole(const struct node *node) {
    switch (node->kind) {
    case NODE_EXPRESSION:
        return (ast_is_assignment(node->ast) || node->ast->kind == AST_COMPOUND_ASSIGN) &&
                       node->defines.count == 1
                   ? node->ast->kids[1]
                   : NULL;
    case NODE_RETURN:
        return node->ast->kid_count > 0 && node->defines.count <= 1 ? node->ast->kids[0] : NULL;
    case NODE_DECLARE:
        return node->declares != NULL && node->defines.count <= 1 ? node->ast->kids[0] : NULL;
    case NODE_SWITCH:
        return node->defines.count == 0 ? node->ast : NULL;
    case NODE_CONDITION:
    case NODE_LOOP:
        return node->defines.count == 0 ? decisive(node->ast) : NULL;
    default:
        return NULL;
    }
}

/* Of statements that are no assignment. */
static const char *no_assignment(const struct node *node) {
    const struct ast *ast = node->ast;
    if (node->kind == NODE_DECLARE)
        return ast->kids[0] != NULL ? "it is no number" : "it is declared without a value";
    if (ast->kind == AST_CALL)
        return "it is a call whose result is not assigned";
    if (ast->kind == AST_UNARY)
        return "it changes a number instead of assigning one";
    return "it assigns and decides nothing";
}

/* Of `k++ < most && residual > limit` the latter: the step stays where it is. */
static const struct ast *beside_step(const struct slice *s, const struct node *node) {
    if ((node->kind != NODE_LOOP && node->kind != NODE_CONDITION) || node->defines.count == 0)
        return NULL;
    const struct ast *operand = decisive(node->ast);
    return operand != node->ast && given_part_obstacle(s, node, operand) == NULL ? operand : NULL;
}

/* Of what ends a loop: calls in it that have to happen are made in front of what is given. */
static const char *obstacle_of_whole(const struct slice *s, const struct node *node,
                                     const struct ast *part) {
    bool goes_on;
    return given_part_decides(node, part) && given_exit_of(node, &goes_on) != NULL
               ? obstacle_in_value(node, part)
               : given_part_obstacle(s, node, part);
}

const struct ast *given_part(const struct slice *s, const struct node *node, const char **why) {
    const char *ignored;
    why = why != NULL ? why : &ignored;
    *why = "it has no place in a function";
    if (node->ast == NULL || node->function == NULL)
        return NULL;
    *why = no_assignment(node);
    if (node->opaque || node->moves.count > 0) {
        *why = node->opaque ? "it holds statements" : "it copies records";
        return NULL;
    }
    const struct ast *part = whole(node);
    if (part == NULL && node->kind != NODE_JUMP)
        part = nested(s, node, node->ast, why);
    else if (part != NULL && (*why = obstacle_of_whole(s, node, part)) != NULL)
        part = NULL;
    if (part == NULL)
        part = beside_step(s, node);
    return part != NULL ? part : given_argument(s, node);
}

/* Equal but for blanks. */
static bool is_spelled(const struct program *program, struct range range, const char *target) {
    if (range.file < 0)
        return false;
    const char *text = program->files.items[range.file]->text;
    for (unsigned at = range.begin; at < range.end; at++) {
        if (isspace((unsigned char)text[at]))
            continue;
        while (isspace((unsigned char)*target))
            target++;
        if (text[at] != *target++)
            return false;
    }
    return target[strspn(target, " \t")] == '\0';
}

static const struct ast *assigned_to(const struct slice *s, const struct ast *ast,
                                     const char *target) {
    if (ast == NULL || ast->kind == AST_CALL || ast->kind == AST_SIZEOF)
        return NULL;
    if (ast_is_assignment(ast) && is_spelled(s->program, ast->kids[0]->range, target))
        return ast->kids[1];
    if (ast->kind == AST_VARIABLE && strcmp(ast->declaration->name, target) == 0)
        return ast->kids[0];
    for (int i = 0; i < ast->kid_count; i++) {
        const struct ast *found = assigned_to(s, ast->kids[i], target);
        if (found != NULL)
            return found;
    }
    return NULL;
}

const struct ast *given_part_of(const struct slice *s, const struct node *node, const char *target,
                                const char **why) {
    *why = NULL;
    if (node->ast == NULL || node->function == NULL)
        return NULL;
    bool returned = node->kind == NODE_RETURN && strcmp(target, "return") == 0;
    const struct ast *part = returned ? whole(node) : assigned_to(s, node->ast, target);
    if (part == NULL)
        return NULL;
    *why = node->opaque            ? "it is in an expression that holds statements"
           : node->moves.count > 0 ? "it is in a statement that copies records"
                                   : obstacle_in_value(node, part);
    for (size_t i = 0; i < node->calls.count; i++)
        if (node->calls.items[i]->conditional && has_to_happen(s, node->calls.items[i], part))
            *why = "it comes from a call for messages or effects that may not happen";
    return *why == NULL ? part : NULL;
}

static const struct ast *assignment_of(const struct ast *ast, const struct ast *part) {
    if (ast == NULL ||
        ((ast_is_assignment(ast) || ast->kind == AST_COMPOUND_ASSIGN) && ast->kids[1] == part))
        return ast;
    for (int i = 0; i < ast->kid_count; i++) {
        const struct ast *found = assignment_of(ast->kids[i], part);
        if (found != NULL)
            return found;
    }
    return NULL;
}

const struct ast *given_part_holder(const struct node *node, const struct ast *part) {
    const struct ast *assignment = assignment_of(node->ast, part);
    if (assignment != NULL && assignment->kind != AST_COMPOUND_ASSIGN)
        return assignment;
    return assignment != NULL || node->kind == NODE_RETURN || node->kind == NODE_EXPRESSION
               ? part
               : node->ast;
}

const struct ast *given_part_addressed(const struct ast *address) {
    const struct ast *ast = ast_without_casts(address);
    return ast->kind == AST_UNARY && strcmp(ast->op, "&") == 0 ? ast->kids[0] : NULL;
}

const struct type *given_part_number(const struct ast *part) {
    const struct ast *ast = ast_without_casts(part);
    const struct type *type = ast->type;
    bool pointer = type != NULL && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY);
    return pointer ? type->element : type;
}

const struct type *given_part_type(const struct node *node, const struct ast *part) {
    int index;
    const struct call *call = call_argument_find(node, part, &index);
    if (call != NULL && call_argument_is_contents(call, index))
        return given_part_number(part);
    return given_part_holder(node, part)->type;
}

bool given_part_decides(const struct node *node, const struct ast *part) {
    return (node->kind == NODE_CONDITION || node->kind == NODE_LOOP || node->kind == NODE_SWITCH) &&
           assignment_of(node->ast, part) == NULL;
}

static bool gives_all_the_same(const struct event *event) {
    return event->kind == EVENT_PAYLOAD && event->call->mpi != NULL &&
           (strcmp(event->call->mpi->name, "MPI_Allreduce") == 0 ||
            strcmp(event->call->mpi->name, "MPI_Bcast") == 0);
}

/* The expression is a variable that a collective gives the same number on all ranks, perhaps by way
 * of another variable. */
static bool is_agreed(const struct slice *s, const struct node *node, const struct ast *part,
                      int copies) {
    const struct ast *ast = ast_without_casts(part);
    int object = -1;
    for (size_t i = 0; i < node->uses.count && ast->kind == AST_REFERENCE; i++)
        if (node->uses.items[i].ast == ast)
            object = node->uses.items[i].object;
    const struct event_list *list = events_of_object(s, object);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < list->items.count; i++) {
        const struct event *event = list->items.items[i].event;
        const struct ast *value = event->kind == EVENT_NODE ? event->node->ast : NULL;
        bool copied = copies > 0 && value != NULL && value->kind == AST_BINARY &&
                      strcmp(value->op, "=") == 0 &&
                      is_agreed(s, event->node, value->kids[1], copies - 1);
        if (copied || gives_all_the_same(event))
            return true;
    }
    return false;
}

bool given_part_is_agreed(const struct slice *s, const struct node *node, const struct ast *part) {
    int index;
    const struct call *call = call_argument_find(node, part, &index);
    return (call != NULL && call_argument_is_told(call, index)) || is_agreed(s, node, part, 1);
}

const struct node *given_giver_of(const struct slice *s, const struct ast *const *parts,
                                  size_t demand) {
    const struct node *node = given_node_of(s, demand);
    int index;
    if (node == NULL)
        return given_argument_of(s, &s->demands.items[demand], parts);
    bool is_giver =
        parts[node->id] != NULL && call_argument_find(node, parts[node->id], &index) == NULL;
    return is_giver ? node : NULL;
}

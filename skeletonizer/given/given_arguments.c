/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a node that is a call which has to happen. Out: the one argument of it that could be given
 * where it is evaluated: how much is sent or written to a file, a count that is read in memory,
 * that a function of the library makes of it (the length of a text), or one that is summed up in a
 * variable, also where a function of the program hands it on to MPI; or, where one number is sent
 * whose contents a receiver needs, that number: the skeleton stores it where the message is read,
 * so that whoever looks there afterwards finds what was sent; or the one number that a reduction or
 * broadcast brings to all ranks, which is stored behind the call; or the whole numbers that
 * MPI_Alltoall sends, one to each rank, of an array that has as many.
 *
 * A count of a receive is left alone, since one that is too small is an error, and so are counts
 * that all ranks have to agree on, ranks and tags, where a wrong number is a deadlock.
 *
 * Not handled: more than one argument of a call, arguments that call functions of the program,
 * other vectors, arrays of constant length, numbers that are reduced, what persistent requests
 * send, calls in conditions, text that comes out of a macro.
 */
#include "skeletonizer/given/given_arguments.h"

#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/demands.h"
#include "skeletonizer/slice/events.h"

#include "base/str.h"

#include <string.h>

/* Each rank sends what it likes. */
static const char *const gathers[] = {"MPI_Gather",     "MPI_Gatherv",    "MPI_Allgather",
                                      "MPI_Allgatherv", "MPI_Igather",    "MPI_Igatherv",
                                      "MPI_Iallgather", "MPI_Iallgatherv"};

static bool is_gather(const struct call *call) {
    for (size_t i = 0; i < sizeof gathers / sizeof *gathers; i++)
        if (strcmp(call->mpi->name, gathers[i]) == 0)
            return true;
    return false;
}

static bool sends_at_once(const struct call *call) {
    size_t length = strlen(call->mpi->name);
    bool persistent = length > 5 && strcmp(call->mpi->name + length - 5, "_init") == 0;
    return (call->mpi->class == MPI_CLASS_P2P && !persistent) || is_gather(call);
}

static bool gives_away_at_once(const struct call *call) {
    return sends_at_once(call) || events_writes_mpi_file(call);
}

static bool is_count_of_what_is_sent(const struct call *call, int index) {
    bool varies = strcmp(call->mpi->name, "MPI_Gather") != 0 && /* there all send as much */
                  strcmp(call->mpi->name, "MPI_Igather") != 0 &&
                  strcmp(call->mpi->name, "MPI_Allgather") != 0 &&
                  strcmp(call->mpi->name, "MPI_Iallgather") != 0;
    for (int i = 0; varies && i < call->mpi->parameter_count; i++)
        if (call->mpi->parameters[i].role == MPI_ROLE_PAYLOAD_IN)
            return mpi_payload_count(call->mpi, i) == index;
    return false;
}

/* One element is one number: no pair, no complex number. */
static bool is_one_number(const char *datatype) {
    return !text_has_prefix(datatype, "MPI_2") && strstr(datatype, "COMPLEX") == NULL;
}

static bool is_byte(const char *datatype, const struct type *type) {
    return strcmp(mpi_datatype_representation(datatype), "MPI_CHAR") == 0 &&
           (type->kind == TYPE_CHARACTER || type->kind == TYPE_INTEGER) && type->size_bytes == 1;
}

/* One number of a type that is a pointer's element: `&n`, of which a single one is sent. */
static bool sends_one_number(const struct call *call, int index) {
    const struct ast *count = program_argument(call, mpi_payload_count(call->mpi, index));
    const char *datatype = events_handle(call, mpi_payload_datatype(call->mpi, index));
    const struct argument *argument = &call->arguments.items[index];
    const struct type *type = given_part_number(argument->ast);
    if (count == NULL || !count->has_value || count->value != 1 || datatype == NULL ||
        type == NULL || text_has_prefix(type->name, "const ") || !is_one_number(datatype))
        return false;
    enum mpi_type_class class = mpi_datatype_class(datatype);
    return (class == MPI_TYPE_INTEGER && type->kind == TYPE_INTEGER) ||
           (class == MPI_TYPE_FLOATING && type->kind == TYPE_FLOATING) || is_byte(datatype, type);
}

/* ---- Vectors ---- */

/* The variable of a size that is nothing but that and the bytes of one: `size * sizeof *counts`. */
static const struct declaration *counted_by(const struct ast *size, bool *fits) {
    const struct ast *ast = ast_without_casts(size);
    if (ast->kind == AST_SIZEOF)
        return NULL;
    if (ast->kind == AST_REFERENCE && ast->declaration->kind == DECLARATION_VARIABLE)
        return ast->declaration;
    *fits = *fits && ast->kind == AST_BINARY && strcmp(ast->op, "*") == 0;
    if (!*fits)
        return NULL;
    const struct declaration *left = counted_by(ast->kids[0], fits),
                             *right = counted_by(ast->kids[1], fits);
    *fits = *fits && (left == NULL || right == NULL);
    return left != NULL ? left : right;
}

/* Of as many elements as a variable says; NULL: of some other number. */
static const struct declaration *length_of(const struct object *object) {
    const struct declaration *found = NULL;
    bool fits = true;
    if (object->kind == OBJECT_HEAP && object->call != NULL && object->call->library != NULL) {
        static const char *const allocators[] = {"malloc", "calloc", NULL};
        fits = text_is_one_of(object->call->library->name, allocators);
        for (size_t i = 0; fits && i < object->call->arguments.count; i++) {
            const struct declaration *one = counted_by(object->call->arguments.items[i].ast, &fits);
            fits = fits && (found == NULL || one == NULL);
            found = one != NULL ? one : found;
        }
    } else if (object->declared_by != NULL && object->declared_by->ast != NULL &&
               object->declared_by->ast->kind == AST_VARIABLE &&
               object->declared_by->ast->kid_count == 2) {
        found = counted_by(object->declared_by->ast->kids[1], &fits);
    }
    return fits ? found : NULL;
}

static bool is_spelled_alike(const struct slice *s, const struct ast *one,
                             const struct ast *other) {
    const char *text = program_text(s->program, one->range),
               *as = program_text(s->program, other->range);
    return text != NULL && as != NULL && strcmp(text, as) == 0;
}

/* The variable has the number of ranks of the call's communicator. */
static bool counts_ranks(const struct slice *s, const struct call *call,
                         const struct declaration *variable) {
    const struct object *object = program_object(s->program, call->node->function, variable);
    const struct event_list *list = object != NULL ? events_of_object(s, object->id) : NULL;
    bool found = false;
    if (list == NULL)
        return false;
    int mine = mpi_call_parameter(call->mpi, MPI_ROLE_COMMUNICATOR);
    for (size_t i = 0; i < list->items.count; i++) {
        const struct event *event = list->items.items[i].event;
        const struct call *writer = event->call;
        if (event->kind == EVENT_NODE && event->node->calls.count == 0)
            return false;
        if (writer == NULL || !mpi_call_is(writer->mpi, MPI_TELLS_SIZE))
            continue;
        found =
            is_spelled_alike(s, writer->arguments.items[0].ast, call->arguments.items[mine].ast);
    }
    return found;
}

/* One number for each rank, of an array of as many whole numbers. */
static bool sends_whole_vector(const struct slice *s, const struct call *call, int index) {
    const struct argument *argument = &call->arguments.items[index];
    const struct ast *count = program_argument(call, mpi_payload_count(call->mpi, index));
    const char *datatype = events_handle(call, mpi_payload_datatype(call->mpi, index));
    const struct type *type = given_part_number(argument->ast);
    const struct object *vector = versions_vector_of(s, call, index);
    if (count == NULL || !count->has_value || count->value != 1 || datatype == NULL ||
        type == NULL || type->kind != TYPE_INTEGER || type->size_bytes < 4 ||
        mpi_datatype_class(datatype) != MPI_TYPE_INTEGER || !is_one_number(datatype) ||
        vector == NULL)
        return false;
    const struct declaration *length = length_of(vector);
    return length != NULL && counts_ranks(s, call, length);
}

/* The statement is the call, or an assignment of what it returns: something can be added behind a
 * comma. */
static bool ends_statement(const struct call *call) {
    const struct ast *ast = ast_without_casts(call->node->ast);
    if (ast_is_assignment(ast))
        ast = ast_without_casts(ast->kids[1]);
    return ast == call->ast && !call->node->ast->from_macro;
}

/* Not computed from scalars alone. */
static bool reads_memory(const struct slice *s, const struct argument *argument) {
    for (size_t i = 0; i < argument->uses.count; i++) {
        int object = argument->uses.items[i].object;
        if (object < 0 || !flow_tracks(s->program->objects.items[object]))
            return true;
    }
    return false;
}

static bool has_lvalue_of(const lvalue_list *lvalues, int object) {
    for (size_t i = 0; i < lvalues->count; i++)
        if (lvalues->items[i].object == object)
            return true;
    return false;
}

/* Of a variable that is stepped or summed up, a number as the loop leaves it is no more to be given
 * where it is assigned than one that is assigned nowhere. */
static bool reads_sum(const struct call *call, const struct argument *argument) {
    const struct function *function = call->node->function;
    int object = argument->uses.count == 1 ? argument->uses.items[0].object : -1;
    for (size_t i = 0; object >= 0 && i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (has_lvalue_of(&node->defines, object) && has_lvalue_of(&node->uses, object))
            return true;
    }
    return false;
}

static bool is_passed_on(const struct argument *inner, const struct argument *argument) {
    for (; inner != NULL; inner = inner->passed)
        if (inner == argument)
            return true;
    return false;
}

/* MPI gets it, and as nothing else but how much is sent. */
static bool becomes_a_count(const struct slice *s, const struct argument *argument) {
    bool found = false;
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        for (int k = 0; call->mpi != NULL && k < (int)call->arguments.count; k++) {
            if (!is_passed_on(&call->arguments.items[k], argument))
                continue;
            if (!gives_away_at_once(call) || !is_count_of_what_is_sent(call, k))
                return false;
            found = true;
        }
    }
    return found;
}

/* A number such as strlen(text), which is all that the functions are called for. */
static bool calls_library_only(const struct argument *argument) {
    for (size_t i = 0; i < argument->calls.count; i++) {
        const struct call *call = argument->calls.items[i];
        if (call->library == NULL || call->targets.count > 0 || call->mpi != NULL)
            return false;
    }
    return true;
}

static bool may_be_given(const struct slice *s, const struct call *call, int index) {
    const struct argument *argument = &call->arguments.items[index];
    bool calls = argument->calls.count > 0;
    if (!calls_library_only(argument) || given_part_obstacle(s, call->node, argument->ast) != NULL)
        return false;
    if (call_argument_is_told(call, index))
        return !calls && ends_statement(call) && sends_one_number(call, index);
    if (call_argument_is_sent(call, index))
        return call_argument_is_vector(call, index)
                   ? !calls && sends_whole_vector(s, call, index)
                   : !calls && sends_at_once(call) && sends_one_number(call, index);
    return argument->type->kind == TYPE_INTEGER &&
           (calls || reads_memory(s, argument) || reads_sum(call, argument)) &&
           becomes_a_count(s, argument);
}

static bool may_have_values(const struct slice *s, const struct node *node,
                            const struct call *call) {
    const struct declaration *callee = call->ast->kids[0]->declaration;
    bool prototype =
        callee != NULL && callee->type != NULL && !text_has_suffix(callee->type->name, "()");
    return (call->mpi != NULL || call->targets.count == 1) && prototype && call->callee < 0 &&
           !call->conditional && call->within == NULL && node->kind == NODE_EXPRESSION &&
           slice_is_criterion(s, call);
}

const struct ast *given_argument(const struct slice *s, const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        if (!may_have_values(s, node, call))
            continue;
        /* Counts come first: what one number is sent for is that others wait for more. */
        for (int sent = 0; sent < 2; sent++)
            for (int k = 0; k < (int)call->arguments.count; k++)
                if (call_argument_is_contents(call, k) == (sent == 1) && may_be_given(s, call, k))
                    return call->arguments.items[k].ast;
    }
    return NULL;
}

struct node *given_argument_of(const struct slice *s, const struct demand *demand,
                               const struct ast *const *parts) {
    int index;
    if (demand->kind != DEMAND_ARGUMENT && demand->kind != DEMAND_PAYLOAD)
        return NULL;
    const struct call *call = s->program->calls.items[demand->subject];
    const struct ast *part = parts[call->node->id];
    if (call_argument_find(call->node, part, &index) != call)
        return NULL;
    bool is_contents = call_argument_is_contents(call, index);
    if (is_contents != (demand->kind == DEMAND_PAYLOAD) ||
        (!is_contents && index != demand->detail) ||
        (call_argument_is_told(call, index) && demand->detail != PAYLOAD_ALL))
        return NULL;
    return call->node;
}

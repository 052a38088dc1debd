/* SPDX-License-Identifier: Apache-2.0
 *
 * A call whose code is not there may call each function that it gets as an argument, and one of
 * which nothing is known also those that it reaches through memory. Which parameter gets what is
 * not known: each gets any pointer of the call, to any element; of unknown code also what earlier
 * unknown calls were given, and what it returns is theirs; of an attribute's functions the
 * attributes. In functions that are never called, pointers to functions point nowhere, which does
 * not make their calls unknown.
 */
#include "skeletonizer/pointsto/callbacks.h"
#include "skeletonizer/pointsto/never_made.h"

#include <string.h>

static bool is_unknown(const struct call *call) {
    return call->mpi == NULL && call->library == NULL;
}

/* A pointer to any element of the array that an argument points to. */
static int element_pointer(struct points_to *p, const struct argument *argument) {
    const struct type *element = argument->type->element;
    int to = p->program->variable_count++;
    long long bytes = element != NULL && element->size_bytes > 0 ? element->size_bytes : 1;
    points_to_constrain(
        p, (struct constraint){
               .kind = CONSTRAINT_INDEX, .to = to, .from = argument->value, .bytes = bytes});
    return to;
}

/* Both the object's address and what is stored in it. */
static void pass_object(struct points_to *p, struct lvalue parameter, const struct object *object) {
    int address = p->program->variable_count++;
    struct lvalue lvalue = points_to_lvalue(object);
    points_to_constrain(
        p, (struct constraint){.kind = CONSTRAINT_ADDRESS, .to = address, .lvalue = lvalue});
    points_to_constrain(
        p, (struct constraint){.kind = CONSTRAINT_STORE, .from = address, .lvalue = parameter});
    lvalue.stride_bytes = 1;
    points_to_constrain(
        p, (struct constraint){.kind = CONSTRAINT_MOVE, .lvalue = parameter, .other = lvalue});
}

static void pass(struct points_to *p, const struct call *call, const struct object *parameter) {
    struct lvalue lvalue = points_to_lvalue(parameter);
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        if (argument->value >= 0)
            points_to_constrain(p, (struct constraint){.kind = CONSTRAINT_STORE,
                                                       .from = element_pointer(p, argument),
                                                       .lvalue = lvalue});
    }
    if (is_unknown(call))
        pass_object(p, lvalue, p->outside);
    if (call->mpi != NULL && call->mpi->class == MPI_CLASS_ATTRIBUTE)
        pass_object(p, lvalue, points_to_state(p, "attributes"));
}

static void bind(struct points_to *p, struct call *call, struct function *function) {
    if (!vec_push_new(&call->callbacks, function))
        return;
    for (size_t i = 0; i < function->parameters.count; i++)
        pass(p, call, function->parameters.items[i]);
    if (is_unknown(call))
        points_to_constrain(p, (struct constraint){.kind = CONSTRAINT_MOVE,
                                                   .lvalue = points_to_lvalue(p->outside),
                                                   .other = points_to_lvalue(function->result)});
}

static struct function *function_of(const struct points_to *p, int object_id) {
    const struct object *object = p->program->objects.items[object_id];
    return object->kind == OBJECT_FUNCTION ? program_function(p->program, object->declaration->key)
                                           : NULL;
}

/* Objects that the call reaches from its arguments; of known calls only what they point to. */
static void reach(struct points_to *p, const struct call *call, bool *reached) {
    for (size_t i = 0; i < call->arguments.count; i++) {
        const int_list *targets = points_to_targets(p, call->arguments.items[i].value);
        for (size_t k = 0; targets != NULL && k < targets->count; k++)
            reached[p->locations.items[targets->items[k]].object] = true;
    }
    if (!is_unknown(call))
        return;
    reached[p->outside->id] = true; /* what earlier ones were given */
    points_to_close(p, reached);
}

static void connect(struct points_to *p, struct call *call) {
    size_t count = p->program->objects.count;
    bool *reached = memset(xmalloc(count + 1), 0, count + 1);
    reach(p, call, reached);
    for (size_t i = 0; i < count; i++) {
        struct function *function = reached[i] ? function_of(p, (int)i) : NULL;
        if (function != NULL)
            bind(p, call, function);
    }
    free(reached);
}

static bool takes_function(const struct call *call) {
    if (is_unknown(call) || (call->library != NULL && call->library->callback >= 0))
        return true;
    for (int i = 0; call->mpi != NULL && i < call->mpi->parameter_count; i++)
        if (call->mpi->parameters[i].role == MPI_ROLE_FUNCTION)
            return true;
    return false;
}

static bool is_executed(const struct call *call) {
    return call->node->function == NULL || call->node->function->is_live;
}

void callbacks_connect(struct points_to *p) {
    for (size_t i = 0; i < p->program->calls.count; i++) {
        struct call *call = p->program->calls.items[i];
        if (call->targets.count == 0 && program_function(p->program, call->key) == NULL &&
            takes_function(call) && is_executed(call) && !never_made_is(p, call))
            connect(p, call);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls -> constraints. A function that returns memory which it has just allocated, without a loop,
 * is an allocation wrapper: each of its calls gets heap blocks of its own (clones of those that are
 * allocated inside and returned), so that two arrays from the same wrapper are two objects.
 */
#include "skeletonizer/pointsto/allocators.h"

#include <stdlib.h>
#include <string.h>

static struct lvalue pointee(int variable) {
    return (struct lvalue){.object = -1, .pointer = variable};
}

static struct object *new_heap(struct points_to *p, struct call *call) {
    struct object *object = ARENA_NEW(&p->program->arena, struct object);
    object->id = (int)p->program->objects.count;
    object->kind = OBJECT_HEAP;
    object->name = arena_printf(&p->program->arena, "memory allocated at line %d", call->ast->line);
    object->parameter = -1;
    object->in_memory = true;
    object->call = call;
    vec_push(&p->program->objects, object);
    return object;
}

static void store(struct points_to *p, struct lvalue lvalue, int variable) {
    if (variable >= 0)
        points_to_constrain(
            p, (struct constraint){.kind = CONSTRAINT_STORE, .from = variable, .lvalue = lvalue});
}

static void move(struct points_to *p, struct lvalue to, struct lvalue from) {
    points_to_constrain(p,
                        (struct constraint){.kind = CONSTRAINT_MOVE, .lvalue = to, .other = from});
}

static int argument_value(const struct call *call, int index) {
    return index >= 0 && (size_t)index < call->arguments.count ? call->arguments.items[index].value
                                                               : -1;
}

static bool allocates(const struct call *call) {
    if (call->mpi != NULL)
        return mpi_call_parameter(call->mpi, MPI_ROLE_ALLOCATION_OUT) >= 0;
    if (call->library == NULL)
        return false;
    for (int i = 0; i < call->library->parameter_count; i++)
        if (call->library->parameters[i].effect == EXTERN_ALLOCATION ||
            call->library->parameters[i].effect == EXTERN_GROWN)
            return true;
    return call->library->result == EXTERN_RETURNS_FRESH ||
           call->library->result == EXTERN_RETURNS_COPY;
}

static void find_wrapper(struct points_to *p, const struct function *function, bool *seen);

static bool may_allocate(struct points_to *p, const struct call *call, bool *seen) {
    const struct function *inner = program_function(p->program, call->key);
    if (inner != NULL)
        find_wrapper(p, inner, seen);
    return allocates(call) || (inner != NULL && p->wrappers[inner->id]);
}

/* Of functions that call each other in a circle, one is looked at after the others. */
static void find_wrapper(struct points_to *p, const struct function *function, bool *seen) {
    bool may = false;
    if (seen[function->id] || function->result_type->kind != TYPE_POINTER)
        return;
    seen[function->id] = true;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind == NODE_LOOP)
            return;
        for (size_t k = 0; k < node->calls.count; k++)
            may = may_allocate(p, node->calls.items[k], seen) || may;
    }
    p->wrappers[function->id] = may;
}

static void find_wrappers(struct points_to *p) {
    size_t count = p->program->functions.count;
    bool *seen = memset(xmalloc(count + 1), 0, count + 1);
    p->wrappers = ARENA_ARRAY(&p->program->arena, bool, count);
    for (size_t i = 0; i < count; i++)
        find_wrapper(p, p->program->functions.items[i], seen);
    free(seen);
}

/* The function's own call made the block, or what it is a clone of: recursion, which comes to no
 * end. */
static bool is_made_in(const struct points_to *p, const struct object *block,
                       const struct function *function) {
    for (; block != NULL; block = points_to_original(p, block->id))
        if (block->call->node->function == function)
            return true;
    return false;
}

static struct object *find_clone(const struct points_to *p, const struct call *call,
                                 const struct object *block) {
    const int_list *clones = points_to_clones(p, block->id);
    for (size_t i = 0; clones != NULL && i < clones->count; i++) {
        struct object *clone = p->program->objects.items[clones->items[i]];
        if (p->clone_of.items[clone->id] == block && clone->call == call)
            return clone;
    }
    return NULL;
}

int allocators_clone(struct points_to *p, int call_id, int object_id) {
    struct call *call = p->program->calls.items[call_id];
    struct object *block = p->program->objects.items[object_id];
    bool inside = false;
    if (p->without_clones)
        return object_id;
    for (size_t i = 0; i < call->targets.count && block->kind == OBJECT_HEAP; i++)
        inside = inside || block->call->node->function == call->targets.items[i];
    if (!inside || is_made_in(p, block, call->node->function))
        return object_id;
    struct object *clone = find_clone(p, call, block);
    if (clone != NULL)
        return clone->id;
    clone = new_heap(p, call);
    points_to_add_clone(p, clone->id, object_id);
    return clone->id;
}

static void bind_result(struct points_to *p, struct call *call, struct function *function) {
    struct constraint constraint = {.kind = CONSTRAINT_MOVE,
                                    .lvalue = points_to_lvalue(call->result),
                                    .other = points_to_lvalue(function->result)};
    if (p->wrappers[function->id]) {
        constraint.kind = CONSTRAINT_FRESH;
        constraint.from = call->id;
    }
    points_to_constrain(p, constraint);
}

void allocators_bind(struct points_to *p, struct call *call, struct function *function) {
    if (!vec_push_new(&call->targets, function))
        return;
    p->code_of = call->node->function;
    for (size_t i = 0; i < call->arguments.count; i++) {
        struct lvalue lvalue = i < function->parameters.count
                                   ? points_to_lvalue(function->parameters.items[i])
                                   : points_to_lvalue(p->variable_arguments);
        const struct argument *argument = &call->arguments.items[i];
        if (argument->is_aggregate)
            move(p, lvalue, argument->aggregate);
        else
            store(p, lvalue, argument->value);
    }
    bind_result(p, call, function);
    p->code_of = NULL;
}

static struct object *state_of(struct points_to *p, const struct call *call) {
    return points_to_state(p, call->library->state ? call->library->state : call->library->name);
}

/* Of memcpy(to, from, sizeof(double *)): 8; 0: not known. */
static long long constant_length(const struct call *call, const struct extern_function *library) {
    for (int i = 0; i < library->parameter_count && (size_t)i < call->arguments.count; i++) {
        const struct ast *ast = call->arguments.items[i].ast;
        const char *name = library->parameters[i].name;
        if (name != NULL && strcmp(name, "bytes") == 0 && ast->has_value && ast->value > 0)
            return ast->value;
    }
    return 0;
}

static void connect_copy(struct points_to *p, const struct call *call,
                         const struct extern_function *library, int to, int from) {
    struct lvalue written = pointee(to), read = pointee(from);
    written.length_bytes = read.length_bytes = constant_length(call, library);
    move(p, written, read);
}

static void connect_written(struct points_to *p, struct call *call,
                            const struct extern_function *library) {
    for (size_t i = 0; i < call->arguments.count; i++) {
        struct extern_parameter parameter = extern_argument(library, (int)i);
        int value = argument_value(call, (int)i), other = argument_value(call, parameter.other);
        if (value < 0)
            continue;
        if (parameter.effect == EXTERN_COPY && other >= 0)
            connect_copy(p, call, library, value, other);
        if (parameter.effect == EXTERN_POINTER || parameter.effect == EXTERN_MOVED)
            store(p, pointee(value), other);
        if (parameter.effect == EXTERN_ALLOCATION || parameter.effect == EXTERN_GROWN)
            points_to_store_address(p, pointee(value), new_heap(p, call));
        if (parameter.effect == EXTERN_KEPT)
            store(p, points_to_lvalue(state_of(p, call)), value);
    }
}

/* What is written to files may be read again, with the pointers in it. */
static void connect_files(struct points_to *p, const struct call *call) {
    const struct extern_function *library = call->library;
    bool writes = library->kind == EXTERN_OUTPUT, reads = library->kind == EXTERN_INPUT;
    if (library->kind == EXTERN_STATE)
        reads = strcmp(library->state, "files") == 0;
    if ((!writes && !reads) || library->rest != EXTERN_NONE)
        return; /* texts have no pointers */
    struct lvalue files = points_to_lvalue(p->files);
    files.stride_bytes = 1;
    for (int i = 0; i < library->parameter_count; i++) {
        enum extern_effect effect = library->parameters[i].effect;
        int value = argument_value(call, i);
        if (value < 0)
            continue;
        if (writes && effect == EXTERN_READ)
            move(p, files, pointee(value));
        else if (reads && effect == EXTERN_WRITE)
            move(p, pointee(value), files);
    }
}

static void connect_library(struct points_to *p, struct call *call) {
    const struct extern_function *library = call->library;
    struct lvalue result = points_to_lvalue(call->result);
    connect_written(p, call, library);
    connect_files(p, call);
    int source = argument_value(call, library->result_argument);
    switch (library->result) {
    case EXTERN_RETURNS_COPY: {
        struct object *block = new_heap(p, call);
        points_to_store_address(p, result, block);
        store(p, result, source); /* realloc may give the old block back */
        if (source >= 0)
            move(p, points_to_lvalue(block), pointee(source));
        return;
    }
    case EXTERN_RETURNS_FRESH:
        points_to_store_address(p, result, new_heap(p, call));
        return;
    case EXTERN_RETURNS_ALIAS:
        store(p, result, source);
        return;
    case EXTERN_RETURNS_INNER:
        if (source >= 0)
            move(p, result, pointee(source));
        return;
    case EXTERN_RETURNS_KEPT:
        move(p, result, points_to_lvalue(state_of(p, call)));
        points_to_store_address(p, result, state_of(p, call));
        return;
    case EXTERN_RETURNS_STATIC:
        points_to_store_address(p, result, state_of(p, call));
        return;
    default:
        return;
    }
}

/* What an attribute is set to is what asking for one may give. */
static void connect_attributes(struct points_to *p, struct call *call) {
    struct lvalue kept = points_to_lvalue(points_to_state(p, "attributes"));
    for (int i = 0; i < call->mpi->parameter_count; i++) {
        const char *name = call->mpi->parameters[i].name;
        int value = argument_value(call, i);
        if (value < 0 || strncmp(name, "attribute", strlen("attribute")) != 0)
            continue;
        if (mpi_role_writes(call->mpi->parameters[i].role))
            move(p, pointee(value), kept);
        else
            store(p, kept, value);
    }
}

/* What one rank has allocated others ask for: all of it is one object. */
static struct object *allocated_by(struct points_to *p, struct call *call) {
    return mpi_call_is(call->mpi, MPI_SHARES_MEMORY) ? points_to_state(p, "shared memory")
                                                     : new_heap(p, call);
}

/* The base of a window is one of its attributes (MPI_WIN_BASE). */
static void connect_window(struct points_to *p, const struct call *call, enum mpi_role role,
                           int value) {
    bool exposes = role == MPI_ROLE_EXPOSED, allocates_it = role == MPI_ROLE_ALLOCATION_OUT;
    if (call->mpi->class != MPI_CLASS_RMA || (!exposes && !allocates_it))
        return;
    struct lvalue kept = points_to_lvalue(points_to_state(p, "attributes"));
    if (exposes)
        store(p, kept, value);
    else
        move(p, kept, pointee(value));
}

static void connect_mpi(struct points_to *p, struct call *call) {
    if (call->mpi->class == MPI_CLASS_ATTRIBUTE)
        connect_attributes(p, call);
    for (int i = 0; i < call->mpi->parameter_count; i++) {
        enum mpi_role role = call->mpi->parameters[i].role;
        int value = argument_value(call, i);
        if (value < 0)
            continue;
        if (role == MPI_ROLE_ALLOCATION_OUT)
            points_to_store_address(p, pointee(value), allocated_by(p, call));
        connect_window(p, call, role, value);
        for (int k = 0; role == MPI_ROLE_ADDRESS_OUT && k < call->mpi->parameter_count; k++)
            if (k != i)
                store(p, pointee(value), argument_value(call, k));
    }
}

/* Of a record that is given by value: the pointers in it. */
static void find_pointers(struct points_to *p, struct argument *argument) {
    struct lvalue anywhere = argument->aggregate;
    if (!argument->is_aggregate || argument->value >= 0)
        return;
    anywhere.stride_bytes = 1;
    argument->value = p->program->variable_count++;
    points_to_constrain(
        p, (struct constraint){.kind = CONSTRAINT_LOAD, .to = argument->value, .lvalue = anywhere});
}

/* Code that nobody has described may store any of its arguments in any other, and return it. */
static void connect_unknown(struct points_to *p, struct call *call) {
    points_to_store_address(p, points_to_lvalue(call->result), p->outside);
    for (size_t i = 0; i < call->arguments.count; i++)
        find_pointers(p, &call->arguments.items[i]);
    for (size_t i = 0; i < call->arguments.count; i++) {
        int value = call->arguments.items[i].value;
        if (value < 0)
            continue;
        store(p, points_to_lvalue(call->result), value);
        store(p, points_to_lvalue(p->outside), value);
        struct lvalue anywhere = pointee(value);
        anywhere.stride_bytes = 1;
        for (size_t k = 0; k < call->arguments.count; k++)
            store(p, anywhere, call->arguments.items[k].value);
        points_to_store_address(p, anywhere, p->outside);
    }
}

static void connect_call(struct points_to *p, struct call *call) {
    if (call->callee >= 0)
        return;
    p->code_of = call->node->function;
    struct function *function = program_function(p->program, call->key);
    if (function != NULL)
        allocators_bind(p, call, function);
    else if (call->mpi != NULL)
        connect_mpi(p, call);
    else if (call->library != NULL)
        connect_library(p, call);
    else
        connect_unknown(p, call);
    p->code_of = NULL;
}

static void connect_main(struct points_to *p) {
    const struct function *function = program_function(p->program, "main");
    if (function == NULL || function->parameters.count < 2)
        return;
    points_to_store_address(p, points_to_lvalue(function->parameters.items[1]), p->arguments);
    struct lvalue strings = points_to_lvalue(p->arguments);
    strings.stride_bytes = 8;
    strings.length_bytes = 8;
    points_to_store_address(p, strings, p->arguments);
}

static void connect_streams(struct points_to *p) {
    size_t count = p->program->objects.count;
    for (size_t i = 0; i < count; i++) {
        struct object *object = p->program->objects.items[i];
        bool stream = object->kind == OBJECT_VARIABLE && object->function == NULL &&
                      (strcmp(object->name, "stdin") == 0 || strcmp(object->name, "stdout") == 0 ||
                       strcmp(object->name, "stderr") == 0);
        if (stream)
            points_to_store_address(p, points_to_lvalue(object), points_to_state(p, object->name));
    }
}

/* Compound literals at file scope are declared nowhere. */
static bool is_foreign(const struct object *object) {
    return object->kind == OBJECT_VARIABLE && object->function == NULL && !object->is_defined &&
           object->declaration != NULL && object->declaration->external_linkage;
}

/* A library knows its own variables: those that the program changes are as what it is given. */
static void connect_foreign(struct points_to *p) {
    bool *is_known =
        memset(xmalloc(p->program->objects.count + 1), 0, p->program->objects.count + 1);
    for (size_t i = 0; i < p->program->nodes.count; i++) {
        const struct node *node = p->program->nodes.items[i];
        for (size_t k = 0; k < node->defines.count; k++)
            if (node->defines.items[k].object >= 0)
                is_known[node->defines.items[k].object] = true;
        for (size_t k = 0; k < node->addresses.count; k++)
            is_known[node->addresses.items[k]->id] = true;
    }
    for (size_t i = 0; i < p->program->objects.count; i++)
        if (is_known[i] && is_foreign(p->program->objects.items[i]))
            points_to_store_address(p, points_to_lvalue(p->outside), p->program->objects.items[i]);
    free(is_known);
}

void allocators_connect(struct points_to *p) {
    size_t count = p->program->calls.count;
    find_wrappers(p);
    for (int depth = 0; depth < 2; depth++) { /* libraries first: wrappers look for their blocks */
        for (size_t i = 0; i < count; i++) {
            struct call *call = p->program->calls.items[i];
            if ((depth == 0) == (program_function(p->program, call->key) == NULL))
                connect_call(p, call);
        }
    }
    connect_main(p);
    connect_streams(p);
    connect_foreign(p);
}

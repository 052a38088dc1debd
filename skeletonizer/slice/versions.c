/* SPDX-License-Identifier: Apache-2.0
 *
 * Locals whose address is taken are followed without flow, but for those that messages are sent
 * from and received into: what is read of `told` behind MPI_Recv(&told, 1, ...) is what was
 * received, and not what the loop before has put there.
 *
 * In: a local of a function that is not recursive, a node that reads it or sends `&told`. Out: the
 * location with the mark of that node (location.read_at), if some write of the variable is
 * overwritten on all ways there (reaching definitions, by a walk along the control-flow graph from
 * each write). A write is told apart that names the variable: an assignment, or a blocking call
 * that receives into `&told`. All else (through pointers, in other functions) is seen everywhere.
 *
 * An assignment overwrites; so does a receive of one number of the variable's size, unless the
 * message may be empty or come from MPI_PROC_NULL, which leaves the buffer as it is (MPI 3.1,
 * section 3.11), and a reduction for all ranks.
 *
 * Vectors that are sent (call_argument.h) are followed likewise where each execution of the
 * function that sends has one of them: an array of its own, a block that is allocated there in no
 * loop. What is read of one behind the call, with no write in between, is what was sent
 * (EVENT_SENT): where that is given nothing else is needed.
 *
 * Not handled: broadcasts, which leave the root's number, and do not overwrite here; members and
 * elements; variables at file scope.
 */
#include "skeletonizer/slice/demands.h"
#include "skeletonizer/slice/events.h"

#include "base/str.h"
#include "skeletonizer/slice/call_argument.h"

#include <string.h>

struct versions {
    const struct object *object;
    const struct function *home; /* whose nodes are told apart; NULL: none are */
    bool is_vector;
    const struct node **writers; /* nodes that write it by its name */
    size_t count;
    bool **seen; /* by writer, by node of the function: the write is seen at its beginning */
};

static const struct ast *addressed(const struct argument *argument) {
    const struct ast *ast = ast_without_casts(argument->ast);
    bool is_address = ast->kind == AST_UNARY && strcmp(ast->op, "&") == 0;
    return is_address ? ast_without_casts(ast->kids[0]) : NULL;
}

/* `&told`, and not `&told.part`. */
static bool is_address_of(const struct argument *argument, const struct object *object) {
    const struct ast *ast = addressed(argument);
    return ast != NULL && ast->kind == AST_REFERENCE && ast->declaration == object->declaration;
}

static bool is_message(const struct call *call) {
    return call->mpi != NULL && call->targets.count == 0 &&
           (call->mpi->class == MPI_CLASS_P2P || call->mpi->class == MPI_CLASS_COLLECTIVE) &&
           !text_has_suffix(call->mpi->name, "_init");
}

/* ---- Writes ---- */

static bool has_come_when_it_returns(const struct call *call) {
    return is_message(call) && mpi_call_parameter(call->mpi, MPI_ROLE_REQUEST_OUT) < 0;
}

/* The argument by which the call receives into the variable; -1: it does not. */
static int received_by(const struct call *call, const struct object *object) {
    for (int i = 0; has_come_when_it_returns(call) && i < call->mpi->parameter_count &&
                    i < (int)call->arguments.count;
         i++) {
        enum mpi_role role = call->mpi->parameters[i].role;
        if (mpi_role_is_payload(role) && mpi_role_writes(role) &&
            is_address_of(&call->arguments.items[i], object))
            return i;
    }
    return -1;
}

/* By its name and by nothing else. */
static bool assigns(const struct node *node, const struct object *object) {
    bool found = false;
    for (size_t i = 0; i < node->defines.count; i++) {
        if (node->defines.items[i].object < 0)
            return false;
        found = found || node->defines.items[i].object == object->id;
    }
    return found && node->moves.count == 0;
}

static const struct node *node_of(const struct event *event) {
    return event->node != NULL ? event->node : event->call != NULL ? event->call->node : NULL;
}

static bool is_recursive(const struct slice *s, const struct function *function) {
    const call_list *callers = &s->callers[function->id];
    for (size_t i = 0; i < callers->count; i++) {
        const struct function *caller = callers->items[i]->node->function;
        if (caller != NULL && slice_may_run(s, function, caller))
            return true;
    }
    return false;
}

/* The function has one such object while it is executed; NULL: it may be another one. */
static const struct function *find_home(const struct slice *s, const struct object *object) {
    const struct function *home = object->function;
    if (object->kind == OBJECT_HEAP && object->call != NULL && object->call->library != NULL &&
        !tree_is_in_loop(object->call->node->tree) &&
        points_to_clones(s->points_to, object->id) == NULL)
        home = object->call->node->function;
    return home != NULL && !is_recursive(s, home) ? home : NULL;
}

const struct object *versions_vector_of(const struct slice *s, const struct call *call, int index) {
    const struct argument *argument = &call->arguments.items[index];
    const int_list *targets = points_to_targets(s->points_to, argument->value);
    if (!call_argument_is_vector(call, index) || targets == NULL || targets->count != 1 ||
        ast_without_casts(argument->ast)->kind != AST_REFERENCE)
        return NULL;
    int object = s->points_to->locations.items[targets->items[0]].object;
    return s->program->objects.items[object];
}

/* The vector is what the call sends, from its beginning. */
static bool sends_vector(const struct slice *s, const struct call *call,
                         const struct object *object) {
    for (size_t i = 0; i < call->arguments.count; i++)
        if (versions_vector_of(s, call, (int)i) == object)
            return !call->conditional && call->within == NULL;
    return false;
}

/* Behind a call that does not block it may be written at any time. */
static const struct node *vector_written_by(const struct slice *s, const struct versions *versions,
                                            const struct event *event) {
    const struct node *node = node_of(event);
    bool later = event->kind == EVENT_PAYLOAD && !has_come_when_it_returns(event->call);
    if (node == NULL || node->function != versions->home || later)
        return NULL;
    return event->kind != EVENT_SENT || sends_vector(s, event->call, versions->object) ? node
                                                                                       : NULL;
}

/* The node that the event names the variable in; NULL: it writes it in another way. */
static const struct node *named_by(const struct slice *s, const struct versions *versions,
                                   const struct event *event) {
    const struct object *object = versions->object;
    if (versions->is_vector)
        return vector_written_by(s, versions, event);
    if (event->kind == EVENT_NODE && event->node->function == object->function &&
        assigns(event->node, object))
        return event->node;
    if (event->kind == EVENT_PAYLOAD && event->call->node->function == object->function &&
        received_by(event->call, object) >= 0)
        return event->call->node;
    return NULL;
}

static bool assigns_surely(const struct node *node, const struct object *object) {
    for (size_t i = 0; assigns(node, object) && i < node->defines.count; i++) {
        const struct lvalue *lvalue = &node->defines.items[i];
        if (lvalue->object == object->id && !lvalue->conditional && lvalue->offset_bytes == 0 &&
            (lvalue->length_bytes == 0 || lvalue->length_bytes == object->type->size_bytes))
            return true;
    }
    return false;
}

/* ---- Receives ---- */

static bool is_all_of(const struct call *call, int payload, const struct object *object) {
    static const struct {
        const char *name;
        size_t size_bytes;
    } types[] = {
        {"MPI_CHAR", 1},
        {"MPI_BYTE", 1},
        {"MPI_SHORT", sizeof(short)},
        {"MPI_INT", sizeof(int)},
        {"MPI_UNSIGNED", sizeof(unsigned)},
        {"MPI_LONG", sizeof(long)},
        {"MPI_UNSIGNED_LONG", sizeof(unsigned long)},
        {"MPI_LONG_LONG", sizeof(long long)},
        {"MPI_LONG_LONG_INT", sizeof(long long)},
        {"MPI_FLOAT", sizeof(float)},
        {"MPI_DOUBLE", sizeof(double)},
    };
    const struct ast *count = program_argument(call, mpi_payload_count(call->mpi, payload));
    const char *name = events_handle(call, mpi_payload_datatype(call->mpi, payload));
    for (size_t i = 0; name != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return count != NULL && count->has_value && count->value == 1 &&
                   object->type->size_bytes == (long long)types[i].size_bytes;
    return false;
}

/* MPI_PROC_NULL can come from its name, and from functions that give it. */
static bool may_come_from_nobody(const struct slice *s) {
    for (size_t i = 0; i < s->program->files.count; i++) {
        const struct source_file *file = s->program->files.items[i];
        if (file->in_project && file->text != NULL && strstr(file->text, "MPI_PROC_NULL") != NULL)
            return true;
    }
    for (size_t i = 0; i < s->program->calls.count; i++)
        if (mpi_call_is(s->program->calls.items[i]->mpi, MPI_GIVES_NOBODY))
            return true;
    return false;
}

static bool has_constant_source(const struct call *call, int payload) {
    for (int i = payload; i < call->mpi->parameter_count; i++)
        if (call->mpi->parameters[i].role == MPI_ROLE_PEER) {
            const struct ast *source = program_argument(call, i);
            return source != NULL && source->has_value && source->value >= 0;
        }
    return false;
}

static bool may_be_empty(const struct slice *s, const struct call *receiver) {
    for (size_t i = 0; i < s->messages.count; i++) {
        const struct call *sender = s->messages.items[i];
        if (!demands_may_match(s, sender, receiver))
            continue;
        int payload = mpi_call_parameter(sender->mpi, MPI_ROLE_PAYLOAD_IN);
        const struct ast *count =
            payload >= 0 ? program_argument(sender, mpi_payload_count(sender->mpi, payload)) : NULL;
        if (count == NULL || !count->has_value || count->value < 1 ||
            events_handle(sender, mpi_payload_datatype(sender->mpi, payload)) == NULL)
            return true;
    }
    return false;
}

static bool receives_surely(const struct slice *s, const struct call *call,
                            const struct object *object) {
    static const char *const receives[] = {"MPI_Recv", "MPI_Sendrecv", NULL};
    int payload = received_by(call, object);
    if (payload < 0 || call->conditional || call->within != NULL ||
        !is_all_of(call, payload, object))
        return false;
    if (strcmp(call->mpi->name, "MPI_Allreduce") == 0) /* not MPI_IN_PLACE */
        return addressed(&call->arguments.items[0]) != NULL;
    return text_is_one_of(call->mpi->name, receives) &&
           (has_constant_source(call, payload) || !may_come_from_nobody(s)) &&
           !may_be_empty(s, call);
}

static bool overwrites(const struct slice *s, const struct versions *versions,
                       const struct node *node) {
    const struct object *object = versions->object;
    for (size_t i = 0; versions->is_vector && i < node->calls.count; i++)
        if (sends_vector(s, node->calls.items[i], object))
            return true;
    if (versions->is_vector)
        return false;
    if (assigns_surely(node, object))
        return true;
    for (size_t i = 0; i < node->calls.count; i++)
        if (receives_surely(s, node->calls.items[i], object))
            return true;
    return false;
}

/* ---- Which writes are seen where ---- */

static void walk(const struct node *from, const bool *ends, bool *seen) {
    node_list work = {0};
    vec_push(&work, (struct node *)from);
    while (work.count > 0) {
        const struct node *node = work.items[--work.count];
        for (size_t i = 0; i < node->next.count; i++) {
            struct node *next = node->next.items[i];
            if (seen[next->index])
                continue;
            seen[next->index] = true;
            if (!ends[next->index])
                vec_push(&work, next);
        }
    }
    vec_dispose(&work);
}

static void add_writer(struct versions *versions, const struct node *node) {
    for (size_t i = 0; i < versions->count; i++)
        if (versions->writers[i] == node)
            return;
    versions->writers[versions->count++] = node;
}

static bool is_number(const struct object *object) {
    return object->kind == OBJECT_VARIABLE && object->in_memory && object->parameter < 0 &&
           object->type != NULL &&
           (object->type->kind == TYPE_INTEGER || object->type->kind == TYPE_FLOATING ||
            object->type->kind == TYPE_CHARACTER);
}

static bool is_vector_sent(const struct slice *s, const struct object *object) {
    const struct event_list *list = s->events.items[object->id];
    for (size_t i = 0; i < list->items.count; i++)
        if (list->items.items[i].event->kind == EVENT_SENT)
            return !is_number(object) && object->kind != OBJECT_STATE;
    return false;
}

static struct versions *find_versions(struct slice *s, const struct object *object) {
    struct arena *arena = &s->arena;
    struct versions *out = ARENA_NEW(arena, struct versions);
    const struct event_list *list = s->events.items[object->id];
    out->object = object;
    out->is_vector = is_vector_sent(s, object);
    out->home = out->is_vector || is_number(object) ? find_home(s, object) : NULL;
    if (out->home == NULL)
        return out;
    size_t count = out->home->nodes.count;
    out->writers = ARENA_ARRAY(arena, const struct node *, list->items.count + 1);
    for (size_t i = 0; i < list->items.count; i++) {
        const struct node *node = named_by(s, out, list->items.items[i].event);
        if (node != NULL)
            add_writer(out, node);
    }
    bool *ends = xcalloc(count, sizeof *ends);
    for (size_t i = 0; i < out->count; i++)
        ends[out->writers[i]->index] = overwrites(s, out, out->writers[i]);
    out->seen = ARENA_ARRAY(arena, bool *, out->count + 1);
    for (size_t i = 0; i < out->count; i++) {
        out->seen[i] = ARENA_ARRAY(arena, bool, count);
        walk(out->writers[i], ends, out->seen[i]);
    }
    free(ends);
    return out;
}

/* NULL: nothing is told apart. */
static struct versions *versions_of(struct slice *s, const struct object *object) {
    if (events_of_object(s, object->id) == NULL)
        return NULL;
    while (s->versions.count <= (size_t)object->id)
        vec_push(&s->versions, (struct versions *)NULL);
    if (s->versions.items[object->id] == NULL)
        s->versions.items[object->id] = find_versions(s, object);
    return s->versions.items[object->id];
}

static bool sees(const struct versions *versions, size_t writer, const struct node *node) {
    return versions->writers[writer] == node || versions->seen[writer][node->index];
}

int versions_at(struct slice *s, const struct node *node, int location) {
    struct location where = s->points_to->locations.items[location];
    const struct object *object = s->program->objects.items[where.object];
    const struct versions *versions = versions_of(s, object);
    if (versions == NULL || versions->home == NULL || versions->home != node->function)
        return location;
    for (size_t i = 0; i < versions->count; i++)
        if (!sees(versions, i, node)) {
            where.read_at = node->id + 1;
            return points_to_intern(s->points_to, where);
        }
    return location;
}

bool versions_see(const struct slice *s, struct location wanted, const struct event *event) {
    if (wanted.read_at == 0)
        return event->kind != EVENT_SENT;
    const struct node *reader = s->program->nodes.items[wanted.read_at - 1];
    const struct versions *versions = s->versions.items[wanted.object];
    const struct node *writer = named_by(s, versions, event);
    for (size_t i = 0; i < versions->count; i++)
        if (versions->writers[i] == writer)
            return sees(versions, i, reader);
    return event->kind != EVENT_SENT;
}

bool versions_are_sent(const struct call *call, const struct argument *argument) {
    const struct ast *ast = addressed(argument);
    bool is_variable = ast != NULL && ast->kind == AST_REFERENCE;
    return is_message(call) &&
           (is_variable || call_argument_is_vector(call, (int)(argument - call->arguments.items)));
}

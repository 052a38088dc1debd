/* SPDX-License-Identifier: Apache-2.0
 *
 * What may have been written to a file that MPI reads, or by MPI to one that a stream reads. Two
 * files are known by the calls that opened them. They may be one unless their names are different
 * constants, or (assumption files-apart) come from different places: different objects, different
 * elements of one array such as argv[1] and argv[2]. What is read through descriptors is not told
 * apart by names (files-apart again).
 */
#include "skeletonizer/pointsto/communicator_handles.h"
#include "skeletonizer/slice/demands.h"
#include "skeletonizer/slice/events.h"

#include <string.h>

/* A call that opens a file, and which of its arguments is the name. */
struct opening {
    const struct call *call;
    int name;
};

typedef VEC(struct opening) opening_list;

static const struct object *target(const struct slice *s, const int_list *targets, size_t i) {
    int object = s->points_to->locations.items[targets->items[i]].object;
    return s->program->objects.items[object];
}

/* ---- Names ---- */

static const struct ast *name_of(const struct opening *opening) {
    return ast_without_casts(events_argument(opening->call, opening->name));
}

static bool are_elements_apart(const struct ast *one, const struct ast *other) {
    if (one->kind != AST_SUBSCRIPT || other->kind != AST_SUBSCRIPT)
        return false;
    const struct ast *base = ast_without_casts(one->kids[0]);
    const struct ast *other_base = ast_without_casts(other->kids[0]);
    return base->kind == AST_REFERENCE && other_base->kind == AST_REFERENCE &&
           base->declaration == other_base->declaration && one->kids[1]->has_value &&
           other->kids[1]->has_value && one->kids[1]->value != other->kids[1]->value;
}

static size_t count_of(const int_list *targets) {
    return targets != NULL ? targets->count : 0;
}

/* Pointers of which nothing is known (optarg) may be alike. */
static bool may_be_one_place(const struct slice *s, const int_list *left, const int_list *right) {
    for (size_t i = 0; i < count_of(left); i++)
        for (size_t k = 0; k < count_of(right); k++)
            if (target(s, left, i) == target(s, right, k))
                return true;
    return count_of(left) == 0 && count_of(right) == 0;
}

static bool is_literal(const struct ast *ast) {
    if (ast->kind == AST_CONDITIONAL)
        return is_literal(ast_without_casts(ast->kids[1])) &&
               is_literal(ast_without_casts(ast->kids[2]));
    return ast->kind == AST_STRING && ast->name != NULL;
}

/* Also of `rank == 0 ? "a" : "b"`. */
static bool literals_differ(const struct ast *one, const struct ast *other) {
    if (one->kind == AST_CONDITIONAL)
        return literals_differ(ast_without_casts(one->kids[1]), other) &&
               literals_differ(ast_without_casts(one->kids[2]), other);
    if (other->kind == AST_CONDITIONAL)
        return literals_differ(other, one);
    return strcmp(one->name, other->name) != 0;
}

static bool names_are_apart(const struct slice *s, const struct opening *one,
                            const struct opening *other) {
    const struct ast *left = name_of(one), *right = name_of(other);
    if (!s->assumptions.files_apart || left == NULL || right == NULL)
        return false;
    if (is_literal(left) && is_literal(right))
        return literals_differ(left, right);
    if (are_elements_apart(left, right))
        return true;
    const int_list *places =
        points_to_targets(s->points_to, one->call->arguments.items[one->name].value);
    const int_list *others =
        points_to_targets(s->points_to, other->call->arguments.items[other->name].value);
    return !may_be_one_place(s, places, others);
}

/* An empty list: it is not known which file it is. */
static bool may_be_one(const struct slice *s, const opening_list *one, const opening_list *other) {
    for (size_t i = 0; i < one->count; i++)
        for (size_t k = 0; k < other->count; k++)
            if (one->items[i].call == other->items[k].call ||
                !names_are_apart(s, &one->items[i], &other->items[k]))
                return true;
    return one->count == 0 || other->count == 0;
}

/* ---- Which file ---- */

/* `opens` NULL: what comes from elsewhere. */
static bool add_opening(opening_list *out, const struct call *opens, int name) {
    if (opens == NULL)
        return false;
    vec_push(out, ((struct opening){opens, name}));
    return true;
}

static const struct call *stream_of(const struct object *object) {
    bool opens = object->kind == OBJECT_HEAP && object->call != NULL &&
                 object->call->library != NULL &&
                 strncmp(object->call->library->name, "fopen", strlen("fopen")) == 0;
    return opens ? object->call : NULL;
}

static void find_openings(opening_list *out, const struct slice *s, int handle) {
    const int_list *targets = points_to_targets(s->points_to, handle);
    bool known = true;
    for (size_t i = 0; targets != NULL && known && i < targets->count; i++) {
        const struct object *object = target(s, targets, i);
        const struct call *opens = communicator_handles_opened_by(object);
        known = opens != NULL
                    ? add_opening(out, opens, mpi_call_parameter(opens->mpi, MPI_ROLE_STRING_IN))
                    : add_opening(out, stream_of(object), 0);
    }
    if (!known)
        out->count = 0;
}

/* ---- One variable for several files ---- */

/* The local of the function that is all of the expression; NULL: it is something else. */
static const struct object *local_of(const struct slice *s, const struct call *call,
                                     const struct ast *ast) {
    ast = ast_without_casts(ast);
    bool is_local = ast != NULL && ast->kind == AST_REFERENCE &&
                    !ast->declaration->static_storage && !ast->declaration->global;
    return is_local ? program_object(s->program, call->node->function, ast->declaration) : NULL;
}

/* The local into which the call opens a file, `&file`. */
static const struct object *opened_local(const struct slice *s, const struct call *call) {
    int out = call->mpi != NULL ? mpi_call_parameter(call->mpi, MPI_ROLE_FILE_OUT) : -1;
    if (out < 0 || (size_t)out >= call->arguments.count)
        return NULL;
    const struct ast *ast = ast_without_casts(call->arguments.items[out].ast);
    bool is_address = ast->kind == AST_UNARY && strcmp(ast->op, "&") == 0;
    return is_address ? local_of(s, call, ast->kids[0]) : NULL;
}

static bool opens(const struct slice *s, const struct node *node, const struct object *local) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (opened_local(s, node->calls.items[i]) == local)
            return true;
    return false;
}

static bool makes_mpi_call(const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (node->calls.items[i]->mpi != NULL)
            return true;
    return false;
}

/* Nothing but MPI sets it: it is not assigned, and its address goes nowhere else. */
static bool is_set_by_mpi_alone(const struct function *function, const struct object *local) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        bool declares = node->declares == local;
        for (size_t k = 0; k < node->defines.count; k++)
            if (node->defines.items[k].object == local->id && !declares)
                return false;
        for (size_t k = 0; k < node->moves.count; k++)
            if (node->moves.items[k].to.object == local->id && !declares)
                return false;
        for (size_t k = 0; k < node->addresses.count; k++)
            if (node->addresses.items[k] == local && !declares && !makes_mpi_call(node))
                return false;
    }
    return true;
}

/* Some way leads from behind `from` to `to` on which no other file is opened into the local. */
static bool is_reached(const struct slice *s, const struct node *from, const struct node *to,
                       const struct object *local) {
    bool *seen = ARENA_ARRAY(&s->program->arena, bool, from->function->nodes.count);
    node_list left = {0};
    bool found = false;
    vec_push(&left, (struct node *)from);
    while (left.count > 0 && !found) {
        const struct node *node = left.items[--left.count];
        for (size_t i = 0; i < node->next.count && !found; i++) {
            struct node *next = node->next.items[i];
            found = next == to;
            if (!found && !seen[next->index] && !opens(s, next, local))
                vec_push(&left, next);
            seen[next->index] = true;
        }
    }
    vec_dispose(&left);
    return found;
}

/* Leaves out files that the variable no longer holds where the call is made. */
static void drop_earlier(opening_list *list, const struct slice *s, const struct call *call,
                         const struct ast *handle) {
    const struct object *local = local_of(s, call, handle);
    size_t count = 0;
    if (local == NULL || !is_set_by_mpi_alone(call->node->function, local))
        return;
    for (size_t i = 0; i < list->count; i++) {
        const struct call *other = list->items[i].call;
        bool is_of_local = other->node->function == call->node->function &&
                           opened_local(s, other) == local && other->node != call->node;
        if (!is_of_local || is_reached(s, other->node, call->node, local))
            list->items[count++] = list->items[i];
    }
    if (count > 0) /* or it is never opened on the way, and nothing is known */
        list->count = count;
}

static void openings_of_call(opening_list *out, const struct slice *s, const struct call *call) {
    int handle = mpi_call_parameter(call->mpi, MPI_ROLE_FILE);
    if (handle < 0 || (size_t)handle >= call->arguments.count)
        return;
    find_openings(out, s, call->arguments.items[handle].value);
    drop_earlier(out, s, call, call->arguments.items[handle].ast);
}

/* ---- Who writes ---- */

static bool is_live(const struct call *call) {
    return call->targets.count == 0 && call->node->function != NULL &&
           call->node->function->is_live;
}

static void demand_writes(struct slice *s, const opening_list *read) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        opening_list written = {0};
        if (!is_live(call) || !events_writes_mpi_file(call))
            continue;
        openings_of_call(&written, s, call);
        s->why = "writes to a file that is read";
        if (may_be_one(s, read, &written))
            slice_add(s, DEMAND_PAYLOAD, call->id, 0);
        vec_dispose(&written);
    }
}

static void demand_streams(struct slice *s, const opening_list *read) {
    s->why = "may be the file that is read";
    for (size_t i = 0; i < s->program->objects.count; i++) {
        const struct object *object = s->program->objects.items[i];
        const struct call *call = stream_of(object);
        opening_list written = {0};
        if (call == NULL || !is_live(call))
            continue;
        vec_push(&written, ((struct opening){call, 0}));
        if (may_be_one(s, read, &written))
            demands_contents_of(s, (struct place){.object = object->id, .pointer = -1});
        vec_dispose(&written);
    }
}

void demands_match_files(struct slice *s, const struct call *reader) {
    opening_list read = {0};
    if (mpi_call_parameter(reader->mpi, MPI_ROLE_PAYLOAD_OUT) < 0)
        return;
    openings_of_call(&read, s, reader);
    demand_writes(s, &read);
    demand_streams(s, &read);
    vec_dispose(&read);
    if (s->assumptions.files_apart)
        return;
    int files = points_to_state(s->points_to, "files")->id;
    demands_contents_of(s, (struct place){.object = files, .pointer = -1});
}

void demands_match_stream(struct slice *s, const struct call *reader) {
    opening_list read = {0};
    find_openings(&read, s, reader->arguments.items[reader->library->stream].value);
    if (read.count > 0) /* stdin and the like are opened by nobody */
        demand_writes(s, &read);
    vec_dispose(&read);
}

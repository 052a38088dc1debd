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

static bool have_one_in_common(const struct slice *s, const int_list *left, const int_list *right) {
    for (size_t i = 0; i < left->count; i++)
        for (size_t k = 0; k < right->count; k++)
            if (target(s, left, i) == target(s, right, k))
                return true;
    return false;
}

static bool names_are_apart(const struct slice *s, const struct opening *one,
                            const struct opening *other) {
    const struct ast *left = name_of(one), *right = name_of(other);
    if (!s->assumptions.files_apart || left == NULL || right == NULL)
        return false;
    if (left->kind == AST_STRING && right->kind == AST_STRING)
        return left->name != NULL && right->name != NULL && strcmp(left->name, right->name) != 0;
    if (are_elements_apart(left, right))
        return true;
    const int_list *places =
        points_to_targets(s->points_to, one->call->arguments.items[one->name].value);
    const int_list *others =
        points_to_targets(s->points_to, other->call->arguments.items[other->name].value);
    return places != NULL && others != NULL && places->count > 0 && others->count > 0 &&
           !have_one_in_common(s, places, others);
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

static void openings_of_call(opening_list *out, const struct slice *s, const struct call *call) {
    int handle = mpi_call_parameter(call->mpi, MPI_ROLE_FILE);
    if (handle >= 0 && (size_t)handle < call->arguments.count)
        find_openings(out, s, call->arguments.items[handle].value);
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

/* SPDX-License-Identifier: Apache-2.0
 *
 * A derived datatype has the type signature of what it was made of (MPI 3.1, section 4.1): rows,
 * blocks and strides of doubles are doubles. So a variable that nothing writes but constructors of
 * one old type each has that type's elements, if all of them agree.
 *
 * Not handled: structs (several types), datatypes in records and arrays, datatypes that are
 * assigned.
 */
#include "skeletonizer/datatypes.h"

#include "skeletonizer/events.h"

#include <string.h>

#define MAX_DEPTH 8 /* of datatypes that are made out of others */

static const char *const made_of_one[] = {
    "MPI_Type_contiguous",     "MPI_Type_vector",          "MPI_Type_create_hvector",
    "MPI_Type_indexed",        "MPI_Type_create_hindexed", "MPI_Type_create_indexed_block",
    "MPI_Type_create_resized", "MPI_Type_create_subarray", "MPI_Type_dup"};

static bool is_made_of_one(const struct call *call) {
    for (size_t i = 0; i < sizeof made_of_one / sizeof *made_of_one; i++)
        if (strcmp(call->mpi->name, made_of_one[i]) == 0)
            return true;
    return false;
}

static bool leaves_it(const struct call *call) {
    return strcmp(call->mpi->name, "MPI_Type_commit") == 0 ||
           strcmp(call->mpi->name, "MPI_Type_free") == 0;
}

static const struct object *variable_of(const struct slice *s, const struct call *call, int index) {
    const struct ast *ast = events_argument(call, index);
    while (ast != NULL && ast->kind == AST_CAST && ast->kid_count > 0)
        ast = ast->kids[ast->kid_count - 1];
    if (ast == NULL || ast->kind != AST_REFERENCE)
        return NULL;
    const struct object *found = NULL;
    for (size_t i = 0; i < s->program->objects.count; i++) {
        const struct object *object = s->program->objects.items[i];
        if (object->kind != OBJECT_VARIABLE || object->declaration != ast->declaration)
            continue;
        if (found != NULL) /* instances of its function */
            return NULL;
        found = object;
    }
    return found;
}

static const char *elements(const struct slice *s, const struct call *call, int index, int depth);

/* Of what the event writes; NULL: not known. */
static const char *made_by(const struct slice *s, const struct event *event, int depth) {
    if (event->kind != EVENT_CALL || event->call->mpi == NULL || !is_made_of_one(event->call))
        return NULL;
    int old = mpi_call_parameter(event->call->mpi, MPI_ROLE_DATATYPE);
    return old < 0 ? NULL : elements(s, event->call, old, depth + 1);
}

static const char *elements(const struct slice *s, const struct call *call, int index, int depth) {
    const char *name = events_handle(call, index), *known = NULL;
    const struct object *variable = name == NULL ? variable_of(s, call, index) : NULL;
    if (name != NULL)
        return name;
    if (variable == NULL || depth > MAX_DEPTH || variable->parameter >= 0 ||
        (size_t)variable->id >= s->events.count || s->events.items[variable->id] == NULL)
        return NULL;
    const struct event_list *list = s->events.items[variable->id];
    for (size_t i = 0; i < list->items.count; i++) {
        const struct event *event = &list->items.items[i];
        if (event->kind == EVENT_CALL && event->call->mpi != NULL && leaves_it(event->call))
            continue;
        name = made_by(s, event, depth);
        if (name == NULL || (known != NULL && strcmp(known, name) != 0))
            return NULL;
        known = name;
    }
    return known;
}

const char *datatypes_elements(const struct slice *s, const struct call *call, int index) {
    return elements(s, call, index, 0);
}

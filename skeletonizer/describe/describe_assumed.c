/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the assumptions in force made the skeleton smaller, found after the fact: what a rule of
 * the slice would have demanded, had it not been for the assumption, and nothing else demanded.
 * Also the functions of unknown effect whose calls stay.
 *
 *   type-classes         a write that overlaps what is needed, but of another class; a read
 *                        through a pointer that might point to a variable of another class
 *   aligned-collectives  a collective that could match one whose contents are needed
 *   no-abnormal-exit     a call that ends the program with an error
 *   files-apart          a call that writes a file (or its contents), in a skeleton that reads one
 */
#include "skeletonizer/describe/describe.h"

#include "base/str.h"
#include "skeletonizer/slice/demands.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/exits.h"
#include "skeletonizer/slice/kept.h"

#include <string.h>

struct uses {
    const struct slice *slice;
    json_t *list;
    bool *listed; /* by node */
};

static void tell(struct uses *uses, const char *name, const struct node *node, const char *effect) {
    struct program *program = uses->slice->program;
    if (node->function == NULL || uses->listed[node->id] || node->range.file < 0)
        return;
    uses->listed[node->id] = true;
    json_array_append_new(uses->list,
                          json_pack("{s:s, s:o, s:i, s:o, s:s}", "name", name, "file",
                                    describe_text(program_relative(
                                        program, program->files.items[node->range.file]->path)),
                                    "line", node->line, "text",
                                    describe_text(describe_node(program, node)), "effect", effect));
}

/* Type classes */

static void tell_skipped(struct uses *uses, struct location wanted, enum value_class class,
                         const struct event_list *list) {
    const struct slice *s = uses->slice;
    for (size_t i = 0; list != NULL && i < list->items.count; i++) {
        const struct event_at *at = &list->items.items[i];
        const struct event *event = at->event;
        const struct node *node = event->node != NULL   ? event->node
                                  : event->call != NULL ? event->call->node
                                                        : NULL;
        struct location written = s->points_to->locations.items[at->location];
        written.object = wanted.object;
        if (node == NULL || node->function == NULL || !node->function->is_live ||
            class == CLASS_ANY || at->class == CLASS_ANY || class == at->class ||
            kept_part_of_node(s, node) || !location_overlap(written, wanted))
            continue;
        tell(uses, "type-classes", node,
             "is taken not to change what is read there as another class of type");
    }
}

static void find_skipped(struct uses *uses, const struct demand *demand) {
    const struct slice *s = uses->slice;
    struct location wanted = s->points_to->locations.items[demand->subject];
    int object;
    for (size_t i = 0; (object = points_to_sharing(s->points_to, wanted.object, i)) >= 0; i++)
        tell_skipped(uses, wanted, (enum value_class)demand->detail, events_of_object(s, object));
}

static bool reads_less(const struct slice *s, const lvalue_list *uses) {
    int_list locations = {0};
    bool less = false;
    for (size_t i = 0; i < uses->count && !less; i++) {
        locations.count = 0;
        points_to_locations(s->points_to, uses->items[i], &locations);
        for (size_t k = 0; k < locations.count && !less; k++)
            less = !demands_may_read(s, uses->items[i],
                                     s->points_to->locations.items[locations.items[k]].object);
    }
    vec_dispose(&locations);
    return less;
}

static void find_unread(struct uses *uses, const struct node *node) {
    const struct slice *s = uses->slice;
    bool less = reads_less(s, &node->uses);
    for (size_t i = 0; i < node->calls.count && !less; i++) {
        const struct call *call = node->calls.items[i];
        for (size_t k = 0; k < call->arguments.count && !less; k++)
            less = slice_keeps_argument(s, call, (int)k) &&
                   reads_less(s, &call->arguments.items[k].uses);
    }
    if (less)
        tell(uses, "type-classes", node,
             "is taken not to read variables that are declared as another class of type");
}

/* Collectives */

static void find_aligned(struct uses *uses, const struct demand *demand) {
    const struct slice *s = uses->slice;
    const struct call *call = s->program->calls.items[demand->subject];
    if (call->mpi == NULL || call->mpi->class != MPI_CLASS_COLLECTIVE)
        return;
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *other = s->program->calls.items[i];
        if (other == call || slice_keeps_payload(s, other) || !demands_aligned(s, call, other))
            continue;
        tell(uses, "aligned-collectives", other->node,
             "is taken not to match the other call of the same name under the same control, whose "
             "contents are needed");
    }
}

/* Exits */

static void find_exits(struct uses *uses) {
    const struct slice *s = uses->slice;
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->node->function != NULL && call->node->function->is_live &&
            call->node->ends_abnormally && exits_is_abnormal(call) && !slice_keeps_call(s, call))
            tell(uses, "no-abnormal-exit", call->node, "is taken not to be executed");
    }
}

/* Files */

static bool reads_file(const struct slice *s, const struct call *call) {
    const struct extern_function *library = call->library;
    if (call->mpi != NULL && call->mpi->class == MPI_CLASS_FILE)
        return slice_keeps_payload(s, call) && !events_writes_mpi_file(call);
    return slice_keeps_call(s, call) && library != NULL && call->targets.count == 0 &&
           (library->kind == EXTERN_INPUT ||
            (library->kind == EXTERN_STATE && strcmp(library->state, "files") == 0));
}

static void find_written(struct uses *uses) {
    const struct slice *s = uses->slice;
    bool reads = false;
    for (size_t i = 0; i < s->program->calls.count && !reads; i++)
        reads = reads_file(s, s->program->calls.items[i]);
    for (size_t i = 0; i < s->program->calls.count && reads; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->node->function != NULL && call->node->function->is_live &&
            ((!slice_keeps_call(s, call) && events_write_file(s, call)) ||
             (events_writes_mpi_file(call) && !slice_keeps_payload(s, call))))
            tell(uses, "files-apart", call->node, "is taken not to change a file that is read");
    }
}

json_t *describe_assumed(const struct slice *s) {
    size_t count = s->program->nodes.count;
    struct uses uses = {.slice = s, .list = json_array()};
    uses.listed = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct demand *demand = &s->demands.items[i];
        if (demand->kind == DEMAND_PLACE && s->assumptions.type_classes)
            find_skipped(&uses, demand);
        if (demand->kind == DEMAND_NODE && s->assumptions.type_classes)
            find_unread(&uses, s->program->nodes.items[demand->subject]);
        if (demand->kind == DEMAND_PAYLOAD && s->assumptions.aligned_collectives)
            find_aligned(&uses, demand);
    }
    if (s->assumptions.no_abnormal_exit)
        find_exits(&uses);
    if (s->assumptions.files_apart)
        find_written(&uses);
    free(uses.listed);
    return uses.list;
}

static json_t *unknown_entry(json_t *list, const char *name) {
    size_t i;
    json_t *entry;
    json_array_foreach(list, i, entry) {
        if (strcmp(json_get_text(entry, "name"), name) == 0)
            return entry;
    }
    entry = json_pack("{s:s, s:[]}", "name", name, "calls");
    json_array_append_new(list, entry);
    return entry;
}

json_t *describe_unknown(const struct slice *s) {
    struct program *program = s->program;
    json_t *list = json_array();
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->mpi != NULL || call->library != NULL || call->targets.count > 0 ||
            call->name == NULL || call->ast->range.file < 0 || !slice_keeps_call(s, call))
            continue;
        const char *path = program->files.items[call->ast->range.file]->path;
        json_array_append_new(
            json_object_get(unknown_entry(list, call->name), "calls"),
            json_pack("[o, i]", describe_text(program_relative(program, path)), call->ast->line));
    }
    return list;
}

/* ---- Calls that stay and may take long ---- */

static bool may_take_long(const struct extern_function *library) {
    return library == NULL || library->kind == EXTERN_INPUT || library->kind == EXTERN_OUTPUT ||
           (library->kind == EXTERN_ALWAYS && !extern_sleeps_in_simulation(library)) ||
           (library->kind == EXTERN_STATE && strcmp(library->state, "files") == 0);
}

json_t *describe_kept_calls(const struct slice *s) {
    struct program *program = s->program;
    json_t *list = json_array();
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->mpi != NULL || call->targets.count > 0 || call->name == NULL ||
            call->ast->range.file < 0 || !may_take_long(call->library) ||
            call->node->function == NULL || !call->node->function->is_live ||
            !slice_keeps_call(s, call))
            continue;
        const char *path = program->files.items[call->ast->range.file]->path;
        json_t *object =
            json_pack("{s:o, s:o, s:i}", "function", describe_text(call->name), "file",
                      describe_text(program_relative(program, path)), "line", call->ast->line);
        if (call->library == NULL)
            json_object_set_new(object, "unknown", json_true());
        json_array_append_new(list, object);
    }
    return list;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Solves the constraints by passing over all of them until nothing changes; sets are sorted lists.
 * Passed over are those that read nothing that has changed since they were solved last: steps are
 * counted, and each variable and each object (with its clones) knows the step of its last change.
 * Allocation wrappers (functions that return fresh memory) get one heap block per call, which still
 * shares what the wrapper itself stored in it.
 */
#include "skeletonizer/pointsto/pointsto.h"

#include "skeletonizer/pointsto/allocators.h"
#include "skeletonizer/pointsto/callbacks.h"
#include "skeletonizer/pointsto/communicator_handles.h"
#include "skeletonizer/pointsto/id_set.h"
#include "skeletonizer/pointsto/live.h"
#include "skeletonizer/pointsto/never_made.h"
#include "skeletonizer/pointsto/pointsto_bound.h"
#include "skeletonizer/pointsto/pointsto_intern.h"
#include "skeletonizer/pointsto/pointsto_moves.h"

#include <string.h>

static int *variable(struct points_to *p, int index) {
    if (index >= p->variable_count) {
        int wanted = p->program->variable_count + 256;
        p->variables = xrealloc(p->variables, (size_t)wanted * sizeof *p->variables);
        memset(p->variables + p->variable_count, 0,
               (size_t)(wanted - p->variable_count) * sizeof *p->variables);
        p->variable_steps = xrealloc(p->variable_steps, (size_t)wanted * sizeof *p->variable_steps);
        memset(p->variable_steps + p->variable_count, 0,
               (size_t)(wanted - p->variable_count) * sizeof *p->variable_steps);
        p->variable_count = wanted;
    }
    return &p->variables[index];
}

static const int_list *targets_of(struct points_to *p, int index) {
    return sets_items(&p->sets, *variable(p, index));
}

/* What the variable points to now, which is no less than before. */
static void set_targets(struct points_to *p, int index, int set) {
    int *known = variable(p, index);
    if (*known == set)
        return;
    p->size += sets_items(&p->sets, set)->count - sets_items(&p->sets, *known)->count;
    *known = set;
    p->variable_steps[index] = p->step;
    p->changed = true;
}

static bool variable_changed(struct points_to *p, int index, unsigned since) {
    return index >= 0 && variable(p, index) != NULL && p->variable_steps[index] >= since;
}

static void mark_changed(struct points_to *p, int object) {
    size_t block = (size_t)points_to_block(p, object);
    while (p->object_steps.count <= block)
        vec_push(&p->object_steps, 0);
    p->object_steps.items[block] = p->step;
}

bool points_to_has_changed(const struct points_to *p, int object, unsigned since) {
    size_t block = (size_t)points_to_block(p, object);
    return (block < p->object_steps.count ? p->object_steps.items[block] : 0) >= since;
}

const int_list *points_to_targets(const struct points_to *p, int index) {
    return index >= 0 && index < p->variable_count ? sets_items(&p->sets, p->variables[index])
                                                   : NULL;
}

static int lvalue_at(struct points_to *p, struct location base, struct lvalue lvalue) {
    if (base.length_bytes > 0 && lvalue.pointer >= 0) /* a pointer into an array: all of it */
        return points_to_intern(p, base);
    base.offset_bytes += lvalue.offset_bytes;
    base.length_bytes = lvalue.length_bytes;
    base.stride_bytes = location_gcd(base.stride_bytes, lvalue.stride_bytes);
    return points_to_intern(p, base);
}

/* Anywhere in an object stays anywhere. */
static int target_at(struct points_to *p, int target, struct lvalue lvalue) {
    struct location base = p->locations.items[target];
    return base.stride_bytes == 1 ? target : lvalue_at(p, base, lvalue);
}

void points_to_locations_of(struct points_to *p, struct lvalue lvalue, int set, int_list *out) {
    const int_list *targets = sets_items(&p->sets, set);
    for (size_t i = 0; i < targets->count; i++)
        int_list_insert(out, target_at(p, targets->items[i], lvalue));
}

void points_to_locations(struct points_to *p, struct lvalue lvalue, int_list *out) {
    if (lvalue.object >= 0)
        vec_push(out, lvalue_at(p, (struct location){.object = lvalue.object}, lvalue));
    else if (lvalue.pointer >= 0)
        points_to_locations_of(p, lvalue, *variable(p, lvalue.pointer), out);
}

static int *cell(struct points_to *p, int location) {
    int object = p->locations.items[location].object;
    while (p->cells_of.count <= (size_t)object)
        vec_push(&p->cells_of, (int_list){0});
    int_list_insert(&p->cells_of.items[object], location);
    return &p->cells.items[location];
}

const int_list *points_to_cell(const struct points_to *p, int location) {
    return sets_items(&p->sets, p->cells.items[location]);
}

void points_to_store(struct points_to *p, int location, int set) {
    int object = p->locations.items[location].object;
    if (intern_is_constant(p, object))
        return;
    int *stored = cell(p, location);
    int all = sets_union(&p->sets, *stored, set);
    if (all == *stored)
        return;
    p->size += sets_items(&p->sets, all)->count - sets_items(&p->sets, *stored)->count;
    *stored = all;
    p->changed = true;
    p->cell_steps.items[location] = p->step;
    mark_changed(p, object);
}

static void add_stored(const struct points_to *p, int object, int_list *out) {
    if ((size_t)object >= p->cells_of.count)
        return;
    for (size_t i = 0; i < p->cells_of.items[object].count; i++)
        int_list_merge(out, points_to_cell(p, p->cells_of.items[object].items[i]));
}

void points_to_stored(const struct points_to *p, int object, int_list *out) {
    int block;
    for (size_t i = 0; (block = points_to_sharing(p, object, i)) >= 0; i++)
        add_stored(p, block, out);
}

/* The set with everything stored since then where it may be read as `location`, and not looked at
 * before. */
static int load_from(struct points_to *p, struct location location, unsigned since, int set) {
    if ((size_t)location.object >= p->cells_of.count)
        return set;
    for (size_t i = 0; i < p->cells_of.items[location.object].count; i++) {
        int at = p->cells_of.items[location.object].items[i];
        if (p->cell_steps.items[at] >= since && !moves_has_looked(p, at) &&
            location_overlap(p->locations.items[at], location) && moves_is_first_look(p, at))
            set = sets_union(&p->sets, set, p->cells.items[at]);
    }
    return set;
}

static int load(struct points_to *p, struct location here, unsigned since, int set) {
    int object = here.object;
    if (!points_to_has_changed(p, object, since))
        return set;
    for (size_t i = 0; (here.object = points_to_sharing(p, object, i)) >= 0; i++)
        set = load_from(p, here, since, set);
    return set;
}

void points_to_load(struct points_to *p, struct location location, int_list *out) {
    intern_canonical(p, &location);
    moves_look_anew(p);
    int_list_merge(out, sets_items(&p->sets, load(p, location, 0, 0)));
}

static int indexed(struct points_to *p, int target, long long bytes) {
    struct location location = p->locations.items[target];
    if (location.length_bytes > 0 || location.stride_bytes == 1)
        return target;
    location.stride_bytes = location_gcd(location.stride_bytes, bytes);
    return points_to_intern(p, location);
}

/* Pointers to members of what such pointers point to, in a cycle, would have new offsets without
 * end: from MEMBERS_MOST on they are anywhere in the object (D. Pearce, P. Kelly, C. Hankin,
 * "Efficient field-sensitive pointer analysis of C", 2007, have the problem and other ways). */
static int member(struct points_to *p, int target, long long bytes, long long length) {
    struct location location = p->locations.items[target];
    if (location.length_bytes > 0 || location.stride_bytes == 1)
        return target;
    location.offset_bytes += bytes;
    location.length_bytes = length;
    return moves_intern_bounded(p, location, &p->members, moves_most_members(p, location.object));
}

static bool lvalue_moved(struct points_to *p, struct lvalue lvalue, unsigned since) {
    return lvalue.object < 0 && variable_changed(p, lvalue.pointer, since);
}

/* The pointer that an allocation wrapper returns, to blocks of this call's own. */
static void solve_fresh(struct points_to *p, const struct constraint *c, unsigned since) {
    int_list from = {0}, to = {0};
    int stored = 0, fresh = 0;
    if (lvalue_moved(p, c->lvalue, since) || lvalue_moved(p, c->other, since))
        since = 0; /* only in locations of the last time what was stored since then is all */
    points_to_locations(p, c->other, &from);
    points_to_locations(p, c->lvalue, &to);
    moves_look_anew(p);
    for (size_t i = 0; i < from.count; i++)
        stored = load(p, p->locations.items[from.items[i]], since, stored);
    for (size_t i = 0; i < sets_items(&p->sets, stored)->count; i++) {
        struct location target = p->locations.items[sets_items(&p->sets, stored)->items[i]];
        target.object = allocators_clone(p, c->from, target.object);
        fresh = sets_with_one(&p->sets, fresh, points_to_intern(p, target));
    }
    for (size_t k = 0; k < to.count; k++)
        points_to_store(p, to.items[k], fresh);
    vec_dispose(&from);
    vec_dispose(&to);
}

/* The targets of a pointer, of which those are known that a constraint has looked at before. */
struct targets {
    const int_list *all, *known;
    size_t next, next_known;
};

static struct targets targets_since(struct points_to *p, int pointer, int known) {
    return (struct targets){.all = targets_of(p, pointer), .known = sets_items(&p->sets, known)};
}

/* -1: there is none left. Both lists are ascending. */
static int next_target(struct targets *targets, bool *is_known) {
    if (targets->next == targets->all->count)
        return -1;
    int target = targets->all->items[targets->next++];
    while (targets->next_known < targets->known->count &&
           targets->known->items[targets->next_known] < target)
        targets->next_known++;
    *is_known = targets->next_known < targets->known->count &&
                targets->known->items[targets->next_known] == target;
    return target;
}

/* Of targets that are new all that is stored, of others what is new. Those anywhere in an object
 * come first: what others in it lead to is among what they have found, now or before. */
static int load_targets(struct points_to *p, const struct constraint *c, unsigned since, int known,
                        bool anywhere, int set) {
    struct targets targets = targets_since(p, c->lvalue.pointer, known);
    bool is_known = false;
    for (int target; (target = next_target(&targets, &is_known)) >= 0;) {
        struct location base = p->locations.items[target];
        if ((base.stride_bytes == 1) != anywhere ||
            (is_known && !points_to_has_changed(p, base.object, since)))
            continue;
        int at = target_at(p, target, c->lvalue);
        if (anywhere || !moves_has_looked_at_all(p, base.object))
            set = load(p, p->locations.items[at], is_known ? since : 0, set);
        if (anywhere)
            moves_looked_at_all(p, base.object);
    }
    return set;
}

static void solve_load(struct points_to *p, const struct constraint *c, unsigned since, int known) {
    int all = *variable(p, c->to);
    moves_look_anew(p);
    if (c->lvalue.object >= 0 || c->lvalue.pointer < 0) {
        int_list locations = {0};
        points_to_locations(p, c->lvalue, &locations);
        for (size_t i = 0; i < locations.count; i++)
            all = load(p, p->locations.items[locations.items[i]], since, all);
        vec_dispose(&locations);
        set_targets(p, c->to, all);
        return;
    }
    all = load_targets(p, c, since, known, true, all);
    set_targets(p, c->to, load_targets(p, c, since, known, false, all));
}

static void solve_store(struct points_to *p, const struct constraint *c, unsigned since,
                        int known) {
    bool is_known = false, is_new = variable_changed(p, c->from, since);
    if (c->lvalue.object >= 0 || c->lvalue.pointer < 0) {
        int_list locations = {0};
        points_to_locations(p, c->lvalue, &locations);
        for (size_t i = 0; i < locations.count; i++)
            points_to_store(p, locations.items[i], *variable(p, c->from));
        vec_dispose(&locations);
        return;
    }
    struct targets targets = targets_since(p, c->lvalue.pointer, known);
    for (int target; (target = next_target(&targets, &is_known)) >= 0;)
        if (is_new || !is_known)
            points_to_store(p, target_at(p, target, c->lvalue), *variable(p, c->from));
}

static void solve_derived(struct points_to *p, const struct constraint *c, int known) {
    struct targets from = targets_since(p, c->from, known);
    int_list targets = {0};
    bool is_known = false;
    for (int target; (target = next_target(&from, &is_known)) >= 0;) {
        if (is_known)
            continue;
        target = c->kind == CONSTRAINT_INDEX ? indexed(p, target, c->bytes)
                                             : member(p, target, c->bytes, c->length);
        int_list_insert(&targets, target);
    }
    set_targets(p, c->to, sets_with(&p->sets, *variable(p, c->to), &targets));
    vec_dispose(&targets);
}

static void solve_one(struct points_to *p, const struct constraint *c, unsigned since, int known,
                      int known_other) {
    switch (c->kind) {
    case CONSTRAINT_ADDRESS: {
        struct location location = {.object = c->lvalue.object,
                                    .offset_bytes = c->lvalue.offset_bytes,
                                    .stride_bytes = c->lvalue.stride_bytes,
                                    .length_bytes = c->lvalue.length_bytes};
        set_targets(p, c->to,
                    sets_with_one(&p->sets, *variable(p, c->to), points_to_intern(p, location)));
        return;
    }
    case CONSTRAINT_COPY:
        set_targets(p, c->to, sets_union(&p->sets, *variable(p, c->to), *variable(p, c->from)));
        return;
    case CONSTRAINT_INDEX:
    case CONSTRAINT_OFFSET:
        solve_derived(p, c, known);
        return;
    case CONSTRAINT_LOAD:
        solve_load(p, c, since, known);
        return;
    case CONSTRAINT_STORE:
        solve_store(p, c, since, known);
        return;
    case CONSTRAINT_MOVE:
        moves_solve(p, c, since, known_other, known);
        return;
    case CONSTRAINT_FRESH:
        solve_fresh(p, c, since);
        return;
    }
}

/* What is stored there has changed, or where it is. */
static bool lvalue_changed(struct points_to *p, struct lvalue lvalue, unsigned since) {
    if (lvalue.object >= 0)
        return points_to_has_changed(p, lvalue.object, since);
    if (lvalue.pointer < 0)
        return false;
    const int_list *targets = targets_of(p, lvalue.pointer);
    if (p->variable_steps[lvalue.pointer] >= since)
        return true;
    for (size_t i = 0; i < targets->count; i++)
        if (points_to_has_changed(p, p->locations.items[targets->items[i]].object, since))
            return true;
    return false;
}

static bool inputs_changed(struct points_to *p, const struct constraint *c, unsigned since) {
    switch (c->kind) {
    case CONSTRAINT_ADDRESS:
        return false;
    case CONSTRAINT_COPY:
    case CONSTRAINT_INDEX:
    case CONSTRAINT_OFFSET:
        return variable_changed(p, c->from, since);
    case CONSTRAINT_LOAD:
        return lvalue_changed(p, c->lvalue, since);
    case CONSTRAINT_STORE:
        return variable_changed(p, c->from, since) || variable_changed(p, c->lvalue.pointer, since);
    case CONSTRAINT_MOVE:
    case CONSTRAINT_FRESH:
        return lvalue_changed(p, c->other, since) || variable_changed(p, c->lvalue.pointer, since);
    }
    return true;
}

static void collect_sets(struct points_to *p) {
    const int *const used[] = {p->variables, p->cells.items, p->looked_at.items,
                               p->copied_from.items};
    const size_t counts[] = {(size_t)p->variable_count, p->cells.count, p->looked_at.count,
                             p->copied_from.count};
    if (sets_are_many(&p->sets))
        sets_collect(&p->sets, used, counts, sizeof counts / sizeof *counts);
}

/* The set of the pointer whose targets it goes through; 0: of none. */
static int looks_at(struct points_to *p, const struct constraint *c) {
    bool is_derived = c->kind == CONSTRAINT_INDEX || c->kind == CONSTRAINT_OFFSET;
    int pointer = is_derived ? c->from : c->lvalue.object < 0 ? c->lvalue.pointer : -1;
    return pointer >= 0 ? *variable(p, pointer) : 0;
}

/* The same of the pointer to what it copies. */
static int copies_from(struct points_to *p, const struct constraint *c) {
    bool is_known = c->kind == CONSTRAINT_MOVE && c->other.object < 0 && c->other.pointer >= 0;
    return is_known ? *variable(p, c->other.pointer) : 0;
}

static void solve_if_needed(struct points_to *p, size_t index) {
    struct constraint constraint = p->program->constraints.items[index];
    if (constraint.function > 0 && !p->program->functions.items[constraint.function - 1]->is_live)
        return;
    while (p->solved.count <= index)
        vec_push(&p->solved, 0);
    unsigned since = p->solved.items[index];
    if (since > 0 && !inputs_changed(p, &constraint, since))
        return;
    while (p->looked_at.count <= index) {
        vec_push(&p->looked_at, 0);
        vec_push(&p->copied_from, 0);
    }
    p->solved.items[index] = ++p->step;
    variable(p, p->program->variable_count);
    int known = since > 0 ? p->looked_at.items[index] : 0;
    int known_other = since > 0 ? p->copied_from.items[index] : 0;
    p->looked_at.items[index] = looks_at(p, &constraint);
    p->copied_from.items[index] = copies_from(p, &constraint);
    solve_one(p, &constraint, since, known, known_other);
    pointsto_bound_check(p);
    collect_sets(p);
}

/* Calls through pointers that have found new functions. */
static void resolve_pointers(struct points_to *p) {
    for (size_t i = 0; i < p->program->calls.count; i++) {
        struct call *call = p->program->calls.items[i];
        if (call->callee < 0)
            continue;
        const int_list *targets = targets_of(p, call->callee);
        for (size_t k = 0; k < targets->count; k++) {
            const struct object *object =
                p->program->objects.items[p->locations.items[targets->items[k]].object];
            struct function *function = object->kind == OBJECT_FUNCTION
                                            ? program_function(p->program, object->declaration->key)
                                            : NULL;
            if (function != NULL)
                allocators_bind(p, call, function);
        }
    }
}

bool points_to_settle(struct points_to *p) {
    bool has_changed = false;
    do {
        do {
            p->changed = false;
            for (size_t i = 0; i < p->program->constraints.count; i++)
                solve_if_needed(p, i);
            resolve_pointers(p);
            p->changed |= live_mark(p->program);
            has_changed |= p->changed;
        } while (p->changed);
        callbacks_connect(p); /* only now: a call through a pointer has no targets at first */
        p->changed |= live_mark(p->program);
        has_changed |= p->changed;
    } while (p->changed);
    return has_changed;
}

void points_to_solve(struct points_to *p, struct program *program) {
    *p = (struct points_to){.program = program};
    p->outside = points_to_state(p, "outside");
    p->arguments = points_to_state(p, "argv");
    p->files = points_to_state(p, "contents of files");
    p->variable_arguments = points_to_state(p, PROGRAM_VARIABLE_ARGUMENTS);
    allocators_connect(p);
    communicator_handles_connect(p);
    live_mark(program);
    points_to_settle(p);
    never_made_mark(p);
}

void points_to_dispose(struct points_to *p) {
    intern_dispose(p);
    sets_dispose(&p->sets);
    hash_table_dispose(&p->reaches);
    hash_table_dispose(&p->states);
    for (size_t i = 0; i < p->cells_of.count; i++)
        vec_dispose(&p->cells_of.items[i]);
    free(p->variables);
    free(p->variable_steps);
    vec_dispose(&p->solved);
    vec_dispose(&p->looked_at);
    vec_dispose(&p->copied_from);
    vec_dispose(&p->object_steps);
    vec_dispose(&p->collapsed);
    vec_dispose(&p->members);
    vec_dispose(&p->moved);
    vec_dispose(&p->locations);
    vec_dispose(&p->cells);
    vec_dispose(&p->cell_steps);
    vec_dispose(&p->cell_looks);
    vec_dispose(&p->object_looks);
    vec_dispose(&p->cells_of);
    vec_dispose(&p->clone_of);
    for (size_t i = 0; i < p->clones.count; i++)
        vec_dispose(&p->clones.items[i]);
    vec_dispose(&p->clones);
}

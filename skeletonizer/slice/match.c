/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose message a receive may get. MPI's own rules narrow it: matching calls have equal type
 * signatures, equal tags, equal roots and operations, the same communicator; a collective call is
 * matched by one of the same name. Two different calls of a collective that stand under the same
 * control are taken to match themselves (assumption aligned-collectives).
 */
#include "base/hash_table.h"
#include "base/words.h"
#include "frontend/program/tree.h"
#include "skeletonizer/pointsto/file_handles.h"
#include "skeletonizer/slice/assigned.h"
#include "skeletonizer/slice/callstrings.h"
#include "skeletonizer/slice/demands.h"
#include "skeletonizer/slice/element_types.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/layout.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

static int next_tag(const struct mpi_call *mpi, int after) {
    for (int i = after + 1; i < mpi->parameter_count; i++)
        if (mpi->parameters[i].role == MPI_ROLE_TAG)
            return i;
    return -1;
}

static bool is_receive(enum mpi_role role) {
    return role == MPI_ROLE_PAYLOAD_OUT || role == MPI_ROLE_PAYLOAD_INOUT;
}

static bool is_send(enum mpi_role role) {
    return role == MPI_ROLE_PAYLOAD_IN || role == MPI_ROLE_PAYLOAD_INOUT;
}

static int find_payload(const struct call *call, bool (*wanted)(enum mpi_role)) {
    for (int i = 0; i < call->mpi->parameter_count; i++)
        if (wanted(call->mpi->parameters[i].role))
            return i;
    return -1;
}

/* ---- Constants ---- */

/* Each assignment is looked at once, in `b = a + a` as well. Only those before the use count
 * (assigned.h), so that there is no circle. */
struct constants {
    const struct slice *slice;
    struct hash_table assigned; /* struct assigned_local -> struct known_number */
};

struct assigned_local {
    int node, object;
};

static bool find_number(long long *out, struct constants *c, const struct node *node,
                        const struct ast *ast);

static void find_assigned(struct known_number *out, struct constants *c, const struct node *before,
                          const struct object *local) {
    const struct assigned_local key = {before->id, local->id};
    struct known_number *known = hash_table_find(&c->assigned, &key, sizeof key);
    if (known == NULL) {
        long long value = 0;
        const struct ast *ast = assigned_value(before, local);
        bool is_constant = ast != NULL && find_number(&value, c, before, ast);
        known = hash_table_add(&c->assigned, &key, sizeof key, sizeof *known);
        *known = (struct known_number){.is_constant = is_constant, .value = (int)value};
    }
    *out = *known;
}

/* A local that has what it was assigned: `int tag = 3;`. Not where the node itself assigns it,
 * before or after what is looked for: `tag = 7, MPI_Send(..., tag, ...)`. */
static bool find_local(long long *out, struct constants *c, const struct node *node,
                       const struct ast *ast) {
    const struct slice *s = c->slice;
    const struct object *local = node != NULL && ast->kind == AST_REFERENCE
                                     ? program_object(s->program, node->function, ast->declaration)
                                     : NULL;
    if (local == NULL || local->parameter >= 0 || !flow_tracks(local) ||
        node_defines(node, local) || local->type->kind != TYPE_INTEGER ||
        local->type->size_bytes < (long long)sizeof(int))
        return false;
    node_list definitions = {0};
    const struct node *before = assigned_before(&s->flow, node, local, &definitions);
    struct known_number number = {0};
    vec_dispose(&definitions);
    if (before != NULL)
        find_assigned(&number, c, before, local);
    *out = number.value;
    return number.is_constant;
}

static bool add_up(long long *out, const char *op, long long left, long long right) {
    if (strcmp(op, "+") == 0)
        *out = left + right;
    else if (strcmp(op, "-") == 0)
        *out = left - right;
    else if (strcmp(op, "*") == 0)
        *out = left * right;
    else
        return false;
    return *out >= INT_MIN && *out <= INT_MAX;
}

/* What an integer always is at `node`; node NULL: no variable is known. */
static bool find_number(long long *out, struct constants *c, const struct node *node,
                        const struct ast *ast) {
    long long left, right;
    if (ast->has_value) {
        *out = ast->value;
        return ast->value >= INT_MIN && ast->value <= INT_MAX;
    }
    if (ast->kind == AST_BINARY)
        return find_number(&left, c, node, ast->kids[0]) &&
               find_number(&right, c, node, ast->kids[1]) && add_up(out, ast->op, left, right);
    return find_local(out, c, node, ast);
}

static struct known_number number_of(const struct slice *s, const struct call *call, int i) {
    const struct ast *ast = program_argument(call, i);
    bool is_own = ast != NULL && ast == call->arguments.items[i].ast;
    struct known_number number = {.is_looked_for = true};
    struct constants constants = {.slice = s};
    long long value;
    number.is_constant =
        ast != NULL && find_number(&value, &constants, is_own ? call->node : NULL, ast);
    number.value = number.is_constant ? (int)value : 0;
    hash_table_dispose(&constants.assigned);
    return number;
}

/* Each call is compared with all others. */
static struct known_number find_constant(const struct slice *s, const struct call *call, int i) {
    if (i < 0)
        return number_of(s, call, i);
    assert(i < SLICE_KNOWN_NUMBERS);
    struct known_number *known =
        &s->known_numbers[(size_t)call->id * SLICE_KNOWN_NUMBERS + (size_t)i];
    if (!known->is_looked_for)
        *known = number_of(s, call, i);
    return *known;
}

static bool constants_differ(const struct slice *s, const struct call *one, int i,
                             const struct call *other, int k) {
    struct known_number a = find_constant(s, one, i), b = find_constant(s, other, k);
    return a.is_constant && b.is_constant && a.value != b.value;
}

/* ---- Messages ---- */

static bool names_differ(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) != 0;
}

/* Packed data, and what is not known. */
static bool may_be_anything(const datatype_names *types) {
    return types->count == 0 || words_contain(types->items, types->count, "MPI_PACKED");
}

static bool have_one_in_common(const datatype_names *left, const datatype_names *right) {
    for (size_t i = 0; i < left->count; i++) {
        const char *looks = mpi_datatype_representation(left->items[i]);
        for (size_t k = 0; k < right->count; k++)
            if (strcmp(looks, mpi_datatype_representation(right->items[k])) == 0)
                return true;
    }
    return false;
}

/* Elements that look alike match (mpi_datatype_representation); of structs they do so in their
 * order, so that there is one in both messages. */
static bool datatypes_differ(const struct slice *s, const struct call *one, int i,
                             const struct call *other, int k) {
    datatype_names left, right;
    datatypes_elements(&left, s, one, i);
    datatypes_elements(&right, s, other, k);
    bool differ =
        !may_be_anything(&left) && !may_be_anything(&right) && !have_one_in_common(&left, &right);
    vec_dispose(&left);
    vec_dispose(&right);
    return differ;
}

static bool tags_may_match(const struct slice *s, const struct call *sender, int out,
                           const struct call *receiver, int in) {
    int sent_tag = next_tag(sender->mpi, out);
    int received_tag = next_tag(receiver->mpi, in);
    if (strcmp(receiver->name, "MPI_Sendrecv_replace") == 0)
        received_tag = next_tag(receiver->mpi, received_tag);
    struct known_number tag = find_constant(s, receiver, received_tag);
    bool any = tag.is_constant && tag.value < 0;
    return any || !constants_differ(s, sender, sent_tag, receiver, received_tag);
}

static bool is_live_message(const struct call *call) {
    return call->mpi != NULL && call->mpi->class == MPI_CLASS_P2P && call->node->function != NULL &&
           call->node->function->is_live;
}

/* But for their datatypes. */
static bool is_pair(const struct slice *s, const struct call *sender, const struct call *receiver) {
    if (!is_live_message(sender) || !is_live_message(receiver))
        return false;
    int out = find_payload(sender, is_send), in = find_payload(receiver, is_receive);
    return in >= 0 && out >= 0 && tags_may_match(s, sender, out, receiver, in) &&
           !communicators_differ(s, sender, receiver);
}

static int message_datatype(const struct call *call, bool (*wanted)(enum mpi_role)) {
    return mpi_payload_datatype(call->mpi, find_payload(call, wanted));
}

static bool message_types_differ(const struct slice *s, const struct call *sender,
                                 const struct call *receiver) {
    return datatypes_differ(s, sender, message_datatype(sender, is_send), receiver,
                            message_datatype(receiver, is_receive));
}

static bool find_partner(const struct slice *s, const struct call *call, bool is_sender) {
    for (size_t i = 0; i < s->messages.count; i++) {
        const struct call *other = s->messages.items[i];
        const struct call *sender = is_sender ? call : other;
        const struct call *receiver = is_sender ? other : call;
        if (is_pair(s, sender, receiver) && !message_types_differ(s, sender, receiver))
            return true;
    }
    return false;
}

/* Anything goes with it that has its datatype. */
static bool has_partner(const struct slice *s, const struct call *call, bool is_sender) {
    enum answer *known = &s->has_partner[2 * (size_t)call->id + is_sender];
    if (*known == ANSWER_UNKNOWN)
        *known = find_partner(s, call, is_sender) ? ANSWER_YES : ANSWER_NO;
    return *known == ANSWER_YES;
}

static bool is_in_bytes(const struct slice *s, const struct call *call,
                        bool (*wanted)(enum mpi_role)) {
    datatype_names types;
    datatypes_elements(&types, s, call, message_datatype(call, wanted));
    bool has_bytes = words_contain(types.items, types.count, "MPI_BYTE");
    vec_dispose(&types);
    return has_bytes;
}

/* MPI 3.1 has bytes match bytes only (section 3.3.1), but implementations receive anything as bytes
 * and bytes as anything. A program counts on that where it has nothing else that matches. */
static bool are_bytes_of_another_type(const struct slice *s, const struct call *sender,
                                      const struct call *receiver) {
    return (is_in_bytes(s, sender, is_send) || is_in_bytes(s, receiver, is_receive)) &&
           (!has_partner(s, sender, true) || !has_partner(s, receiver, false));
}

bool demands_may_match(const struct slice *s, const struct call *sender,
                       const struct call *receiver) {
    return is_pair(s, sender, receiver) && (!message_types_differ(s, sender, receiver) ||
                                            are_bytes_of_another_type(s, sender, receiver));
}

static void match_sends(struct slice *s, const struct call *receiver) {
    for (size_t i = 0; i < s->messages.count; i++)
        if (demands_may_match(s, s->messages.items[i], receiver))
            slice_add(s, DEMAND_PAYLOAD, s->messages.items[i]->id, PAYLOAD_ALL);
}

/* Not MPI_DATATYPE_NULL, which stands where MPI looks at no datatype. */
static bool is_datatype_of_elements(const struct call *call, int i) {
    const char *name = events_handle(call, i);
    return call->mpi->parameters[i].role == MPI_ROLE_DATATYPE &&
           (name == NULL || strcmp(name, "MPI_DATATYPE_NULL") != 0);
}

/* What a rank sends has the type that another one receives (MPI 3.1, chapter 5). Which of a call's
 * datatypes count goes by the rank that makes it: those of the root's side elsewhere and those
 * beside MPI_IN_PLACE are ignored, whatever they are. So one that both calls name is enough. */
static bool collective_types_differ(const struct slice *s, const struct call *one,
                                    const struct call *other) {
    bool differ = false;
    for (int i = 0; i < one->mpi->parameter_count; i++)
        for (int k = 0; k < other->mpi->parameter_count; k++) {
            if (!is_datatype_of_elements(one, i) || !is_datatype_of_elements(other, k))
                continue;
            differ = datatypes_differ(s, one, i, other, k);
            if (!differ)
                return false;
        }
    return differ;
}

static bool may_be_same_collective(const struct slice *s, const struct call *one,
                                   const struct call *other) {
    if (strcmp(one->mpi->name, other->mpi->name) != 0 || communicators_differ(s, one, other))
        return false;
    for (int i = 0; i < one->mpi->parameter_count; i++) {
        enum mpi_role role = one->mpi->parameters[i].role;
        if (role == MPI_ROLE_ROOT && constants_differ(s, one, i, other, i))
            return false;
        if (role == MPI_ROLE_OPERATION &&
            names_differ(events_handle(one, i), events_handle(other, i)))
            return false;
    }
    if (collective_types_differ(s, one, other))
        return false;
    bool reduction = mpi_call_parameter(one->mpi, MPI_ROLE_OPERATION) >= 0;
    int count = mpi_call_parameter(one->mpi, MPI_ROLE_COUNT);
    return !(reduction && constants_differ(s, one, count, other, count));
}

static bool is_live_collective(const struct call *call) {
    return call->mpi != NULL && call->mpi->class == MPI_CLASS_COLLECTIVE &&
           call->node->function != NULL && call->node->function->is_live;
}

bool demands_aligned(const struct slice *s, const struct call *one, const struct call *other) {
    return s->assumptions.aligned_collectives && is_live_collective(other) &&
           may_be_same_collective(s, one, other) && callstrings_same_control(s, one, other);
}

static void match_collectives(struct slice *s, const struct call *call) {
    for (size_t i = 0; i < s->collectives.count; i++) {
        struct call *other = s->collectives.items[i];
        if (other != call && may_be_same_collective(s, call, other) &&
            !demands_aligned(s, call, other))
            slice_add(s, DEMAND_PAYLOAD, other->id, PAYLOAD_FOR_OTHERS);
    }
}

bool demands_stays_in_place(const struct slice *s, const struct call *call) {
    int in = strcmp(call->mpi->name, "MPI_Bcast") == 0 ? find_payload(call, is_receive) : -1;
    if (in < 0 || (size_t)in >= call->arguments.count ||
        !layout_is_same_everywhere(s, call, mpi_payload_datatype(call->mpi, in)))
        return false;
    const int_list *targets = points_to_targets(s->points_to, call->arguments.items[in].value);
    if (targets == NULL || targets->count != 1 ||
        s->points_to->locations.items[targets->items[0]].stride_bytes != 0)
        return false;
    for (size_t i = 0; i < s->collectives.count; i++) {
        const struct call *other = s->collectives.items[i];
        if (other != call && may_be_same_collective(s, call, other) &&
            !demands_aligned(s, call, other))
            return false;
    }
    return true;
}

/* The function behind a user-defined operation computes the contents of the result. */
static void keep_operations(struct slice *s, const struct call *call) {
    int operation = mpi_call_parameter(call->mpi, MPI_ROLE_OPERATION);
    if (operation < 0 || events_handle(call, operation) != NULL)
        return;
    for (size_t f = 0; f < s->program->functions.count; f++) {
        const struct function *function = s->program->functions.items[f];
        for (size_t i = 0; i < s->callers[f].count; i++) {
            const struct call *caller = s->callers[f].items[i];
            if (caller->mpi == NULL || caller->mpi->class != MPI_CLASS_OPERATION)
                continue;
            for (size_t k = 0; k < function->nodes.count; k++)
                slice_add(s, DEMAND_NODE, function->nodes.items[k]->id, 0);
        }
    }
}

/* ---- Files ---- */

/* Two files are known by the calls that opened them, and taken to be different (assumption
 * files-apart) where their names tell. What is read through descriptors is not told apart by names.
 */

static bool is_executed(const struct call *call) {
    return call->targets.count == 0 && call->node->function != NULL &&
           call->node->function->is_live;
}

static void demand_writes(struct slice *s, const file_opening_list *read) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        file_opening_list written = {0};
        if (!is_executed(call) || !events_writes_mpi_file(call))
            continue;
        file_handles_openings_of_call(&written, s->points_to, call);
        s->why = "writes to a file that is read";
        if (file_handles_may_be_one(s->points_to, read, &written, s->assumptions.files_apart))
            slice_add(s, DEMAND_PAYLOAD, call->id, PAYLOAD_ALL);
        vec_dispose(&written);
    }
}

static void demand_streams(struct slice *s, const file_opening_list *read) {
    s->why = "may be the file that is read";
    for (size_t i = 0; i < s->program->objects.count; i++) {
        const struct object *object = s->program->objects.items[i];
        const struct call *call = file_handles_stream_opened_by(object);
        file_opening_list written = {0};
        if (call == NULL || !is_executed(call))
            continue;
        vec_push(&written, ((struct file_opening){call, 0}));
        if (file_handles_may_be_one(s->points_to, read, &written, s->assumptions.files_apart))
            demands_contents_of(s, (struct lvalue){.object = object->id, .pointer = -1});
        vec_dispose(&written);
    }
}

/* Of a call that reads a file of MPI: all that may have written to that file. */
static void demands_match_files(struct slice *s, const struct call *reader) {
    file_opening_list read = {0};
    if (mpi_call_parameter(reader->mpi, MPI_ROLE_PAYLOAD_OUT) < 0)
        return;
    file_handles_openings_of_call(&read, s->points_to, reader);
    demand_writes(s, &read);
    demand_streams(s, &read);
    vec_dispose(&read);
    if (s->assumptions.files_apart)
        return;
    int files = points_to_state(s->points_to, "files")->id;
    demands_contents_of(s, (struct lvalue){.object = files, .pointer = -1});
}

void demands_match_stream(struct slice *s, const struct call *reader) {
    file_opening_list read = {0};
    file_handles_openings(&read, s->points_to,
                          reader->arguments.items[reader->library->stream].value);
    if (read.count > 0) /* stdin and the like are opened by nobody */
        demand_writes(s, &read);
    vec_dispose(&read);
}

void demands_match(struct slice *s, struct call *call) {
    if (call->mpi->class == MPI_CLASS_P2P)
        match_sends(s, call);
    if (call->mpi->class == MPI_CLASS_COLLECTIVE) {
        match_collectives(s, call);
        keep_operations(s, call);
    }
    if (call->mpi->class == MPI_CLASS_FILE)
        demands_match_files(s, call);
}

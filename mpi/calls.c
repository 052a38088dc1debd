/* SPDX-License-Identifier: Apache-2.0
 *
 * mpi/calls.def as data. The rows lie in the order of the file; a second array, sorted by name on
 * first use, serves the look-up by bisection.
 */
#include "mpi/calls.h"

#include "mpi/sequence.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One array of parameters per function, ended by a parameter without a name. */
#define MPI_ROW(name, class, criterion, support, result, sequence, ...)                            \
    static const struct mpi_parameter name##_parameters[] = {                                      \
        MPI_DESCRIPTIONS(sequence){MPI_ROLE_VALUE, NULL, NULL}};
#define MPI_ROW_VARIADIC MPI_ROW
#include "mpi/calls.def"
#undef MPI_ROW
#undef MPI_ROW_VARIADIC

#define IS_CRITERION true
#define IS_LOCAL false
#define MPI_ROW_AS(row, row_class, row_criterion, row_support, result, is_variadic, ...)           \
    {.name = #row,                                                                                 \
     .class = MPI_CLASS_##row_class,                                                               \
     .criterion = IS_##row_criterion,                                                              \
     .support = MPI_SUPPORT_##row_support,                                                         \
     .in_smpi = MPI_SUPPORT_##row_support != MPI_SUPPORT_NO,                                       \
     .variadic = is_variadic,                                                                      \
     .result_type = #result,                                                                       \
     .parameter_count = (int)(sizeof row##_parameters / sizeof row##_parameters[0]) - 1,           \
     .parameters = row##_parameters,                                                               \
     __VA_ARGS__},
#define MPI_ROW(row, class, criterion, support, result, sequence, ...)                             \
    MPI_ROW_AS(row, class, criterion, support, result, false, __VA_ARGS__)
#define MPI_ROW_VARIADIC(row, class, criterion, support, result, sequence, ...)                    \
    MPI_ROW_AS(row, class, criterion, support, result, true, __VA_ARGS__)

static const struct mpi_call calls[] = {
#include "mpi/calls.def"
};

#define CALL_COUNT (sizeof calls / sizeof calls[0])

static const struct mpi_call *sorted[CALL_COUNT];

static int compare_names(const void *left, const void *right) {
    const struct mpi_call *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

static void sort_once(void) {
    if (sorted[0] != NULL)
        return;
    for (size_t i = 0; i < CALL_COUNT; i++)
        sorted[i] = &calls[i];
    qsort(sorted, CALL_COUNT, sizeof sorted[0], compare_names);
}

const struct mpi_call *mpi_call_find(const char *name) {
    sort_once();
    if (strncmp(name, "PMPI_", 5) == 0)
        name++;
    const struct mpi_call key = {.name = name}, *key_pointer = &key;
    const struct mpi_call **found =
        bsearch(&key_pointer, sorted, CALL_COUNT, sizeof sorted[0], compare_names);
    return found != NULL ? *found : NULL;
}

size_t mpi_call_count(void) {
    return CALL_COUNT;
}

const struct mpi_call *mpi_call_at(size_t index) {
    assert(index < CALL_COUNT);
    sort_once();
    return sorted[index];
}

/* ---- Roles ---- */

static const struct {
    const char *name;
    bool reads, writes, payload;
} roles[] = {
#define MPI_ROLE_ROW(role, reads, writes, payload) {#role, reads, writes, payload},
    MPI_ROLES(MPI_ROLE_ROW)};

bool mpi_role_reads(enum mpi_role role) {
    return roles[role].reads;
}

bool mpi_role_writes(enum mpi_role role) {
    return roles[role].writes;
}

bool mpi_role_is_payload(enum mpi_role role) {
    return roles[role].payload;
}

bool mpi_role_is_value(enum mpi_role role) {
    return !roles[role].reads && !roles[role].writes;
}

const char *mpi_role_name(enum mpi_role role) {
    return roles[role].name;
}

#define WORD(word) #word,
const char *const mpi_class_names[] = {MPI_CLASSES(WORD)};
const char *const mpi_pattern_names[] = {MPI_PATTERNS(WORD)};
const char *const mpi_fact_names[] = {MPI_FACTS(WORD)};
const char *const mpi_state_names[] = {MPI_STATES(WORD)};

/* ---- Which parameter belongs to which ---- */

/* The first parameter with either role between the payloads that follow each other directly and
 * the next payload after them. */
static int of_payload(const struct mpi_call *call, int payload, enum mpi_role one,
                      enum mpi_role several) {
    int i = payload + 1;
    while (i < call->parameter_count && mpi_role_is_payload(call->parameters[i].role))
        i++;
    for (; i < call->parameter_count; i++) {
        enum mpi_role role = call->parameters[i].role;
        if (role == one || role == several)
            return i;
        if (mpi_role_is_payload(role))
            break;
    }
    return -1;
}

int mpi_payload_count(const struct mpi_call *call, int payload) {
    return of_payload(call, payload, MPI_ROLE_COUNT, MPI_ROLE_COUNTS);
}

int mpi_payload_displacements(const struct mpi_call *call, int payload) {
    return of_payload(call, payload, MPI_ROLE_DISPLACEMENTS, MPI_ROLE_DISPLACEMENTS);
}

int mpi_payload_datatype(const struct mpi_call *call, int payload) {
    return of_payload(call, payload, MPI_ROLE_DATATYPE, MPI_ROLE_DATATYPES);
}

static bool has_length(enum mpi_role role) {
    switch (role) {
    case MPI_ROLE_ARRAY_IN:
    case MPI_ROLE_ARRAY_OUT:
    case MPI_ROLE_ARRAY_INOUT:
    case MPI_ROLE_DATATYPES:
    case MPI_ROLE_INDICES_OUT:
    case MPI_ROLE_STATUSES_OUT:
    case MPI_ROLE_REQUESTS:
    case MPI_ROLE_STRING_OUT:
    case MPI_ROLE_STRINGS_IN:
        return true;
    default:
        return false;
    }
}

int mpi_array_length(const struct mpi_call *call, int array) {
    if (!has_length(call->parameters[array].role))
        return -1;
    for (int i = array - 1; i >= 0; i--)
        if (call->parameters[i].role == MPI_ROLE_LENGTH)
            return i;
    return -1;
}

int mpi_call_parameter(const struct mpi_call *call, enum mpi_role role) {
    for (int i = 0; i < call->parameter_count; i++)
        if (call->parameters[i].role == role)
            return i;
    return -1;
}

bool mpi_call_is(const struct mpi_call *call, enum mpi_fact fact) {
    return call != NULL && (call->facts & fact) != 0;
}

bool mpi_call_is_kept(const struct mpi_call *call) {
    return call->criterion || call->writes != 0 || mpi_call_is(call, MPI_RUNS_HANDLER);
}

bool mpi_function_is(const char *name, enum mpi_fact fact) {
    return mpi_call_is(mpi_call_find(name), fact);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that a rank has made, in the order in which it made them: a record numbers communicators,
 * windows and files by it.
 */
#include "runtime/calls/call.h"

#include <string.h>

int bsim__handle_find(const struct bsim__handles *handles, const void *handle) {
    for (int i = handles->count - 1; i >= 0; i--)
        if (handles->items[i] == handle)
            return i;
    return -1;
}

int bsim__handle_add(struct bsim__handles *handles, void *handle) {
    if (handles->count == handles->capacity) {
        int capacity = handles->capacity * 2 + 4;
        handles->items = bsim__grow(handles->items, (size_t)handles->capacity * sizeof(void *),
                                    (size_t)capacity * sizeof(void *));
        handles->capacity = capacity;
    }
    handles->items[handles->count] = handle;
    return handles->count++;
}

void bsim__handle_remove(struct bsim__handles *handles, const void *handle) {
    int index = bsim__handle_find(handles, handle);
    if (index >= 0)
        handles->items[index] = NULL;
}

/* As it is in memory: a pointer in one MPI, a number in another. */
void *bsim__handle_at(const void *place, size_t size) {
    uintptr_t handle = 0;
    memcpy(&handle, place, size);
    return (void *)handle;
}

static void *communicator_in(const struct bsim__call *call, int index) {
    return bsim__handle_at(*(void **)call->args[index], sizeof(MPI_Comm));
}

void bsim__handles_forget(struct bsim__known *known, const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    for (int i = 0; function->class == MPI_CLASS_COMMUNICATOR && i < function->parameter_count; i++)
        if (function->parameters[i].role == MPI_ROLE_COMMUNICATOR_INOUT)
            bsim__handle_remove(&known->communicators, communicator_in(call, i));
}

void bsim__handles_note(struct bsim__known *known, const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (function->communicator_out < 0)
        return;
    for (int i = function->communicator_out; i < function->parameter_count; i++) {
        MPI_Comm **out = call->args[i];
        if (function->parameters[i].role == MPI_ROLE_COMMUNICATOR_OUT && *out != NULL &&
            **out != MPI_COMM_NULL)
            bsim__handle_add(&known->communicators, communicator_in(call, i));
    }
}

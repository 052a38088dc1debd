/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the compiler and names of functions; see shareable.h.
 */
#include "skeletonizer/rewrite/shareable.h"

#include "base/str.h"
#include "mpi/calls.h"

#include <string.h>

static bool asks_for_threads(const char *option) {
    static const char *const prefixes[] = {"-fopenmp", "-qopenmp", "-openmp", "-pthread",
                                           "-lpthread"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (text_has_prefix(option, prefixes[i]))
            return true;
    return false;
}

static bool needs_a_copy(const char *callee) {
    const struct mpi_call *call = mpi_call_find(callee);
    if (call == NULL)
        return strcmp(callee, "pthread_create") == 0 || strcmp(callee, "thrd_create") == 0;
    return mpi_call_parameter(call, MPI_ROLE_FUNCTION) >= 0 && call->class != MPI_CLASS_OPERATION;
}

bool sharing_is_possible(const struct program *program, const struct commands *commands,
                         const struct link_command *link) {
    for (size_t i = 0; i < commands->compiles.count; i++)
        for (size_t k = 0; k < commands->compiles.items[i].arguments.count; k++)
            if (asks_for_threads(commands->compiles.items[i].arguments.items[k]))
                return false;
    for (size_t k = 0; link != NULL && k < link->arguments.count; k++)
        if (asks_for_threads(link->arguments.items[k]))
            return false;
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.items[i]->definition->is_constructor) /* once for each copy */
            return false;
    for (size_t i = 0; i < program->calls.count; i++)
        if (program->calls.items[i]->name != NULL && needs_a_copy(program->calls.items[i]->name))
            return false;
    return true;
}

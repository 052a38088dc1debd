/* SPDX-License-Identifier: Apache-2.0 */
#include "skeletonizer/slice/call_argument.h"

#include "base/str.h"

#include <string.h>

const struct call *call_argument_find(const struct node *node, const struct ast *part, int *index) {
    for (size_t i = 0; part != NULL && i < node->calls.count; i++)
        for (size_t k = 0; k < node->calls.items[i]->arguments.count; k++)
            if (node->calls.items[i]->arguments.items[k].ast == part) {
                *index = (int)k;
                return node->calls.items[i];
            }
    return NULL;
}

static enum mpi_role role_of(const struct call *call, int index) {
    return index < call->mpi->parameter_count ? call->mpi->parameters[index].role : MPI_ROLE_VALUE;
}

bool call_argument_is_sent(const struct call *call, int index) {
    return call->mpi != NULL && call->targets.count == 0 &&
           role_of(call, index) == MPI_ROLE_PAYLOAD_IN;
}

bool call_argument_is_told(const struct call *call, int index) {
    static const char *const tellers[] = {"MPI_Allreduce", "MPI_Bcast", NULL};
    if (call->mpi == NULL || call->targets.count > 0 || !text_is_one_of(call->mpi->name, tellers))
        return false;
    enum mpi_role role = role_of(call, index);
    return role == MPI_ROLE_PAYLOAD_OUT || role == MPI_ROLE_PAYLOAD_INOUT;
}

bool call_argument_is_vector(const struct call *call, int index) {
    return call_argument_is_sent(call, index) && strcmp(call->mpi->name, "MPI_Alltoall") == 0;
}

bool call_argument_is_contents(const struct call *call, int index) {
    return call_argument_is_sent(call, index) || call_argument_is_told(call, index);
}

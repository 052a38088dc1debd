/* SPDX-License-Identifier: Apache-2.0 */
#include "skeletonizer/slice/call_argument.h"

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * The neighbourhood collectives, which SimGrid 3.32 lacks: all receives and sends are started at
 * once, one for each neighbour, as in Open MPI and MPICH. Blocking ones then wait for them.
 *
 * Messages between two ranks match in the order in which these have each other among their
 * neighbours. In a grid a rank may have another one (or itself) on both sides, and what it sends
 * downwards comes from above there (MPI 4.0, section 8.6), so each direction has a tag of its own.
 */
#include "runtime/simgrid/bottom.h"
#include "runtime/simgrid/reserved_tags.h"
#include "runtime/smpi/composites.h"
#include "runtime/smpi/replaced.h"
#include "runtime/smpi/topologies.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

/* What is sent to neighbours, or received from them. Either one count for all or `counts`, one
 * datatype or `types`; blocks are one behind the other, or at displacements in elements or bytes.
 */
struct neighbours_side {
    void *buffer;
    int count;
    const int *counts;
    MPI_Datatype type;
    const MPI_Datatype *types;
    const int *elements;
    const MPI_Aint *bytes;
    bool is_same; /* one block is sent to all */
};

static int count_of(const struct neighbours_side *side, int i) {
    return side->counts != NULL ? side->counts[i] : side->count;
}

static MPI_Datatype type_of(const struct neighbours_side *side, int i) {
    return side->types != NULL ? side->types[i] : side->type;
}

static void *place_of(const struct neighbours_side *side, int i) {
    MPI_Aint lower, extent = 0;
    char *start = bottom_address(side->buffer);
    if (side->is_same)
        return start;
    if (side->bytes != NULL)
        return start + side->bytes[i];
    MPI_Type_get_extent(side->type, &lower, &extent);
    MPI_Aint elements = side->elements != NULL ? side->elements[i] : (MPI_Aint)i * side->count;
    return start + elements * extent;
}

/* Directions of a grid come in pairs; what a neighbour sends upwards comes from below. */
static int tag_of(const struct topology *topology, int i, bool is_source) {
    if (topology->kind != MPI_CART)
        return RESERVED_TAG_NEIGHBOURS;
    return RESERVED_TAG_NEIGHBOURS - (is_source ? i ^ 1 : i);
}

static void receive_all(MPI_Request *parts, const struct topology *topology,
                        const struct neighbours_side *in) {
    const struct topologies_neighbours *from = &topology->sources;
    for (int i = 0; i < from->count; i++)
        if (from->ranks[i] != MPI_PROC_NULL)
            parts[i] = reserved_tags_irecv(place_of(in, i), count_of(in, i), type_of(in, i),
                                           from->ranks[i], tag_of(topology, i, true),
                                           topology->communicator);
}

static void send_all(MPI_Request *parts, const struct topology *topology,
                     const struct neighbours_side *out) {
    const struct topologies_neighbours *to = &topology->destinations;
    for (int i = 0; i < to->count; i++)
        if (to->ranks[i] != MPI_PROC_NULL)
            parts[i] = reserved_tags_isend(place_of(out, i), count_of(out, i), type_of(out, i),
                                           to->ranks[i], tag_of(topology, i, false),
                                           topology->communicator);
}

/* NULL: the communicator has no topology. */
static struct composite *start(MPI_Comm comm, struct neighbours_side out,
                               struct neighbours_side in) {
    const struct topology *topology = topologies_of(bsim__current_rank(), comm);
    if (topology == NULL)
        return NULL;
    struct composite *all = composites_new(topology->sources.count + topology->destinations.count);
    receive_all(all->parts, topology, &in);
    send_all(all->parts + topology->sources.count, topology, &out);
    return all;
}

static int no_topology(MPI_Comm comm) {
    MPI_Comm_call_errhandler(comm, MPI_ERR_TOPOLOGY);
    return MPI_ERR_TOPOLOGY;
}

static int make(MPI_Comm comm, struct neighbours_side out, struct neighbours_side in) {
    struct composite *all = start(comm, out, in);
    return all != NULL ? composites_wait(MPI_STATUS_IGNORE, all) : no_topology(comm);
}

static int begin(MPI_Request *request, MPI_Comm comm, struct neighbours_side out,
                 struct neighbours_side in) {
    struct composite *all = start(comm, out, in);
    *request = all != NULL ? composites_request(all) : MPI_REQUEST_NULL;
    return all != NULL ? MPI_SUCCESS : no_topology(comm);
}

/* ---- MPI's functions ---- */

#define OUT(...) ((struct neighbours_side){.buffer = (void *)(MPI_Aint)sendbuf, __VA_ARGS__})
#define IN(...) ((struct neighbours_side){.buffer = recvbuf, __VA_ARGS__})

/* A function, and the one that does not wait, which has a request besides. */
#define NEIGHBOUR_CALLS(name, out, in, ...)                                                        \
    int bsim__MPI_Neighbor_##name(__VA_ARGS__, MPI_Comm comm) {                                    \
        return make(comm, out, in);                                                                \
    }                                                                                              \
    int bsim__MPI_Ineighbor_##name(__VA_ARGS__, MPI_Comm comm, MPI_Request *request) {             \
        return begin(request, comm, out, in);                                                      \
    }

NEIGHBOUR_CALLS(allgather, OUT(.count = sendcount, .type = sendtype, .is_same = true),
                IN(.count = recvcount, .type = recvtype), const void *sendbuf, int sendcount,
                MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype)

NEIGHBOUR_CALLS(allgatherv, OUT(.count = sendcount, .type = sendtype, .is_same = true),
                IN(.counts = recvcounts, .elements = displs, .type = recvtype), const void *sendbuf,
                int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                const int *displs, MPI_Datatype recvtype)

NEIGHBOUR_CALLS(alltoall, OUT(.count = sendcount, .type = sendtype),
                IN(.count = recvcount, .type = recvtype), const void *sendbuf, int sendcount,
                MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype)

NEIGHBOUR_CALLS(alltoallv, OUT(.counts = sendcounts, .elements = senddispls, .type = sendtype),
                IN(.counts = recvcounts, .elements = recvdispls, .type = recvtype),
                const void *sendbuf, const int *sendcounts, const int *senddispls,
                MPI_Datatype sendtype, void *recvbuf, const int *recvcounts, const int *recvdispls,
                MPI_Datatype recvtype)

NEIGHBOUR_CALLS(alltoallw, OUT(.counts = sendcounts, .bytes = senddispls, .types = sendtypes),
                IN(.counts = recvcounts, .bytes = recvdispls, .types = recvtypes),
                const void *sendbuf, const int *sendcounts, const MPI_Aint *senddispls,
                const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                const MPI_Aint *recvdispls, const MPI_Datatype *recvtypes)

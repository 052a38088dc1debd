/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators with graphs, and what programs ask of them; also MPI_Cart_map and MPI_Topo_test,
 * which SimGrid 3.32 lacks as well. A new communicator has the ranks of the old one in their order:
 * nothing is reordered.
 *
 * MPI_Graph_create is given the whole graph, and MPI_Dist_graph_create_adjacent each rank's own
 * neighbours. MPI_Dist_graph_create is given any edges by any rank: how many a rank will hear of is
 * told by MPI_Alltoall, and then each edge is sent to both of its ends. These keep them in the
 * order of the ranks that gave them, and within a rank as given (MPI leaves it open). Such messages
 * are on the new communicator, which nobody else has yet.
 */
#include "runtime/smpi/composites.h"
#include "runtime/smpi/kept_topologies.h"
#include "runtime/smpi/replaced.h"

#include <stdlib.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

static int fail(MPI_Comm communicator, int code) {
    MPI_Comm_call_errhandler(communicator, code);
    return code;
}

/* Of the first `count` ranks. It communicates without stopping the rank's clock (wrappers.c). */
static int make_communicator(MPI_Comm *out, MPI_Comm of, int count) {
    MPI_Group all, group;
    int range[1][3] = {{0, count - 1, 1}};
    MPI_Comm_group(of, &all);
    MPI_Group_range_incl(all, 1, range, &group);
    smpi_bench_end();
    int result = MPI_Comm_create(of, group, out);
    smpi_bench_begin();
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    return result;
}

static int size_of(MPI_Comm communicator) {
    int size = 0;
    MPI_Comm_size(communicator, &size);
    return size;
}

static bool are_ranks(const int *ranks, int count, int size) {
    for (int i = 0; i < count; i++)
        if (ranks[i] < 0 || ranks[i] >= size)
            return false;
    return true;
}

/* ---- Graphs ---- */

static struct topologies_neighbours neighbours_of_node(const int *ends, const int *edges,
                                                       int node) {
    int begin = node > 0 ? ends[node - 1] : 0, count = ends[node] - begin;
    return (struct topologies_neighbours){.count = count,
                                          .ranks = kept_topologies_numbers(edges + begin, count)};
}

int bsim__MPI_Graph_create(MPI_Comm comm, int nnodes, const int *ends, const int *edges,
                           int reorder, MPI_Comm *newcomm) {
    int rank, edge_count = nnodes > 0 ? ends[nnodes - 1] : 0;
    (void)reorder;
    if (nnodes < 0 || nnodes > size_of(comm) || !are_ranks(edges, edge_count, nnodes))
        return fail(comm, MPI_ERR_ARG);
    *newcomm = MPI_COMM_NULL;
    int result = nnodes > 0 ? make_communicator(newcomm, comm, nnodes) : MPI_SUCCESS;
    if (*newcomm == MPI_COMM_NULL)
        return result;
    MPI_Comm_rank(*newcomm, &rank);
    struct topology graph = {.communicator = *newcomm,
                             .kind = MPI_GRAPH,
                             .size = nnodes,
                             .first = kept_topologies_numbers(ends, nnodes),
                             .second = kept_topologies_numbers(edges, edge_count),
                             .sources = neighbours_of_node(ends, edges, rank),
                             .destinations = neighbours_of_node(ends, edges, rank)};
    kept_topologies_add(&graph);
    return result;
}

static const struct topology *graph_of(MPI_Comm comm, int kind) {
    const struct topology *topology = topologies_of(bsim__current_rank(), bsim__communicator(comm));
    return topology != NULL && topology->kind == kind ? topology : NULL;
}

static void give(int *out, const int *numbers, int count, int most) {
    for (int i = 0; i < count && i < most; i++)
        out[i] = numbers[i];
}

int bsim__MPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges) {
    const struct topology *graph = graph_of(comm, MPI_GRAPH);
    if (graph == NULL)
        return fail(comm, MPI_ERR_TOPOLOGY);
    *nnodes = graph->size;
    *nedges = graph->first[graph->size - 1];
    return MPI_SUCCESS;
}

int bsim__MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int *ends, int *edges) {
    const struct topology *graph = graph_of(comm, MPI_GRAPH);
    if (graph == NULL)
        return fail(comm, MPI_ERR_TOPOLOGY);
    give(ends, graph->first, graph->size, maxindex);
    give(edges, graph->second, graph->first[graph->size - 1], maxedges);
    return MPI_SUCCESS;
}

int bsim__MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors) {
    const struct topology *graph = graph_of(comm, MPI_GRAPH);
    if (graph == NULL || rank < 0 || rank >= graph->size)
        return fail(comm, graph == NULL ? MPI_ERR_TOPOLOGY : MPI_ERR_RANK);
    *nneighbors = graph->first[rank] - (rank > 0 ? graph->first[rank - 1] : 0);
    return MPI_SUCCESS;
}

int bsim__MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int *neighbors) {
    int count, result = bsim__MPI_Graph_neighbors_count(comm, rank, &count);
    if (result != MPI_SUCCESS)
        return result;
    const struct topology *graph = graph_of(comm, MPI_GRAPH);
    give(neighbors, graph->second + graph->first[rank] - count, count, maxneighbors);
    return MPI_SUCCESS;
}

/* ---- Distributed graphs ---- */

static int add_dist_graph(MPI_Comm communicator, struct topologies_neighbours sources,
                          struct topologies_neighbours destinations) {
    struct topology graph = {.communicator = communicator,
                             .kind = MPI_DIST_GRAPH,
                             .sources = sources,
                             .destinations = destinations};
    kept_topologies_add(&graph);
    return MPI_SUCCESS;
}

static struct topologies_neighbours given(const int *ranks, const int *weights, int count) {
    const int none = 0; /* weights of no neighbour are weights, too */
    if (weights == MPI_WEIGHTS_EMPTY)
        weights = &none;
    if (count == 0)
        ranks = &none;
    return (struct topologies_neighbours){.count = count,
                                          .ranks = kept_topologies_numbers(ranks, count),
                                          .weights = kept_topologies_numbers(weights, count)};
}

int bsim__MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int *sources,
                                         const int *sourceweights, int outdegree,
                                         const int *destinations, const int *destweights,
                                         MPI_Info info, int reorder, MPI_Comm *newcomm) {
    int size = size_of(comm);
    (void)info, (void)reorder;
    if (!are_ranks(sources, indegree, size) || !are_ranks(destinations, outdegree, size))
        return fail(comm, MPI_ERR_ARG);
    int result = make_communicator(newcomm, comm, size);
    if (result != MPI_SUCCESS)
        return result;
    return add_dist_graph(*newcomm, given(sources, sourceweights, indegree),
                          given(destinations, destweights, outdegree));
}

/* What an end of an edge is told: is it the source, the other end, the weight. */
enum { NUMBERS_TOLD = 3 };

/* Ends that are told to (or by) each rank, and the first of them. */
struct graphs_ends {
    int size, *counts, *firsts, *told;
};

static void ends_new(struct graphs_ends *out, int size) {
    *out = (struct graphs_ends){.size = size};
    out->counts = bsim__grow(NULL, 0, (size_t)size * sizeof(int));
    out->firsts = bsim__grow(NULL, 0, ((size_t)size + 1) * sizeof(int));
}

static void ends_dispose(struct graphs_ends *ends) {
    free(ends->counts);
    free(ends->firsts);
    free(ends->told);
}

static void ends_allocate(struct graphs_ends *ends) {
    for (int i = 0; i < ends->size; i++)
        ends->firsts[i + 1] = ends->firsts[i] + ends->counts[i];
    ends->told =
        bsim__grow(NULL, 0, ((size_t)ends->firsts[ends->size] * NUMBERS_TOLD + 1) * sizeof(int));
}

static void tell_end(struct graphs_ends *ends, int *filled, int to, bool is_source, int other,
                     int weight) {
    int *told = ends->told + (size_t)(ends->firsts[to] + filled[to]++) * NUMBERS_TOLD;
    told[0] = is_source;
    told[1] = other;
    told[2] = weight;
}

static void ends_of_edges(struct graphs_ends *out, int node_count, const int *nodes,
                          const int *degrees, const int *targets, const int *weights) {
    int edge = 0, *filled = bsim__grow(NULL, 0, (size_t)out->size * sizeof *filled);
    bool has_weights = weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
    for (int i = 0; i < node_count; i++)
        for (int k = 0; k < degrees[i]; k++, edge++) {
            out->counts[nodes[i]]++;
            out->counts[targets[edge]]++;
        }
    ends_allocate(out);
    edge = 0;
    for (int i = 0; i < node_count; i++)
        for (int k = 0; k < degrees[i]; k++, edge++) {
            int weight = has_weights ? weights[edge] : 0;
            tell_end(out, filled, nodes[i], true, targets[edge], weight);
            tell_end(out, filled, targets[edge], false, nodes[i], weight);
        }
    free(filled);
}

static void exchange_ends(struct graphs_ends *in, const struct graphs_ends *out, MPI_Comm comm) {
    MPI_Alltoall(out->counts, 1, MPI_INT, in->counts, 1, MPI_INT, comm);
    ends_allocate(in);
    struct composite *all = composites_new(2 * out->size);
    for (int i = 0; i < in->size; i++)
        if (in->counts[i] > 0)
            MPI_Irecv(in->told + (size_t)in->firsts[i] * NUMBERS_TOLD, in->counts[i] * NUMBERS_TOLD,
                      MPI_INT, i, 0, comm, &all->parts[i]);
    for (int i = 0; i < out->size; i++)
        if (out->counts[i] > 0)
            MPI_Isend(out->told + (size_t)out->firsts[i] * NUMBERS_TOLD,
                      out->counts[i] * NUMBERS_TOLD, MPI_INT, i, 0, comm,
                      &all->parts[in->size + i]);
    composites_wait(MPI_STATUS_IGNORE, all);
}

static struct topologies_neighbours told_neighbours(const struct graphs_ends *ends, bool as_source,
                                                    bool has_weights) {
    int all = ends->firsts[ends->size];
    struct topologies_neighbours found = {
        .ranks = bsim__grow(NULL, 0, ((size_t)all + 1) * sizeof(int)),
        .weights = has_weights ? bsim__grow(NULL, 0, ((size_t)all + 1) * sizeof(int)) : NULL};
    for (int i = 0; i < all; i++) {
        const int *told = ends->told + (size_t)i * NUMBERS_TOLD;
        if ((told[0] != 0) != as_source)
            continue;
        found.ranks[found.count] = told[1];
        if (has_weights)
            found.weights[found.count] = told[2];
        found.count++;
    }
    return found;
}

static bool are_edges(int node_count, const int *nodes, const int *degrees, const int *targets,
                      int size) {
    int edges = 0;
    for (int i = 0; i < node_count; i++)
        edges += degrees[i];
    return are_ranks(nodes, node_count, size) && are_ranks(targets, edges, size);
}

int bsim__MPI_Dist_graph_create(MPI_Comm comm, int n, const int *nodes, const int *degrees,
                                const int *targets, const int *weights, MPI_Info info, int reorder,
                                MPI_Comm *newcomm) {
    struct graphs_ends in, out;
    int size = size_of(comm);
    bool has_weights = weights != MPI_UNWEIGHTED;
    (void)info, (void)reorder;
    if (!are_edges(n, nodes, degrees, targets, size))
        return fail(comm, MPI_ERR_ARG);
    int result = make_communicator(newcomm, comm, size);
    if (result != MPI_SUCCESS)
        return result;
    ends_new(&in, size);
    ends_new(&out, size);
    ends_of_edges(&out, n, nodes, degrees, targets, weights);
    exchange_ends(&in, &out, *newcomm);
    result = add_dist_graph(*newcomm, told_neighbours(&in, false, has_weights),
                            told_neighbours(&in, true, has_weights));
    ends_dispose(&in);
    ends_dispose(&out);
    return result;
}

int bsim__MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *inneighbors, int *outneighbors,
                                         int *weighted) {
    const struct topology *graph = graph_of(comm, MPI_DIST_GRAPH);
    if (graph == NULL)
        return fail(comm, MPI_ERR_TOPOLOGY);
    *inneighbors = graph->sources.count;
    *outneighbors = graph->destinations.count;
    *weighted = graph->sources.weights != NULL || graph->destinations.weights != NULL;
    return MPI_SUCCESS;
}

static void give_neighbours(int *ranks, int *weights, const struct topologies_neighbours *from,
                            int most) {
    give(ranks, from->ranks, from->count, most);
    if (from->weights != NULL && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY)
        give(weights, from->weights, from->count, most);
}

int bsim__MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int *sources, int *sourceweights,
                                   int maxoutdegree, int *destinations, int *destweights) {
    const struct topology *graph = graph_of(comm, MPI_DIST_GRAPH);
    if (graph == NULL)
        return fail(comm, MPI_ERR_TOPOLOGY);
    give_neighbours(sources, sourceweights, &graph->sources, maxindegree);
    give_neighbours(destinations, destweights, &graph->destinations, maxoutdegree);
    return MPI_SUCCESS;
}

/* ---- Of any topology ---- */

int bsim__MPI_Topo_test(MPI_Comm comm, int *status) {
    const struct topology *topology = topologies_of(bsim__current_rank(), bsim__communicator(comm));
    *status = topology != NULL ? topology->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int map_ranks(MPI_Comm comm, int count, int *newrank) {
    int rank;
    if (count < 0 || count > size_of(bsim__communicator(comm)))
        return fail(comm, MPI_ERR_ARG);
    MPI_Comm_rank(bsim__communicator(comm), &rank);
    *newrank = rank < count ? rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int bsim__MPI_Cart_map(MPI_Comm comm, int ndims, const int *dims, const int *periods,
                       int *newrank) {
    int count = 1;
    (void)periods;
    for (int i = 0; i < ndims; i++)
        count *= dims[i];
    return map_ranks(comm, count, newrank);
}

int bsim__MPI_Graph_map(MPI_Comm comm, int nnodes, const int *ends, const int *edges,
                        int *newrank) {
    (void)ends, (void)edges;
    return map_ranks(comm, nnodes, newrank);
}

int bsim__MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
    smpi_bench_end();
    int result = MPI_Comm_dup(comm, newcomm);
    smpi_bench_begin();
    *request = composites_request(composites_new(0));
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs that all ranks know, that each knows its own part of, and of which one rank knows all:
 * what MPI tells of them, and what their neighbours send. Wrong values leave by exit, which is no
 * identical run.
 *
 * kept: MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 1, &star)
 * kept: MPI_Dist_graph_create(MPI_COMM_WORLD, given
 * kept: MPI_Neighbor_allgatherv(&value
 * gone: heat[i] = heat[i - 1] * 0.5
 * scratch: 2
 * ranks: 1 2 4
 */
#include <mpi.h>
#include <stdlib.h>

#define MOST 64

static int rank, size;

static void expect(int good) {
    if (!good)
        exit(3);
}

static void expect_same(const int *one, const int *other, int count) {
    for (int i = 0; i < count; i++)
        expect(one[i] == other[i]);
}

/* Rank 0 has an edge to each other. */
static void star(void) {
    int ends[MOST], edges[2 * MOST], got_ends[MOST], got_edges[2 * MOST], in[MOST], near[MOST];
    int kind, nodes, count, place, value = 3 * rank;
    MPI_Comm star;
    ends[0] = size - 1;
    for (int i = 1; i < size; i++) {
        edges[i - 1] = i;
        edges[size + i - 2] = 0;
        ends[i] = size + i - 1;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 1, &star);
    MPI_Topo_test(star, &kind);
    MPI_Graphdims_get(star, &nodes, &count);
    expect(kind == MPI_GRAPH && nodes == size && count == 2 * (size - 1));
    MPI_Graph_get(star, MOST, 2 * MOST, got_ends, got_edges);
    expect_same(got_ends, ends, nodes);
    expect_same(got_edges, edges, count);
    MPI_Graph_neighbors_count(star, rank, &count);
    expect(count == (rank == 0 ? size - 1 : 1));
    MPI_Graph_neighbors(star, rank, MOST, near);
    MPI_Neighbor_allgather(&value, 1, MPI_INT, in, 1, MPI_INT, star);
    for (int i = 0; i < count; i++)
        expect(near[i] == (rank == 0 ? i + 1 : 0) && in[i] == 3 * near[i]);
    MPI_Graph_map(star, size, ends, edges, &place);
    expect(place == rank);
    MPI_Comm_free(&star);
}

/* Of the first rank alone. */
static void part(void) {
    int none = 0, kind;
    MPI_Comm one;
    MPI_Graph_create(MPI_COMM_WORLD, 1, &none, &none, 0, &one);
    expect((one == MPI_COMM_NULL) == (rank > 0));
    if (one != MPI_COMM_NULL)
        MPI_Comm_free(&one);
    MPI_Topo_test(MPI_COMM_WORLD, &kind);
    expect(kind == MPI_UNDEFINED);
}

/* Each receives from the next two ranks; the same edge may be there twice. */
static void own_parts(void) {
    int from[2] = {(rank + 1) % size, (rank + 2) % size}, weights[2] = {5, 6};
    int to[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size};
    int in, out, weighted, got[4][2], value[2] = {10 * rank, 10 * rank + 1}, came[2];
    int counts[2] = {1, 1}, places[2] = {1, 0};
    double heat[1000] = {rank}, other[2000];
    MPI_Comm ring, copy;
    MPI_Request request;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to, weights, MPI_INFO_NULL,
                                   0, &ring);
    MPI_Comm_idup(ring, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Dist_graph_neighbors_count(copy, &in, &out, &weighted);
    expect(in == 2 && out == 2 && weighted);
    MPI_Dist_graph_neighbors(copy, 2, got[0], got[1], 2, got[2], got[3]);
    expect_same(got[0], from, 2);
    expect_same(got[1], weights, 2);
    expect_same(got[2], to, 2);
    MPI_Neighbor_alltoall(value, 1, MPI_INT, came, 1, MPI_INT, copy);
    expect(came[0] == 10 * from[0] && came[1] == 10 * from[1] + 1);
    MPI_Neighbor_allgatherv(&value, 1, MPI_INT, came, counts, places, MPI_INT, copy);
    expect(came[1] == 10 * from[0] && came[0] == 10 * from[1]);
    for (int i = 1; i < 1000; i++)
        heat[i] = heat[i - 1] * 0.5;
    MPI_Neighbor_allgather(heat, 1000, MPI_DOUBLE, other, 1000, MPI_DOUBLE, copy);
    MPI_Comm_free(&copy);
}

/* The last rank gives all edges; the others have none to give. */
static void of_one_rank(void) {
    int given = rank == size - 1 ? size : 0, nodes[MOST], degrees[MOST], ends[MOST], weights[MOST];
    int in, out, weighted, from, to, weight_in, weight_out, came = -1;
    MPI_Comm ring;
    for (int i = 0; i < given; i++) {
        nodes[i] = i;
        degrees[i] = 1;
        ends[i] = (i + 1) % size;
        weights[i] = i + 5;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, given, nodes, degrees, ends,
                          given > 0 ? weights : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &ring);
    MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
    expect(in == 1 && out == 1 && weighted);
    MPI_Dist_graph_neighbors(ring, 1, &from, &weight_in, 1, &to, &weight_out);
    expect(from == (rank + size - 1) % size && to == (rank + 1) % size);
    expect(weight_in == from + 5 && weight_out == rank + 5);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &came, 1, MPI_INT, ring);
    expect(came == from);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    star();
    part();
    own_parts();
    of_one_rank();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The bound of a removed loop lies behind a void pointer that the function turns into its own type:
 * so does the feature.
 *
 * gone: sum += 0.5
 * kept: table.counts[3]
 * feature: bsim_trips(0, ((struct table *)holder.opaque)->counts[(long)2], 1)
 */
#include <mpi.h>
#include <stdlib.h>

struct table {
    int n, *counts;
};

static double work(void *opaque, int k) {
    struct table *table = opaque;
    double sum = 0;
    for (int i = 0; i < table->counts[k]; i++)
        sum += 0.5;
    return sum;
}

int main(int argc, char **argv) {
    struct {
        void *opaque;
    } holder;
    struct table table = {10, malloc(10 * sizeof(int))};
    for (int i = 0; i < table.n; i++)
        table.counts[i] = i;
    holder.opaque = &table;
    MPI_Init(&argc, &argv);
    double sum = work(holder.opaque, 2);
    MPI_Bcast(&sum, table.counts[3] > 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum > 0 ? 0 : 1;
}

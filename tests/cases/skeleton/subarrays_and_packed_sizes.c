/* SPDX-License-Identifier: Apache-2.0
 *
 * A subarray's shape is computed; sizes of packed data size a buffer; indexed blocks by lists.
 *
 * args: 6
 * args: 9
 * kept: inner[0] = n - 2
 * kept: places[i] = 5 * i
 * gone: more[i] = 0.5 * i
 * gone: grid[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 5, size, bytes, place = 0, elements;
    double more[16];
    int whole[2], inner[2], start[2] = {1, 1}, lengths[3], places[3];
    MPI_Datatype box, blocks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *grid = malloc(n * n * sizeof *grid);
    for (int i = 0; i < n * n; i++)
        grid[i] = 0.5 * i;
    for (int i = 0; i < 16; i++)
        more[i] = 0.5 * i;
    whole[0] = whole[1] = n;
    inner[0] = n - 2;
    inner[1] = n - 3;
    MPI_Type_create_subarray(2, whole, inner, start, MPI_ORDER_C, MPI_DOUBLE, &box);
    MPI_Type_commit(&box);
    for (int i = 0; i < 3; i++) {
        lengths[i] = i + 1;
        places[i] = 5 * i;
    }
    MPI_Type_indexed(3, lengths, places, MPI_DOUBLE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Type_size(blocks, &elements);
    MPI_Bcast(grid, 1, box, size - 1, MPI_COMM_WORLD);
    MPI_Bcast(grid, 1, blocks, 0, MPI_COMM_WORLD);
    MPI_Pack_size(elements, MPI_DOUBLE, MPI_COMM_WORLD, &bytes);
    char *packed = malloc(bytes);
    MPI_Pack(grid, elements / 8, MPI_DOUBLE, packed, bytes, &place, MPI_COMM_WORLD);
    MPI_Bcast(packed, place, MPI_PACKED, 0, MPI_COMM_WORLD);
    MPI_Bcast(more, elements / 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&box);
    MPI_Type_free(&blocks);
    free(packed);
    free(grid);
    MPI_Finalize();
    return 0;
}

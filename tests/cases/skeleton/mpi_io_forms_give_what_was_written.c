/* SPDX-License-Identifier: Apache-2.0
 *
 * What MPI-IO writes is read back and steers: by offsets, pointers, views of all kinds, shared
 * pointers, in split and nonblocking forms. Each number is the one that MPI 3.1 demands, and
 * that Open MPI 4.1 gives; another one ends the run.
 *
 * kept: v[i] = 100 * rank + i
 * gone: x[i] = 0.5 * i
 * engine: lacks MPI-IO
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, v[64], w[64];
static MPI_Status status;

static void expect(int is, int wanted, int line) {
    if (is == wanted)
        return;
    fprintf(stderr, "line %d, rank %d: %d, not %d\n", line, rank, is, wanted);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
#define EXPECT(is, wanted) expect((int)(is), (int)(wanted), __LINE__)

static int count_of(MPI_Datatype type) {
    int count = -1;
    MPI_Get_count(&status, type, &count);
    return count;
}

static MPI_Offset position(MPI_File file) {
    MPI_Offset offset;
    MPI_File_get_position(file, &offset);
    return offset;
}

static void offsets_and_pointers(MPI_File file) {
    MPI_File_write_at(file, rank * 40, v, 10, MPI_INT, &status);
    EXPECT(count_of(MPI_INT), 10);
    MPI_File_sync(file);
    MPI_File_read_at_all(file, (rank + 1) % size * 40, w, 10, MPI_INT, &status);
    EXPECT(w[9], 100 * ((rank + 1) % size) + 9);
    MPI_File_seek(file, -8, MPI_SEEK_END);
    EXPECT(position(file), size * 40 - 8);
    MPI_File_read(file, w, 10, MPI_INT, &status);
    EXPECT(count_of(MPI_INT), 2);
    EXPECT(w[1], 100 * (size - 1) + 9);
}

static void vectors(MPI_File file) {
    MPI_Datatype type;
    MPI_Offset offset;
    MPI_Type_vector(5, 2, 2 * size, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, rank * 8, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_File_write_all(file, v, 10, MPI_INT, &status);
    EXPECT(position(file), 10);
    MPI_File_get_byte_offset(file, 3, &offset);
    EXPECT(offset, rank * 8 + 8 * size + 4);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 0, w, 4, MPI_INT, &status);
    EXPECT(w[1], 1);
    EXPECT(w[2], 100);
}

/* Columns of an array of 4 rows, 3 columns each, and 4 more rows behind it. */
static void subarrays(MPI_File file) {
    int sizes[] = {4, 3 * size}, parts[] = {4, 3}, starts[] = {0, 3 * rank};
    MPI_Aint lower, extent;
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_get_extent(type, &lower, &extent);
    EXPECT(extent, 48 * size);
    MPI_File_set_view(file, 16, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, v, 24, MPI_INT, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, 6, MPI_SEEK_SET);
    MPI_File_read(file, w, 3, MPI_INT, &status);
    EXPECT(w[2], 100 * rank + 8);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 4 + 3 * size, w, 3 * size, MPI_INT, &status);
    EXPECT(w[0], 3);
    EXPECT(w[3], 103);
    MPI_Type_free(&type);
}

/* Rows dealt out in turn, one each, of an array of 2 * size rows and 5 columns. */
static void distributed(MPI_File file) {
    int sizes[] = {2 * size, 5}, hows[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
    int arguments[] = {1, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {size, 1};
    MPI_Datatype type;
    MPI_Type_create_darray(size, rank, 2, sizes, hows, arguments, grid, MPI_ORDER_C, MPI_INT,
                           &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 4000, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, v, 10, MPI_INT, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 1000, w, 10 * size, MPI_INT, &status);
    EXPECT(w[4] + w[5], 4 + 100);
    EXPECT(w[5 * size], 5);
    EXPECT(w[10 * size - 1], 100 * (size - 1) + 9);
    MPI_Type_free(&type);
}

/* Numbers 0, 2, 3 and 5 of a memory of 6. */
static void holes(MPI_File file) {
    int lengths[] = {1, 2, 1}, places[] = {0, 2, 5};
    MPI_Datatype type;
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_write_at_all(file, 200 + 8 * rank, v, 2, type, &status);
    EXPECT(count_of(type), 2);
    MPI_File_read_at_all(file, 200 + 8 * rank, w, 8, MPI_INT, &status);
    EXPECT(w[3], 100 * rank + 5);
    EXPECT(w[4], 100 * rank + 6);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file, 800, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_File_read_at_all(file, 1, w, 3, MPI_INT, &status);
    EXPECT(w[0], 3);
    EXPECT(w[2], 8);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
}

static void shared_pointers(MPI_File file) {
    MPI_Offset offset;
    MPI_File_seek_shared(file, 100, MPI_SEEK_SET);
    MPI_File_write_ordered(file, v, rank + 1, MPI_INT, &status);
    MPI_File_get_position_shared(file, &offset);
    EXPECT(offset, 100 + size * (size + 1) / 2);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, 100, w, 3, MPI_INT, &status);
    EXPECT(w[2], 101);
    MPI_File_seek_shared(file, 100, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, w, 1, MPI_INT);
    MPI_File_read_ordered_end(file, w, &status);
    EXPECT(w[0], rank == 0 ? 0 : rank == 1 ? 100 : rank == 2 ? 101 : 200);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_shared(file, v, 3, MPI_INT, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &offset);
    EXPECT(offset, 100 + 4 * size);
}

static void nonblocking(MPI_File file) {
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int a = -1, b = -1, got = -1, flag = 0, index, left = (rank + size - 1) % size;
    MPI_File_read_at_all_begin(file, 2, &b, 1, MPI_INT);
    MPI_File_read_at_all_end(file, &b, &status);
    EXPECT(b, 100);
    MPI_File_iwrite_at(file, 600 + rank, &rank, 1, MPI_INT, &requests[0]);
    while (!flag)
        MPI_Test(&requests[0], &flag, &status);
    EXPECT(requests[0] == MPI_REQUEST_NULL && count_of(MPI_INT) == 1, 1);
    MPI_Irecv(&got, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[1]);
    MPI_File_iread_at(file, 600 + rank, &a, 1, MPI_INT, &requests[0]);
    MPI_File_iread_at(file, 1, &b, 1, MPI_INT, &requests[2]);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Waitall(3, requests, statuses);
    EXPECT(a * 100 + got * 10 + b, rank * 100 + left * 10 + 1);
    status = statuses[2];
    EXPECT(count_of(MPI_INT), 1);
    MPI_File_iread(file, &a, 1, MPI_INT, &requests[0]);
    MPI_File_iread(file, &b, 1, MPI_INT, &requests[2]);
    for (int i = 0; i < 2; i++)
        MPI_Waitany(3, requests, &index, &status);
    EXPECT(b - a, 1);
    MPI_Waitany(3, requests, &index, &status);
    EXPECT(index, MPI_UNDEFINED);
}

static void sizes(MPI_File file) {
    MPI_Offset bytes;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_size(file, 400);
    MPI_File_preallocate(file, 600);
    MPI_File_preallocate(file, 100);
    MPI_File_get_size(file, &bytes);
    EXPECT(bytes, 600);
}

int main(int argc, char **argv) {
    MPI_File file;
    double x[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (int i = 0; i < 64; i++)
        v[i] = 100 * rank + i;
    MPI_Bcast(x, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    offsets_and_pointers(file);
    MPI_Barrier(MPI_COMM_WORLD);
    vectors(file);
    MPI_Barrier(MPI_COMM_WORLD);
    subarrays(file);
    MPI_Barrier(MPI_COMM_WORLD);
    distributed(file);
    MPI_Barrier(MPI_COMM_WORLD);
    holes(file);
    shared_pointers(file);
    nonblocking(file);
    sizes(file);
    MPI_File_close(&file);
    if (rank == 0)
        EXPECT(MPI_File_delete("numbers", MPI_INFO_NULL), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}

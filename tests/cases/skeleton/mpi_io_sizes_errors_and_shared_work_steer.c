/* SPDX-License-Identifier: Apache-2.0
 *
 * The size of a file, its lines, where a pointer is, who gets which part by the shared pointer, and
 * how often an error handler was called say what is sent. A file that is deleted when it is closed
 * is read back by other ranks.
 *
 * args: 40
 * kept: MPI_File_iread_at(in.file, rank * share, text, (int)share, MPI_CHAR, &request)
 * kept: MPI_File_write_ordered(file, x, rank + 1, MPI_DOUBLE, MPI_STATUS_IGNORE)
 * gone: y[i] = 0.25 * i
 * engine: lacks MPI-IO
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct input {
    MPI_File file;
    long bytes;
};

static int rank, size, errors;

static void note_error(MPI_File *file, int *code, ...) {
    errors += file != NULL && *code != MPI_SUCCESS;
}

static struct input open_input(const char *name) {
    struct input in;
    MPI_Offset bytes;
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &in.file) !=
        MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_File_get_size(in.file, &bytes);
    in.bytes = (long)bytes;
    return in;
}

static void meet(int times) {
    for (int i = 0; i < times; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static int count_lines(void) {
    struct input in = open_input("lines");
    long share = in.bytes / size;
    char *text = calloc((size_t)share + 1, 1);
    int lines = 0, all = 0, got;
    MPI_Request request;
    MPI_Status status;
    MPI_File_iread_at(in.file, rank * share, text, (int)share, MPI_CHAR, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_CHAR, &got);
    for (int i = 0; i < got; i++)
        lines += text[i] == '\n';
    MPI_Allreduce(&lines, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_close(&in.file);
    free(text);
    return all;
}

static int pass_by_file(void) {
    MPI_File file;
    MPI_Offset end;
    double x[64], second = 0;
    for (int i = 0; i < 64; i++)
        x[i] = i + rank;
    MPI_File_open(MPI_COMM_WORLD, "passed",
                  MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    MPI_File_write_ordered(file, x, rank + 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_END);
    MPI_File_get_position(file, &end);
    MPI_File_read_at(file, 1, &second, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return (int)end + (int)second;
}

/* Each rank gets some, and all of them together all. */
static int share_work(void) {
    struct input in = open_input("lines");
    MPI_Errhandler handler;
    MPI_Status status;
    char part[8];
    int got = 8, mine = 0, all = 0;
    while (got == 8) {
        MPI_File_read_shared(in.file, part, 8, MPI_CHAR, &status);
        MPI_Get_count(&status, MPI_CHAR, &got);
        mine += got;
    }
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_create_errhandler(note_error, &handler);
    MPI_File_set_errhandler(in.file, handler);
    MPI_File_write_at(in.file, 0, part, 1, MPI_CHAR, &status);
    MPI_File_seek(in.file, -5, MPI_SEEK_SET);
    all += in.bytes == all ? 1 : 1000;
    MPI_File_close(&in.file);
    return all % 7;
}

int main(int argc, char **argv) {
    double y[64];
    MPI_File none = MPI_FILE_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 64; i++)
        y[i] = 0.25 * i;
    if (rank == 0) {
        FILE *out = fopen("lines", "w");
        for (int i = 0; i < atoi(argv[1]); i++)
            fprintf(out, "line %d\n", i);
        fclose(out);
    }
    MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    meet(count_lines());
    meet(pass_by_file());
    meet(share_work());
    meet(errors);
    if (MPI_File_close(&none) != MPI_SUCCESS)
        meet(1);
    if (MPI_File_open(MPI_COMM_WORLD, "nowhere/x", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL,
                      &none) == MPI_ERR_NO_SUCH_FILE)
        meet(1);
    MPI_Finalize();
    return 0;
}

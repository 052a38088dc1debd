/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole records are moved within their array, and copied to another one; of what is copied only the
 * member that steers is needed. Where a copy ends at a byte that is looked for, all of it is.
 *
 * kept: memmove(cells + to
 * kept: memcpy(copies, cells
 * kept: cells[i].end = i % 5
 * kept: line[i] = i < 9
 * gone: cells[i].speed -=
 * gone: cells[i].place +=
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    double place, speed;
    int end, kind;
};

static struct cell *cells, *copies;
static double row[128];

static void shift(int to, int from, int count) {
    memmove(cells + to, &cells[from], count * sizeof *cells);
}

static void kick(int n) {
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < n; i++) {
            cells[i].speed -= cells[i].place * 1e-3;
            cells[i].place += cells[i].speed * 1e-3;
        }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]);
    char line[64], part[64] = "";
    cells = calloc(n + 10, sizeof *cells);
    copies = calloc(n + 10, sizeof *copies);
    for (int i = 0; i < n; i++) {
        cells[i].place = i;
        cells[i].speed = 1;
        cells[i].end = i % 5;
        cells[i].kind = i % 2;
    }
    for (int i = 0; i < 64; i++)
        line[i] = i < 9 ? 'a' : ';';
    for (int step = 0; step < 5; step++) {
        int count = 0;
        shift(1, 0, n);
        memcpy(copies, cells, n * sizeof *cells);
        for (int i = 0; i < n; i++)
            count += copies[i].end == step;
        MPI_Bcast(row, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        kick(n);
    }
    char *end = memccpy(part, line, ';', sizeof part);
    MPI_Bcast(row, (int)(end - part), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

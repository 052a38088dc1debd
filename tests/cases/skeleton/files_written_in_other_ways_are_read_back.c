/* SPDX-License-Identifier: Apache-2.0
 *
 * Without files-apart: what is in a file that is read is what was written there under another name,
 * by a copy of descriptors, through mapped memory, through a descriptor or stream of the terminal.
 *
 * generate: --assume=no:files-apart
 * kept: link(a, b)
 * kept: copy_file_range(from, NULL, to, NULL, 64, 0)
 * kept: snprintf(map, 64, "%d", n);
 * kept: printf("%d\n", value)
 * gone: unused[k % 9] = k
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static double row[64], unused[9];
static char a[32], b[32];

static void write_text(const char *path, int n) {
    FILE *f = fopen(path, "w");
    fprintf(f, "%d", n);
    fclose(f);
}

static int read_back(void) {
    int n = 0;
    FILE *f = fopen(b, "r");
    if (f == NULL || fscanf(f, "%d", &n) != 1)
        n = 50;
    if (f != NULL)
        fclose(f);
    unlink(a);
    unlink(b);
    return n;
}

static int by_link(int n) {
    write_text(a, n);
    if (link(a, b) != 0)
        return 51;
    return read_back();
}

static int by_descriptors(int n) {
    write_text(a, n);
    int from = open(a, O_RDONLY), to = open(b, O_WRONLY | O_CREAT, 0644);
    if (copy_file_range(from, NULL, to, NULL, 64, 0) < 0)
        n = 52;
    close(from);
    close(to);
    return n < 50 ? read_back() : n;
}

static int by_map(int n) {
    int file = open(b, O_RDWR | O_CREAT, 0644);
    if (ftruncate(file, 64) != 0)
        return 53;
    char *map = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    snprintf(map, 64, "%d", n);
    munmap(map, 64);
    close(file);
    return read_back();
}

static int by_terminal(int n) {
    int value = n + 1;
    int file = open(b, O_WRONLY | O_CREAT, 0644), terminal = dup(1);
    fflush(stdout);
    dup2(file, 1);
    printf("%d\n", value);
    fflush(stdout);
    dup2(terminal, 1);
    close(file);
    close(terminal);
    return read_back();
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(a, sizeof a, "written%d", rank);
    snprintf(b, sizeof b, "read%d", rank);
    for (int i = 3; i < 6; i++) {
        for (int k = 0; k < 900; k++)
            unused[k % 9] = k;
        MPI_Bcast(row, by_link(i), MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Bcast(row, by_descriptors(i), MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Bcast(row, by_map(i), MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Bcast(row, by_terminal(i), MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    row[0] = unused[3];
    MPI_Finalize();
    return 0;
}

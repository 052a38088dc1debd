/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written to a stream that has memory behind it decides: the text, its length, what is read
 * back from it; a temporary file and a pipe of the process likewise. Other text goes.
 *
 * kept: fprintf(f, "%d,", k);
 * kept: fflush(f);
 * kept: fputs("1 2 3 4 5", g);
 * kept: write(ends[1], &n, sizeof n)
 * gone: fprintf(log, "%g\n", sum);
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double row[512];
static char image[64];

static void add(FILE *f, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(f, format, list);
    va_end(list);
}

static int length_of_text(int n) {
    char *text = NULL;
    size_t length = 0, first;
    FILE *f = open_memstream(&text, &length);
    for (int k = 0; k < n; k++)
        fprintf(f, "%d,", k);
    fflush(f);
    first = length;
    add(f, "%*d", n, n);
    fclose(f);
    int digits = text[0] - '0' + text[first - 2] - '0';
    free(text);
    return (int)(length + first) + digits;
}

static int numbers_in_memory(void) {
    int number, sum = 0;
    FILE *g = fmemopen(image, sizeof image, "w");
    fputs("1 2 3 4 5", g);
    fclose(g);
    g = fmemopen(image, strlen(image), "r");
    while (fscanf(g, "%d", &number) == 1)
        sum += number;
    fclose(g);
    return sum;
}

static int through_a_file(int n) {
    int m = 0;
    FILE *f = tmpfile();
    fprintf(f, "%d", n);
    rewind(f);
    if (fscanf(f, "%d", &m) != 1)
        m = -1;
    fclose(f);
    return m;
}

static int through_a_pipe(int n) {
    int ends[2], m = 0;
    if (pipe(ends) != 0 || write(ends[1], &n, sizeof n) < 0 || read(ends[0], &m, sizeof m) < 0)
        return -1;
    close(ends[0]);
    close(ends[1]);
    return m;
}

int main(int argc, char **argv) {
    double sum = 0;
    char *noted = NULL;
    size_t size = 0;
    MPI_Init(&argc, &argv);
    FILE *log = open_memstream(&noted, &size);
    for (int i = 2; i < 5; i++) {
        for (int k = 0; k < 1000; k++)
            sum += sin(k + i);
        fprintf(log, "%g\n", sum);
        MPI_Bcast(row, length_of_text(i), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(row, numbers_in_memory() + through_a_file(i), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(row, through_a_pipe(i), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    fclose(log);
    fputs(noted, stdout);
    free(noted);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * No message needs what the file says, but loops go by it: it is read in the skeleton too, in the
 * region's own function line by line, in another one by its format, and from the arguments. What
 * many lines are read for is not, nor what a loop computes without reading, nor what a file is
 * written for.
 *
 * with: sizes.txt
 * scout: sizes.txt 6
 * args: sizes.txt 6
 * gone: p[i] = 0.5 * (p[i - 1] + p[i]);
 * gone: p[i % 100] += 1.0 / i;
 * gone: p[i] *= 0.5;
 * gone: p[i] -= 0.25;
 * kept: sscanf(line, "%79s %d", name, &number)
 * kept: fscanf(file, "%d %d", rows, columns)
 * kept: strtol(argv[2], NULL, 10)
 * gone: blocks += time;
 * gone: p[i] += 0.125;
 * gone: fopen(name, "w+")
 * gone: lines += line[0] == 'p';
 * feature: BSIM_TIMES(bsim_trips(0, generations, 1), bsim_trips(1, population, 1))
 * feature: BSIM_TIMES(bsim_trips(0, rows, 1), bsim_trips(1, columns, 1))
 * feature: bsim_trips(0, times, 1)
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double p[1000];

static FILE *open_file(const char *name) {
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return file;
}

static void read_last_line(const char *name, int *rows, int *columns) {
    FILE *file = open_file(name);
    char word[80];
    int number;
    if (fscanf(file, "%79s %d %79s %d", word, &number, word, &number) != 4 ||
        fscanf(file, "%d %d", rows, columns) != 2)
        *rows = *columns = 0;
    fclose(file);
}

static int keep_number(const char *name, int number) {
    FILE *file = fopen(name, "w+");
    if (file == NULL || fprintf(file, "%d", number) < 1 || fseek(file, 0, SEEK_SET) != 0 ||
        fscanf(file, "%d", &number) != 1)
        number = 0;
    if (file != NULL)
        fclose(file);
    return number;
}

static int count_lines(const char *name) {
    char line[80];
    int lines = 0;
    for (int time = 0; time < 1000; time++) {
        FILE *file = fopen(name, "r");
        while (file != NULL && fgets(line, sizeof line, file) != NULL)
            lines += line[0] == 'p';
        if (file != NULL)
            fclose(file);
    }
    return lines;
}

int main(int argc, char **argv) {
    int generations = 0, population = 0, rows, columns;
    char line[80], name[80];
    MPI_Init(&argc, &argv);
    FILE *file = open_file(argv[1]);
    for (int number; fgets(line, sizeof line, file) != NULL;) {
        if (sscanf(line, "%79s %d", name, &number) == 2 && strcmp(name, "generations") == 0)
            generations = number;
        if (strcmp(name, "population") == 0)
            population = number;
    }
    fclose(file);
    for (int time = 0; time < generations; time++)
        for (int i = 1; i < population; i++)
            p[i] = 0.5 * (p[i - 1] + p[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    read_last_line(argv[1], &rows, &columns);
    for (int time = 0; time < rows; time++)
        for (int i = 1; i < columns; i++)
            p[i % 100] += 1.0 / i;
    MPI_Barrier(MPI_COMM_WORLD);
    int times = (int)strtol(argv[2], NULL, 10);
    for (int time = 0; time < times; time++)
        for (int i = 1; i < 900; i++)
            p[i] *= 0.5;
    MPI_Barrier(MPI_COMM_WORLD);
    int lines = count_lines(argv[1]);
    for (int time = 0; time < lines; time++)
        for (int i = 1; i < 900; i++)
            p[i] -= 0.25;
    MPI_Barrier(MPI_COMM_WORLD);
    int blocks = 1;
    for (int time = 0; time < 5; time++)
        blocks += time;
    for (int time = 0; time < blocks; time++)
        for (int i = 1; i < 900; i++)
            p[i] += 0.125;
    MPI_Barrier(MPI_COMM_WORLD);
    int kept = keep_number("number.txt", (int)p[1] + 3);
    for (int time = 0; time < kept; time++)
        for (int i = 1; i < 900; i++)
            p[i] += 0.0625;
    MPI_Barrier(MPI_COMM_WORLD);
    if (p[0] > 1e6)
        printf("%g\n", p[0]);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The first rank reads in a later operand of a condition, or in a branch of `?:`. What reads is
 * called there or is not, and from that one place only: each loop in it has a timer of its own with
 * its length, and the whole condition has none. Of a file that is not there nothing is read.
 *
 * with: numbers.txt
 * args: numbers.txt numbers.txt
 * args: numbers.txt no.txt
 * args: no.txt numbers.txt
 * args: no.txt no.txt
 * ranks: 2 3
 * made: BSIM_BEGIN(0, bsim_trips(0, count, 1));
 * made: BSIM_END_LATE(1, numbers);
 * made: BSIM_BEGIN(2, bsim_trips(0, more, 1));
 * made: BSIM_BEGIN(3, bsim_trips(0, most, 1));
 * kept: fscanf(file, "%d", &(*values)[i])
 * gone: work[i] = work[i] * 0.5 + values[i]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int read_first(const char *name, int **values) {
    FILE *file = fopen(name, "r");
    int count;
    if (file == NULL || fscanf(file, "%d", &count) != 1)
        return -1;
    *values = malloc(count * sizeof **values);
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%d", &(*values)[i]) != 1)
            return -1;
    fclose(file);
    return count;
}

static int check_first(const char *name, int count) {
    FILE *file = fopen(name, "r");
    int numbers = 0, number;
    while (file != NULL && fscanf(file, "%d", &number) == 1)
        numbers++;
    if (file != NULL)
        fclose(file);
    return numbers == count + 1;
}

static int read_second(const char *name) {
    FILE *file = fopen(name, "r");
    int more, number, sum = 0;
    if (file == NULL || fscanf(file, "%d", &more) != 1)
        return 0;
    for (int i = 0; i < more; i++)
        if (fscanf(file, "%d", &number) == 1)
            sum += number % 3;
    fclose(file);
    return sum;
}

static int read_third(const char *name) {
    FILE *file = fopen(name, "r");
    int most, number, largest = 0;
    if (file == NULL || fscanf(file, "%d", &most) != 1)
        return 0;
    for (int i = 0; i < most; i++)
        if (fscanf(file, "%d", &number) == 1)
            largest = number > largest ? number : largest;
    fclose(file);
    return largest;
}

int main(int argc, char **argv) {
    int rank, size, count = 0, missing = 0, *values = NULL;
    double *work = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && (count = read_first(argv[1], &values)) > 0 && check_first(argv[2], count)) {
        work = calloc(count, sizeof *work);
        for (int i = 0; i < count; i++)
            work[i] = work[i] * 0.5 + values[i];
    } else {
        count = 0;
    }
    int second = rank == 0 ? read_second(argv[2]) : 0;
    if (rank != 0 || read_third(argv[1]) == 0)
        missing = 1;
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&missing, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&second, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < second + missing; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (count > 0) {
        values = rank != 0 ? malloc(count * sizeof *values) : values;
        MPI_Bcast(values, count, MPI_INT, 0, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            MPI_Bcast(values, values[i] < count ? values[i] : 1, MPI_INT, i % size, MPI_COMM_WORLD);
    }
    if (work != NULL)
        printf("%g\n", work[0]);
    MPI_Finalize();
    return 0;
}

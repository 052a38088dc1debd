/* SPDX-License-Identifier: Apache-2.0
 *
 * One rank reads words to the end of the file that is named, and numbers of which the first one
 * says how many there are; both steer messages.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int count_words(const char *name) {
    char word[80];
    FILE *file = fopen(name, "r");
    int words = 0;
    if (file == NULL)
        return -1;
    while (fscanf(file, "%79s", word) == 1)
        words++;
    fclose(file);
    return words;
}

static int read_numbers(const char *name, int **numbers) {
    FILE *file = fopen(name, "r");
    int count;
    if (file == NULL || fscanf(file, "%d", &count) != 1)
        return -1;
    *numbers = malloc((size_t)count * sizeof(int));
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%d", &(*numbers)[i]) != 1)
            return -1;
    fclose(file);
    return count;
}

int main(int argc, char **argv) {
    int rank, words = 0, count = 0, *numbers = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        words = count_words(argv[1]);
        if ((count = read_numbers(argv[1], &numbers)) < 0)
            return 2;
    }
    MPI_Bcast(&words, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank > 0)
        numbers = malloc((size_t)count * sizeof(int));
    MPI_Bcast(numbers, count, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
        MPI_Bcast(NULL, 0 * numbers[i], MPI_INT, words > 5 ? 0 : 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

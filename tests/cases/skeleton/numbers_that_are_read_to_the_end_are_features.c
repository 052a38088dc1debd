/* SPDX-License-Identifier: Apache-2.0
 *
 * How many numbers a file has is known when it has been read. What reads stays, and its region has
 * the count as a feature where it ends: behind the loop, and in front of each jump out of it. It is
 * one also where the loop is a branch's only statement; of a function that is called twice it is
 * what the two calls come to, and of one that has it in memory what that has. What has no value on one of the ways there is none, nor is what the
 * region does not write.
 *
 * with: sizes.txt
 * args: sizes.txt
 * ranks: 1 3
 * gone: sum[i] += 0.5 * i;
 * made: BSIM_END_LATE(0, words);
 * made: { BSIM_END_LATE(0, words); return 0; }
 * made: BSIM_END_LATE(1, total.bytes);
 * made: BSIM_END_LATE(3, pairs); }
 * made: BSIM_END_LATE(4, other);
 * features: 5
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static struct {
    int bytes, files;
} total;

static double sum[100];

static int count_words(FILE *file) {
    char word[80];
    int words = 0;
    while (fscanf(file, "%79s", word) == 1) {
        if (strcmp(word, "forbidden") == 0)
            return 0;
        words++;
    }
    return words;
}

static void count_lines(FILE *file, int *count) {
    char line[80];
    while (fgets(line, sizeof line, file) != NULL) {
        *count += 1;
        total.bytes += (int)strlen(line);
    }
}

static int count_again(const char *name, int limit) {
    static FILE *file; /* one for both calls: so there are no two instances */
    int chars = 0;
    file = fopen(name, "r");
    while (fgetc(file) != EOF) {
        int limit = 100; /* hides the parameter */
        if (++chars > limit)
            break;
    }
    fclose(file);
    return chars > limit ? limit : chars;
}

int main(int argc, char **argv) {
    int rank, size, lines = 0, pairs = 0, one, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *file = fopen(argv[1], "r");
    int words = count_words(file);
    rewind(file);
    count_lines(file, &lines);
    rewind(file);
    if (rank == 0)
        while (fscanf(file, "%*s %d", &one) == 1)
            pairs += one > 0;
    MPI_Bcast(&pairs, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    other = count_again(argv[1], 7) + count_again(argv[1], 9);
    for (int i = 0; i < words + lines + pairs + total.bytes + other + one % 2; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 100; i++)
        sum[i] += 0.5 * i;
    MPI_Allreduce(MPI_IN_PLACE, sum, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

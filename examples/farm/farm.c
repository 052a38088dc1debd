/* SPDX-License-Identifier: Apache-2.0
 *
 * farm: numerical integration by a master and its workers.
 * In: the number of items and the work per item. Out, on rank 0: pi, its error, time and rate, and
 * how many items each worker did at least and at most.
 * Algorithm: the integral of 4 / (1 + x^2) over [0, 1] is cut into one slice per item. Rank 0 hands
 * out item numbers, one at a time, to whoever has just returned a result; the message's tag says
 * whether it is work or the end. An item's number decides how finely its slice is integrated (1 to
 * 7 times the given work), so items take different times and come back in any order. Results are
 * kept by item and summed at the end: the sum does not depend on that order.
 * With one rank the master does all items itself.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_ITEMS 200
#define DEFAULT_WORK 10000
#define LEVELS 7
#define ROUNDING 1e-10

enum tag { TAG_WORK = 1, TAG_STOP, TAG_RESULT };

static int rank, ranks;
static int items = DEFAULT_ITEMS;
static int work = DEFAULT_WORK; /* quadrature points of the cheapest items */
static int items_done;          /* by this rank */

static long points_of(int item) {
    return (long)work * (1 + item % LEVELS);
}

/* Midpoint rule on the item's slice. */
static double compute_item(int item) {
    long points = points_of(item);
    double width = 1.0 / items;
    double step = width / (double)points;
    double left = item * width;
    double sum = 0.0;
    for (long p = 0; p < points; p++) {
        double x = left + ((double)p + 0.5) * step;
        sum += 4.0 / (1.0 + x * x);
    }
    items_done++;
    return sum * step;
}

static void worker(void) {
    MPI_Status status;
    int working = 1;
    do {
        int item;
        MPI_Recv(&item, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        switch (status.MPI_TAG) {
        case TAG_WORK: {
            double result = compute_item(item);
            MPI_Send(&result, 1, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
            break;
        }
        case TAG_STOP:
            working = 0;
            break;
        default:
            fprintf(stderr, "farm: rank %d: unexpected tag %d\n", rank, status.MPI_TAG);
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        }
    } while (working);
}

/* Sends the next item, or the end when there is none. Returns how many items are handed out. */
static int hand_out(int next, int *current, int to) {
    if (next < items) {
        current[to] = next;
        MPI_Send(&next, 1, MPI_INT, to, TAG_WORK, MPI_COMM_WORLD);
        return next + 1;
    }
    MPI_Send(&next, 1, MPI_INT, to, TAG_STOP, MPI_COMM_WORLD);
    return next;
}

/* current[w]: the item that worker w has now. */
static void master(double *results, int *current) {
    int next = 0;
    for (int to = 1; to < ranks; to++)
        next = hand_out(next, current, to);
    for (int received = 0; received < items; received++) {
        MPI_Status status;
        double result;
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &status);
        results[current[status.MPI_SOURCE]] = result;
        next = hand_out(next, current, status.MPI_SOURCE);
    }
}

static void alone(double *results) {
    for (int item = 0; item < items; item++)
        results[item] = compute_item(item);
}

static void *allocate(size_t count, size_t size) {
    void *memory = malloc(count * size);
    if (memory == NULL) {
        fprintf(stderr, "farm: rank %d: no memory for %zu entries\n", rank, count);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return memory;
}

/* All items on all ranks; returns the integral on rank 0, elsewhere 0. */
static double integrate(void) {
    double sum = 0.0;
    if (rank != 0) {
        worker();
        return sum;
    }
    double *results = allocate((size_t)items, sizeof(double));
    int *current = allocate((size_t)ranks, sizeof(int));
    if (ranks == 1)
        alone(results);
    else
        master(results, current);
    for (int item = 0; item < items; item++)
        sum += results[item];
    free(current);
    free(results);
    return sum;
}

static void report_shares(void) {
    int *done = allocate((size_t)ranks, sizeof(int));
    MPI_Gather(&items_done, 1, MPI_INT, done, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        int first = ranks > 1 ? 1 : 0;
        int least = done[first], most = done[first];
        for (int r = first; r < ranks; r++) {
            least = done[r] < least ? done[r] : least;
            most = done[r] > most ? done[r] : most;
        }
        printf("items per worker: %d to %d\n", least, most);
    }
    free(done);
}

/* Whether the integral is as exact as the midpoint rule promises: |f''| <= 8 on [0, 1]. */
static int report(double integral, double elapsed_s) {
    double points = 0.0;
    for (int item = 0; item < items; item++)
        points += (double)points_of(item);
    double step = 1.0 / ((double)items * work);
    double error = fabs(integral - 3.14159265358979323846);
    int correct = error <= step * step / 3.0 + ROUNDING;
    printf("farm %d items, work %d, %d ranks\n", items, work, ranks);
    printf("time %.6f s, %.3f Mpoints/s\n", elapsed_s,
           elapsed_s > 0.0 ? points / elapsed_s * 1e-6 : 0.0);
    printf("pi %.12f, error %.3e: %s\n", integral, error, correct ? "correct" : "WRONG");
    return correct;
}

static int parse_positive(int *out, const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > 100000000)
        return -1;
    *out = (int)value;
    return 0;
}

static int parse_arguments(int argc, char **argv) {
    if (argc > 3)
        return -1;
    if (argc > 1 && parse_positive(&items, argv[1]) != 0)
        return -1;
    if (argc > 2 && parse_positive(&work, argv[2]) != 0)
        return -1;
    return 0;
}

int main(int argc, char **argv) {
    int correct = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (parse_arguments(argc, argv) != 0) {
        if (rank == 0)
            fprintf(stderr, "usage: farm [items [work]], both between 1 and 100000000\n");
        MPI_Finalize();
        return EXIT_FAILURE;
    }

    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    double integral = integrate();
    double elapsed_s = MPI_Wtime() - start_s;

    if (rank == 0)
        correct = report(integral, elapsed_s);
    report_shares();
    MPI_Finalize();
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}

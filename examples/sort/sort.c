/* SPDX-License-Identifier: Apache-2.0
 *
 * sort: distributed bucket sort of integer keys, in the spirit of the NAS benchmark IS.
 * In: keys per rank and iterations. Out, on rank 0: time and keys per second of the slowest rank,
 * the spread of keys per rank after the sort, and whether the result is sorted and complete.
 * Algorithm, per iteration: histogram of the own keys over 1024 buckets, summed over all ranks;
 * consecutive buckets are dealt to ranks so that each gets about the same number of keys; keys go
 * to their ranks (all to all, first counts, then keys); each rank sorts what it got by counting.
 * Limits: at most as many ranks as buckets; the keys that one rank receives are fewer than 2^31.
 */
#include "keys.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_KEYS_PER_RANK 65536
#define DEFAULT_ITERATIONS 10
#define MAX_KEYS_PER_RANK 100000000

enum { TAG_BORDER = 7 };

struct sorter {
    int rank;
    int ranks;
    int keys_per_rank;
    int *keys;    /* unsorted, kept over all iterations */
    int *grouped; /* the same, by bucket */
    int bucket_counts[BUCKETS];
    long long global_counts[BUCKETS];
    int first_bucket; /* mine after the sort: [first_bucket, end_bucket) */
    int end_bucket;
    int *send_counts, *send_offsets, *receive_counts, *receive_offsets;
    struct int_array received;
    int received_count;
    struct int_array scratch;
};

static void fail(const struct sorter *s, const char *message) {
    fprintf(stderr, "sort: rank %d: %s\n", s->rank, message);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static int *new_ints(const struct sorter *s, int count) {
    int *array = malloc((size_t)count * sizeof(int));
    if (array == NULL)
        fail(s, "no memory");
    return array;
}

static void sorter_init(struct sorter *s, int keys_per_rank) {
    s->keys_per_rank = keys_per_rank;
    s->keys = new_ints(s, keys_per_rank);
    s->grouped = new_ints(s, keys_per_rank);
    s->send_counts = new_ints(s, s->ranks);
    s->send_offsets = new_ints(s, s->ranks);
    s->receive_counts = new_ints(s, s->ranks);
    s->receive_offsets = new_ints(s, s->ranks);
    s->received = (struct int_array){NULL, 0};
    s->scratch = (struct int_array){NULL, 0};
    keys_generate(s->keys, keys_per_rank, (long)s->rank * keys_per_rank);
}

static void sorter_dispose(struct sorter *s) {
    free(s->scratch.data);
    free(s->received.data);
    free(s->receive_offsets);
    free(s->receive_counts);
    free(s->send_offsets);
    free(s->send_counts);
    free(s->grouped);
    free(s->keys);
}

static void sum_histograms(struct sorter *s) {
    long long local[BUCKETS];
    for (int b = 0; b < BUCKETS; b++)
        local[b] = s->bucket_counts[b];
    MPI_Allreduce(local, s->global_counts, BUCKETS, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
}

/* Deals buckets to ranks: rank r ends where the keys so far reach its share of all keys. */
static void deal_buckets(struct sorter *s) {
    long long total = (long long)s->keys_per_rank * s->ranks;
    long long so_far = 0;
    int bucket = 0, offset = 0;
    for (int r = 0; r < s->ranks; r++) {
        long long goal = total * (r + 1) / s->ranks;
        int first = bucket;
        s->send_counts[r] = 0;
        s->send_offsets[r] = offset;
        while (bucket < BUCKETS && (so_far < goal || r == s->ranks - 1)) {
            so_far += s->global_counts[bucket];
            s->send_counts[r] += s->bucket_counts[bucket];
            bucket++;
        }
        offset += s->send_counts[r];
        if (r == s->rank) {
            s->first_bucket = first;
            s->end_bucket = bucket;
        }
    }
}

static void exchange_keys(struct sorter *s) {
    MPI_Alltoall(s->send_counts, 1, MPI_INT, s->receive_counts, 1, MPI_INT, MPI_COMM_WORLD);
    s->received_count = 0;
    for (int r = 0; r < s->ranks; r++) {
        s->receive_offsets[r] = s->received_count;
        s->received_count += s->receive_counts[r];
    }
    if (int_array_reserve(&s->received, (size_t)s->received_count + 1) != 0)
        fail(s, "no memory for the received keys");
    MPI_Alltoallv(s->grouped, s->send_counts, s->send_offsets, MPI_INT, s->received.data,
                  s->receive_counts, s->receive_offsets, MPI_INT, MPI_COMM_WORLD);
}

/* One sort. The keys change a little from one iteration to the next, so that none is for nothing.
 */
static void sort_once(struct sorter *s, int iteration) {
    s->keys[iteration % s->keys_per_rank] = iteration % MAX_KEY;
    keys_histogram(s->bucket_counts, s->keys, s->keys_per_rank);
    sum_histograms(s);
    deal_buckets(s);
    keys_group(s->grouped, s->keys, s->keys_per_rank, s->bucket_counts);
    exchange_keys(s);
    if (keys_sort(s->received.data, s->received_count, FIRST_KEY_OF(s->first_bucket),
                  FIRST_KEY_OF(s->end_bucket), &s->scratch) != 0)
        fail(s, "no memory to sort");
}

static long long global_sum(long long value) {
    long long sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static long long sum_of(const int *keys, int count) {
    long long sum = 0;
    for (int i = 0; i < count; i++)
        sum += keys[i];
    return sum;
}

/* How many keys, on this rank and at its border with the one before, are smaller than theirs. */
static long long count_disorder(const struct sorter *s) {
    const int *keys = s->received.data;
    int first_possible = FIRST_KEY_OF(s->first_bucket);
    int last = s->received_count > 0 ? keys[s->received_count - 1] : first_possible;
    int before = 0;
    long long disorder = 0;
    int lower = s->rank > 0 ? s->rank - 1 : MPI_PROC_NULL;
    int upper = s->rank + 1 < s->ranks ? s->rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&last, 1, MPI_INT, upper, TAG_BORDER, &before, 1, MPI_INT, lower, TAG_BORDER,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (before > (s->received_count > 0 ? keys[0] : first_possible))
        disorder++;
    for (int i = 1; i < s->received_count; i++)
        disorder += keys[i] < keys[i - 1];
    return disorder;
}

/* Sorted, and the same number and sum of keys as before. The same on all ranks. */
static int verify(const struct sorter *s) {
    long long missing = global_sum((long long)s->keys_per_rank - s->received_count);
    long long difference =
        global_sum(sum_of(s->keys, s->keys_per_rank) - sum_of(s->received.data, s->received_count));
    return global_sum(count_disorder(s)) == 0 && missing == 0 && difference == 0;
}

static void report(const struct sorter *s, int iterations, double elapsed_s) {
    int least = 0, most = 0;
    double slowest_s = 0.0;
    double keys = (double)s->keys_per_rank * s->ranks * iterations;
    MPI_Reduce(&s->received_count, &least, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&s->received_count, &most, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&elapsed_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (s->rank != 0)
        return;
    printf("sort %d keys per rank, %d iterations, %d ranks\n", s->keys_per_rank, iterations,
           s->ranks);
    printf("time %.6f s, %.3f Mkeys/s\n", slowest_s,
           slowest_s > 0.0 ? keys / slowest_s * 1e-6 : 0.0);
    printf("keys per rank after the sort: %d to %d\n", least, most);
}

static int parse_positive(int *out, const char *text, long limit) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > limit)
        return -1;
    *out = (int)value;
    return 0;
}

static int parse_arguments(int argc, char **argv, int *keys_per_rank, int *iterations) {
    *keys_per_rank = DEFAULT_KEYS_PER_RANK;
    *iterations = DEFAULT_ITERATIONS;
    if (argc > 3)
        return -1;
    if (argc > 1 && parse_positive(keys_per_rank, argv[1], MAX_KEYS_PER_RANK) != 0)
        return -1;
    if (argc > 2 && parse_positive(iterations, argv[2], 100000000) != 0)
        return -1;
    return 0;
}

int main(int argc, char **argv) {
    static struct sorter sorter;
    int keys_per_rank, iterations;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &sorter.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &sorter.ranks);
    if (parse_arguments(argc, argv, &keys_per_rank, &iterations) != 0 || sorter.ranks > BUCKETS) {
        if (sorter.rank == 0)
            fprintf(stderr, "usage: sort [keys_per_rank [iterations]], on up to %d ranks\n",
                    BUCKETS);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    sorter_init(&sorter, keys_per_rank);

    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    for (int iteration = 0; iteration < iterations; iteration++)
        sort_once(&sorter, iteration);
    double elapsed_s = MPI_Wtime() - start_s;

    report(&sorter, iterations, elapsed_s);
    int correct = verify(&sorter);
    if (sorter.rank == 0)
        printf("result: %s\n", correct ? "correct" : "WRONG");
    sorter_dispose(&sorter);
    MPI_Finalize();
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What messages cost between two ranks: the program that `mpiskel calibrate --network` compiles and
 * starts, under the MPI that is calibrated, and again under SMPI to see what that predicts of it.
 *
 *     benchmark BUDGET_S SAMPLES TOLERANCE SEED THRESHOLD_WITHIN THRESHOLD_ACROSS SIZE...
 *
 * In: sizes in bytes; a threshold of -1 is searched for. Out, from rank 0: per pair of ranks (0 and
 * the first other one on its node: `within`; 0 and the first one elsewhere: `across`) the eager
 * threshold, which is the smallest size whose MPI_Send waits for the receiver, and for each size
 * and kind the median of the samples, their quartiles and their number (docs/how-to/calibrate.md):
 *   pingpong  half a round trip of MPI_Send and MPI_Recv
 *   send      one MPI_Send while the receiver is busy elsewhere; below the threshold only
 *   receive   one MPI_Recv of a message that has been there for a while; below the threshold only
 *   isend     one MPI_Isend while the receiver is busy elsewhere
 *   exchange  MPI_Irecv, MPI_Isend and MPI_Waitall on both ranks at the same time
 *   stream    one of a window of messages that are sent behind one another
 *
 * Groups of samples are taken in passes over all sizes in random order, so that what changes on the
 * machine meanwhile meets all sizes alike, until the median of each is known to TOLERANCE (95 %
 * interval by order statistics; at least SAMPLES of them) or the budget is spent. What reading the
 * clock costs is subtracted. Ranks that have nothing to do sleep.
 */
#include "timing.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_names[KIND_COUNT] = {"pingpong", "send",     "receive",
                                                   "isend",    "exchange", "stream"};

#define GROUP_LEAST 3 /* samples that are taken in a row */
#define GROUP_MOST 10
#define GROUP_SHARE 0.02  /* of the budget, for a group */
#define SAMPLES_MOST 2000 /* of a size and kind */
#define BURST 4           /* messages that are sent to a busy receiver */
#define BATCH_S 5e-6      /* a sample of round trips lasts at least so long */
#define LATE_TRIALS 9
#define BUSY_S 3e-5 /* a receiver that comes late computes for so long, and then some */
#define IDLE_MICROSECONDS 20000

struct benchmark_point {
    double samples[SAMPLES_MOST];
    int count;
};

struct pair {
    const char *name;
    int partner; /* 0: there is none */
    int threshold;
    struct benchmark_point *points[KIND_COUNT]; /* per size */
};

static int rank, sizes_count, samples_least, budget_over;
static int *sizes;
static double start_s, budget_s, tolerance;
static unsigned long long random_state;

/* Knuth's MMIX generator. */
static int random_below(int limit) {
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((random_state >> 33) % (unsigned long long)limit);
}

/* ---- The partner ---- */

static void wait_for_command(void) {
    int there = 0;
    for (;;) {
        MPI_Iprobe(0, TAG_COMMAND, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (there)
            return;
        usleep(IDLE_MICROSECONDS);
    }
}

static void serve(void) {
    struct timing_command command;
    double times[GROUP_MOST];
    wait_for_command();
    for (;;) {
        MPI_Recv(&command, (int)sizeof command, MPI_BYTE, 0, TAG_COMMAND, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (command.kind == STOP)
            return;
        timing_make_buffers(&command);
        for (int i = 0; i < command.samples; i++)
            times[i] = timing_sample(0, &command);
        timing_free_buffers();
        MPI_Send(times, command.samples, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

/* ---- Rank 0 ---- */

/* Fills both lists of times, that of this rank and its partner's. */
static void measure(double *here, double *there, int partner,
                    const struct timing_command *command) {
    MPI_Send(command, (int)sizeof *command, MPI_BYTE, partner, TAG_COMMAND, MPI_COMM_WORLD);
    timing_make_buffers(command);
    for (int i = 0; i < command->samples; i++)
        here[i] = timing_sample(partner, command);
    timing_free_buffers();
    MPI_Recv(there, command->samples, MPI_DOUBLE, partner, TAG_RESULT, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void add_samples(struct benchmark_point *point, const double *times, int count) {
    for (int i = 0; i < count && point->count < SAMPLES_MOST; i++)
        point->samples[point->count++] = times[i];
}

static double quantile(const struct benchmark_point *point, double share) {
    double sorted[SAMPLES_MOST];
    memcpy(sorted, point->samples, (size_t)point->count * sizeof *sorted);
    qsort(sorted, (size_t)point->count, sizeof *sorted, timing_compare);
    double at = share * (point->count - 1);
    return sorted[at <= 0 ? 0 : at >= point->count - 1 ? point->count - 1 : (int)(at + 0.5)];
}

static double square_root(double value) {
    double root = value > 1 ? value : 1;
    for (int i = 0; i < 60; i++)
        root = (root + value / root) / 2;
    return root;
}

/* Is the median known well enough? Its 95 % interval reaches from one order statistic to another.
 */
static int is_precise(const struct benchmark_point *point) {
    if (point->count < samples_least)
        return 0;
    if (point->count >= SAMPLES_MOST)
        return 1;
    double reach = 0.98 / square_root(point->count);
    double width = quantile(point, 0.5 + reach) - quantile(point, 0.5 - reach);
    return width / 2 <= tolerance * quantile(point, 0.5);
}

static int is_measured(const struct pair *pair, int kind, int size) {
    return (kind != SEND && kind != RECEIVE) || sizes[size] < pair->threshold;
}

/* Where messages take long, fewer of them in a group. */
static int samples_of_group(int kind, int batch, double trip_s) {
    double sample_s = (kind == STREAM ? WINDOW : 2 * batch) * trip_s;
    double most = sample_s > 0 ? budget_s * GROUP_SHARE / sample_s : GROUP_MOST;
    int count = most < GROUP_MOST ? (int)most : GROUP_MOST;
    count = count > samples_least ? samples_least : count;
    return count > GROUP_LEAST ? count : samples_least < GROUP_LEAST ? samples_least : GROUP_LEAST;
}

/* A stream's first message and last token weigh little; round trips and exchanges repeat until the
 * clock's steps do not count. A receiver has to be busy until all has been sent. */
static struct timing_command make_command(const struct pair *pair, int kind, int size) {
    const struct benchmark_point *trips = &pair->points[PINGPONG][size];
    double trip_s = trips->count > 0 ? quantile(trips, 0.5) : BATCH_S;
    struct timing_command command = {kind, sizes[size], 0, 1, BUSY_S};
    if (kind == PINGPONG || kind == EXCHANGE)
        command.batch = trip_s * 20 > BATCH_S ? (int)(BATCH_S / trip_s) + 1 : 20;
    else if (sizes[size] < pair->threshold)
        command.batch = BURST;
    if (sizes[size] < pair->threshold)
        command.busy_s += 4 * BURST * trip_s;
    command.samples = samples_of_group(kind, command.batch, trip_s);
    return command;
}

static void measure_group(struct pair *pair, int kind, int size) {
    double here[GROUP_MOST], there[GROUP_MOST];
    struct timing_command command = make_command(pair, kind, size);
    measure(here, there, pair->partner, &command);
    add_samples(&pair->points[kind][size], here, command.samples);
    if (kind == SEND)
        add_samples(&pair->points[RECEIVE][size], there, command.samples);
}

static void tell_progress(const struct pair *pair, int pass) {
    int precise = 0, all = 0;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (int i = 0; i < sizes_count; i++) {
            all += is_measured(pair, kind, i);
            precise += is_measured(pair, kind, i) && is_precise(&pair->points[kind][i]);
        }
    printf("progress %s %d %d %d %.1f\n", pair->name, pass, precise, all, MPI_Wtime() - start_s);
    fflush(stdout);
}

/* False: there was nothing left to do. */
static int make_pass(struct pair *pair, int *order) {
    int busy = 0;
    for (int i = sizes_count - 1; i > 0; i--) {
        int other = random_below(i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (int i = 0; i < sizes_count; i++)
        for (int kind = 0; kind < KIND_COUNT; kind++) {
            struct benchmark_point *point = &pair->points[kind][order[i]];
            int enough = is_precise(point);
            if (kind == SEND)
                enough = enough && is_precise(&pair->points[RECEIVE][order[i]]);
            budget_over = MPI_Wtime() - start_s > budget_s;
            if (kind == RECEIVE || enough || !is_measured(pair, kind, order[i]) ||
                (budget_over && point->count > 0))
                continue;
            measure_group(pair, kind, order[i]);
            busy = 1;
        }
    return busy;
}

/* Most of the sends decide: one of them may have been disturbed. */
static int send_waits(int partner, int bytes) {
    struct timing_command command = {LATE_SEND, bytes, LATE_TRIALS, 1, LATE_S};
    double here[GROUP_MOST], there[GROUP_MOST];
    measure(here, there, partner, &command);
    qsort(here, LATE_TRIALS, sizeof *here, timing_compare);
    return here[LATE_TRIALS / 2] > LATE_S / 2;
}

static int search_threshold(int partner) {
    int early = 0, late = sizes[sizes_count - 1];
    if (!send_waits(partner, late))
        return late + 1;
    while (late - early > 1) {
        int middle = early + (late - early) / 2;
        if (send_waits(partner, middle))
            late = middle;
        else
            early = middle;
    }
    return late;
}

static void print_points(const struct pair *pair) {
    printf("threshold %s %d\n", pair->name, pair->threshold);
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (int i = 0; i < sizes_count; i++) {
            const struct benchmark_point *point = &pair->points[kind][i];
            if (point->count > 0)
                printf("point %s %s %d %.6g %.6g %.6g %d\n", pair->name, kind_names[kind], sizes[i],
                       quantile(point, 0.5), quantile(point, 0.25), quantile(point, 0.75),
                       point->count);
        }
    fflush(stdout);
}

static void warm_up(int partner) {
    double here[GROUP_MOST], there[GROUP_MOST];
    struct timing_command command = {PINGPONG, sizes[sizes_count - 1], GROUP_MOST, 2, 0};
    measure(here, there, partner, &command);
    command.bytes = 1;
    command.batch = 100;
    measure(here, there, partner, &command);
}

static void measure_pair(struct pair *pair) {
    struct timing_command stop = {STOP, 0, 0, 0, 0};
    int *order = timing_take((size_t)sizes_count * sizeof *order);
    for (int i = 0; i < sizes_count; i++)
        order[i] = i;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        pair->points[kind] = timing_take((size_t)sizes_count * sizeof(struct benchmark_point));
    start_s = MPI_Wtime();
    warm_up(pair->partner);
    if (pair->threshold < 0)
        pair->threshold = search_threshold(pair->partner);
    for (int pass = 1; make_pass(pair, order) && !budget_over; pass++)
        tell_progress(pair, pass);
    MPI_Send(&stop, (int)sizeof stop, MPI_BYTE, pair->partner, TAG_COMMAND, MPI_COMM_WORLD);
    print_points(pair);
    for (int kind = 0; kind < KIND_COUNT; kind++)
        free(pair->points[kind]);
    free(order);
}

/* ---- Who talks to whom ---- */

/* On rank 0: the first other rank on its node, and the first one elsewhere. */
static void find_partners(struct pair *within, struct pair *across, int ranks) {
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    MPI_Get_processor_name(name, &length);
    char *names = timing_take((size_t)ranks * sizeof name);
    MPI_Gather(name, (int)sizeof name, MPI_CHAR, names, (int)sizeof name, MPI_CHAR, 0,
               MPI_COMM_WORLD);
    for (int i = ranks - 1; i > 0 && rank == 0; i--) {
        int same = strcmp(names + (size_t)i * sizeof name, name) == 0;
        *(same ? &within->partner : &across->partner) = i;
    }
    for (int i = 0; i < ranks && rank == 0; i++)
        printf("host %d %s\n", i, names + (size_t)i * sizeof name);
    free(names);
}

/* Those that no pair has need not wait for commands. */
static void release(int ranks, const struct pair *within, const struct pair *across) {
    struct timing_command stop = {STOP, 0, 0, 0, 0};
    for (int i = 1; i < ranks; i++)
        if (i != within->partner && i != across->partner)
            MPI_Send(&stop, (int)sizeof stop, MPI_BYTE, i, TAG_COMMAND, MPI_COMM_WORLD);
}

static void read_arguments(struct pair *within, struct pair *across, int argc, char **argv) {
    if (argc < 8)
        timing_fail(
            "usage: benchmark BUDGET_S SAMPLES TOLERANCE SEED THRESHOLD_WITHIN THRESHOLD_ACROSS "
            "SIZE...");
    budget_s = atof(argv[1]);
    samples_least = atoi(argv[2]) > 0 ? atoi(argv[2]) : 1;
    tolerance = atof(argv[3]);
    random_state = strtoull(argv[4], NULL, 10);
    within->threshold = atoi(argv[5]);
    across->threshold = atoi(argv[6]);
    sizes_count = argc - 7;
    sizes = timing_take((size_t)sizes_count * sizeof *sizes);
    for (int i = 0; i < sizes_count; i++) {
        sizes[i] = atoi(argv[7 + i]);
        if (sizes[i] < 1 || (i > 0 && sizes[i] <= sizes[i - 1]))
            timing_fail("sizes are at least 1 and ascend");
    }
}

int main(int argc, char **argv) {
    struct pair within = {"within", 0, 0, {0}}, across = {"across", 0, 0, {0}};
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 2)
        timing_fail("it takes two ranks: did the launcher start each as a program of its own?");
    read_arguments(&within, &across, argc, argv);
    timing_begin(rank);
    find_partners(&within, &across, ranks);
    if (rank == 0) {
        release(ranks, &within, &across);
        if (within.partner > 0)
            measure_pair(&within);
        if (across.partner > 0)
            measure_pair(&across);
        printf("end\n");
    } else {
        serve();
    }
    free(sizes);
    MPI_Finalize();
    return 0;
}

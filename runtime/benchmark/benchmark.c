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
 *   ring      MPI_Sendrecv to the next and from the rank before, of three ranks on three nodes; of
 *             sizes below the threshold, down to a quarter of it
 *
 * Groups of samples are taken in passes over all sizes in random order, so that what changes on the
 * machine meanwhile meets all sizes alike, until the median of each is known to TOLERANCE (95 %
 * interval by order statistics; at least SAMPLES of them) or the budget is spent. Sizes and kinds
 * for which the budget is too short are left out (schedule.c). What reading the clock costs is
 * subtracted. Ranks that have nothing to do sleep.
 */
#include "schedule.h"
#include "timing.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_names[KIND_COUNT] = {"pingpong", "send",   "receive", "isend",
                                                   "exchange", "stream", "ring"};

#define GROUP_MOST 10     /* samples that are taken in a row */
#define SAMPLES_MOST 2000 /* of a size and kind */
#define LATE_TRIALS 9     /* odd, since most of them decide */
#define LATE_S 2e-4      /* how long a receiver is late at least, in the search for the threshold */
#define SEARCH_SHARE 0.1 /* of the budget, until the threshold is searched for coarsely */
#define SEARCH_COARSE 50 /* then it is found to one part of so many */
#define RING_PART 4      /* of the threshold: where bandwidth counts, and messages do not wait */
#define IDLE_MICROSECONDS 20000

struct benchmark_point {
    double samples[SAMPLES_MOST];
    int count;
};

struct pair {
    const char *name;
    int partner; /* 0: there is none */
    int third;   /* on a third node; likewise */
    int threshold;
    struct benchmark_point *points[KIND_COUNT]; /* per size */
};

static int rank, all_sizes_count, samples_least, budget_over;
static int *all_sizes;
static int sizes_count, *sizes; /* of the pair that is measured: those that the budget allows */
static struct schedule schedule;
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
    if (kind == RING)
        return pair->third > 0 && sizes[size] < pair->threshold &&
               sizes[size] >= pair->threshold / RING_PART;
    return schedule.measures[kind] &&
           ((kind != SEND && kind != RECEIVE) || sizes[size] < pair->threshold);
}

/* What is known of the size's round trips by now is better than what was expected. */
static struct timing_command make_command(const struct pair *pair, int kind, int size) {
    const struct benchmark_point *trips = &pair->points[PINGPONG][size];
    double trip_s =
        trips->count > 0 ? quantile(trips, 0.5) : schedule_trip_s(&schedule, sizes[size]);
    struct timing_command command =
        schedule_command(&schedule, kind, sizes[size], sizes[size] < pair->threshold, trip_s);
    int samples = schedule_samples(&schedule, &command, trip_s, GROUP_MOST);
    command.samples = samples < samples_least ? samples : samples_least;
    return command;
}

/* Rank 0 sends to the partner, which sends to the third rank. */
static void measure_ring(double *here, const struct pair *pair,
                         const struct timing_command *command) {
    double there[GROUP_MOST];
    struct timing_command own = *command, third = *command;
    own.to = pair->partner;
    own.from = pair->third;
    third.to = 0;
    third.from = pair->partner;
    struct timing_command partner = *command;
    partner.to = pair->third;
    partner.busy_s = 2 * schedule_trip_s(&schedule, 1);
    third.busy_s = schedule_trip_s(&schedule, 1);
    MPI_Send(&third, (int)sizeof third, MPI_BYTE, pair->third, TAG_COMMAND, MPI_COMM_WORLD);
    MPI_Send(&partner, (int)sizeof partner, MPI_BYTE, pair->partner, TAG_COMMAND, MPI_COMM_WORLD);
    timing_make_buffers(&own);
    for (int i = 0; i < command->samples; i++)
        here[i] = timing_sample(pair->partner, &own);
    timing_free_buffers();
    const int others[] = {pair->partner, pair->third};
    for (int i = 0; i < 2; i++)
        MPI_Recv(there, command->samples, MPI_DOUBLE, others[i], TAG_RESULT, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void measure_group(struct pair *pair, int kind, int size) {
    double here[GROUP_MOST], there[GROUP_MOST];
    struct timing_command command = make_command(pair, kind, size);
    if (kind == RING)
        measure_ring(here, pair, &command);
    else
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
                (budget_over && (kind != PINGPONG || point->count > 0)))
                continue;
            measure_group(pair, kind, order[i]);
            busy = 1;
        }
    return busy;
}

/* An eager send takes less than the message, one that waits as long as the receiver is late. */
static int send_waits(int partner, int bytes) {
    double trip_s = schedule_trip_s(&schedule, bytes);
    struct timing_command command = {
        .kind = SEND, .bytes = bytes, .batch = 1, .busy_s = LATE_S + 3 * trip_s};
    double here[GROUP_MOST], there[GROUP_MOST];
    command.samples = schedule_samples(&schedule, &command, trip_s, LATE_TRIALS) | 1;
    measure(here, there, partner, &command);
    qsort(here, (size_t)command.samples, sizeof *here, timing_compare);
    return here[command.samples / 2] > command.busy_s / 2;
}

/* Between the two, a power of two if there is one: programs send such messages, so that for these
 * it has to be known on which side they are, even where the budget allows no exact search. */
static int middle_of(int early, int late) {
    int powers[32], count = 0;
    for (long power = 1; power < late; power *= 2)
        if (power > early)
            powers[count++] = (int)power;
    return count > 0 ? powers[count / 2] : early + (late - early) / 2;
}

static int search_threshold(int partner) {
    int early = 0, late = sizes[sizes_count - 1];
    if (!send_waits(partner, late))
        return late + 1;
    while (late - early > 1) {
        if (MPI_Wtime() - start_s > SEARCH_SHARE * budget_s && late - early < late / SEARCH_COARSE)
            break;
        int middle = middle_of(early, late);
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

static double measure_trip(int partner, int bytes, int samples) {
    double here[GROUP_MOST], there[GROUP_MOST];
    struct timing_command command = {
        .kind = PINGPONG, .bytes = bytes, .samples = samples, .batch = 1};
    measure(here, there, partner, &command);
    qsort(here, (size_t)samples, sizeof *here, timing_compare);
    return here[samples / 2];
}

/* Makes the connection, sees how long messages take, and chooses what the budget allows. */
static void look_ahead(const struct pair *pair) {
    schedule_begin(&schedule, budget_s);
    measure_trip(pair->partner, 1, 1);
    for (int bytes = 1; bytes > 0;)
        bytes = schedule_add_trip(&schedule, bytes, measure_trip(pair->partner, bytes, 1),
                                  all_sizes[all_sizes_count - 1]);
    sizes_count = schedule_choose(&schedule, sizes, all_sizes, all_sizes_count);
    struct timing_command command = {.kind = PINGPONG, .bytes = sizes[sizes_count - 1], .batch = 1};
    double trip_s = schedule_trip_s(&schedule, command.bytes);
    measure_trip(pair->partner, command.bytes,
                 schedule_samples(&schedule, &command, trip_s, GROUP_MOST));
}

static void measure_pair(struct pair *pair) {
    struct timing_command stop = {.kind = STOP};
    start_s = MPI_Wtime();
    look_ahead(pair);
    int *order = timing_take((size_t)sizes_count * sizeof *order);
    for (int i = 0; i < sizes_count; i++)
        order[i] = i;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        pair->points[kind] = timing_take((size_t)sizes_count * sizeof(struct benchmark_point));
    if (pair->threshold < 0)
        pair->threshold = search_threshold(pair->partner);
    for (int pass = 1; make_pass(pair, order) && !budget_over; pass++)
        tell_progress(pair, pass);
    MPI_Send(&stop, (int)sizeof stop, MPI_BYTE, pair->partner, TAG_COMMAND, MPI_COMM_WORLD);
    if (pair->third > 0)
        MPI_Send(&stop, (int)sizeof stop, MPI_BYTE, pair->third, TAG_COMMAND, MPI_COMM_WORLD);
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
    const char *partner = names + (size_t)across->partner * sizeof name;
    for (int i = ranks - 1; i > 0 && rank == 0; i--) {
        const char *other = names + (size_t)i * sizeof name;
        if (strcmp(other, name) != 0 && strcmp(other, partner) != 0)
            across->third = i;
    }
    for (int i = 0; i < ranks && rank == 0; i++)
        printf("host %d %s\n", i, names + (size_t)i * sizeof name);
    free(names);
}

/* Those that no pair has need not wait for commands. */
static void release(int ranks, const struct pair *within, const struct pair *across) {
    struct timing_command stop = {.kind = STOP};
    for (int i = 1; i < ranks; i++)
        if (i != within->partner && i != across->partner && i != across->third)
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
    all_sizes_count = argc - 7;
    all_sizes = timing_take((size_t)all_sizes_count * sizeof *all_sizes);
    sizes = timing_take((size_t)all_sizes_count * sizeof *sizes);
    for (int i = 0; i < all_sizes_count; i++) {
        all_sizes[i] = atoi(argv[7 + i]);
        if (all_sizes[i] < 1 || (i > 0 && all_sizes[i] <= all_sizes[i - 1]))
            timing_fail("sizes are at least 1 and ascend");
    }
}

int main(int argc, char **argv) {
    struct pair within = {.name = "within"}, across = {.name = "across"};
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
    free(all_sizes);
    MPI_Finalize();
    return 0;
}

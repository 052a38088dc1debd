/* SPDX-License-Identifier: Apache-2.0
 *
 * What a budget allows; see schedule.h.
 */
#include "schedule.h"

#define RUNG_FACTOR 4
#define GROUP_SHARE                                                                                \
    0.02 /* of the budget, for a group of samples; also for a rung of the ladder                   \
          */
#define PASS_SHARE                                                                                 \
    0.25              /* of the budget, for one sample of each size and kind: medians need some    \
                       */
#define STRIDE_MOST 8 /* sizes between those that are measured, and one: they are 16 % apart */
#define BATCH_S 5e-6  /* a sample of round trips lasts at least so long */
#define BATCH_MOST 20
#define BURST 4        /* messages that are sent to a busy receiver */
#define BURST_S 1e-3   /* that take longer each are sent one by one: the clock is fine enough */
#define BUSY_S 3e-5    /* a receiver that comes late computes for so long, and then some */
#define BUSY_MARGIN 4  /* all has been sent after the trips of all messages; and then some */
#define RING_ROUNDS 16 /* a beginning that is not at once weighs little */
#define LEAST_SIZES 12 /* are kept in any case: two to three for a piece of the curve */

void schedule_begin(struct schedule *schedule, double budget_s) {
    *schedule = (struct schedule){.budget_s = budget_s};
    for (int kind = 0; kind < KIND_COUNT; kind++)
        schedule->measures[kind] = 1;
}

static double sample_s(const struct timing_command *command, double trip_s) {
    switch (command->kind) {
    case PINGPONG:
        return 2 * (command->batch + 1) * trip_s;
    case STREAM:
        return WINDOW * trip_s;
    default: /* one way, behind a token or a round trip of one byte that costs no more */
        return (command->batch + 2) * trip_s + command->busy_s;
    }
}

int schedule_samples(const struct schedule *schedule, const struct timing_command *command,
                     double trip_s, int most) {
    double count = schedule->budget_s * GROUP_SHARE / sample_s(command, trip_s);
    return count >= most ? most : count > 1 ? (int)count : 1;
}

/* A stream's first message and last token weigh little; round trips and exchanges repeat until the
 * clock's steps do not count. */
struct timing_command schedule_command(const struct schedule *schedule, int kind, int bytes,
                                       int is_eager, double trip_s) {
    struct timing_command command = {.kind = kind, .bytes = bytes, .batch = 1, .busy_s = BUSY_S};
    if (kind == RING)
        command.batch = RING_ROUNDS;
    else if (kind == PINGPONG || kind == EXCHANGE)
        command.batch = trip_s * BATCH_MOST > BATCH_S ? (int)(BATCH_S / trip_s) + 1 : BATCH_MOST;
    else if (is_eager && trip_s < BURST_S)
        command.batch = BURST;
    if (kind == EXCHANGE) /* of many exchanges behind one another the beginning does not count */
        command.busy_s = command.batch == 1 ? schedule_trip_s(schedule, 1) : 0;
    else if (is_eager)
        command.busy_s += BUSY_MARGIN * command.batch * trip_s;
    return command;
}

/* ---- Round trips that were tried ---- */

int schedule_add_trip(struct schedule *schedule, int bytes, double trip_s, int largest) {
    const struct timing_command next = {.kind = PINGPONG, .bytes = bytes, .batch = 1};
    schedule->rung_bytes[schedule->rungs] = bytes;
    schedule->rung_s[schedule->rungs++] = trip_s;
    if (bytes > largest / RUNG_FACTOR || schedule->rungs == RUNGS_MOST ||
        sample_s(&next, RUNG_FACTOR * trip_s) > GROUP_SHARE * schedule->budget_s)
        return 0;
    return RUNG_FACTOR * bytes;
}

/* Lines between the rungs; beyond the last one as many seconds for each byte as at it. */
double schedule_trip_s(const struct schedule *schedule, double bytes) {
    const double *x = schedule->rung_bytes, *y = schedule->rung_s;
    int last = schedule->rungs - 1, right = 1;
    if (bytes >= x[last])
        return y[last] * (bytes / x[last]);
    while (x[right] < bytes)
        right++;
    double part = (bytes - x[right - 1]) / (x[right] - x[right - 1]);
    return y[right - 1] + part * (y[right] - y[right - 1]);
}

/* ---- What is measured ---- */

static double pass_s(const struct schedule *schedule, const int *sizes, int count, int stride) {
    double sum_s = 0;
    for (int i = count - 1; i >= 0; i -= stride)
        for (int kind = 0; kind < KIND_COUNT; kind++) {
            double trip_s = schedule_trip_s(schedule, sizes[i]);
            struct timing_command command = schedule_command(schedule, kind, sizes[i], 1, trip_s);
            if (schedule->measures[kind] && kind != RECEIVE)
                sum_s += sample_s(&command, trip_s);
        }
    return sum_s;
}

static int is_affordable(const struct schedule *schedule, int bytes) {
    const struct timing_command command = {.kind = PINGPONG, .bytes = bytes, .batch = 1};
    double trip_s = schedule_trip_s(schedule, bytes);
    return sample_s(&command, trip_s) <= 2 * GROUP_SHARE * schedule->budget_s;
}

int schedule_choose(struct schedule *schedule, int *out, const int *sizes, int count) {
    double most_s = PASS_SHARE * schedule->budget_s;
    int stride = 1, chosen = 0;
    while (count > LEAST_SIZES && !is_affordable(schedule, sizes[count - 1]))
        count--;
    schedule->measures[STREAM] = pass_s(schedule, sizes, count, 1) <= most_s;
    while (stride < STRIDE_MOST && count / (2 * stride) >= LEAST_SIZES &&
           pass_s(schedule, sizes, count, stride) > most_s)
        stride *= 2;
    for (int i = (count - 1) % stride; i < count; i += stride)
        out[chosen++] = sizes[i];
    return chosen;
}

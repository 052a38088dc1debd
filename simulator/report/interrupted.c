/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/report/interrupted.h"

void interrupted_sum_up(struct interrupted *interrupted, const struct run_stats *stats) {
    interrupted->share = interruptions_share(&interrupted->noise.interruptions);
    interrupted->interrupted_s = 0;
    for (size_t i = 0; i < stats->ranks; i++)
        interrupted->interrupted_s += stats->per_rank[i].interrupted_s / (double)stats->ranks;
}

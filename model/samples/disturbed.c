/* SPDX-License-Identifier: Apache-2.0
 *
 * See disturbed.h.
 */
#include "model/samples/disturbed.h"

#include <math.h>
#include <string.h>

/* Processors turn their clocks by some percent; second threads in use take 15 to 40. */
#define MATTERS 0.1
#define RUNS_TOLD 3

static bool is_alike(const struct run *left, const struct run *right) {
    return left->reference_s > 0 && strcmp(left->host, right->host) == 0 &&
           strcmp(left->cpu, right->cpu) == 0;
}

/* By how much the run's loop took longer than that of the quickest run there, as a share; 0 if that
 * is too little to matter, or not known. */
static double disturbed_by(const struct samples *samples, int run) {
    const struct run *mine = &samples->runs[run];
    double least_s = mine->reference_s;
    for (int i = 0; i < samples->run_count; i++)
        if (is_alike(&samples->runs[i], mine))
            least_s = fmin(least_s, samples->runs[i].reference_s);
    double share = least_s > 0 ? mine->reference_s / least_s - 1 : 0;
    return share >= MATTERS ? share : 0;
}

void disturbed_add_text(struct str *out, const struct samples *samples) {
    struct str names = {0};
    double most = 0;
    int count = 0;
    for (int i = 0; i < samples->run_count; i++) {
        double share = disturbed_by(samples, i);
        if (share == 0)
            continue;
        if (count++ < RUNS_TOLD)
            str_printf(&names, "%s%s", count > 1 ? ", " : "", samples->runs[i].id);
        most = fmax(most, share);
    }
    if (count > 0)
        str_printf(out,
                   "%d of %d profiling runs were made while the machine was slower, by up to %.0f "
                   "%%: others used its cores, or its clock was lower (%s%s). Make them again with "
                   "BSIM_QUIET=60, which waits until it is quiet, and have these forgotten "
                   "(`mpiskel machines forget APP.skel RUN`)",
                   count, samples->run_count, 100 * most, str_text(&names),
                   count > RUNS_TOLD ? ", ..." : "");
    str_dispose(&names);
}

/* SPDX-License-Identifier: Apache-2.0 */
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
 * is too little to matter, or not known. Runs in `without` are left out; NULL: none. */
static double disturbed_by(const struct samples *samples, int run, const struct text_set *without) {
    const struct run *mine = &samples->runs[run];
    double least_s = mine->reference_s;
    for (int i = 0; i < samples->run_count; i++)
        if (is_alike(&samples->runs[i], mine) &&
            (without == NULL || !text_set_has(without, samples->runs[i].id)))
            least_s = fmin(least_s, samples->runs[i].reference_s);
    double share = least_s > 0 ? mine->reference_s / least_s - 1 : 0;
    return share >= MATTERS ? share : 0;
}

/* It is disturbed, and was not there before, or nobody knew. */
static bool is_news(const struct samples *samples, int run, const struct text_set *added) {
    return disturbed_by(samples, run, NULL) > 0 &&
           (text_set_has(added, samples->runs[run].id) || disturbed_by(samples, run, added) == 0);
}

static bool has_news(const struct samples *samples, const struct text_set *added) {
    for (int i = 0; i < samples->run_count; i++)
        if (is_news(samples, i, added))
            return true;
    return false;
}

void disturbed_add_text(struct str *out, const struct samples *samples,
                        const struct text_set *added) {
    struct str names = {0};
    double most = 0;
    int count = 0;
    for (int i = 0; i < samples->run_count; i++) {
        double share = disturbed_by(samples, i, NULL);
        if (share == 0)
            continue;
        if (count++ < RUNS_TOLD)
            str_printf(&names, "%s%s", count > 1 ? ", " : "", samples->runs[i].id);
        most = fmax(most, share);
    }
    if (count > 0 && has_news(samples, added))
        str_printf(out,
                   "%d of %d profiling runs were made while the machine was slower, by up to %.0f "
                   "%%: others used its cores, or its clock was lower (%s%s). Make them again with "
                   "BSIM_QUIET=60, which waits until it is quiet, and have these forgotten "
                   "(`mpiskel machines forget APP.skel RUN`)",
                   count, samples->run_count, 100 * most, str_text(&names),
                   count > RUNS_TOLD ? ", ..." : "");
    str_dispose(&names);
}

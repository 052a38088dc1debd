/* SPDX-License-Identifier: Apache-2.0
 *
 * Noise: what the latency of an execution is multiplied with under `run --noise` (BSIM_NOISE, "SEED
 * REPETITION"). Four factors, with the spreads that the region's model has (model/spread.h):
 *   of the region: one in the whole run, log-normal with the median 1 (an error of the model);
 *   of the run: one draw for all regions; of the rank: one draw for all regions on it; likewise;
 *   of the execution: log-normal with the mean 1, since the model gives the mean.
 * Draws of a normal distribution are shared where a factor is common, and each region stretches
 * them by its own spread. A region without a spread has no noise. Linked into skeletons only.
 */
#include "model/eval.h"
#include "runtime/philox.h"
#include "runtime/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/bsim.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum draw { DRAW_RUN, DRAW_REGION, DRAW_RANK, DRAW_EXECUTION };

struct noise {
    bool read, on;
    uint32_t key[2];
};

static void mix_key(struct noise *noise, uint64_t seed, uint64_t repetition) {
    uint32_t counter[4] = {(uint32_t)seed, bsim__high(seed), (uint32_t)repetition,
                           bsim__high(repetition)};
    bsim__philox(counter, counter, (uint32_t[]){0, 0});
    noise->key[0] = counter[0];
    noise->key[1] = counter[1];
}

static const struct noise *noise_of_run(void) {
    static BSIM__COMMON struct noise noise;
    if (noise.read)
        return &noise;
    uint64_t seed = 0, repetition = 0;
    char rest;
    const char *text = bsim__shared()->noise;
    if (text != NULL && sscanf(text, "%" SCNu64 " %" SCNu64 "%c", &seed, &repetition, &rest) != 2)
        bsim__stop("mpiskel: error: BSIM_NOISE is '%s', not a seed and the number of a repetition",
                   text);
    noise.on = text != NULL;
    noise.read = true;
    mix_key(&noise, seed, repetition);
    return &noise;
}

static double draw(const struct noise *noise, enum draw what, int rank, const struct bsim_stub *at,
                   uint64_t execution) {
    uint32_t region = at != NULL ? (uint32_t)BSIM__VALUES(at)[0] : 0;
    uint32_t line = at != NULL && what == DRAW_EXECUTION ? (uint32_t)at->line : 0;
    uint32_t counter[4] = {(uint32_t)execution, bsim__high(execution) ^ line,
                           region | (uint32_t)what << 28, (uint32_t)rank};
    return bsim__normal(counter, noise->key);
}

double bsim__noise_factor(unsigned long *good_for, const struct bsim_stub *stub,
                          const struct bsim_region_model *model) {
    const struct noise *noise = noise_of_run();
    const struct bsim_spread *spread = bsim_region_spread(model);
    if (!noise->on || spread == NULL)
        return 1;
    int rank = bsim__current_rank()->number;
    double factor = bsim_region_factor(model, BSIM__VALUES(stub) + 1);
    double sum = bsim_spread_deviation(spread, factor) * draw(noise, DRAW_REGION, 0, stub, 0);
    if (spread->run > 0)
        sum += spread->run * draw(noise, DRAW_RUN, 0, NULL, 0);
    if (spread->rank > 0)
        sum += spread->rank * draw(noise, DRAW_RANK, rank, NULL, 0);
    if (spread->execution > 0) {
        *good_for = 1;
        sum += spread->execution * draw(noise, DRAW_EXECUTION, rank, stub, stub->earlier);
        sum -= spread->execution * spread->execution / 2;
    }
    return exp(fmin(sum, 700)); /* a finite number */
}

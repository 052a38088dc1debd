/* SPDX-License-Identifier: Apache-2.0
 *
 * Noise: what the latency of an execution is multiplied with. By default (BSIM_NOISE is not set)
 * only what makes neighbouring ranks differ, since ranks that meet wait for the slowest. All of it
 * has the mean 1, since the model gives the mean, and is at most BSIM_JITTER_MOST wide, or, of a
 * rank of a synthesised program, BSIM_WORK_SPREAD_MOST.
 *
 * Of the rank, as long as the run lasts: log-normal with the region's rank spread
 * (model/latency/rank_spread.h); each rank has one score of the normal distribution for all regions
 * (model/eval/normal_scores.h), for what makes a rank slow, or gives it more to do than features
 * tell, seldom is the region's.
 *
 * Of the execution: log-normal with the region's execution spread (model/latency/jitter.h). Of
 * sixteen executions of a rank at one place each falls into another sixteenth of the distribution
 * (stratified sampling), so that few long executions do not make a run long or short by luck: what
 * ranks wait for each other is wanted, not one sample of the noise. So nothing is drawn for the
 * first two executions, which may be all that there are. Fast: quantiles from a table, picked by a
 * hash (model/eval/splitmix.h).
 *
 * Under `run --distribution` (BSIM_NOISE, "SEED REPETITION") four factors, with the spreads that
 * the region's model has (model/latency/spread.h), drawn with Philox: of the region: one in the
 * whole run, log-normal with the median 1 (an error of the model); of the run: one draw for all
 * regions; of the rank: one draw for all regions on it; likewise; of the execution: log-normal with
 * the mean 1. Draws of a normal distribution are shared where a factor is common, and each region
 * stretches them by its own spread. A region without a spread has no noise, and with BSIM_NOISE
 * "off" none has. All draws are functions of where they are made, so that simulations can be had
 * again. Linked into skeletons only.
 */
#include "model/eval/eval.h"
#include "model/eval/normal_scores.h"
#include "model/eval/splitmix.h"
#include "runtime/common/philox.h"
#include "runtime/formats/host_factors.h"
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define QUANTILES 2048 /* of the upper half of the normal distribution */
#define STRATA 16
#define IN_STRATUM (2 * QUANTILES / STRATA)

enum latency_noise_draw { DRAW_RUN, DRAW_REGION, DRAW_RANK, DRAW_EXECUTION };

enum mode { MODE_UNKNOWN, MODE_OFF, MODE_JITTER, MODE_ALL };

struct latency_noise {
    enum mode mode;
    uint32_t key[2];
    double quantiles[QUANTILES];
    double score_square; /* of the ranks; negative: not known yet */
};

static void mix_key(struct latency_noise *noise, uint64_t seed, uint64_t repetition) {
    uint32_t counter[4] = {(uint32_t)seed, bsim__high(seed), (uint32_t)repetition,
                           bsim__high(repetition)};
    bsim__philox(counter, counter, (uint32_t[]){0, 0});
    noise->key[0] = counter[0];
    noise->key[1] = counter[1];
}

/* ---- Jitter ---- */

/* Of the middles of equal parts of the distribution. */
static void make_quantiles(double *out) {
    for (int i = 0; i < QUANTILES; i++)
        out[i] = bsim_normal_quantile(0.5 - (i + 0.5) / (2 * QUANTILES));
}

/* Of a rank's executions at its place in groups of STRATA: the strata in another order in each. */
static int quantile_number(const struct bsim_stub *stub) {
    uint64_t place = (uint64_t)BSIM__VALUES(stub)[0] << 32 ^ (uint64_t)stub->line << 20;
    uint64_t state =
        bsim_splitmix_output(place + (uint64_t)stub->own->rank->number * BSIM_SPLITMIX_STEP);
    uint64_t drawn = stub->earlier - BSIM_JITTER_FROM, group = drawn / STRATA,
             member = drawn % STRATA;
    uint64_t of_group = bsim_splitmix_output(state + (group + 1) * BSIM_SPLITMIX_STEP);
    uint64_t stratum = (member * (of_group | 1) + (of_group >> 32)) % STRATA;
    uint64_t inside =
        bsim_splitmix_output(of_group + (member + 1) * BSIM_SPLITMIX_STEP) % IN_STRATUM;
    return (int)(stratum * IN_STRATUM + inside);
}

static double jitter(const struct latency_noise *noise, const struct bsim_stub *stub,
                     double deviation) {
    int number = quantile_number(stub);
    double normal = number < QUANTILES ? -noise->quantiles[QUANTILES - 1 - number]
                                       : noise->quantiles[number - QUANTILES];
    return exp(deviation * normal - deviation * deviation / 2);
}

/* ---- All of it ---- */

static void read_noise(struct latency_noise *out, const char *text) {
    uint64_t seed = 0, repetition = 0;
    char rest;
    if (text == NULL) {
        out->mode = MODE_JITTER;
        out->score_square = -1;
        make_quantiles(out->quantiles);
    } else if (strcmp(text, "off") == 0) {
        out->mode = MODE_OFF;
    } else if (sscanf(text, "%" SCNu64 " %" SCNu64 "%c", &seed, &repetition, &rest) == 2) {
        out->mode = MODE_ALL;
        mix_key(out, seed, repetition);
    } else {
        bsim__stop("mpiskel: error: BSIM_NOISE is '%s', not off, or a seed and the number of a "
                   "repetition",
                   text);
    }
}

static struct latency_noise *noise_of_run(void) {
    static BSIM__COMMON struct latency_noise noise;
    if (noise.mode == MODE_UNKNOWN)
        read_noise(&noise, bsim__shared()->noise);
    return &noise;
}

static double draw(const struct latency_noise *noise, enum latency_noise_draw what, int rank,
                   const struct bsim_stub *at, uint64_t execution) {
    uint32_t region = at != NULL ? (uint32_t)BSIM__VALUES(at)[0] : 0;
    uint32_t line = at != NULL && what == DRAW_EXECUTION ? (uint32_t)at->line : 0;
    uint32_t counter[4] = {(uint32_t)execution, bsim__high(execution) ^ line,
                           region | (uint32_t)what << 28, (uint32_t)rank};
    return bsim__normal(counter, noise->key);
}

/* Without what interruptions, which are simulated by themselves (machine_interrupts.c), did to the
 * executions that it was learned from. */
static double execution_deviation(const struct bsim_spread *spread, double seconds) {
    double variance = spread->execution * spread->execution - bsim__interrupted_variance(seconds);
    return variance > 0 ? sqrt(variance) : 0;
}

static double noise_of_all(const struct latency_noise *noise, const struct bsim_stub *stub,
                           const struct bsim_region_model *model,
                           const struct bsim_spread *spread) {
    int rank = stub->own->rank->number;
    double factor =
        fmax(bsim_region_factor(model, BSIM__VALUES(stub) + 1), bsim__scale_range(stub));
    double sum =
        bsim_spread_deviation(spread, factor, stub->unseen) * draw(noise, DRAW_REGION, 0, stub, 0);
    if (spread->run > 0)
        sum += spread->run * draw(noise, DRAW_RUN, 0, NULL, 0);
    if (spread->rank > 0)
        sum += spread->rank * draw(noise, DRAW_RANK, rank, NULL, 0);
    if (spread->execution > 0) {
        double deviation = execution_deviation(spread, stub->model_s);
        sum += deviation * draw(noise, DRAW_EXECUTION, rank, stub, stub->earlier);
        sum -= deviation * deviation / 2;
    }
    return exp(fmin(sum, 700)); /* a finite number */
}

void bsim__noise_start(void) {
    noise_of_run();
}

/* ---- By how much the rank's host computes slower than those that latencies are of ---- */

static double read_factor(const char *path, int rank) {
    char text[HOST_FACTOR_BYTES + 1] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got =
        file >= 0 ? pread(file, text, HOST_FACTOR_BYTES, (off_t)rank * HOST_FACTOR_BYTES) : -1;
    if (file >= 0)
        close(file);
    double factor = got == HOST_FACTOR_BYTES ? strtod(text, NULL) : 0;
    if (!(factor > 0))
        bsim__stop("%s: error: no factor of rank %d is there; run again", path, rank);
    return factor;
}

double bsim__host_factor(const struct bsim__rank *rank) {
    const char *path = bsim__shared()->host_factors;
    return path != NULL ? read_factor(path, rank->number) : 1;
}

double bsim__rank_factor(const struct bsim_stub *stub, const struct bsim_region_model *model) {
    struct latency_noise *noise = noise_of_run();
    const struct bsim_spread *spread = bsim_region_spread(model);
    const struct bsim__rank *rank = stub->own->rank;
    if (noise->mode != MODE_JITTER || spread == NULL || spread->rank == 0 || rank->world_size < 1)
        return 1;
    if (noise->score_square < 0)
        noise->score_square = bsim_score_square(rank->world_size);
    double deviation = bsim_spread_ranks(spread, stub->is_recorded);
    return exp(deviation * bsim_rank_score(rank->number, rank->world_size) -
               deviation * deviation / 2 * noise->score_square);
}

double bsim__noise_factor(unsigned long *good_for, const struct bsim_stub *stub,
                          const struct bsim_region_model *model) {
    const struct latency_noise *noise = noise_of_run();
    const struct bsim_spread *spread = bsim_region_spread(model);
    if (noise->mode == MODE_OFF || spread == NULL)
        return 1;
    if (spread->execution > 0)
        *good_for = 1;
    if (noise->mode == MODE_ALL)
        return noise_of_all(noise, stub, model, spread);
    return spread->execution > 0 && stub->earlier >= BSIM_JITTER_FROM
               ? jitter(noise, stub,
                        fmin(execution_deviation(spread, stub->model_s), BSIM_JITTER_MOST))
               : 1;
}

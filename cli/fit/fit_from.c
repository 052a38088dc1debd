/* SPDX-License-Identifier: Apache-2.0
 *
 * In: samples, the bundle's signature, the profiles of two machines in its store. Out: what the
 * samples would be over there, roughly. All executions of a sample have the same
 * features, so its times all get the same factor.
 */
#include "cli/fit/fit_steps.h"

#include "base/file.h"
#include "base/str.h"
#include "model/findings/rough.h"
#include "model/fit.h"
#include "model/kernel.h"
#include "model/store/store_profiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAMED_MOST 6 /* of the regions that are refused */

struct translation {
    const struct opened *opened;
    const struct fit_from *from;
    struct machine_profile here, there;
    struct signature signature;
    struct arena *arena;
    double *refused_s; /* by region: time of samples that cannot be translated */
};

static int read_profile(struct machine_profile *out, const struct opened *opened,
                        const char *machine, struct error *error) {
    struct arena arena;
    const char *text = NULL;
    arena_init(&arena);
    int result = store_read_profile(&text, &arena, opened->store, machine, error);
    const char *name =
        arena_printf(&arena, "%s/store.db: profile of '%s'", opened->bundle, machine);
    if (result == 0 && text == NULL)
        result =
            error_set(error,
                      "there is no profile of machine '%s'; measure it there, or take one that "
                      "is written by hand: mpiskel calibrate --profile --machine %s --bundle "
                      "%s [--measurements FILE]",
                      machine, machine, opened->bundle);
    if (result == 0)
        result = machine_profile_parse(out, text, name, error);
    arena_dispose(&arena);
    return result;
}

/* ---- Samples ---- */

/* A library kernel that the region calls: profiles have no rates of these. NULL: none. */
static const char *kernel_of(const struct signature_region *region) {
    for (int i = 0; i < region->block_count; i++)
        if (region->blocks[i].call_count > 0)
            return region->blocks[i].calls[0].name;
    return NULL;
}

/* The factor of the sample's times; NAN: nothing tells it. */
static double factor_of(const struct translation *t, const struct sample *sample) {
    const struct signature_region *region = signature_find(&t->signature, sample->region);
    struct arena arena;
    struct region_counts counts;
    double latency_s = sample_latency_s(sample), factor = NAN;
    if (region == NULL || region->unknown_count > 0 || kernel_of(region) != NULL ||
        region->feature_count != sample->feature_count)
        return NAN;
    arena_init(&arena);
    if (latency_s > 0 && region_counts_find(&counts, &arena, region, sample->features))
        factor = convolution_translate(latency_s, &counts, &t->here, &t->there) / latency_s;
    arena_dispose(&arena);
    return latency_s > 0 ? factor : 1;
}

static void scale_sample(struct sample *sample, struct arena *arena, double factor) {
    struct sample_context *contexts =
        ARENA_ARRAY(arena, struct sample_context, sample->context_count + 1);
    for (size_t i = 0; i < sample->context_count; i++) {
        contexts[i] = sample->contexts[i];
        contexts[i].seconds *= factor;
    }
    sample->contexts = contexts;
    sample->seconds *= factor;
    sample->waited *= factor;
    sample->squares *= factor * factor;
    sample->min *= factor;
    sample->max *= factor;
}

static void translate_all(struct translation *t, struct samples *samples) {
    for (size_t i = 0; i < samples->count; i++) {
        struct sample *sample = &samples->items[i];
        if (t->opened->regions.items[sample->region].value != VALUE_NONE || sample->timed == 0)
            continue;
        double factor = factor_of(t, sample);
        if (!isfinite(factor)) {
            t->refused_s[sample->region] += sample->seconds;
            factor = t->from->ratio;
        }
        if (isfinite(factor))
            scale_sample(sample, &samples->arena, factor);
    }
}

/* ---- What is refused ---- */

static const char *why(const struct translation *t, int region) {
    const struct signature_region *signature = signature_find(&t->signature, region);
    const char *kernel = signature != NULL ? kernel_of(signature) : NULL;
    if (signature != NULL && signature->unknown_count > 0)
        return signature->unknowns[0].what;
    return kernel != NULL ? arena_printf(t->arena, "a call of %s", kernel) : "no signature";
}

static void add_refused(struct str *out, const struct translation *t, int region, int count) {
    const struct region *described = &t->opened->regions.items[region];
    if (count == NAMED_MOST)
        str_add(out, ", ...");
    else if (count < NAMED_MOST)
        str_printf(out, "%s%s:%d (%s)", count > 0 ? ", " : "", described->file, described->line,
                   why(t, region));
}

static int tell_refused(const struct translation *t, const struct samples *samples,
                        struct error *error) {
    struct str names = {0};
    double sum_s = 0, refused_s = 0;
    int count = 0;
    for (size_t i = 0; i < samples->count; i++)
        sum_s += samples->items[i].timed > 0 ? samples->items[i].seconds : 0;
    for (int r = 0; r < t->opened->regions.count; r++)
        if (t->refused_s[r] > 0) {
            add_refused(&names, t, r, count++);
            refused_s += t->refused_s[r];
        }
    bool is_refused = count > 0 && !isfinite(t->from->ratio);
    if (is_refused)
        error_set(error,
                  "signatures of %d regions with %.2g %% of the time are not known: %s; "
                  "--assume-ratio R takes their time on '%s' for R times that on '%s'",
                  count, 100 * refused_s / sum_s, str_text(&names), t->from->to, t->from->from);
    else if (count > 0)
        note("%d regions of unknown signature are taken to take %g times as long on '%s': %s",
             count, t->from->ratio, t->from->to, str_text(&names));
    str_dispose(&names);
    return is_refused ? -1 : 0;
}

/* ---- The steps ---- */

static int judge(struct convolution_quality *out, struct translation *t, struct error *error) {
    struct probe_suite suite;
    if (probe_suite_read_installed(&suite, error) != 0)
        return -1;
    int result = convolution_judge(out, t->arena, &t->here, &t->there, &suite, error);
    probe_suite_dispose(&suite);
    return result;
}

static int translate(struct translation *t, struct samples *samples,
                     struct convolution_quality *out, struct error *error) {
    if (judge(out, t, error) != 0)
        return -1;
    t->refused_s = ARENA_ARRAY(t->arena, double, (size_t)t->opened->regions.count + 1);
    translate_all(t, samples);
    return tell_refused(t, samples, error);
}

static int read_signature(struct signature *out, const struct opened *opened, struct arena *arena,
                          struct error *error) {
    const char *path = path_join(arena, opened->bundle, "signature.json");
    if (signature_read(out, path, error) != 0)
        return -1;
    if (strcmp(out->bundle, opened->regions.bundle) == 0)
        return 0;
    signature_dispose(out);
    return error_set(error, "%s:1:1: error: the signature is of another bundle; generate it again",
                     path);
}

static int translate_samples(struct samples *samples, struct convolution_quality *out,
                             const struct opened *opened, const struct fit_from *from,
                             struct arena *arena, struct error *error) {
    struct translation t = {.opened = opened, .from = from, .arena = arena};
    if (read_signature(&t.signature, opened, arena, error) != 0)
        return -1;
    int result = read_profile(&t.here, opened, from->from, error);
    if (result == 0) {
        result = read_profile(&t.there, opened, from->to, error);
        if (result == 0) {
            result = translate(&t, samples, out, error);
            machine_profile_dispose(&t.there);
        }
        machine_profile_dispose(&t.here);
    }
    signature_dispose(&t.signature);
    return result;
}

static void mark(struct models *models, const struct convolution_quality *quality,
                 const struct regions *regions, const struct fit_from *from) {
    const char *text =
        arena_printf(&models->arena, "%s from '%s', off by a factor of %.2f on average", ROUGH_NOTE,
                     from->from, quality->mean);
    for (int i = 0; i < models->count; i++)
        if (models->items[i].fitted && regions->items[i].value == VALUE_NONE)
            rough_mark(&models->items[i], &models->arena, &regions->items[i], text,
                       quality->deviation);
}

static void tell(const struct convolution_quality *quality, const struct fit_from *from) {
    if (quality->count > 0)
        note("rough: by convolution. Kernels of the probe suite that were left out are off by a "
             "factor of %.2f on average, %.2f in the median, %.2f at worst (one ratio for all of "
             "them: %.2f on average)",
             quality->mean, quality->median, quality->worst, quality->one_factor);
    else
        note("rough: by convolution. The profile of '%s' has no kernels to judge by; those of '%s' "
             "are off by a factor of %.2f on average, %.2f at worst, by their own rates",
             from->to, from->from, quality->mean, quality->worst);
}

int fit_from_check(const struct fit_from *from, bool has_others, struct error *error) {
    if ((from->from == NULL) != (from->to == NULL))
        return error_set(error, "--from HERE and --to THERE go together");
    if (from->from != NULL && strcmp(from->from, from->to) == 0)
        return error_set(error, "--from and --to name the same machine");
    if (from->from == NULL && !isnan(from->ratio))
        return error_set(error, "--assume-ratio goes with --from and --to");
    if (from->from != NULL && has_others)
        return error_set(error, "--kernels and --keep-untold do not go with --from");
    return 0;
}

int fit_from(struct models *out, struct samples *samples, struct opened *opened,
             const struct fit_from *from, struct error *error) {
    struct convolution_quality quality;
    if (translate_samples(samples, &quality, opened, from, &opened->arena, error) != 0)
        return -1;
    tell(&quality, from);
    models_fit(out, samples, &opened->regions, from->to);
    kernels_share(out, samples, &opened->regions, NULL);
    mark(out, &quality, &opened->regions, from);
    return store_write_models(opened->store, out, &opened->regions, error);
}

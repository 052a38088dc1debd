/* SPDX-License-Identifier: Apache-2.0
 *
 * In: samples, the bundle's signature, the profiles of two machines in its store, and perhaps
 * measured signatures. Out: what the samples would be over there, roughly. All executions of a
 * sample have the same features, so its times all get the same factor: that of the measured
 * signature if there is one, otherwise that of the source's.
 */
#include "cli/fit/fit_steps.h"

#include "base/file.h"
#include "base/str.h"
#include "cli/fit/fit_measured.h"
#include "model/findings/rough.h"
#include "model/fit.h"
#include "model/kernel.h"
#include "model/store/store_profiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAMED_MOST 6 /* regions, of a list of them */

/* A region's time of samples, by what translated them. */
struct translated {
    double measured_s, source_s, refused_s;
    const char *why; /* its measured signature did not; NULL: it did, or there are none */
};

struct translation {
    const struct opened *opened;
    const struct fit_from *from;
    struct machine_profile here, there;
    bool has_profiles; /* of both; without only measured signatures tell */
    struct fit_measured measured;
    struct signature signature;
    struct convolution_quality quality; /* has_profiles */
    struct arena *arena;
    struct translated *regions;
};

static int read_profile(struct machine_profile *out, bool *is_there, const struct translation *t,
                        const char *machine, struct error *error) {
    const char *text = NULL, *bundle = t->opened->bundle;
    int result = store_read_profile(&text, t->arena, t->opened->store, machine, error);
    const char *name = arena_printf(t->arena, "%s/store.db: profile of '%s'", bundle, machine);
    *is_there = text != NULL;
    if (result == 0 && text == NULL && t->from->measured == NULL)
        return error_set(error,
                         "there is no profile of machine '%s'; measure it there, or take one that "
                         "is written by hand: mpiskel calibrate --profile --machine %s --bundle "
                         "%s [--measurements FILE]",
                         machine, machine, bundle);
    return result == 0 && text != NULL ? machine_profile_parse(out, text, name, error) : result;
}

/* ---- Samples ---- */

/* A library kernel that the region calls: profiles have no rates of these. NULL: none. */
static const char *kernel_of(const struct signature_region *region) {
    for (int i = 0; i < region->block_count; i++)
        if (region->blocks[i].call_count > 0)
            return region->blocks[i].calls[0].name;
    return NULL;
}

/* The factor of the sample's times by what the source tells; NAN: nothing tells it. */
static double source_factor(const struct translation *t, const struct sample *sample,
                            const struct signature_region *region) {
    struct arena arena;
    struct region_counts counts;
    double latency_s = sample_latency_s(sample), factor = NAN;
    if (!t->has_profiles || region == NULL || region->unknown_count > 0 ||
        kernel_of(region) != NULL || region->feature_count != sample->feature_count)
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

/* NAN: it is refused. Adds the sample's time to what translated it. */
static double factor_of(struct translation *t, const struct run *run, const struct sample *sample) {
    const struct signature_region *region = signature_find(&t->signature, sample->region);
    struct translated *translated = &t->regions[sample->region];
    const char *why = NULL;
    double factor = t->from->measured != NULL
                        ? fit_measured_factor(&t->measured, &why, run, sample, region)
                        : NAN;
    if (isfinite(factor)) {
        translated->measured_s += sample->seconds;
        return factor;
    }
    translated->why = why;
    factor = source_factor(t, sample, region);
    *(isfinite(factor) ? &translated->source_s : &translated->refused_s) += sample->seconds;
    return isfinite(factor) ? factor : t->from->ratio;
}

static void translate_all(struct translation *t, struct samples *samples) {
    for (size_t i = 0; i < samples->count; i++) {
        struct sample *sample = &samples->items[i];
        if (t->opened->regions.items[sample->region].value != VALUE_NONE || sample->timed == 0)
            continue;
        double factor = factor_of(t, &samples->runs[sample->run], sample);
        if (isfinite(factor))
            scale_sample(sample, &samples->arena, factor);
    }
}

/* ---- What was not measured, and what is refused ---- */

static const char *why(const struct translation *t, int region) {
    const struct signature_region *signature = signature_find(&t->signature, region);
    const char *kernel = signature != NULL ? kernel_of(signature) : NULL;
    if (t->from->measured != NULL && !t->has_profiles)
        return t->regions[region].why;
    if (signature != NULL && signature->unknown_count > 0)
        return signature->unknowns[0].what;
    return kernel != NULL ? arena_printf(t->arena, "a call of %s", kernel) : "no signature";
}

static void add_place(struct str *out, const struct translation *t, int region, int count,
                      const char *reason) {
    const struct region *described = &t->opened->regions.items[region];
    if (count == NAMED_MOST)
        str_add(out, ", ...");
    else if (count < NAMED_MOST)
        str_printf(out, "%s%s:%d (%s)", count > 0 ? ", " : "", described->file, described->line,
                   reason);
}

static double percent_of(double part_s, double sum_s) {
    return sum_s > 0 ? 100 * part_s / sum_s : 0;
}

/* Which regions have measured signatures, and which take the source's instead. */
static void tell_measured(const struct translation *t, double sum_s) {
    struct str names = {0};
    double measured_s = 0, source_s = 0;
    int measured = 0, count = 0;
    for (int r = 0; r < t->opened->regions.count; r++) {
        const struct translated *region = &t->regions[r];
        measured += region->measured_s > 0;
        measured_s += region->measured_s;
        source_s += region->source_s;
        if (region->source_s > 0)
            add_place(&names, t, r, count++, region->why);
    }
    note("%d region%s with %.3g %% of the time go%s by signatures that were measured", measured,
         text_plural(measured), percent_of(measured_s, sum_s), measured == 1 ? "es" : "");
    if (count > 0)
        note("%d region%s with %.3g %% of the time go%s by what the source tells, for there is no "
             "measured signature: %s",
             count, text_plural(count), percent_of(source_s, sum_s), count == 1 ? "es" : "",
             str_text(&names));
    str_dispose(&names);
}

static int tell_refused(const struct translation *t, double sum_s, struct error *error) {
    struct str names = {0};
    double refused_s = 0;
    int count = 0;
    for (int r = 0; r < t->opened->regions.count; r++)
        if (t->regions[r].refused_s > 0) {
            add_place(&names, t, r, count++, why(t, r));
            refused_s += t->regions[r].refused_s;
        }
    bool is_refused = count > 0 && !isfinite(t->from->ratio);
    if (is_refused)
        error_set(error,
                  "%d region%s with %.3g %% of the time ha%s no known signature: %s; "
                  "--assume-ratio R takes their time on '%s' for R times that on '%s'%s",
                  count, text_plural(count), percent_of(refused_s, sum_s), count == 1 ? "s" : "ve",
                  str_text(&names), t->from->to, t->from->from,
                  t->from->measured != NULL && !t->has_profiles
                      ? ", and `mpiskel calibrate --profile` of both has what the source tells "
                        "stand in"
                      : "");
    else if (count > 0)
        note("%d region%s of unknown signature %s taken to take %g times as long on '%s': %s",
             count, text_plural(count), count == 1 ? "is" : "are", t->from->ratio, t->from->to,
             str_text(&names));
    str_dispose(&names);
    return is_refused ? -1 : 0;
}

/* ---- The steps ---- */

static int judge(struct translation *t, struct error *error) {
    struct probe_suite suite;
    if (probe_suite_read_installed(&suite, error) != 0)
        return -1;
    int result = convolution_judge(&t->quality, t->arena, &t->here, &t->there, &suite, error);
    probe_suite_dispose(&suite);
    return result;
}

static int translate(struct translation *t, struct samples *samples, struct error *error) {
    double sum_s = 0;
    for (size_t i = 0; i < samples->count; i++)
        sum_s += samples->items[i].timed > 0 ? samples->items[i].seconds : 0;
    t->regions = ARENA_ARRAY(t->arena, struct translated, (size_t)t->opened->regions.count + 1);
    translate_all(t, samples);
    if (t->from->measured != NULL)
        tell_measured(t, sum_s);
    return tell_refused(t, sum_s, error);
}

static int read_profiles(struct translation *t, struct error *error) {
    bool here, there = false;
    if (read_profile(&t->here, &here, t, t->from->from, error) != 0 ||
        read_profile(&t->there, &there, t, t->from->to, error) != 0)
        return -1;
    t->has_profiles = here && there;
    return t->has_profiles ? judge(t, error) : 0;
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

static int read_all(struct translation *t, const struct samples *samples, struct error *error) {
    const struct fit_from *from = t->from;
    if (read_signature(&t->signature, t->opened, t->arena, error) != 0 ||
        (from->measured != NULL &&
         fit_measured_open(&t->measured, from->measured, samples, &t->opened->regions, from->from,
                           from->to, error) != 0))
        return -1;
    return read_profiles(t, error);
}

static void translation_dispose(struct translation *t) {
    machine_profile_dispose(&t->there);
    machine_profile_dispose(&t->here);
    if (t->from->measured != NULL)
        fit_measured_close(&t->measured);
    signature_dispose(&t->signature);
}

/* Of samples that a clock counted, so that nothing about the other one was guessed. */
static bool is_exact(const struct translation *t, const struct translated *region) {
    return t->measured.is_exact && !t->measured.is_of_others &&
           region->source_s + region->refused_s == 0;
}

/* What the model of a region says of where it comes from. */
static const char *origin_of(const struct translation *t, struct arena *arena,
                             const struct translated *region) {
    const char *from = t->from->from;
    bool is_measured = t->from->measured != NULL && region->source_s + region->refused_s == 0 &&
                       (t->measured.is_exact || region->why == NULL);
    if (is_exact(t, region))
        return arena_printf(arena, "counted as '%s' counts, from '%s'", t->from->to, from);
    const char *begin = arena_printf(arena, "%s from '%s'%s", ROUGH_NOTE, from,
                                     is_measured ? ", measured signature" : "");
    return t->has_profiles ? arena_printf(arena, "%s, off by a factor of %.2f on average", begin,
                                          t->quality.mean)
                           : arena_printf(arena, "%s, by how much it is off is not known", begin);
}

static void mark(struct models *models, const struct translation *t) {
    for (int i = 0; i < models->count; i++) {
        const struct region *region = &t->opened->regions.items[i];
        const char *text = origin_of(t, &models->arena, &t->regions[i]);
        double deviation = is_exact(t, &t->regions[i]) ? 0
                           : t->has_profiles           ? t->quality.deviation
                                                       : NAN;
        if (models->items[i].fitted && region->value == VALUE_NONE)
            rough_mark(&models->items[i], &models->arena, region, text, deviation);
    }
}

static void tell_quality(const struct translation *t) {
    const struct convolution_quality *quality = &t->quality;
    if (!t->has_profiles)
        note("rough: by convolution. There are no profiles of both machines to judge by: how far "
             "times of '%s' are off is not known",
             t->from->to);
    else if (quality->count > 0)
        note("rough: by convolution. Kernels of the probe suite that were left out are off by a "
             "factor of %.2f on average, %.2f in the median, %.2f at worst (one ratio for all of "
             "them: %.2f on average)",
             quality->mean, quality->median, quality->worst, quality->one_factor);
    else
        note("rough: by convolution. The profile of '%s' has no kernels to judge by; those of '%s' "
             "are off by a factor of %.2f on average, %.2f at worst, by their own rates",
             t->from->to, t->from->from, quality->mean, quality->worst);
}

/* Models have times between calls of their machine's own runs (store_model_gaps), and those of the
 * other machine are in the measured bundle. */
static void tell_kept(const struct translation *t, const struct samples *samples) {
    double most_s = 0;
    for (int i = 0; i < samples->run_count; i++)
        most_s = fmax(most_s, samples->runs[i].kept.seconds);
    if (samples_are_counted(samples) && most_s > 0)
        note("time between calls, in code that the skeleton keeps (up to %.3g s of a run of '%s'), "
             "is not translated, and `run --machine %s` leaves it out: bundles with runs of '%s' "
             "have it%s%s",
             most_s, t->from->from, t->from->to, t->from->to,
             t->from->measured != NULL ? ", such as " : "",
             t->from->measured != NULL ? t->from->measured : "");
}

static void tell(const struct translation *t) {
    bool is_rough = false;
    for (int r = 0; r < t->opened->regions.count; r++)
        is_rough = is_rough || !is_exact(t, &t->regions[r]);
    if (is_rough)
        tell_quality(t);
    else
        note("counted times of '%s' became those that '%s' counts: nothing is guessed",
             t->from->from, t->from->to);
}

int fit_from_check(const struct fit_from *from, bool has_others, struct error *error) {
    if ((from->from == NULL) != (from->to == NULL))
        return error_set(error, "--from HERE and --to THERE go together");
    if (from->from != NULL && strcmp(from->from, from->to) == 0)
        return error_set(error, "--from and --to name the same machine");
    if (from->from == NULL && (from->measured != NULL || !isnan(from->ratio)))
        return error_set(error, "--%s goes with --from and --to",
                         from->measured != NULL ? "measured" : "assume-ratio");
    if (from->from != NULL && has_others)
        return error_set(error, "--kernels and --keep-untold do not go with --from");
    return 0;
}

int fit_from(struct models *out, struct samples *samples, struct opened *opened,
             const struct fit_from *from, struct error *error) {
    struct translation t = {.opened = opened, .from = from, .arena = &opened->arena};
    int result = read_all(&t, samples, error);
    if (result == 0)
        result = translate(&t, samples, error);
    if (result == 0) {
        tell(&t);
        tell_kept(&t, samples);
        models_fit(out, samples, &opened->regions, from->to);
        kernels_share(out, samples, &opened->regions, NULL);
        mark(out, &t);
        result = store_write_models(opened->store, out, &opened->regions, error);
    }
    translation_dispose(&t);
    return result;
}

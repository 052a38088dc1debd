/* SPDX-License-Identifier: Apache-2.0 */
#include "model/samples/told_again.h"

#include "base/str.h"

#include <math.h>
#include <string.h>

#define CLOCK_WORD "counted: "
#define PLAIN_COUNTS 3 /* those that are no lines */
#define KIB 1024ull
#define MIB (1024 * KIB)

bool counts_are_valid(const double *numbers, size_t count) {
    if (count > 0 && (count < PLAIN_COUNTS || count > PLAIN_COUNTS + 2 * PROCESSOR_LEVELS ||
                      (count - PLAIN_COUNTS) % 2 != 0))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!(numbers[i] >= 0 && numbers[i] <= SAMPLE_NUMBER_MAX))
            return false;
    return true;
}

int samples_processor(struct processor *out, const struct samples *samples, struct error *error) {
    const char *clock = samples_are_counted(samples) ? samples->runs[0].clock : "";
    if (!text_has_prefix(clock, CLOCK_WORD))
        return error_set(error, "the profiling runs read no clock that counts: `mpiskel generate "
                                "--counted` builds a program whose runs do");
    if (processor_parse(out, clock + strlen(CLOCK_WORD)) != 0)
        return error_set(error, "the clock of run %s is no description of a processor: %s",
                         samples->runs[0].id, clock);
    return 0;
}

/* ---- Parts of a time ---- */

const char *processor_part_name(struct arena *arena, const struct processor *processor, int part) {
    static const char *const plain[] = {"blocks", "accesses", "math library"};
    int level = part - PLAIN_COUNTS + 1;
    if (level <= 0)
        return plain[part];
    if (level > (int)processor->level_count)
        return NULL;
    unsigned long long bytes = processor->levels[level].bytes;
    if (level == (int)processor->level_count)
        return "memory";
    return bytes % MIB == 0   ? arena_printf(arena, "%llu MiB cache", bytes / MIB)
           : bytes % KIB == 0 ? arena_printf(arena, "%llu KiB cache", bytes / KIB)
                              : arena_printf(arena, "cache of %llu bytes", bytes);
}

static bool has_counts(const struct sample *sample, const struct processor *processor) {
    return sample->counted_count == PLAIN_COUNTS + 2 * (size_t)processor->level_count;
}

bool processor_speed_up(struct processor *processor, int part, double factor) {
    struct processor_level *level = &processor->levels[part < PLAIN_COUNTS ? 0 : part - 2];
    if (part == 0)
        processor->block_ns /= factor;
    else if (part == 1)
        processor->access_ns /= factor;
    else if (part >= PLAIN_COUNTS) {
        level->latency_ns /= factor;
        level->streamed_ns /= factor;
    }
    return part != 2;
}

/* Adds what the parts of the sample's executions take, in seconds. */
static void add_parts(double *out, const struct sample *sample, const struct processor *processor) {
    const double *n = sample->counted;
    double part = sample->timed > 0 ? 1e-9 * sample->count / sample->timed : 0;
    out[0] += part * n[0] * processor->block_ns;
    out[1] += part * n[1] * processor->access_ns;
    out[2] += part * n[2];
    for (unsigned i = 1; i <= processor->level_count; i++) {
        const struct processor_level *level = &processor->levels[i];
        const double *lines = &n[PLAIN_COUNTS + 2 * (i - 1)];
        out[PLAIN_COUNTS + i - 1] +=
            part * (lines[0] * level->latency_ns + lines[1] * level->streamed_ns);
    }
}

void samples_parts(struct counted_parts *out, struct arena *arena, const struct samples *samples,
                   int region) {
    struct processor processor;
    struct error error = {0};
    double seconds[COUNTED_PARTS] = {0};
    *out = (struct counted_parts){0};
    if (samples_processor(&processor, samples, &error) != 0)
        return;
    out->items = ARENA_ARRAY(arena, struct counted_part, COUNTED_PARTS);
    for (size_t i = 0; i < samples->count; i++)
        if ((region < 0 || samples->items[i].region == region) &&
            has_counts(&samples->items[i], &processor))
            add_parts(seconds, &samples->items[i], &processor);
    for (int i = 0; i < PLAIN_COUNTS + (int)processor.level_count; i++)
        if (seconds[i] > 0)
            out->items[out->count++] =
                (struct counted_part){processor_part_name(arena, &processor, i), seconds[i]};
}

/* ---- Counts ---- */

const char *processor_count_name(struct arena *arena, const struct processor *processor,
                                 int which) {
    int part = which < PLAIN_COUNTS ? which : PLAIN_COUNTS + (which - PLAIN_COUNTS) / 2;
    bool is_announced = (which - PLAIN_COUNTS) % 2 == 1;
    const char *name = processor_part_name(arena, processor, part);
    if (name == NULL || part < 2)
        return name;
    if (part == 2)
        return "ns in the math library";
    return arena_printf(arena, "%slines from %s%s", is_announced ? "announced " : "",
                        strcmp(name, "memory") == 0 ? "" : "the ", name);
}

void samples_take_count(struct samples *samples, int which) {
    samples->without_ratio = true;
    for (size_t i = 0; i < samples->count; i++) {
        struct sample *sample = &samples->items[i];
        bool has_it = sample->timed > 0 && sample->counted_count > (size_t)which;
        double mean = has_it ? sample->counted[which] / sample->timed : 0;
        if (!has_it)
            sample->timed = 0;
        sample->context_count = 0;
        sample->seconds = mean * sample->timed;
        sample->squares = mean * mean * sample->timed;
        sample->min = sample->max = mean;
        sample->waited = 0;
    }
}

/* ---- Another processor ---- */

static bool has_same_caches(const struct processor *a, const struct processor *b) {
    if (a->level_count != b->level_count || (a->level_count > 0 && a->streams != b->streams))
        return false;
    for (unsigned i = 0; i < a->level_count; i++)
        if (a->levels[i].bytes != b->levels[i].bytes || a->levels[i].ways != b->levels[i].ways)
            return false;
    return true;
}

static bool has_same_calls(const struct processor *a, const struct processor *b) {
    for (unsigned i = 0; i < a->call_count; i++)
        if (processor_call_ns(b, a->calls[i].name) != a->calls[i].ns)
            return false;
    for (unsigned i = 0; i < b->call_count; i++)
        if (processor_call_ns(a, b->calls[i].name) != b->calls[i].ns)
            return false;
    return true;
}

/* What the samples do not tell of the other processor; NULL: they tell all. */
static const char *missing(const struct samples *samples, const struct processor *own,
                           const struct processor *other) {
    bool has_any = false;
    if (!has_same_caches(own, other))
        return "it has other caches or streams, so that other lines would miss them";
    if (!processor_has_accesses(own) && processor_has_accesses(other))
        return "its accesses take time, and they were not counted";
    if (!has_same_calls(own, other))
        return "its functions of the math library take other times, and calls are not counted one "
               "by one";
    for (size_t i = 0; i < samples->count; i++)
        has_any = has_any || has_counts(&samples->items[i], own);
    return has_any ? NULL : "their samples are of an older profiling build, which kept no counts";
}

static double plain_ns(const struct sample *sample, const struct processor *processor) {
    return sample->counted[0] * processor->block_ns + sample->counted[1] * processor->access_ns +
           sample->counted[2];
}

static void tell_sample(struct sample *sample, struct arena *arena, const struct processor *own,
                        const struct processor *other) {
    double parts[COUNTED_PARTS] = {0}, sum_s = 0, own_s = 0;
    struct sample_context *contexts =
        ARENA_ARRAY(arena, struct sample_context, sample->context_count + 1);
    double before[COUNTED_PARTS] = {0};
    add_parts(parts, sample, other);
    add_parts(before, sample, own);
    for (int i = 0; i < COUNTED_PARTS; i++) {
        sum_s += parts[i];
        own_s += before[i];
    }
    double factor = own_s > 0 ? sum_s / own_s : 1;
    for (size_t i = 0; i < sample->context_count; i++) {
        contexts[i] = sample->contexts[i];
        contexts[i].seconds *= factor;
    }
    sample->contexts = contexts;
    sample->seconds *= factor;
    sample->squares *= factor * factor;
    sample->min *= factor;
    sample->max *= factor;
    sample->waited = fmax(sample->seconds - 1e-9 * plain_ns(sample, other), 0);
}

/* Of kept code, if no region tells: where blocks and accesses take the same factor. NAN: nothing
 * tells. */
static double price_ratio(const struct processor *own, const struct processor *other) {
    double blocks = other->block_ns / own->block_ns, accesses = other->access_ns / own->access_ns;
    if (own->block_ns <= 0 || own->access_ns <= 0)
        return own->block_ns > 0 && other->access_ns <= 0 ? blocks : NAN;
    return fabs(blocks - accesses) <= 1e-9 * blocks ? blocks : NAN;
}

static void tell_calls(struct run *run, double factor) {
    for (size_t i = 0; i < run->calls.count; i++) {
        struct call_count *call = &run->calls.items[i];
        if (call->kept_s >= 0)
            call->kept_s *= factor;
        call->first_s *= factor;
    }
    call_counts_kept(&run->kept, &run->calls);
}

int samples_tell_again(struct samples *samples, const struct processor *other, const char *what,
                       struct error *error) {
    struct processor own;
    char text[PROCESSOR_TEXT];
    double own_ns = 0, other_ns = 0;
    if (samples_processor(&own, samples, error) != 0)
        return -1;
    const char *lacking = missing(samples, &own, other);
    if (lacking != NULL)
        return error_set(
            error,
            "%s: profiling runs are needed, for what was counted does not tell of this "
            "processor: %s; make them with BSIM_CLOCK=counted:%s, and fit them as "
            "another machine's (fit --machine NAME)",
            what, lacking, what);
    for (size_t i = 0; i < samples->count; i++) {
        struct sample *sample = &samples->items[i];
        if (!has_counts(sample, &own))
            continue;
        own_ns += plain_ns(sample, &own);
        other_ns += plain_ns(sample, other);
        tell_sample(sample, &samples->arena, &own, other);
    }
    double factor = own_ns > 0 ? other_ns / own_ns : price_ratio(&own, other);
    if (isnan(factor)) {
        note("%s: time between calls stays as it was counted: no region takes time, and blocks and "
             "accesses change by different factors",
             what);
        factor = 1;
    }
    processor_text(text, sizeof text, other);
    for (int i = 0; i < samples->run_count; i++) {
        samples->runs[i].clock = arena_printf(&samples->arena, "%s%s", CLOCK_WORD, text);
        tell_calls(&samples->runs[i], factor);
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_definitions.h. A site is written as kind, line, region and two texts, each with its
 * length before it. A communicator is its key, name, dimensions and members, the latter as runs of
 * first, step and count, since most are regular.
 */
#include "analysis/writer/trace_definitions.h"

#include "analysis/writer/trace_id.h"
#include "analysis/writer/varint.h"

#include <stdlib.h>
#include <string.h>

static uint64_t site_hash(const struct trace_site *site) {
    uint64_t place = (uint64_t)(uint32_t)site->line << 32 | (uint32_t)site->region;
    return trace_text_hash(trace_text_hash(trace_mix(place, site->kind), site->function),
                           site->file);
}

uint32_t trace_definitions_site(struct trace_definitions *of, const struct trace_site *site) {
    uint64_t hash = site_hash(site);
    uint32_t number = trace_numbers_find(&of->by_site, hash);
    if (number != UINT32_MAX)
        return number;
    struct trace_site copy = *site;
    copy.function = strdup(site->function);
    copy.file = strdup(site->file);
    if (copy.function == NULL || copy.file == NULL ||
        !trace_array_reserve((void **)&of->sites, &of->site_capacity, of->site_count,
                             sizeof copy) ||
        !trace_numbers_insert(&of->by_site, hash, of->site_count)) {
        free((char *)copy.function);
        free((char *)copy.file);
        return UINT32_MAX;
    }
    of->sites[of->site_count] = copy;
    return of->site_count++;
}

static int32_t *copy_numbers(const int32_t *numbers, int32_t count) {
    int32_t *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (copy != NULL && count > 0)
        memcpy(copy, numbers, (size_t)count * sizeof *copy);
    return copy;
}

static void free_communicator(struct trace_communicator *communicator) {
    free((char *)communicator->name);
    free((int32_t *)communicator->members);
    free((int32_t *)communicator->dimensions);
}

int32_t trace_definitions_communicator(struct trace_definitions *of,
                                       const struct trace_communicator *communicator) {
    uint32_t number = trace_numbers_find(&of->by_key, communicator->key);
    if (number != UINT32_MAX)
        return (int32_t)number;
    struct trace_communicator copy = *communicator;
    copy.name = strdup(communicator->name);
    copy.members = copy_numbers(communicator->members, communicator->size);
    copy.dimensions = copy_numbers(communicator->dimensions, communicator->dimension_count);
    if (copy.name == NULL || copy.members == NULL || copy.dimensions == NULL ||
        !trace_array_reserve((void **)&of->communicators, &of->communicator_capacity,
                             of->communicator_count, sizeof copy) ||
        !trace_numbers_insert(&of->by_key, copy.key, of->communicator_count)) {
        free_communicator(&copy);
        return -1;
    }
    of->communicators[of->communicator_count] = copy;
    return (int32_t)of->communicator_count++;
}

int32_t trace_definitions_find(const struct trace_definitions *of, uint64_t key) {
    uint32_t number = trace_numbers_find(&of->by_key, key);
    return number != UINT32_MAX ? (int32_t)number : -1;
}

const struct trace_communicator *
trace_definitions_communicator_at(const struct trace_definitions *of, int32_t number) {
    return number >= 0 && (uint32_t)number < of->communicator_count ? &of->communicators[number]
                                                                    : NULL;
}

/* ---- Records ---- */

static bool put_site(struct trace_bytes *out, const struct trace_site *site) {
    return trace_bytes_put(out, site->kind) && trace_bytes_put(out, zigzag(site->line)) &&
           trace_bytes_put(out, zigzag(site->region)) &&
           trace_bytes_put_text(out, site->function) && trace_bytes_put_text(out, site->file);
}

/* Members from `first` on that go up or down by the same step. */
static int32_t run_length(const struct trace_communicator *of, int32_t first) {
    int32_t end = first + 1;
    while (end < of->size && (end == first + 1 || of->members[end] - of->members[end - 1] ==
                                                      of->members[first + 1] - of->members[first]))
        end++;
    return end - first;
}

static bool put_members(struct trace_bytes *out, const struct trace_communicator *of) {
    for (int32_t i = 0; i < of->size;) {
        int32_t length = run_length(of, i);
        int64_t step = length > 1 ? (int64_t)of->members[i + 1] - of->members[i] : 0;
        if (!trace_bytes_put(out, zigzag(of->members[i])) || !trace_bytes_put(out, zigzag(step)) ||
            !trace_bytes_put(out, (uint64_t)length))
            return false;
        i += length;
    }
    return true;
}

static bool put_communicator(struct trace_bytes *out, const struct trace_communicator *of) {
    bool fine = trace_bytes_put(out, of->key) && trace_bytes_put_text(out, of->name) &&
                trace_bytes_put(out, (uint64_t)of->size) &&
                trace_bytes_put(out, (uint64_t)of->dimension_count);
    for (int32_t i = 0; fine && i < of->dimension_count; i++)
        fine = trace_bytes_put(out, zigzag(of->dimensions[i]));
    return fine && put_members(out, of);
}

static bool take_sites(struct trace_record *out, struct trace_bytes *payload,
                       struct trace_definitions *of) {
    *out = (struct trace_record){.type = TRACE_RECORD_SITES,
                                 .count = of->site_count - of->sites_taken,
                                 .t0 = of->sites_taken};
    bool fine = true;
    for (; fine && of->sites_taken < of->site_count; of->sites_taken++)
        fine = put_site(payload, &of->sites[of->sites_taken]);
    return fine;
}

static bool take_communicators(struct trace_record *out, struct trace_bytes *payload,
                               struct trace_definitions *of) {
    *out = (struct trace_record){.type = TRACE_RECORD_COMMUNICATORS,
                                 .count = of->communicator_count - of->communicators_taken,
                                 .t0 = of->communicators_taken};
    bool fine = true;
    for (; fine && of->communicators_taken < of->communicator_count; of->communicators_taken++)
        fine = put_communicator(payload, &of->communicators[of->communicators_taken]);
    return fine;
}

bool trace_definitions_take(struct trace_record *out, struct trace_bytes *payload,
                            struct trace_definitions *of) {
    payload->length = 0;
    if (of->sites_taken < of->site_count)
        return take_sites(out, payload, of);
    if (of->communicators_taken < of->communicator_count)
        return take_communicators(out, payload, of);
    return false;
}

void trace_definitions_dispose(struct trace_definitions *of) {
    for (uint32_t i = 0; i < of->site_count; i++) {
        free((char *)of->sites[i].function);
        free((char *)of->sites[i].file);
    }
    for (uint32_t i = 0; i < of->communicator_count; i++)
        free_communicator(&of->communicators[i]);
    free(of->sites);
    free(of->communicators);
    trace_numbers_dispose(&of->by_site);
    trace_numbers_dispose(&of->by_key);
    *of = (struct trace_definitions){0};
}

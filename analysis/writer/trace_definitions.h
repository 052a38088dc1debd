/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites and communicators of a writer: each once, numbered in the order in which they came, and
 * those that are not yet in the file.
 */
#ifndef ANALYSIS_WRITER_TRACE_DEFINITIONS_H
#define ANALYSIS_WRITER_TRACE_DEFINITIONS_H

#include "analysis/writer/trace_bytes.h"
#include "analysis/writer/trace_event.h"
#include "analysis/writer/trace_format.h"
#include "analysis/writer/trace_numbers.h"

#include <stdbool.h>

struct trace_definitions {
    struct trace_site *sites;
    uint32_t site_count, site_capacity, sites_taken;
    struct trace_communicator *communicators;
    uint32_t communicator_count, communicator_capacity, communicators_taken;
    struct trace_numbers by_site, by_key;
};

/* UINT32_MAX and -1: out of memory. */
uint32_t trace_definitions_site(struct trace_definitions *of, const struct trace_site *site);
int32_t trace_definitions_communicator(struct trace_definitions *of,
                                       const struct trace_communicator *communicator);
/* The number of the communicator with this key; -1: there is none. */
int32_t trace_definitions_find(const struct trace_definitions *of, uint64_t key);
const struct trace_communicator *
trace_definitions_communicator_at(const struct trace_definitions *of, int32_t number);

/* A record of what was not taken yet, and its payload, in place of what was there; false: there is
 * nothing. */
bool trace_definitions_take(struct trace_record *out, struct trace_bytes *payload,
                            struct trace_definitions *of);

void trace_definitions_dispose(struct trace_definitions *of);

#endif

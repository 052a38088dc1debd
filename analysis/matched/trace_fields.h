/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of events that a trace gives, with their fields in the order in which trace_source.c
 * fills them.
 */
#ifndef ANALYSIS_MATCHED_TRACE_FIELDS_H
#define ANALYSIS_MATCHED_TRACE_FIELDS_H

#include "analysis/source/event_source.h"

enum trace_source_kind {
    TRACE_SOURCE_CALL,
    TRACE_SOURCE_SEND,
    TRACE_SOURCE_RECV,
    TRACE_SOURCE_ENTER,
    TRACE_SOURCE_COLL,
    TRACE_SOURCE_REGION,
    TRACE_SOURCE_ITER,
    TRACE_SOURCE_OP,
    TRACE_SOURCE_KINDS
};

#define TRACE_SOURCE_FIELDS_MOST 16

extern const struct source_kind trace_source_kinds[TRACE_SOURCE_KINDS];

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_details.h. A word says which details differ, then those come, signed; requests as the
 * distance from the last one of any site, since they are numbered through.
 */
#include "analysis/writer/trace_details.h"

#include <stdlib.h>
#include <string.h>

enum trace_detail {
    DETAIL_CALL_PATH,
    DETAIL_REQUEST,
    DETAIL_COUNT,
    DETAIL_EXTENT,
    DETAIL_OTHER_BYTES,
    DETAIL_MADE, /* plus 1 */
    DETAIL_COLOUR,
    DETAIL_KEY,
    DETAIL_ASKED,
};

_Static_assert(DETAIL_ASKED + 1 == TRACE_DETAIL_COUNT, "the format says so");

void trace_details_forget(struct trace_details *details) {
    if (details->count > 0)
        memset(details->of, 0, details->count * sizeof *details->of);
    details->last_request = 0;
}

/* NULL: out of memory. */
static int64_t *last_of(struct trace_details *details, const struct trace_event *event) {
    size_t index = (size_t)event->site * 2 + (event->kind == TRACE_PART);
    if (index >= details->count) {
        size_t count = index + index / 2 + 16;
        void *of = realloc(details->of, count * sizeof *details->of);
        if (of == NULL)
            return NULL;
        details->of = of;
        memset(details->of + details->count, 0, (count - details->count) * sizeof *details->of);
        details->count = count;
    }
    return details->of[index];
}

static void to_numbers(int64_t *out, const struct trace_event *event) {
    out[DETAIL_CALL_PATH] = event->call_path;
    out[DETAIL_REQUEST] = (int64_t)event->request;
    out[DETAIL_COUNT] = event->count;
    out[DETAIL_EXTENT] = event->extent;
    out[DETAIL_OTHER_BYTES] = event->other_bytes;
    out[DETAIL_MADE] = (int64_t)event->made + 1;
    out[DETAIL_COLOUR] = event->colour;
    out[DETAIL_KEY] = event->key;
    out[DETAIL_ASKED] = event->asked;
}

static void from_numbers(struct trace_event *out, const int64_t *of) {
    out->call_path = (uint32_t)of[DETAIL_CALL_PATH];
    out->request = (uint64_t)of[DETAIL_REQUEST];
    out->count = of[DETAIL_COUNT];
    out->extent = of[DETAIL_EXTENT];
    out->other_bytes = of[DETAIL_OTHER_BYTES];
    out->made = (int32_t)((uint64_t)of[DETAIL_MADE] - 1);
    out->colour = (int32_t)of[DETAIL_COLOUR];
    out->key = (int32_t)of[DETAIL_KEY];
    out->asked = (uint8_t)of[DETAIL_ASKED];
}

static int64_t base_of(const struct trace_details *details, int detail) {
    return detail == DETAIL_REQUEST ? details->last_request : 0;
}

static void remember_request(struct trace_details *details, int64_t request) {
    if (request != 0)
        details->last_request = request;
}

uint8_t *trace_details_put(uint8_t *at, struct trace_details *details,
                           const struct trace_event *event) {
    int64_t now[TRACE_DETAIL_COUNT], *last = last_of(details, event);
    uint64_t differs = 0;
    if (last == NULL)
        return NULL;
    to_numbers(now, event);
    for (int i = 0; i < TRACE_DETAIL_COUNT; i++)
        differs |= (uint64_t)(now[i] != last[i]) << i;
    at = varint_put(at, differs);
    for (int i = 0; i < TRACE_DETAIL_COUNT; i++)
        if (now[i] != last[i])
            at = varint_put(at, zigzag(now[i] - base_of(details, i)));
    memcpy(last, now, sizeof now);
    remember_request(details, now[DETAIL_REQUEST]);
    return at;
}

bool trace_details_get(struct trace_event *out, struct trace_details *details,
                       struct varint_input *in) {
    int64_t *last = last_of(details, out);
    if (last == NULL)
        return false;
    uint64_t differs = varint_get(in);
    for (int i = 0; i < TRACE_DETAIL_COUNT; i++)
        if (differs >> i & 1)
            last[i] = (int64_t)((uint64_t)varint_get_signed(in) + (uint64_t)base_of(details, i));
    from_numbers(out, last);
    remember_request(details, last[DETAIL_REQUEST]);
    return true;
}

void trace_details_dispose(struct trace_details *details) {
    free(details->of);
    *details = (struct trace_details){0};
}

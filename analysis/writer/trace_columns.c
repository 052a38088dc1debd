/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_columns.h. An event's word in the first column is
 * site * 8 + part * 4 + waits * 2 + differs; what is not so is in no other column. The flags among
 * the arguments are direction + 4 * has a number + 8 * is a collective.
 */
#include "analysis/writer/trace_columns.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EVENT_BYTES TRACE_DETAIL_MOST_BYTES /* in one column */
#define WORD_DIFFERS 1u
#define WORD_WAITS 2u
#define WORD_PART 4u
#define FLAG_NUMBER 4u
#define FLAG_COLLECTIVE 8u

enum changed { /* bits of the word before changed arguments */
               CHANGED_FLAGS = 1,
               CHANGED_PEER = 2,
               CHANGED_TAG = 4,
               CHANGED_BYTES = 8,
               CHANGED_COMMUNICATOR = 16,
               CHANGED_ROOT = 32
};

/* NULL: out of memory. */
static struct trace_site_state *state_of(struct trace_site_states *states, uint32_t site,
                                         bool is_part) {
    size_t index = (size_t)site * 2 + is_part;
    if (index >= states->count) {
        size_t count = index + index / 2 + 16;
        struct trace_site_state *of = realloc(states->of, count * sizeof *of);
        if (of == NULL)
            return NULL;
        memset(of + states->count, 0, (count - states->count) * sizeof *of);
        states->of = of;
        states->count = count;
    }
    struct trace_site_state *state = &states->of[index];
    if (state->block != states->block)
        *state = (struct trace_site_state){.block = states->block,
                                           .peer = TRACE_NONE,
                                           .tag = TRACE_NONE,
                                           .communicator = TRACE_NONE,
                                           .root = TRACE_NONE};
    return state;
}

/* ---- Writing ---- */

static bool reserve_all(struct trace_columns *columns) {
    for (int i = 0; i < TRACE_COLUMN_COUNT; i++)
        if (!trace_bytes_reserve(&columns->of[i], MOST_EVENT_BYTES))
            return false;
    return true;
}

static void put(struct trace_columns *columns, enum trace_column column, uint64_t value) {
    struct trace_bytes *to = &columns->of[column];
    to->length = (size_t)(varint_put(to->data + to->length, value) - to->data);
}

static uint8_t flags_of(const struct trace_event *event) {
    return (uint8_t)(event->direction | (event->number != 0 ? FLAG_NUMBER : 0) |
                     (event->collective != 0 ? FLAG_COLLECTIVE : 0));
}

static unsigned changes(const struct trace_site_state *last, const struct trace_event *event) {
    return (last->flags != flags_of(event) ? CHANGED_FLAGS : 0u) |
           (last->peer != event->peer ? CHANGED_PEER : 0u) |
           (last->tag != event->tag ? CHANGED_TAG : 0u) |
           (last->bytes != event->bytes ? CHANGED_BYTES : 0u) |
           (last->communicator != event->communicator ? CHANGED_COMMUNICATOR : 0u) |
           (last->root != event->root ? CHANGED_ROOT : 0u);
}

static void put_signed(struct trace_columns *columns, unsigned is_changed, int64_t value) {
    if (is_changed)
        put(columns, TRACE_COLUMN_ARGUMENTS, zigzag(value));
}

static void put_arguments(struct trace_columns *columns, unsigned changed,
                          const struct trace_event *event) {
    put(columns, TRACE_COLUMN_ARGUMENTS, changed);
    put_signed(columns, changed & CHANGED_FLAGS, flags_of(event));
    put_signed(columns, changed & CHANGED_PEER, (int64_t)event->peer - columns->rank);
    put_signed(columns, changed & CHANGED_TAG, event->tag);
    put_signed(columns, changed & CHANGED_BYTES, event->bytes);
    put_signed(columns, changed & CHANGED_COMMUNICATOR, event->communicator);
    put_signed(columns, changed & CHANGED_ROOT, event->root);
}

static void remember(struct trace_site_state *last, const struct trace_event *event) {
    last->flags = flags_of(event);
    last->peer = event->peer;
    last->tag = event->tag;
    last->bytes = event->bytes;
    last->communicator = event->communicator;
    last->root = event->root;
    last->number = event->number != 0 ? event->number : last->number;
}

static void put_times(struct trace_columns *columns, const struct trace_event *event) {
    if (columns->count == 0)
        columns->t0 = columns->previous_end = columns->t1 = event->begin_ns;
    put(columns, TRACE_COLUMN_GAP, zigzag(event->begin_ns - columns->previous_end));
    put(columns, TRACE_COLUMN_OWN, zigzag(event->end_ns - event->begin_ns - event->waited_ns));
    columns->previous_end = event->end_ns;
    if (event->end_ns > columns->t1)
        columns->t1 = event->end_ns;
}

static void begin_block(struct trace_columns *columns) {
    columns->sites.block++;
    trace_details_forget(&columns->details);
}

static bool put_details(struct trace_columns *columns, const struct trace_event *event) {
    struct trace_bytes *to = &columns->of[TRACE_COLUMN_DETAILS];
    if (!columns->has_details)
        return true;
    uint8_t *end = trace_details_put(to->data + to->length, &columns->details, event);
    if (end == NULL)
        return false;
    to->length = (size_t)(end - to->data);
    if (event->kind != TRACE_PART)
        put(columns, TRACE_COLUMN_CPU, zigzag(event->cpu_ns));
    return true;
}

bool trace_columns_add(struct trace_columns *columns, const struct trace_event *event) {
    bool is_part = event->kind == TRACE_PART;
    if (columns->count == 0)
        begin_block(columns);
    struct trace_site_state *last = state_of(&columns->sites, event->site, is_part);
    if (last == NULL || !reserve_all(columns) || !put_details(columns, event))
        return false;
    unsigned changed = changes(last, event);
    put(columns, TRACE_COLUMN_SITE,
        (uint64_t)event->site * 8 + (is_part ? WORD_PART : 0) +
            (event->waited_ns != 0 ? WORD_WAITS : 0) + (changed != 0 ? WORD_DIFFERS : 0));
    if (!is_part)
        put_times(columns, event);
    if (changed != 0)
        put_arguments(columns, changed, event);
    if (event->waited_ns != 0)
        put(columns, TRACE_COLUMN_WAITED, zigzag(event->waited_ns));
    if (event->number != 0)
        put(columns, TRACE_COLUMN_NUMBER, zigzag((int64_t)(event->number - last->number)));
    remember(last, event);
    columns->count++;
    columns->bytes = 0;
    for (int i = 0; i < TRACE_COLUMN_COUNT; i++)
        columns->bytes += columns->of[i].length;
    return true;
}

static int column_count(bool has_details) {
    return TRACE_COLUMNS + (has_details ? TRACE_MORE_COLUMNS : 0);
}

bool trace_columns_take(struct trace_bytes *out, struct trace_columns *columns) {
    int count = column_count(columns->has_details);
    if (!trace_bytes_reserve(out, columns->bytes + TRACE_COLUMN_COUNT * VARINT_MOST_BYTES))
        return false;
    uint8_t *at = out->data + out->length;
    for (int i = 0; i < count; i++)
        at = varint_put(at, columns->of[i].length);
    for (int i = 0; i < count; i++) {
        if (columns->of[i].length > 0)
            memcpy(at, columns->of[i].data, columns->of[i].length);
        at += columns->of[i].length;
        columns->of[i].length = 0;
    }
    out->length = (size_t)(at - out->data);
    columns->count = 0;
    columns->bytes = 0;
    return true;
}

void trace_columns_dispose(struct trace_columns *columns) {
    for (int i = 0; i < TRACE_COLUMN_COUNT; i++)
        free(columns->of[i].data);
    free(columns->sites.of);
    trace_details_dispose(&columns->details);
}

/* ---- Reading ---- */

int trace_columns_open(struct trace_columns_input *input, const uint8_t *payload, size_t bytes,
                       int32_t rank, uint32_t count, int64_t t0, uint32_t site_count,
                       uint16_t more) {
    struct varint_input head = {.at = payload, .end = payload + bytes};
    uint64_t lengths[TRACE_COLUMN_COUNT];
    input->has_details = more != 0;
    int columns = column_count(input->has_details);
    for (int i = 0; i < columns; i++)
        lengths[i] = varint_get(&head);
    for (int i = 0; i < columns; i++) {
        if (head.bad || lengths[i] > (size_t)(head.end - head.at))
            return -1;
        input->of[i] = (struct varint_input){.at = head.at, .end = head.at + lengths[i]};
        head.at += lengths[i];
    }
    input->rank = rank;
    input->left = count;
    input->site_count = site_count;
    input->previous_begin = input->previous_end = t0;
    input->sites.block++;
    trace_details_forget(&input->details);
    return head.at == head.end ? 0 : -1;
}

/* What wraps around is wrong anyway: it is found by who checks that times ascend. */
static int64_t plus(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void get_arguments(struct trace_site_state *last, struct trace_columns_input *input) {
    struct varint_input *in = &input->of[TRACE_COLUMN_ARGUMENTS];
    uint64_t changed = varint_get(in);
    if (changed & CHANGED_FLAGS)
        last->flags = (uint8_t)varint_get_signed(in);
    if (changed & CHANGED_PEER)
        last->peer = (int32_t)plus(varint_get_signed(in), input->rank);
    if (changed & CHANGED_TAG)
        last->tag = (int32_t)varint_get_signed(in);
    if (changed & CHANGED_BYTES)
        last->bytes = varint_get_signed(in);
    if (changed & CHANGED_COMMUNICATOR)
        last->communicator = (int32_t)varint_get_signed(in);
    if (changed & CHANGED_ROOT)
        last->root = (int32_t)varint_get_signed(in);
}

static void get_times(struct trace_event *out, struct trace_columns_input *input) {
    out->begin_ns = plus(input->previous_end, varint_get_signed(&input->of[TRACE_COLUMN_GAP]));
    int64_t own_ns = varint_get_signed(&input->of[TRACE_COLUMN_OWN]);
    out->end_ns = plus(plus(out->begin_ns, own_ns), out->waited_ns);
    input->previous_begin = out->begin_ns;
    input->previous_end = out->end_ns;
}

/* False: out of memory. */
static bool get_details(struct trace_event *out, struct trace_columns_input *input) {
    out->made = TRACE_NONE;
    if (!input->has_details)
        return true;
    if (out->kind != TRACE_PART)
        out->cpu_ns = varint_get_signed(&input->of[TRACE_COLUMN_CPU]);
    return trace_details_get(out, &input->details, &input->of[TRACE_COLUMN_DETAILS]);
}

static bool is_bad(const struct trace_columns_input *input) {
    bool bad = false;
    for (int i = 0; i < column_count(input->has_details); i++)
        bad |= input->of[i].bad;
    return bad;
}

int trace_columns_next(struct trace_event *out, struct trace_columns_input *input) {
    if (input->left == 0)
        return 0;
    uint64_t word = varint_get(&input->of[TRACE_COLUMN_SITE]);
    if (word / 8 >= input->site_count)
        return -1;
    bool is_part = (word & WORD_PART) != 0;
    struct trace_site_state *last = state_of(&input->sites, (uint32_t)(word / 8), is_part);
    if (last == NULL)
        return -1;
    if (word & WORD_DIFFERS)
        get_arguments(last, input);
    *out = (struct trace_event){.rank = input->rank,
                                .site = (uint32_t)(word / 8),
                                .kind = is_part ? TRACE_PART : TRACE_CALL,
                                .begin_ns = input->previous_begin,
                                .end_ns = input->previous_end,
                                .bytes = last->bytes,
                                .peer = last->peer,
                                .tag = last->tag,
                                .communicator = last->communicator,
                                .root = last->root,
                                .direction = last->flags & 3u};
    if (word & WORD_WAITS)
        out->waited_ns = varint_get_signed(&input->of[TRACE_COLUMN_WAITED]);
    if (!is_part)
        get_times(out, input);
    if (last->flags & FLAG_NUMBER)
        out->number = last->number =
            last->number + (uint64_t)varint_get_signed(&input->of[TRACE_COLUMN_NUMBER]);
    out->collective = (last->flags & FLAG_COLLECTIVE) != 0;
    input->left--;
    if (!get_details(out, input))
        return -1;
    return is_bad(input) || out->direction > TRACE_RECEIVES ? -1 : 1;
}

void trace_columns_close(struct trace_columns_input *input) {
    free(input->sites.of);
    trace_details_dispose(&input->details);
    *input = (struct trace_columns_input){0};
}

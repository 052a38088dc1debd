/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting SMPI's parameters; see network_fit.h. How SMPI uses them was read in its source
 * (src/smpi/mpi/smpi_request.cpp, src/smpi/internals/smpi_host.cpp, src/surf/network_smpi.cpp and
 * network_cm02.cpp of version 3.32) and is checked by simulating the measurements.
 */
#include "model/network/network_fit.h"

#include "base/numbers.h"
#include "base/vec.h"
#include "model/solve/nnls.h"

#include <math.h>
#include <string.h>

#define SURE 0.01           /* relative deviation of a median that was measured long enough */
#define OVERHEAD_MOST 0.9   /* of a message's time */
#define TRANSFER_LEAST 0.02 /* likewise */
#define SCALE_LEAST 0.05    /* an overhead's error counts relative to at least this part */
#define FACTOR_LEAST 1e-6
#define FACTOR_MOST 1e6
#define LATENCY_LEAST_S 1e-9
#define BANDWIDTH_MOST 1e15
#define EXCHANGES_LEAST 3
/* Of a ring's bytes: TCP acknowledges two frames of 1514 bytes with one of 66, which is 0.022, and
 * SimGrid counts 0.05; medians are sure to less than 0.01. */
#define ACKNOWLEDGED 0.01
#define STEP 0.03 /* of a latency that grows with the size; the medians are that sure */
#define STEPS_MOST 24

typedef VEC(struct segment_point) point_list;

/* ---- What is measured ---- */

static bool is_eager(const struct network_fit *fit, double bytes) {
    return bytes < fit->threshold_bytes;
}

/* Seconds of the round trips' size, halved; 0: that size was not measured. */
static double trip_s(const struct message_pair *pair, double bytes) {
    const struct message_point *trip = messages_find(&pair->kinds[MESSAGE_PINGPONG], bytes);
    return trip != NULL ? trip->median_s : 0;
}

static double median_of(const struct message_pair *pair, enum message_kind kind, double bytes) {
    const struct message_point *point = messages_find(&pair->kinds[kind], bytes);
    return point != NULL ? point->median_s : 0;
}

/* How many times less sure a median is than the pieces take for granted: its standard error comes
 * from the quartiles, as for normally distributed samples. */
static double doubt(const struct message_point *point) {
    double error_s = 0.93 * (point->high_s - point->low_s) / sqrt(point->samples);
    return point->median_s > 0 ? fmax(error_s / (SURE * point->median_s), 1) : 1;
}

/* ---- Overheads ---- */

/* Of the pair that is fastest at this size; 0: none was measured. */
static double least_trip_s(const struct messages *messages, double bytes) {
    double least_s = 0;
    for (int place = 0; place < MESSAGE_PLACE_COUNT; place++) {
        double one_s = trip_s(&messages->pairs[place], bytes);
        if (one_s > 0 && (least_s == 0 || one_s < least_s))
            least_s = one_s;
    }
    return least_s;
}

/* What part of an overhead leaves the transfer its share, on either pair. */
static double allowed_part(const struct network_fit *fit, const struct messages *messages,
                           enum message_kind kind, double bytes) {
    const struct message_pair *pair = &messages->pairs[fit->place];
    bool alone = !messages->pairs[MESSAGE_WITHIN + MESSAGE_ACROSS - fit->place].measured;
    double limit_s = OVERHEAD_MOST * least_trip_s(messages, bytes);
    double overheads_s = is_eager(fit, bytes) ? median_of(pair, MESSAGE_SEND, bytes) +
                                                    median_of(pair, MESSAGE_RECEIVE, bytes)
                                              : 0;
    if (kind == MESSAGE_ISEND)
        overheads_s = alone ? 0 : fmax(overheads_s, median_of(pair, MESSAGE_ISEND, bytes));
    return limit_s > 0 && overheads_s > limit_s ? limit_s / overheads_s : 1;
}

static int fit_overhead(struct segments *out, struct network_fit *fit,
                        const struct messages *messages, enum message_kind kind,
                        struct error *error) {
    const struct message_points *points = &messages->pairs[fit->place].kinds[kind];
    const double cut = fit->threshold_bytes - 1;
    const struct segment_options options = {.cuts = &cut, .cut_count = 1};
    point_list list = {0};
    for (size_t i = 0; i < points->count; i++) {
        double bytes = points->items[i].bytes;
        double y = points->items[i].median_s * allowed_part(fit, messages, kind, bytes);
        double scale =
            doubt(&points->items[i]) * fmax(y, SCALE_LEAST * least_trip_s(messages, bytes));
        if (kind == MESSAGE_ISEND || is_eager(fit, bytes))
            vec_push(&list, (struct segment_point){bytes, y, fmax(scale, LATENCY_LEAST_S)});
    }
    int result = list.count > 0
                     ? segments_fit(out, &fit->arena, list.items, list.count, &options, error)
                     : 0;
    vec_dispose(&list);
    return result;
}

static double overhead_at(const struct segments *segments, double bytes) {
    return segments->items != NULL ? segments_at(segments, bytes) : 0;
}

static double overheads_s(const struct network_fit *fit, double bytes) {
    if (!is_eager(fit, bytes))
        return 0;
    return overhead_at(&fit->send, bytes) + overhead_at(&fit->receive, bytes);
}

/* ---- Transfers ---- */

static int fit_transfer(struct network_fit *fit, const struct message_pair *pair,
                        struct error *error) {
    const struct message_points *trips = &pair->kinds[MESSAGE_PINGPONG];
    const double cut = fit->threshold_bytes - 1 + SMPI_ENVELOPE_BYTES;
    const struct segment_options options = {.least = 2, .cuts = &cut, .cut_count = 1};
    point_list list = {0};
    for (size_t i = 0; i < trips->count; i++) {
        double bytes = trips->items[i].bytes, whole_s = trips->items[i].median_s;
        double left_s = fmax(whole_s - overheads_s(fit, bytes), TRANSFER_LEAST * whole_s);
        double scale = whole_s * doubt(&trips->items[i]);
        vec_push(&list, (struct segment_point){bytes + SMPI_ENVELOPE_BYTES, left_s, scale});
    }
    int result = segments_fit(&fit->transfer, &fit->arena, list.items, list.count, &options, error);
    vec_dispose(&list);
    return result;
}

/* The latency is that of the smallest messages, the bandwidth that of the largest. */
static struct network_link reference_link(const struct segments *transfer) {
    struct network_link link = {.known = true, .bandwidth_bytes_per_s = BANDWIDTH_MOST};
    for (size_t i = transfer->count; i > 0; i--) {
        if (transfer->items[i - 1].base > LATENCY_LEAST_S)
            link.latency_s = transfer->items[i - 1].base;
        if (transfer->items[i - 1].slope > 0 && link.bandwidth_bytes_per_s == BANDWIDTH_MOST)
            link.bandwidth_bytes_per_s = fmin(1 / transfer->items[i - 1].slope, BANDWIDTH_MOST);
    }
    link.latency_s = fmax(link.latency_s, LATENCY_LEAST_S);
    return link;
}

static double limited(double factor) {
    return fmin(fmax(factor, FACTOR_LEAST), FACTOR_MOST);
}

/* Seconds of a byte that no other message waits for: between nodes, what it takes beyond the
 * bandwidth of large messages. A switch stores a small message before it sends it on, while the
 * link carries the next one. */
static double unshared_per_byte_s(const struct network_fit *fit, const struct segment *segment) {
    double shared_s = 1 / fit->links[fit->place].bandwidth_bytes_per_s;
    return fit->stores_and_forwards ? fmax(segment->slope - shared_s, 0) : 0;
}

static double latency_factor(const struct network_fit *fit, const struct segment *segment,
                             double payload) {
    double seconds = segment->base + unshared_per_byte_s(fit, segment) * payload;
    return limited(seconds / fit->links[fit->place].latency_s);
}

static double bandwidth_factor(const struct network_fit *fit, const struct segment *segment) {
    double per_s = fit->links[fit->place].bandwidth_bytes_per_s;
    double slope = segment->slope - unshared_per_byte_s(fit, segment);
    return slope > 0 ? limited(1 / (slope * per_s)) : FACTOR_MOST;
}

static const struct segment *segment_at(const struct segments *segments, double x) {
    const struct segment *segment = &segments->items[0];
    for (size_t i = 1; i < segments->count && x > segments->items[i].from; i++)
        segment = &segments->items[i];
    return segment;
}

/* Latency and seconds per byte of another pair under these factors and overheads, by least squares
 * on relative errors. */
static struct network_link fit_link(const struct network_fit *fit,
                                    const struct message_pair *pair) {
    const struct message_points *trips = &pair->kinds[MESSAGE_PINGPONG];
    VEC(double) rows = {0}, left = {0};
    double solution[2] = {0};
    for (size_t i = 0; i < trips->count; i++) {
        double bytes = trips->items[i].bytes, whole_s = trips->items[i].median_s;
        double payload = bytes + SMPI_ENVELOPE_BYTES;
        const struct segment *segment = segment_at(&fit->transfer, payload);
        vec_push(&rows, latency_factor(fit, segment, payload) / whole_s);
        vec_push(&rows, payload / bandwidth_factor(fit, segment) / whole_s);
        vec_push(&left, fmax(whole_s - overheads_s(fit, bytes), 0) / whole_s);
    }
    const struct least_squares problem = {
        .a = rows.items, .b = left.items, .rows = left.count, .columns = 2, .stride = 2};
    nnls_solve(solution, &problem);
    vec_dispose(&rows);
    vec_dispose(&left);
    return (struct network_link){.known = true,
                                 .latency_s = fmax(solution[0], LATENCY_LEAST_S),
                                 .bandwidth_bytes_per_s = solution[1] > 1 / BANDWIDTH_MOST
                                                              ? 1 / solution[1]
                                                              : BANDWIDTH_MOST};
}

/* Two messages at the same time take so many times as long as one, less what does not depend on the
 * bandwidth; 0: that is not known of this size. */
static double slowdown(const struct network_fit *fit, const struct message_pair *pair,
                       const struct message_point *exchange) {
    double payload = exchange->bytes + SMPI_ENVELOPE_BYTES;
    const struct segment *segment = segment_at(&fit->transfer, payload);
    double rest_s = segment->base + overhead_at(&fit->isend, exchange->bytes);
    double alone_s = trip_s(pair, exchange->bytes) - segment->base;
    if (is_eager(fit, exchange->bytes) || alone_s < rest_s)
        return 0;
    return fmax((exchange->median_s - rest_s) / alone_s, 1);
}

static void fit_shared(struct network_fit *fit, const struct message_pair *pair) {
    const struct message_points *exchanges = &pair->kinds[MESSAGE_EXCHANGE];
    VEC(double) found = {0};
    for (size_t i = 0; i < exchanges->count; i++) {
        double times = slowdown(fit, pair, &exchanges->items[i]);
        if (times > 0)
            vec_push(&found, times);
    }
    if (found.count >= EXCHANGES_LEAST)
        fit->shared_bandwidth_bytes_per_s = 2 * fit->links[fit->place].bandwidth_bytes_per_s /
                                            numbers_median(found.items, found.count);
    vec_dispose(&found);
}

/* How many times longer the bytes of a ring take than those of an exchange, at the median of sizes.
 */
static void fit_acknowledgements(struct network_fit *fit, const struct message_pair *pair) {
    const struct message_points *rings = &pair->kinds[MESSAGE_RING];
    VEC(double) found = {0};
    for (size_t i = 0; i < rings->count; i++) {
        double both_s = median_of(pair, MESSAGE_EXCHANGE, rings->items[i].bytes);
        double rest_s = fit->links[fit->place].latency_s;
        if (both_s > 2 * rest_s)
            vec_push(&found, (rings->items[i].median_s - rest_s) / (both_s - rest_s));
    }
    fit->acknowledges =
        found.count > 0 && numbers_median(found.items, found.count) > 1 + ACKNOWLEDGED;
    vec_dispose(&found);
}

/* ---- All of it ---- */

static int fit_all(struct network_fit *fit, const struct messages *messages, struct error *error) {
    fit->place = messages->pairs[MESSAGE_ACROSS].measured ? MESSAGE_ACROSS : MESSAGE_WITHIN;
    const struct message_pair *pair = &messages->pairs[fit->place];
    const struct message_pair *within = &messages->pairs[MESSAGE_WITHIN];
    fit->threshold_bytes = pair->threshold_bytes;
    fit->stores_and_forwards = fit->place == MESSAGE_ACROSS && !within->measured;
    if (fit_overhead(&fit->send, fit, messages, MESSAGE_SEND, error) != 0 ||
        fit_overhead(&fit->receive, fit, messages, MESSAGE_RECEIVE, error) != 0 ||
        fit_overhead(&fit->isend, fit, messages, MESSAGE_ISEND, error) != 0 ||
        fit_transfer(fit, pair, error) != 0)
        return -1;
    fit->links[fit->place] = reference_link(&fit->transfer);
    if (fit->place == MESSAGE_ACROSS && within->measured)
        fit->links[MESSAGE_WITHIN] = fit_link(fit, within);
    if (fit->place == MESSAGE_WITHIN)
        fit_shared(fit, within);
    else
        fit_acknowledgements(fit, pair);
    return 0;
}

int network_fit(struct network_fit *out, const struct messages *messages, struct error *error) {
    *out = (struct network_fit){0};
    arena_init(&out->arena);
    int result = fit_all(out, messages, error);
    if (result != 0)
        network_fit_dispose(out);
    return result;
}

void network_fit_dispose(struct network_fit *fit) {
    arena_dispose(&fit->arena);
    *fit = (struct network_fit){0};
}

/* ---- SimGrid's syntax ---- */

/* A piece holds for sizes above the number before it, which SimGrid reads as an integer. */
static void add_border(struct str *out, double above) {
    double from = fmin(fmax(floor(above), 0), MESSAGE_BYTES_MAX);
    str_printf(out, "%s%.0f:", out->length > 0 ? ";" : "", from);
}

void network_fit_overhead(struct str *out, const struct segments *segments) {
    for (size_t i = 0; i < segments->count; i++) {
        add_border(out, segments->items[i].from);
        str_printf(out, "%.6g:%.6g", segments->items[i].base, segments->items[i].slope);
    }
}

/* Factors are constant between two sizes: a latency that grows is cut into steps, each of which is
 * off by STEP / 2 at its ends. */
static void add_latency_steps(struct str *out, const struct network_fit *fit,
                              const struct segment *segment, double end) {
    double from = fmax(segment->from, 0);
    double low = latency_factor(fit, segment, from), high = latency_factor(fit, segment, end);
    double count = fmin(fmax(ceil((high / low - 1) / STEP), 1), STEPS_MOST);
    for (double i = 0; i < count; i++) {
        double begin = from + i * (end - from) / count;
        add_border(out, begin);
        str_printf(out, "%.6g", latency_factor(fit, segment, begin + (end - from) / count / 2));
    }
}

void network_fit_latency_factor(struct str *out, const struct network_fit *fit) {
    for (size_t i = 0; i < fit->transfer.count; i++) {
        const struct segment *segment = &fit->transfer.items[i];
        bool is_last = i + 1 == fit->transfer.count;
        bool grows = !is_last && unshared_per_byte_s(fit, segment) > 0;
        if (grows) {
            add_latency_steps(out, fit, segment, segment[1].from);
            continue;
        }
        add_border(out, segment->from);
        str_printf(out, "%.6g", latency_factor(fit, segment, 0));
    }
}

void network_fit_bandwidth_factor(struct str *out, const struct network_fit *fit) {
    for (size_t i = 0; i < fit->transfer.count; i++) {
        add_border(out, fit->transfer.items[i].from);
        str_printf(out, "%.6g", bandwidth_factor(fit, &fit->transfer.items[i]));
    }
}

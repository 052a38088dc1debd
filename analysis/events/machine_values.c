/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of other types, bins, and intervals over bins.
 *
 * Bins of ints are exact: the bin of x among n over a range R is floor(x n / R), so that bin i
 * begins at ceil(i R / n), and the parts of an interval add up to its length.
 */
#include "analysis/events/machine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INT_END 9223372036854775808.0 /* 2^63: the first float that is no int */

const char *machine_join(struct events_machine *machine, const char *a, const char *b) {
    size_t first = strlen(a), second = strlen(b);
    char *text = xmalloc(first + second + 1);
    memcpy(text, a, first);
    memcpy(text + first, b, second);
    const char *result = texts_intern(machine->texts, text, first + second);
    free(text);
    return result;
}

const char *machine_text_of_int(struct events_machine *machine, long long value) {
    char text[32];
    int length = snprintf(text, sizeof text, "%lld", value);
    return texts_intern(machine->texts, text, (size_t)length);
}

const char *machine_text_of_float(struct events_machine *machine, double value) {
    char text[32];
    int length = snprintf(text, sizeof text, "%.9g", value);
    return texts_intern(machine->texts, text, (size_t)length);
}

bool machine_text_to_int(union event_value *out, const char *text) {
    char *end;
    errno = 0;
    out->i = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
}

bool machine_text_to_float(union event_value *out, const char *text) {
    char *end;
    out->f = strtod(text, &end);
    return end != text && *end == '\0' && !isnan(out->f);
}

bool machine_to_int(union event_value *out, double value) {
    if (!(value >= -INT_END && value < INT_END))
        return false;
    out->i = (long long)value;
    return true;
}

bool machine_bin_int(union event_value *out, long long x, long long low, long long high,
                     long long count) {
    if (x < low || x > high || low >= high || count <= 0)
        return false;
    __int128 part = ((__int128)x - low) * count / ((__int128)high - low);
    out->i = part >= count ? count - 1 : (long long)part;
    return true;
}

bool machine_bin_float(union event_value *out, double x, double low, double high, long long count) {
    if (!(x >= low && x <= high && low < high) || count <= 0)
        return false;
    double part = floor((x - low) / (high - low) * (double)count);
    out->i = part >= (double)count ? count - 1 : (long long)part;
    return true;
}

static long long bin_begin(const struct machine_spread *spread, long long bin) {
    __int128 range = (__int128)spread->high->i - spread->low->i, count = spread->count->i;
    return (long long)(spread->low->i + (bin * range + count - 1) / count);
}

static double bin_begin_float(const struct machine_spread *spread, long long bin) {
    return spread->low->f +
           (spread->high->f - spread->low->f) * (double)bin / (double)spread->count->i;
}

static bool begin_int(struct machine_spread *spread) {
    long long low = spread->low->i, high = spread->high->i, count = spread->count->i;
    long long from = spread->from->i > low ? spread->from->i : low;
    long long to = spread->to->i < high ? spread->to->i : high;
    if (from >= to || !machine_bin_int(&spread->first, from, low, high, count) ||
        !machine_bin_int(&spread->end, to - 1, low, high, count))
        return false;
    spread->end.i++;
    return true;
}

static bool begin_float(struct machine_spread *spread) {
    double low = spread->low->f, high = spread->high->f;
    double from = fmax(spread->from->f, low), to = fmin(spread->to->f, high);
    if (!(from < to) || !machine_bin_float(&spread->first, from, low, high, spread->count->i) ||
        !machine_bin_float(&spread->end, to, low, high, spread->count->i))
        return false;
    spread->end.i++;
    return true;
}

bool machine_spread_begin(struct machine_spread *spread) {
    return spread->is_int ? begin_int(spread) : begin_float(spread);
}

void machine_spread_at(union event_value *out, const struct machine_spread *spread, long long bin) {
    if (spread->is_int) {
        long long begin = bin_begin(spread, bin), end = bin_begin(spread, bin + 1);
        begin = begin > spread->from->i ? begin : spread->from->i;
        end = end < spread->to->i ? end : spread->to->i;
        out->i = end > begin ? end - begin : 0;
    } else {
        double begin = fmax(bin_begin_float(spread, bin), spread->from->f);
        double end = fmin(bin_begin_float(spread, bin + 1), spread->to->f);
        out->f = end > begin ? end - begin : 0;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/writer/trace_settings.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_S 9e9 /* what nanoseconds in 63 bits hold */

void trace_settings_init(struct trace_settings *out) {
    out->begin_ns = INT64_MIN;
    out->end_ns = INT64_MAX;
    out->range_count = 0;
    out->every = 1;
}

static int fail(char *why, size_t size, const char *what) {
    snprintf(why, size, "%s", what);
    return -1;
}

/* False: no number of seconds. */
static bool read_ns(int64_t *out, const char **at) {
    char *end = NULL;
    double seconds = strtod(*at, &end);
    if (end == *at || !isfinite(seconds) || fabs(seconds) > MOST_S)
        return false;
    *out = llround(seconds * 1e9);
    *at = end;
    return true;
}

int trace_settings_window(struct trace_settings *out, const char *text, char *why, size_t size) {
    static const char form[] = "a window is T0:T1 in seconds, as in 0.5:0.75, 2: or :1";
    const char *at = text;
    if (*at != ':' && !read_ns(&out->begin_ns, &at))
        return fail(why, size, form);
    if (*at != ':')
        return fail(why, size, form);
    at++;
    if (*at != '\0' && !read_ns(&out->end_ns, &at))
        return fail(why, size, form);
    if (*at != '\0')
        return fail(why, size, form);
    return out->begin_ns < out->end_ns
               ? 0
               : fail(why, size, "the window ends before it begins; give T0 below T1");
}

static bool read_rank(int32_t *out, const char **at) {
    char *end = NULL;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    long rank = strtol(*at, &end, 10);
    if (errno != 0 || rank >= TRACE_MOST_RANKS)
        return false;
    *out = (int32_t)rank;
    *at = end;
    return true;
}

static bool read_range(struct trace_rank_range *out, const char **at) {
    if (!read_rank(&out->first, at))
        return false;
    out->last = out->first;
    if (**at != '-')
        return true;
    ++*at;
    return read_rank(&out->last, at) && out->first <= out->last;
}

int trace_settings_ranks(struct trace_settings *out, const char *text, char *why, size_t size) {
    const char *at = text;
    out->range_count = 0;
    do {
        if (out->range_count == TRACE_RANK_RANGES)
            return fail(why, size, "more than 256 ranges of ranks; join some of them");
        if (!read_range(&out->ranges[out->range_count++], &at))
            return fail(why, size, "ranks are numbers and ranges such as 0-3,8");
    } while (*at++ == ',');
    return at[-1] == '\0' ? 0 : fail(why, size, "ranks are numbers and ranges such as 0-3,8");
}

int trace_settings_every(struct trace_settings *out, const char *text, char *why, size_t size) {
    char *end = NULL;
    errno = 0;
    long long every = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || every < 1)
        return fail(why, size, "each how many-th event is kept is a whole number from 1 on");
    out->every = (uint64_t)every;
    return 0;
}

bool trace_settings_has_rank(const struct trace_settings *settings, int32_t rank) {
    for (int i = 0; i < settings->range_count; i++)
        if (rank >= settings->ranges[i].first && rank <= settings->ranges[i].last)
            return true;
    return settings->range_count == 0;
}

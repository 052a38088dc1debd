/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/noise/interruptions.h"

#include "base/file.h"
#include "simulator/network/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r"

struct interruptions_reading {
    struct interruptions *out;
    const char *path;
    size_t line;
    size_t held_line; /* where it is given; 0: it is not */
    struct error *error;
};

static int fail(const struct interruptions_reading *reading, const char *what) {
    return error_set(reading->error, "%s:%zu:1: error: %s", reading->path, reading->line, what);
}

double interruptions_share(const struct interruptions *interruptions) {
    double share = 0;
    for (int i = 0; i < interruptions->count; i++)
        share += interruptions->kinds[i].cost_s / interruptions->kinds[i].interval_s;
    return share;
}

/* ---- Reading ---- */

static int parse_variation(double *out, const char *word) {
    char *end = NULL;
    *out = word != NULL ? strtod(word, &end) : 0;
    return word == NULL || (end != word && *end == '\0' && *out >= 0 && *out <= 1) ? 0 : -1;
}

static int take_kind(struct interruptions_reading *reading, char *value) {
    struct interruption_kind kind = {0};
    struct error error = {0};
    char *rest = NULL;
    const char *interval = strtok_r(value, BLANKS, &rest);
    const char *cost = strtok_r(NULL, BLANKS, &rest);
    const char *variation = strtok_r(NULL, BLANKS, &rest);
    if (interval == NULL || cost == NULL || strtok_r(NULL, BLANKS, &rest) != NULL)
        return fail(reading, "an interruption is written INTERVAL COST VARIATION, such as "
                             "interruption = 4ms 5us 0");
    if (latency_parse(&kind.interval_s, interval, "the interval", &error) != 0 ||
        latency_parse(&kind.cost_s, cost, "the cost", &error) != 0)
        return fail(reading, error.text);
    if (parse_variation(&kind.variation, variation) != 0)
        return fail(reading, "the variation of an interval is a number from 0 (a clock's tick) to "
                             "1 (events that are independent)");
    if (kind.interval_s < INTERRUPTION_INTERVAL_LEAST_S || !(kind.cost_s > 0))
        return fail(reading, "an interruption costs something, and comes once in 1us at most");
    if (reading->out->count == INTERRUPTION_KINDS_MAX)
        return fail(reading, "there are more than 8 kinds of interruptions: put those together "
                             "that cost about the same");
    reading->out->kinds[reading->out->count++] = kind;
    return 0;
}

static int take_held(struct interruptions_reading *reading, const char *value) {
    char *end = NULL;
    double percent = strtod(value, &end);
    if (end == value || strcmp(end, "%") != 0 || !(percent >= 0 && percent <= 100))
        return fail(reading, "what latencies hold of the noise is written in percent, such as "
                             "held = 0.5%");
    if (reading->held_line != 0)
        return fail(reading, "held is given twice");
    reading->held_line = reading->line;
    reading->out->held = percent / 100;
    return 0;
}

static void trim_end(char *text) {
    size_t length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1]) != NULL)
        text[--length] = '\0';
}

static int read_line(struct interruptions_reading *reading, char *line) {
    line[strcspn(line, "#")] = '\0';
    char *key = line + strspn(line, BLANKS);
    char *equals = strchr(key, '=');
    trim_end(key);
    if (*key == '\0')
        return 0;
    if (equals == NULL || equals == key)
        return fail(reading, "a line is written KEY = VALUE, such as interruption = 4ms 5us 0");
    *equals = '\0';
    trim_end(key);
    char *value = equals + 1 + strspn(equals + 1, BLANKS);
    if (strcmp(key, "interruption") == 0)
        return take_kind(reading, value);
    if (strcmp(key, "held") == 0)
        return take_held(reading, value);
    return fail(reading, "the noise of a machine has the keys interruption and held only");
}

static int check_shares(struct interruptions_reading *reading) {
    double share = interruptions_share(reading->out);
    if (share > INTERRUPTIONS_SHARE_MOST)
        return fail(reading, "the interruptions take more than 90 % of the time");
    if (reading->out->held <= share * (1 + 1e-6))
        return 0;
    reading->line = reading->held_line;
    return fail(reading, "latencies cannot hold more of the noise than there is: held is at most "
                         "the sum of cost over interval");
}

int interruptions_parse(struct interruptions *out, char *text, const char *path,
                        struct error *error) {
    struct interruptions_reading reading = {.out = out, .path = path, .error = error};
    *out = (struct interruptions){0};
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        reading.line++;
        if (read_line(&reading, line) != 0)
            return -1;
    }
    return check_shares(&reading);
}

int interruptions_read(struct interruptions *out, const char *path, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    int result = strlen(text) == length
                     ? interruptions_parse(out, text, path, error)
                     : error_set(error,
                                 "%s:1:1: error: this is no text: the noise of a machine has lines "
                                 "KEY = VALUE",
                                 path);
    free(text);
    return result;
}

/* ---- Writing ---- */

static void add_seconds(struct str *out, double seconds) {
    if (seconds >= 1)
        str_printf(out, " %.6gs", seconds);
    else if (seconds >= 1e-3)
        str_printf(out, " %.6gms", 1e3 * seconds);
    else
        str_printf(out, " %.6gus", 1e6 * seconds);
}

/* Rounded down, since it may be no more than the sum of the costs. */
void interruptions_write(struct str *out, const struct interruptions *interruptions) {
    for (int i = 0; i < interruptions->count; i++) {
        const struct interruption_kind *kind = &interruptions->kinds[i];
        str_add(out, "interruption =");
        add_seconds(out, kind->interval_s);
        add_seconds(out, kind->cost_s);
        str_printf(out, " %.3g\n", kind->variation);
    }
    str_printf(out, "held = %g%%\n", floor(1e6 * interruptions->held) / 1e4);
}

const char *interruptions_setting(struct arena *arena, const struct interruptions *interruptions,
                                  unsigned long long seed, size_t repetition) {
    struct str text = {0};
    str_printf(&text, "%llu %zu %.17g", seed, repetition, interruptions->held);
    for (int i = 0; i < interruptions->count; i++) {
        const struct interruption_kind *kind = &interruptions->kinds[i];
        str_printf(&text, " %.17g %.17g %.17g", kind->interval_s, kind->cost_s, kind->variation);
    }
    return str_into(arena, &text);
}

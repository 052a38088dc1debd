/* SPDX-License-Identifier: Apache-2.0
 *
 * strtod for the number and a table for the unit. strtod takes more than we want (inf, nan, hex),
 * so the characters are checked first.
 */
#include "simulator/network/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_COUNT 100000000

struct units_unit {
    const char *name;
    double factor;
};

static const struct units_unit bandwidth_units[] = {
    {"Bps", 1},        {"kBps", 1e3},     {"MBps", 1e6},        {"GBps", 1e9},
    {"TBps", 1e12},    {"KiBps", 1024.0}, {"MiBps", 1048576.0}, {"GiBps", 1073741824.0},
    {"bps", 0.125},    {"kbps", 125.0},   {"Mbps", 125e3},      {"Gbps", 125e6},
    {"Tbps", 125e9},   {"TiBps", 0x1p40}, {"Kibps", 128.0},     {"Mibps", 131072.0},
    {"B/s", 1},        {"kB/s", 1e3},     {"MB/s", 1e6},        {"GB/s", 1e9},
    {"TB/s", 1e12},    {"KiB/s", 1024.0}, {"MiB/s", 1048576.0}, {"GiB/s", 1073741824.0},
    {"bit/s", 0.125},  {"kbit/s", 125.0}, {"Mbit/s", 125e3},    {"Gbit/s", 125e6},
    {"Tbit/s", 125e9}, {NULL, 0},
};
static const struct units_unit latency_units[] = {
    {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {NULL, 0},
};
static const struct units_unit speed_units[] = {
    {"f", 1}, {"kf", 1e3}, {"Mf", 1e6}, {"Gf", 1e9}, {"Tf", 1e12}, {"Pf", 1e15}, {NULL, 0},
};
static const struct units_unit percent_units[] = {{"%", 1}, {NULL, 0}};

int count_parse(size_t *out, const char *text, const char *what, struct error *error) {
    char *end = NULL;
    errno = 0;
    unsigned long long number = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (end == NULL || *end != '\0')
        return error_set(error, "%s takes a whole number, not '%s'", what, text);
    if (number == 0)
        return error_set(error, "%s is zero: it has to be at least 1", what);
    if (errno != 0 || number > LARGEST_COUNT)
        return error_set(error, "%s %s is too large: at most %d", what, text, LARGEST_COUNT);
    *out = (size_t)number;
    return 0;
}

static int quantity_parse(double *out, const char *text, const struct units_unit *units,
                          const char *example, const char *what, struct error *error) {
    size_t digits = strspn(text, "0123456789.eE+-");
    char *end = NULL;
    double number = digits > 0 && text[0] != '-' ? strtod(text, &end) : 0;
    if (end == NULL || end == text || end > text + digits)
        return error_set(error, "%s takes a number with a unit such as %s, not '%s'", what, example,
                         text);
    for (const struct units_unit *unit = units; unit->name != NULL; unit++)
        if (strcmp(end, unit->name) == 0) {
            *out = number * unit->factor;
            return isfinite(*out) ? 0 : error_set(error, "%s %s is too large", what, text);
        }
    if (*end == '\0')
        return error_set(error, "%s %s has no unit; write it as in %s", what, text, example);
    return error_set(error, "%s %s: '%s' is no unit; write it as in %s", what, text, end, example);
}

static int positive(double number, const char *text, const char *what, struct error *error) {
    return number > 0 ? 0 : error_set(error, "%s %s has to be greater than zero", what, text);
}

int bandwidth_parse(double *out_bytes_per_s, const char *text, const char *what,
                    struct error *error) {
    if (quantity_parse(out_bytes_per_s, text, bandwidth_units, "12.5GBps", what, error) != 0)
        return -1;
    return positive(*out_bytes_per_s, text, what, error);
}

int latency_parse(double *out_s, const char *text, const char *what, struct error *error) {
    return quantity_parse(out_s, text, latency_units, "1us", what, error);
}

int percent_parse(double *out_percent, const char *text, const char *what, struct error *error) {
    if (quantity_parse(out_percent, text, percent_units, "3.5%", what, error) != 0)
        return -1;
    return positive(*out_percent, text, what, error);
}

int speed_parse(double *out_flops_per_s, const char *text, const char *what, struct error *error) {
    if (quantity_parse(out_flops_per_s, text, speed_units, "1Gf", what, error) != 0)
        return -1;
    return positive(*out_flops_per_s, text, what, error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers from the command line: counts, percentages, bandwidths and latencies, with SimGrid's
 * units.
 *
 * In: a text such as `1024`, `12.5GBps`, `100Gbps`, `1us`. Out: the number in bytes per second or
 * seconds. A bandwidth or latency needs its unit; nothing may follow it. Not handled: hexadecimal
 * numbers, infinities, and SimGrid's compound units.
 */
#pragma once

#include "base/error.h"

#include <stddef.h>

/* `what` names the option in the error: "-np", "--top". 1 to 100,000,000; zero is an error. */
int count_parse(size_t *out, const char *text, const char *what, struct error *error);

/* Greater than zero; `Bps` and `B/s` count bytes, `bps` and `bit/s` bits, with k, M, G, T or Ki,
 * Mi, Gi, Ti. */
int bandwidth_parse(double *out_bytes_per_s, const char *text, const char *what,
                    struct error *error);

/* Zero or more; ps, ns, us, ms, s. */
int latency_parse(double *out_s, const char *text, const char *what, struct error *error);

/* Greater than zero; %. */
int percent_parse(double *out_percent, const char *text, const char *what, struct error *error);

/* Greater than zero; f with k, M, G, T, P. */
int speed_parse(double *out_flops_per_s, const char *text, const char *what, struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * A SimGrid platform with all of its links faster or slower.
 *
 * In: platform XML, and factors for bandwidth and latency. Out: the same text with other numbers:
 * those of `<link>`, `<backbone>`, `<cluster>`, `<cabinet>` and `<peer>`. Links that join a host
 * with itself (memory: loopback_bw, loopback_lat, links of routes from a host to itself only) stay.
 * Comments, settings and everything else stay, byte by byte, but for a setting in front that lets
 * SimGrid look for files where the platform lies (through a link, OUT_PATH.files).
 * What tells numbers in another place is refused, with that place: includes, bandwidths and
 * latencies that change with time, latencies from coordinates, and platforms that are programs.
 */
#pragma once

#include "base/error.h"

int platform_scale(const char *out_path, const char *path, double bandwidth_factor,
                   double latency_factor, struct error *error);

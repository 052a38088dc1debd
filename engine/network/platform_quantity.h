/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers with units as platform files have them: SimGrid's units and prefixes, abbreviated ones
 * (12.5GBps, 1us, 1Gf). A number without a unit is in bytes per second, seconds, flop/s.
 */
#pragma once

#include <stdbool.h>

enum quantity_kind { QUANTITY_BANDWIDTH, QUANTITY_TIME, QUANTITY_SPEED };

/* False: the text is no such number, or less than 0, or not finite. */
bool quantity_read(double *out, const char *text, enum quantity_kind kind);

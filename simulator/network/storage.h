/* SPDX-License-Identifier: Apache-2.0
 *
 * File systems: what the key `storage` of a network description says.
 *
 * In: BANDWIDTH:LATENCY, or several of these with ';' between, DIRECTORY=BANDWIDTH:LATENCY for the
 * files under an absolute directory. Out: the same in Bps and s only, as the runtime reads
 * it (runtime/smpi/io_transfer.c) from the property `storage` of a platform's zone.
 */
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stddef.h>

/* Adds the numbers to *out. *out_offset: where the text is wrong. */
int storage_parse(struct str *out, const char *text, size_t *out_offset, struct error *error);
